package io.isotail.monitor.doctor;

import java.net.URI;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A proxy to be looked at.
 *
 * @param proxy host and port of it
 * @param url the database through it
 * @param directUrl the database without it; null if it is not to be asked
 * @param properties who connects, and how patiently
 * @param metrics where its metrics are; null if they are not to be asked
 * @param authorization the header that says who asks for them; null for nobody
 */
public record ProxyTarget(
    String proxy,
    String url,
    @Nullable String directUrl,
    Properties properties,
    @Nullable URI metrics,
    @Nullable String authorization) {
  private static final Pattern URL =
      Pattern.compile("jdbc:postgresql:(?://[^/?]*)?/?([^?]*)(\\?.*)?");

  /** Never tells who connects. */
  @Override
  public String toString() {
    return "ProxyTarget[proxy=" + proxy + "]";
  }

  /**
   * The URL of a database as it is reached through a proxy: the same one with another host.
   *
   * @throws IllegalArgumentException if it is not of PostgreSQL
   */
  public static String through(String directUrl, String proxy) {
    Matcher matcher = URL.matcher(directUrl);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "--url is of another database; expected jdbc:postgresql://…, which is what a proxy stands"
              + " before");
    }
    String parameters = matcher.group(2) == null ? "" : matcher.group(2);
    return "jdbc:postgresql://%s/%s%s".formatted(proxy, matcher.group(1), parameters);
  }
}
