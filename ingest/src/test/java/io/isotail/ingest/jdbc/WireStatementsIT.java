package io.isotail.ingest.jdbc;

import static io.isotail.ingest.jdbc.HiddenSchema.fill;
import static io.isotail.ingest.jdbc.HiddenSchema.plain;
import static io.isotail.ingest.jdbc.HiddenSchema.versions;
import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.ingest.capture.CaptureConfig;
import io.isotail.ingest.capture.RecordingSink;
import io.isotail.ingest.jdbc.SeenByApplication.Way;
import io.isotail.ingest.postgres.TestRelay;
import io.isotail.ingest.sql.ObservedTables;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The statements of {@link HiddenColumnsIT} through a conversation of the wire protocol, beside the
 * same without one: the client sees the same, and what is recorded is what the server has.
 */
class WireStatementsIT {
  private final RecordingSink sink = new RecordingSink();
  private TestRelay relay;

  @BeforeAll
  static void makeSchema() throws Exception {
    HiddenSchema.make();
  }

  @BeforeEach
  void listen() throws Exception {
    relay =
        new TestRelay(
            DatabaseScenario.database.port(),
            CaptureConfig.of("any", new ObservedTables(List.of())).withClearNames(),
            sink);
  }

  @AfterEach
  void stop() throws Exception {
    relay.close();
  }

  private Connection through(String settings) throws SQLException {
    String url =
        DatabaseScenario.database
            .jdbcUrl()
            .replaceFirst("//[^/]*/", "//127.0.0.1:" + relay.port() + "/");
    return DriverManager.getConnection(url + "&currentSchema=hidden" + settings);
  }

  @Test
  void theClientSeesTheSameAndTheRecordIsTrue() throws SQLException {
    compare("", EnumSet.of(Way.STATEMENT, Way.FETCHED_IN_PORTIONS));
  }

  @Test
  void soDoesAClientOfSimpleQueriesAlone() throws SQLException {
    // This mode of the driver describes nothing before it executes it.
    compare("&preferQueryMode=simple", EnumSet.of(Way.STATEMENT_ALL_KEYS));
  }

  @Test
  void soDoesAClientThatPreparesAtOnceAndReadsBinary() throws SQLException {
    compare("&prepareThreshold=-1", EnumSet.of(Way.PREPARED_TWICE));
  }

  @Test
  void rowsAreReadWhereNumbersStandForTheClientsColumns() throws SQLException {
    fill();
    for (String settings : List.of("", "&preferQueryMode=simple", "&prepareThreshold=-1")) {
      for (String sql :
          List.of(
              "SELECT w FROM acc WHERE k = 1 ORDER BY 1",
              "SELECT * FROM acc WHERE k = 1 ORDER BY 3",
              "SELECT w FROM acc WHERE k = 1 ORDER BY ?")) {
        sink.clear();
        try (Connection c = through(settings);
            PreparedStatement s = c.prepareStatement(sql)) {
          if (sql.endsWith("?")) {
            s.setInt(1, 7);
          }
          s.executeQuery().close();
        }
        assertThat(sink.described())
            .as("%s %s", sql, settings)
            .containsExactly("committed: r1=" + versions().get("hidden.acc 1"));
      }
    }
  }

  private void compare(String settings, Set<Way> ways) throws SQLException {
    new StatementComparison(sink, relay.stats(), () -> plain(settings), () -> through(settings))
        .run(settings, (query, autoCommit) -> ways, 10);
  }
}
