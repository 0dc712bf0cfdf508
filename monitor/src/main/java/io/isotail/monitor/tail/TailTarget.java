package io.isotail.monitor.tail;

import com.github.shyiko.mysql.binlog.network.SSLMode;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A MariaDB server whose log is followed, and who follows it.
 *
 * @param url as JDBC has it, without settings of isotail
 * @param host of the server
 * @param port of the server
 * @param user who may replicate
 * @param password null for none
 * @param tls how the log's connection is encrypted
 */
public record TailTarget(
    String url, String host, int port, String user, @Nullable String password, SSLMode tls) {
  private static final Pattern URL =
      Pattern.compile(
          "jdbc:mariadb:(?://)?(?:\\[([^\\]]+)\\]|([^/,:?\\[\\]]+))(?::(\\d+))?/([^?/]+)(?:\\?(.*))?");

  private static final int PORT = 3306;

  /**
   * Reads a URL.
   *
   * @param login {@code user} and {@code password}, unless the URL has them
   * @throws IllegalArgumentException saying what was expected; without the URL, which may hold a
   *     password
   */
  public static TailTarget of(String url, Properties login) {
    Matcher parts = URL.matcher(url);
    if (!parts.matches()) {
      throw new IllegalArgumentException(
          "--url cannot be read; expected jdbc:mariadb://HOST:PORT/DATABASE?NAME=VALUE&… with one"
              + " host, whose binary log is followed");
    }
    Map<String, String> options = options(parts.group(5));
    String user = login.getProperty("user", options.get("user"));
    if (user == null) {
      throw new IllegalArgumentException("found no user; expected --user, or user= in --url");
    }
    return new TailTarget(
        url,
        parts.group(1) == null ? parts.group(2) : parts.group(1),
        parts.group(3) == null ? PORT : Integer.parseInt(parts.group(3)),
        user,
        login.getProperty("password", options.get("password")),
        tls(options.getOrDefault("sslMode", options.getOrDefault("useSsl", "disable"))));
  }

  private static SSLMode tls(String mode) {
    return switch (mode.toLowerCase(Locale.ROOT).replace('_', '-')) {
      case "trust", "required", "1", "true" -> SSLMode.REQUIRED;
      case "verify-ca" -> SSLMode.VERIFY_CA;
      case "verify-full", "verify-identity" -> SSLMode.VERIFY_IDENTITY;
      default -> SSLMode.DISABLED;
    };
  }

  private static Map<String, String> options(@Nullable String query) {
    Map<String, String> options = new HashMap<>();
    for (String pair : query == null ? new String[0] : query.split("&", -1)) {
      int equals = pair.indexOf('=');
      if (equals > 0) {
        options.put(
            pair.substring(0, equals),
            URLDecoder.decode(pair.substring(equals + 1), StandardCharsets.UTF_8));
      }
    }
    return options;
  }

  /** Host and port, without anything secret. */
  public String address() {
    return host + ":" + port;
  }

  @Override
  public String toString() {
    return address();
  }
}
