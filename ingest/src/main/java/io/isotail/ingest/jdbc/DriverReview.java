package io.isotail.ingest.jdbc;

import io.isotail.incremental.record.Hello;
import io.isotail.ingest.capture.CaptureSetting;
import io.isotail.ingest.capture.DatabaseCopy;
import io.isotail.ingest.capture.Server;
import io.isotail.ingest.capture.TableSurvey;
import io.isotail.ingest.sql.Identities;
import io.isotail.ingest.sql.ObservedTables;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The driver's settings as they are found for a URL, with what is missing in them: to be judged
 * before an application runs with them.
 *
 * @param realUrl the URL for the real driver
 * @param isDriverUrl whether the URL names isotail's driver
 * @param enabled whether the driver observes at all
 * @param tables the declared tables; none if they are not set
 * @param history id of the history, null if it is not set
 * @param service name of the application
 * @param hasKey whether a secret of the hashes is set
 * @param clearNames whether keys and versions are recorded in clear
 * @param rewrites whether statements may be sent with more columns
 * @param kafka bootstrap servers, null if they are not set
 * @param kafkaProperties further settings of Kafka's clients
 * @param harmlessFunctions functions that write no observed table
 * @param identities what keys, versions and texts are hashed by
 */
public record DriverReview(
    String realUrl,
    boolean isDriverUrl,
    boolean enabled,
    ObservedTables tables,
    @Nullable String history,
    String service,
    boolean hasKey,
    boolean clearNames,
    boolean rewrites,
    @Nullable String kafka,
    Map<String, String> kafkaProperties,
    Set<String> harmlessFunctions,
    Identities identities) {

  /** Copies the collections. */
  public DriverReview {
    harmlessFunctions = Set.copyOf(harmlessFunctions);
    kafkaProperties = Map.copyOf(kafkaProperties);
  }

  /** Never tells settings of Kafka's clients, among which are passwords. */
  @Override
  public String toString() {
    return "DriverReview[history=" + history + "]";
  }

  /**
   * Reads the settings where the driver finds them.
   *
   * @param url of the driver or of the real one
   * @param options settings that win over those of the URL, as {@code isotail.tables}
   * @param systemProperty a system property by its name
   * @param environment a variable of the environment by its name
   * @throws IllegalArgumentException saying which setting is wrong and what was expected
   * @throws java.io.UncheckedIOException when {@code isotail.config} cannot be read
   */
  public static DriverReview of(
      String url,
      Map<String, String> options,
      UnaryOperator<@Nullable String> systemProperty,
      UnaryOperator<@Nullable String> environment) {
    Map<String, String> given = new HashMap<>();
    String realUrl = IdentitySettings.realUrl(url, given);
    given.putAll(options);
    SettingLookup settings = new SettingLookup(given, systemProperty, environment);
    settings.number(DriverSetting.CHUNK_OPERATIONS);
    settings.number(DriverSetting.QUEUE_RECORDS);
    String history = set(settings.find(DriverSetting.HISTORY));
    String key = set(settings.find(DriverSetting.KEY));
    return new DriverReview(
        realUrl,
        url.startsWith(CaptureSettings.URL_PREFIX),
        settings.bool(DriverSetting.ENABLED),
        ObservedTables.parse(settings.get(DriverSetting.TABLES)),
        history,
        settings.get(DriverSetting.SERVICE),
        key != null,
        settings.bool(DriverSetting.CLEAR_NAMES),
        settings.bool(DriverSetting.REWRITE),
        set(settings.find(DriverSetting.KAFKA)),
        settings.withPrefix(SettingLookup.KAFKA_PREFIX),
        CaptureSetting.words(settings.get(DriverSetting.HARMLESS_FUNCTIONS)),
        Identities.of(key, history == null ? "" : history));
  }

  private static @Nullable String set(@Nullable String value) {
    return value == null || value.isBlank() ? null : value;
  }

  /**
   * What a database is to the driver.
   *
   * @param product name and version of the server
   * @param level level at which transactions run unless told otherwise, as records name it: {@code
   *     postgresql:read-committed}; null if it is not told
   * @param findsTables whether tables are observed without being declared
   * @param knowsRunning whether the database tells which transactions run, so that rows of before
   *     capture are known as such
   * @param tables its tables
   */
  public record Database(
      String product,
      @Nullable String level,
      boolean findsTables,
      boolean knowsRunning,
      List<TableSurvey.Table> tables) {
    /** Copies the list. */
    public Database {
      tables = List.copyOf(tables);
    }
  }

  /**
   * Looks at the database behind a connection of the real driver, as the driver itself would.
   *
   * @throws SQLException if it does not answer
   */
  public Database examine(Connection real) throws SQLException {
    JdbcServer server = new JdbcServer(real, realUrl, new Properties());
    try {
      boolean findsTables = server.dialect().surveyQuery() != null;
      return new Database(
          real.getMetaData().getDatabaseProductName()
              + " "
              + real.getMetaData().getDatabaseProductVersion(),
          server.dialect().level(server.isolation(), DatabaseCopy.of(server)),
          findsTables,
          running(server) != Hello.NOT_KNOWN,
          findsTables || !tables.all().isEmpty() ? TableSurvey.of(server, tables) : List.of());
    } catch (SQLException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new SQLException(e);
    }
  }

  private static long running(Server server) throws Exception {
    String query = server.dialect().runningQuery();
    return query == null || server.firstRow(query) == null ? Hello.NOT_KNOWN : 0;
  }
}
