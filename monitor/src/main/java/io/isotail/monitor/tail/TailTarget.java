package io.isotail.monitor.tail;

import com.github.shyiko.mysql.binlog.network.SSLMode;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A MariaDB server whose log is followed, or one of its cluster, and who follows it.
 *
 * @param url of this server alone, as JDBC has it, without settings of isotail
 * @param host of the server
 * @param port of the server
 * @param user who may replicate
 * @param password null for none
 * @param tls how the log's connection is encrypted
 */
public record TailTarget(
    String url, String host, int port, String user, @Nullable String password, SSLMode tls) {
  private static final Pattern URL =
      Pattern.compile("(jdbc:mariadb:(?://)?)([^/?]+)(/([^?/]+)(?:\\?(.*))?)");

  private static final Pattern HOST =
      Pattern.compile("(?:\\[([^\\]]+)\\]|([^:\\[\\]]+))(?::(\\d+))?");

  private static final int PORT = 3306;

  /**
   * Reads a URL.
   *
   * @param login {@code user} and {@code password}, unless the URL has them
   * @return its servers, of which there is one or more
   * @throws IllegalArgumentException saying what was expected; without the URL, which may hold a
   *     password
   */
  public static List<TailTarget> of(String url, Properties login) {
    Matcher parts = URL.matcher(url);
    if (!parts.matches()) {
      throw unreadable();
    }
    Map<String, String> options = options(parts.group(5));
    String user = login.getProperty("user", options.get("user"));
    if (user == null) {
      throw new IllegalArgumentException("found no user; expected --user, or user= in --url");
    }
    String password = login.getProperty("password", options.get("password"));
    SSLMode tls = tls(options.getOrDefault("sslMode", options.getOrDefault("useSsl", "disable")));
    List<TailTarget> targets = new ArrayList<>();
    for (String each : parts.group(2).split(",", -1)) {
      Matcher host = HOST.matcher(each);
      if (!host.matches()) {
        throw unreadable();
      }
      targets.add(
          new TailTarget(
              parts.group(1) + each + parts.group(3),
              host.group(1) == null ? host.group(2) : host.group(1),
              host.group(3) == null ? PORT : Integer.parseInt(host.group(3)),
              user,
              password,
              tls));
    }
    return targets;
  }

  private static IllegalArgumentException unreadable() {
    return new IllegalArgumentException(
        "--url cannot be read; expected jdbc:mariadb://HOST:PORT/DATABASE?NAME=VALUE&… with the"
            + " host whose binary log is followed, and behind it the others of its Galera cluster,"
            + " if it is of one: HOST:PORT,HOST:PORT,…");
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
