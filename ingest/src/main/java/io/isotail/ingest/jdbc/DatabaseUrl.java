package io.isotail.ingest.jdbc;

import java.util.List;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/** Parts of a JDBC URL. */
final class DatabaseUrl {
  private static final String JDBC = "jdbc:";
  private static final String LIMIT = "maxResultBuffer";

  /** Settings of pgjdbc that set the search path. */
  private static final List<String> NAMING = List.of("currentSchema", "options");

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
    return setting(url, properties, LIMIT) != null;
  }

  /**
   * A setting of the driver, as it is written in the URL.
   *
   * @param properties given beside the URL
   * @return null if it is not set
   */
  private static @Nullable String setting(
      @Nullable String url, Properties properties, String name) {
    int query = url == null ? -1 : url.indexOf('?');
    if (url != null && query >= 0) {
      for (String part : url.substring(query + 1).split("&", -1)) {
        if (part.startsWith(name + "=")) {
          return part.substring(name.length() + 1);
        }
      }
    }
    return properties.getProperty(name);
  }

  /**
   * The database and the settings by which tables are found there.
   *
   * @param properties given beside the URL
   */
  static String names(@Nullable String url, Properties properties) {
    int query = url == null ? -1 : url.indexOf('?');
    StringBuilder names = new StringBuilder();
    names.append(url == null ? "" : query < 0 ? url : url.substring(0, query));
    for (String name : NAMING) {
      names.append('\n').append(setting(url, properties, name));
    }
    return names.toString();
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
