package io.isotail.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.isotail.ingest.sandbox.EmbeddedDatabase;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Events;
import org.postgresql.ds.PGSimpleDataSource;

/** What a forecast is, and what its trial must not do, on a real PostgreSQL. */
final class ForecastIsolationIT {
  private static final String TABLES =
      """
      CREATE TABLE stock (item int PRIMARY KEY, n int NOT NULL);
      CREATE TABLE booking (id serial PRIMARY KEY, room int, day int);
      CREATE TABLE seat (id serial PRIMARY KEY, room int, day int, UNIQUE (room, day));
      CREATE TABLE product (id int PRIMARY KEY, name text);
      CREATE TABLE line (id serial PRIMARY KEY, product int REFERENCES product);
      CREATE TABLE guarded (id int PRIMARY KEY, n int NOT NULL);
      CREATE TABLE audit (id serial PRIMARY KEY, what text);
      CREATE SEQUENCE numbers;
      CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN INSERT INTO audit (what) VALUES ('guarded'); RETURN NEW; END $$;
      CREATE TRIGGER noted BEFORE UPDATE ON guarded FOR EACH ROW EXECUTE FUNCTION note();
      """;
  private static final String ROWS =
      """
      TRUNCATE stock, booking, seat, product, line, guarded, audit;
      INSERT INTO stock VALUES (1, 10);
      INSERT INTO product VALUES (1, 'bolt');
      INSERT INTO guarded VALUES (1, 0);
      """;

  @TempDir private Path reports;
  private static EmbeddedDatabase server;
  private static DataSource plain;
  private static DataSource database;

  @BeforeAll
  static void start() throws Exception {
    server = EmbeddedDatabase.start();
    plain = source();
    run(plain, TABLES);
  }

  @AfterAll
  static void stop() throws Exception {
    server.close();
  }

  @BeforeEach
  void begin() {
    System.setProperty("isotail.reports", reports.toString());
    database = CheckedDataSource.of(source()); // with forecasts of its own
  }

  @AfterEach
  void end() {
    System.clearProperty("isotail.reports");
  }

  private static DataSource source() {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setUrl(server.jdbcUrl());
    return source;
  }

  private static void run(DataSource source, String sql) throws SQLException {
    try (Connection c = source.getConnection();
        Statement s = c.createStatement()) {
      s.execute(sql);
    }
  }

  /** A transaction of statements, each with numbers as values. */
  private static void transaction(Object... statements) throws SQLException {
    try (Connection c = database.getConnection()) {
      c.setAutoCommit(false);
      for (Object statement : statements) {
        String[] parts = statement.toString().split(" <- ");
        try (PreparedStatement s = c.prepareStatement(parts[0])) {
          String[] values = parts.length == 1 ? new String[0] : parts[1].split(" ");
          for (int i = 0; i < values.length; i++) {
            s.setInt(i + 1, Integer.parseInt(values[i]));
          }
          if (s.execute()) {
            try (ResultSet rows = s.getResultSet()) {
              while (rows.next()) {
                // An application reads what it asks for.
              }
            }
          }
        }
      }
      c.commit();
    }
  }

  private static void sell() throws SQLException {
    transaction(
        "SELECT n FROM stock WHERE item = ? <- 1", "UPDATE stock SET n = ? WHERE item = ? <- 9 1");
  }

  private JsonNode forecasts(Class<?> tests) throws Exception {
    run(plain, ROWS);
    Events events =
        EngineTestKit.engine("junit-jupiter").selectors(selectClass(tests)).execute().testEvents();
    assertThat(events.failed().count()).isZero();
    return new ObjectMapper().readTree(Files.readString(file(".json"))).get("forecasts");
  }

  private Path file(String end) throws Exception {
    try (Stream<Path> files = Files.list(reports)) {
      return files
          .filter(f -> f.getFileName().toString().startsWith("forecast-"))
          .filter(f -> f.getFileName().toString().endsWith(end))
          .findFirst()
          .orElseThrow();
    }
  }

  private static JsonNode of(JsonNode forecasts, String table) {
    for (JsonNode forecast : forecasts) {
      if (forecast.get("title").asText().endsWith(": " + table)) {
        return forecast;
      }
    }
    return new ObjectMapper().missingNode();
  }

  private static String value(String sql) throws SQLException {
    try (Connection c = plain.getConnection();
        Statement s = c.createStatement();
        ResultSet row = s.executeQuery(sql)) {
      row.next();
      return row.getString(1);
    }
  }

  @ForecastIsolation
  static class Bookings {
    @Test
    void aRoomIsBookedOnce() throws SQLException {
      transaction(
          "SELECT count(*) FROM booking WHERE room = ? AND day = ? <- 1 1",
          "INSERT INTO booking (room, day) VALUES (?, ?) <- 1 1");
    }

    @Test
    void aSeatIsTakenOnce() throws SQLException {
      transaction(
          "SELECT count(*) FROM seat WHERE room = ? AND day = ? <- 1 1",
          "INSERT INTO seat (room, day) VALUES (?, ?) <- 1 1");
    }
  }

  /**
   * The forecasts, one of which is to be proved. On a machine with too much to do some statements
   * may not be captured, which is said and proves nothing: then the tests run again.
   */
  private JsonNode forecasts(Class<?> tests, String proved) throws Exception {
    JsonNode forecasts = forecasts(tests);
    for (int i = 0;
        i < 3 && !of(forecasts, proved).path("certainty").asText().equals("proved");
        i++) {
      database = CheckedDataSource.of(source());
      forecasts = forecasts(tests);
    }
    assertThat(of(forecasts, proved).path("certainty").asText())
        .as(Files.readString(file(".md")))
        .isEqualTo("proved");
    return forecasts;
  }

  @Test
  void aRowThatBothMissIsProvedAndAUniqueKeyPreventsIt() throws Exception {
    JsonNode forecasts = forecasts(Bookings.class, "booking");
    assertThat(of(forecasts, "booking").get("title").asText())
        .startsWith("Two transactions decide by what the other is changing");
    assertThat(of(forecasts, "seat").isMissingNode()).isTrue();
    assertThat(Files.readString(file(".md")))
        .contains("Prevented by the database", "INSERT INTO seat");
    assertThat(value("SELECT count(*) FROM booking")).isEqualTo("1");
    assertThat(value("SELECT count(*) FROM pg_namespace WHERE nspname LIKE 'isotail_%'"))
        .isEqualTo("0");
  }

  @ForecastIsolation
  static class Locks {
    @Test
    void theWholeTableIsLocked() throws SQLException {
      transaction(
          "LOCK TABLE stock IN EXCLUSIVE MODE",
          "SELECT n FROM stock WHERE item = ? <- 1",
          "UPDATE stock SET n = ? WHERE item = ? <- 9 1");
    }

    @Test
    void theRowIsLookedAtAgainUnderALock() throws SQLException {
      transaction(
          "SELECT name FROM product WHERE id = ? <- 1",
          "SELECT name FROM product WHERE id = ? FOR UPDATE <- 1",
          "UPDATE product SET name = 'nut' WHERE id = ? <- 1");
    }
  }

  @Test
  void whatLocksWithoutTellingRowsIsNotProved() throws Exception {
    JsonNode forecasts = forecasts(Locks.class);
    assertThat(of(forecasts, "stock").path("certainty").asText("none")).isNotEqualTo("proved");
    assertThat(of(forecasts, "product").isMissingNode()).isTrue();
  }

  @ForecastIsolation
  static class Others {
    @Test
    void aTriggerWrites() throws SQLException {
      transaction(
          "SELECT n FROM guarded WHERE id = ? <- 1",
          "UPDATE guarded SET n = ? WHERE id = ? <- 1 1");
    }

    @Test
    void aNumberIsTaken() throws SQLException {
      transaction(
          "SELECT nextval('numbers')",
          "SELECT n FROM stock WHERE item = ? <- 1",
          "UPDATE stock SET n = ? WHERE item = ? <- 9 1");
    }
  }

  @Test
  void aTrialTouchesNothingButTheCopies() throws Exception {
    JsonNode forecasts = forecasts(Others.class, "stock");
    assertThat(of(forecasts, "guarded").get("certainty").asText()).isEqualTo("needs_values");
    assertThat(value("SELECT count(*) FROM audit")).isEqualTo("1");
    assertThat(value("SELECT last_value FROM numbers"))
        .as("taken by the tests alone")
        .isLessThan("5");
    assertThat(value("SELECT n FROM stock")).isEqualTo("9");
  }

  @ForecastIsolation
  static class Deletes {
    @BeforeEach
    void fill() throws SQLException {
      run(plain, ROWS);
    }

    @Test
    void aProductWithoutLinesIsRemoved() throws SQLException {
      transaction(
          "SELECT count(*) FROM line WHERE product = ? <- 1",
          "DELETE FROM product WHERE id = ? <- 1");
    }

    @Test
    void aLineIsAdded() throws SQLException {
      transaction(
          "SELECT name FROM product WHERE id = ? <- 1",
          "INSERT INTO line (product) VALUES (?) <- 1");
    }
  }

  @Test
  void aForeignKeyStandsOnTheCopiesToo() throws Exception {
    JsonNode forecasts = forecasts(Deletes.class);
    for (JsonNode forecast : forecasts) {
      assertThat(forecast.get("certainty").asText()).isNotEqualTo("proved");
    }
  }

  @ForecastIsolation
  static class Parents {
    @BeforeEach
    void fill() throws SQLException {
      run(plain, ROWS);
    }

    @Test
    void aProductIsRenamed() throws SQLException {
      transaction(
          "SELECT name FROM product WHERE id = ? <- 1",
          "UPDATE product SET name = 'nut' WHERE id = ? <- 1");
    }

    @Test
    void aProductIsRemoved() throws SQLException {
      transaction(
          "SELECT id, name FROM product WHERE id = ? <- 1",
          "DELETE FROM product WHERE id = ? <- 1");
    }
  }

  @Test
  void aTableIsTriedThatAnUnusedOneRefersTo() throws Exception {
    JsonNode forecasts = forecasts(Parents.class, "product");
    assertThat(forecasts).isNotEmpty();
    assertThat(Files.readString(file(".md")))
        .contains(
            "product is what the foreign key line_product_fkey of line refers to, a table that no transaction used");
  }

  @ForecastIsolation
  static class TwoSources {
    @Test
    void sellsOnBoth() throws SQLException {
      sell();
      DataSource first = database;
      database = CheckedDataSource.of(source());
      sell();
      database = first;
    }
  }

  @Test
  void whatTwoDataSourcesHaveIsToldOnce() throws Exception {
    assertThat(forecasts(TwoSources.class, "stock")).hasSize(1);
    assertThat(Files.readString(file(".md"))).containsOnlyOnce("An update gets lost: stock");
  }

  @ForecastIsolation(failOn = ForecastIsolation.FailOn.PROVED)
  static class Strict {
    @Test
    void anItemIsSold() throws SQLException {
      sell();
    }
  }

  @Test
  void aProvedForecastFailsTheTestWhereThatIsAskedFor() throws Exception {
    run(plain, ROWS);
    EngineTestKit.engine("junit-jupiter")
        .selectors(selectClass(Strict.class))
        .execute()
        .testEvents()
        .assertStatistics(tests -> tests.failed(1))
        .failed()
        .assertThatEvents()
        .anySatisfy(
            event ->
                assertThat(
                        event
                            .getRequiredPayload(TestExecutionResult.class)
                            .getThrowable()
                            .orElseThrow())
                    .hasMessageContaining("An update gets lost: stock")
                    .hasMessageContaining("proved on the database"));
  }

  @ForecastIsolation(prove = false)
  static class Unproved {
    @Test
    void anItemIsSold() throws SQLException {
      sell();
    }
  }

  @Test
  void nothingIsTriedWhereThatIsNotWanted() throws Exception {
    assertThat(of(forecasts(Unproved.class), "stock").get("certainty").asText())
        .isEqualTo("possible");
  }
}
