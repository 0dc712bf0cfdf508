package io.isotail.monitor.cli;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Locale;

/** Times as people write them on a command line. */
final class Durations {
  private Durations() {}

  /**
   * Reads a time such as {@code 30s}, {@code 2m} or {@code 1h30m}.
   *
   * @throws IllegalArgumentException saying what was expected
   */
  static Duration parse(String text) {
    Duration parsed;
    try {
      parsed = Duration.parse("PT" + text.toUpperCase(Locale.ROOT));
    } catch (DateTimeParseException e) {
      throw new IllegalArgumentException(
          "--duration " + text + "; expected a time as in 30s, 2m or 1h30m", e);
    }
    if (parsed.isNegative() || parsed.isZero()) {
      throw new IllegalArgumentException("--duration " + text + "; expected more than 0");
    }
    return parsed;
  }
}
