package io.isotail.monitor.config;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.regex.Pattern;

/** Times as people write them on a command line. */
public final class Durations {
  private static final Pattern MILLISECONDS = Pattern.compile("\\d{1,15}ms");

  private Durations() {}

  /**
   * Reads a time such as {@code 50ms}, {@code 30s}, {@code 2m} or {@code 1h30m}.
   *
   * @param option that it is the value of
   * @throws IllegalArgumentException saying what was expected
   */
  public static Duration parse(String option, String text) {
    Duration parsed;
    try {
      parsed =
          MILLISECONDS.matcher(text).matches()
              ? Duration.ofMillis(Long.parseLong(text.substring(0, text.length() - 2)))
              : Duration.parse("PT" + text.toUpperCase(Locale.ROOT));
    } catch (DateTimeParseException | ArithmeticException e) {
      throw new IllegalArgumentException(
          "%s %s; expected a time as in 30s, 2m, 1h30m or 50ms".formatted(option, text), e);
    }
    if (parsed.isNegative() || parsed.isZero()) {
      throw new IllegalArgumentException("%s %s; expected more than 0".formatted(option, text));
    }
    return parsed;
  }
}
