package io.isotail.monitor.rules;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** The settings of the rules, each of which is allowed. Immutable. */
public final class RuleValues {
  private static final String LABEL = "[a-zA-Z_][a-zA-Z0-9_]*";

  /** Labels by which the rules tell alerts apart. */
  private static final List<String> OWN_LABELS =
      List.of("alertname", "severity", "history", "slot", "incident", "wave");

  private static final String OBJECT_LABEL =
      "([a-z0-9]([a-z0-9.-]*[a-z0-9])?/)?[A-Za-z0-9]([A-Za-z0-9_.-]*[A-Za-z0-9])?";

  private final SortedMap<String, String> given;
  private final Map<RuleSetting, String> values = new EnumMap<>(RuleSetting.class);

  private RuleValues(Map<String, String> given) {
    this.given = new TreeMap<>(given);
  }

  /**
   * The defaults with these settings by name.
   *
   * @throws IllegalArgumentException with every mistake that was found, one a line
   */
  public static RuleValues of(Map<String, String> settings) {
    RuleValues all = new RuleValues(settings);
    List<String> mistakes = new ArrayList<>();
    all.given.forEach((name, value) -> all.put(name, value, mistakes));
    if (mistakes.isEmpty()) {
      all.requireShortMemory(mistakes);
    }
    if (!mistakes.isEmpty()) {
      throw new IllegalArgumentException(String.join(System.lineSeparator(), mistakes));
    }
    return all;
  }

  private void put(String name, String value, List<String> mistakes) {
    RuleSetting setting =
        Arrays.stream(RuleSetting.values()).filter(s -> s.hasName(name)).findFirst().orElse(null);
    if (setting == null) {
      mistakes.add("%s: no such setting; did you mean '%s'?".formatted(name, nearest(name)));
      return;
    }
    if (!setting.allows(value)) {
      mistakes.add("%s=%s: expected %s".formatted(name, value, setting.expected()));
    }
    if (setting.isFamily()) {
      String label = name.substring(setting.prefix().length());
      boolean object = setting == RuleSetting.KUBERNETES_LABELS;
      if (!label.matches(object ? OBJECT_LABEL : LABEL)) {
        mistakes.add(
            "%s=%s: '%s' is no name of a label; expected %s"
                .formatted(
                    name, value, label, object ? "one of Kubernetes' form" : "Prometheus' form"));
      }
      if (!object && OWN_LABELS.contains(label)) {
        mistakes.add(
            "%s=%s: the rules set '%s' themselves; expected another name"
                .formatted(name, value, label));
      }
    }
    values.put(setting, value);
  }

  /** A lag that was known once and is remembered as long as it must last would be told. */
  private void requireShortMemory(List<String> mistakes) {
    String memory = get(RuleSetting.LAG_MEMORY);
    String lasts = get(RuleSetting.LAG_FOR);
    if (RuleTime.seconds(memory) >= RuleTime.seconds(lasts)) {
      mistakes.add(
          "%s=%s: not less than %s=%s, so that one late record would be told; expected less"
              .formatted(RuleSetting.LAG_MEMORY.key(), memory, RuleSetting.LAG_FOR.key(), lasts));
    }
  }

  /** The value of a setting that is no family. */
  String get(RuleSetting setting) {
    return values.getOrDefault(setting, setting.fallback());
  }

  /** What a family sets, by the rest of the names; what is empty is not set. */
  SortedMap<String, String> family(RuleSetting family) {
    SortedMap<String, String> found = new TreeMap<>();
    given.forEach(
        (name, value) -> {
          if (family.hasName(name) && !value.isEmpty()) {
            found.put(name.substring(family.prefix().length()), value);
          }
        });
    return found;
  }

  /** What was set, by name. */
  SortedMap<String, String> given() {
    return given;
  }

  /** The name that is most like one that does not exist. */
  private static String nearest(String name) {
    return Arrays.stream(RuleSetting.values())
        .map(RuleSetting::key)
        .min(Comparator.comparingInt(known -> edits(known, name)))
        .orElseThrow();
  }

  /** How many letters must be put in, left out or replaced to make the one of the other. */
  private static int edits(String one, String other) {
    int[] row = new int[other.length() + 1];
    Arrays.setAll(row, i -> i);
    for (int i = 1; i <= one.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= other.length(); j++) {
        int replaced = diagonal + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[other.length()];
  }
}
