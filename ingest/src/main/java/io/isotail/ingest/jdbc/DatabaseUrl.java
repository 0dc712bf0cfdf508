package io.isotail.ingest.jdbc;

import org.jspecify.annotations.Nullable;

/** Parts of a JDBC URL. */
final class DatabaseUrl {
  private static final String JDBC = "jdbc:";

  private DatabaseUrl() {}

  /** What a URL names after {@code jdbc:}, a kind of database or a driver. */
  static String database(@Nullable String url) {
    if (url == null || !url.startsWith(JDBC)) {
      return "unknown";
    }
    int end = url.indexOf(':', JDBC.length());
    return end < 0 ? "unknown" : url.substring(JDBC.length(), end);
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
