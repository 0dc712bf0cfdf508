package io.isotail.monitor.offline;

import io.isotail.incremental.anomaly.AnomalyKind;
import io.isotail.ingest.generate.GenerateConfig;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The values of {@code --inject}: {@code KIND[:COUNT]}. */
final class InjectOption {
  private static final String ALL = "all";

  private InjectOption() {}

  /**
   * How many of each kind; what is named twice is added up.
   *
   * @throws IllegalArgumentException saying what was expected
   */
  static Map<AnomalyKind, Integer> parse(List<String> options) {
    Map<AnomalyKind, Integer> counts = new EnumMap<>(AnomalyKind.class);
    for (String option : options) {
      String[] parts = option.split(":", 2);
      int count = parts.length == 1 ? 1 : count(option, parts[1]);
      for (AnomalyKind kind : kinds(parts[0])) {
        counts.merge(kind, count, Math::addExact);
      }
    }
    return counts;
  }

  private static Set<AnomalyKind> kinds(String name) {
    Set<AnomalyKind> known = GenerateConfig.Injections.KINDS;
    if (name.equals(ALL)) {
      return known;
    }
    for (AnomalyKind kind : known) {
      if (kind.label().equals(name)) {
        return Set.of(kind);
      }
    }
    throw new IllegalArgumentException(
        "--inject: anomaly '%s' is unknown; expected all or one of %s"
            .formatted(
                name, known.stream().map(AnomalyKind::label).collect(Collectors.joining(", "))));
  }

  private static int count(String option, String text) {
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "--inject %s; expected a number after the colon".formatted(option), e);
    }
  }
}
