package io.isotail.ingest.jdbc;

import java.util.Properties;
import org.jspecify.annotations.Nullable;

/** Parts of a JDBC URL. */
final class DatabaseUrl {
  private static final String JDBC = "jdbc:";
  private static final String LIMIT = "maxResultBuffer";

  private DatabaseUrl() {}

  /** What a URL names after {@code jdbc:}, a kind of database or a driver. */
  static String database(@Nullable String url) {
    if (url == null || !url.startsWith(JDBC)) {
      return "unknown";
    }
    int end = url.indexOf(':', JDBC.length());
    return end < 0 ? "unknown" : url.substring(JDBC.length(), end);
  }

  /**
   * Whether pgjdbc closes the connection when the rows of an answer are longer than its {@code
   * maxResultBuffer}.
   *
   * @param properties given beside the URL
   */
  static boolean limitsAnswers(@Nullable String url, Properties properties) {
    return properties.getProperty(LIMIT) != null
        || (url != null && (url.contains("?" + LIMIT + "=") || url.contains("&" + LIMIT + "=")));
  }

  /** Host and port, null when the URL has none. */
  static @Nullable String host(@Nullable String url) {
    int start = url == null ? -1 : url.indexOf("//");
    if (url == null || start < 0) {
      return null;
    }
    int end = start + 2;
    while (end < url.length() && "/?;".indexOf(url.charAt(end)) < 0) {
      end++;
    }
    String host = url.substring(start + 2, end);
    return host.isEmpty() ? null : host.substring(host.lastIndexOf('@') + 1);
  }
}
