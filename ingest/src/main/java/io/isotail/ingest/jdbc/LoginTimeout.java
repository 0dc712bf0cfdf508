package io.isotail.ingest.jdbc;

import java.sql.DriverManager;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The time that a connection may take to open: the shortest of {@link
 * DriverManager#getLoginTimeout}, a data source's own, and pgjdbc's property {@code loginTimeout}.
 *
 * @param seconds the time; infinite if none is set
 */
record LoginTimeout(double seconds) {
  private static final String PROPERTY = "loginTimeout";
  private static final Pattern IN_URL = Pattern.compile("[?&]" + PROPERTY + "=([^&]*)");

  /**
   * The time for a connection.
   *
   * @param ofSourceSeconds that of a data source; 0 for none
   */
  static LoginTimeout of(String realUrl, Properties realProperties, int ofSourceSeconds) {
    Matcher inUrl = IN_URL.matcher(realUrl);
    double shortest =
        Math.min(orInfinite(ofSourceSeconds), orInfinite(DriverManager.getLoginTimeout()));
    shortest = Math.min(shortest, parse(realProperties.getProperty(PROPERTY, "")));
    return new LoginTimeout(Math.min(shortest, inUrl.find() ? parse(inUrl.group(1)) : shortest));
  }

  /** A value that is no number is left to the real driver to complain of. */
  private static double parse(String seconds) {
    try {
      return orInfinite(Double.parseDouble(seconds));
    } catch (NumberFormatException e) {
      return Double.POSITIVE_INFINITY;
    }
  }

  private static double orInfinite(double seconds) {
    return seconds > 0 ? seconds : Double.POSITIVE_INFINITY;
  }

  /**
   * How long a connection waits for its stream to begin: as long as it is set to, and at most half
   * of the time that it may take to open. In nanoseconds.
   */
  long capNs(int startWaitMs) {
    // Infinite becomes the greatest long.
    long halfNs = (long) (seconds * 1e9 / 2);
    return Math.min(TimeUnit.MILLISECONDS.toNanos(startWaitMs), halfNs);
  }
}
