package io.isotail.monitor.rules;

import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Times as Prometheus writes them: {@code 1h30m}. */
final class RuleTime {
  private static final Pattern PART = Pattern.compile("([0-9]+)([dhms])");

  private static final Map<String, Unit> UNITS =
      Map.of(
          "d", new Unit("day", 86_400),
          "h", new Unit("hour", 3_600),
          "m", new Unit("minute", 60),
          "s", new Unit("second", 1));

  private record Unit(String name, int seconds) {}

  private RuleTime() {}

  private static Unit unit(String letter) {
    return Objects.requireNonNull(UNITS.get(letter));
  }

  /** 90m as 90 minutes, 1h30m as 1 hour 30 minutes. */
  static String words(String time) {
    return PART.matcher(time)
        .results()
        .map(
            part ->
                "%s %s%s"
                    .formatted(
                        part.group(1),
                        unit(part.group(2)).name(),
                        part.group(1).equals("1") ? "" : "s"))
        .collect(Collectors.joining(" "));
  }

  /** How long it is, in seconds. */
  static double seconds(String time) {
    return PART.matcher(time)
        .results()
        .mapToDouble(part -> Double.parseDouble(part.group(1)) * unit(part.group(2)).seconds())
        .sum();
  }
}
