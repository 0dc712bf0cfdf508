package io.isotail.monitor.offline;

import io.isotail.ingest.jdbc.DriverSetting;
import io.isotail.monitor.config.Durations;
import io.isotail.monitor.resolve.ReadOnlyDatabase;
import io.isotail.monitor.resolve.ResolveException;
import java.io.IOException;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options that say which database to read, and how patiently. */
public final class DatabaseOptions {
  private static final String POSTGRESQL = "jdbc:postgresql:";

  /** For a host that drops what is sent to it; the driver itself waits 10 s. */
  private static final String CONNECT_SECONDS = "5";

  @Option(
      names = "--url",
      paramLabel = "URL",
      description =
          "The database, as in jdbc:postgresql://HOST/DB; the applications' own URL"
              + " (jdbc:isotail:postgresql:…) is understood too.")
  private @Nullable String url;

  @Option(
      names = "--user",
      paramLabel = "NAME",
      description = "User of the database (default: that of the URL, else PGUSER).")
  private @Nullable String user;

  @Option(
      names = "--password-file",
      paramLabel = "FILE",
      description =
          "File with the user's password, on one line (default: PGPASSWORD, else ~/.pgpass).")
  private @Nullable String passwordFile;

  @Option(
      names = "--statement-timeout",
      paramLabel = "TIME",
      description =
          "How long the database may work on one question or batch of rows, as in 30s (default:"
              + " ${DEFAULT-VALUE}).")
  private String statementTimeout = "1m";

  /**
   * Refuses a URL that holds the secret of the hashes.
   *
   * @throws ResolveException saying where it may stand
   */
  public static void requireNoKey(String url) throws ResolveException {
    if (url.contains(DriverSetting.KEY.key() + "=")) {
      throw new ResolveException(
          "found %s in --url, where everybody who runs ps can read it; expected it in a file of settings or in %s"
              .formatted(DriverSetting.KEY.key(), DriverSetting.KEY.variable()));
    }
  }

  /** How long the database may work on one question, in ms. */
  public long statementTimeoutMs() {
    return Durations.parse("--statement-timeout", statementTimeout).toMillis();
  }

  /** The URL as given, null for none. */
  public @Nullable String url() {
    return url;
  }

  /**
   * Connects.
   *
   * @param realUrl the URL without settings of isotail
   * @throws IllegalArgumentException when an option is wrong
   */
  ReadOnlyDatabase open(String realUrl) throws ResolveException, IOException, SQLException {
    if (!realUrl.startsWith(POSTGRESQL)) {
      throw new ResolveException("--url is of another database; expected " + POSTGRESQL + "//…");
    }
    requireReadable(realUrl);
    return ReadOnlyDatabase.open(
        realUrl,
        properties(realUrl, "isotail resolve"),
        Durations.parse("--statement-timeout", statementTimeout));
  }

  /**
   * What the real driver is told beside the URL: who connects.
   *
   * @param command name of the command, for the database's people
   */
  public Properties properties(String realUrl, String command)
      throws ResolveException, IOException {
    Properties properties = new Properties();
    if (realUrl.startsWith(POSTGRESQL)) {
      properties.setProperty("ApplicationName", command);
      if (!realUrl.contains("connectTimeout=")) {
        properties.setProperty("connectTimeout", CONNECT_SECONDS);
      }
    }
    set(properties, realUrl, "user", user, "PGUSER");
    String password =
        passwordFile == null ? null : InputFiles.oneLine("--password-file", passwordFile);
    set(properties, realUrl, "password", password, "PGPASSWORD");
    return properties;
  }

  /** The driver's own message shows the URL, which may hold a password. */
  private static void requireReadable(String url) throws ResolveException {
    try {
      DriverManager.getDriver(url);
    } catch (SQLException e) {
      throw new ResolveException(
          "--url cannot be read; expected jdbc:postgresql://HOST:PORT/DATABASE?NAME=VALUE&…");
    }
  }

  private static void set(
      Properties properties, String url, String name, @Nullable String given, String variable)
      throws ResolveException {
    boolean inUrl = url.contains("?" + name + "=") || url.contains("&" + name + "=");
    if (inUrl && given != null) {
      throw new ResolveException(
          "found the %s in --url and in an option; expected it once".formatted(name));
    }
    String value = given == null ? System.getenv(variable) : given;
    if (!inUrl && value != null) {
      properties.setProperty(name, value);
    }
  }
}
