package io.isotail.ingest.jdbc;

import static io.isotail.ingest.jdbc.HiddenSchema.checkRecord;
import static io.isotail.ingest.jdbc.HiddenSchema.difference;
import static io.isotail.ingest.jdbc.HiddenSchema.fill;
import static io.isotail.ingest.jdbc.HiddenSchema.plain;
import static io.isotail.ingest.jdbc.HiddenSchema.versions;
import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.ingest.capture.CaptureConfig;
import io.isotail.ingest.capture.CaptureStats;
import io.isotail.ingest.capture.RecordingSink;
import io.isotail.ingest.jdbc.SeenByApplication.Way;
import io.isotail.ingest.postgres.TestRelay;
import io.isotail.ingest.sql.ObservedTables;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
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
    List<String> different = new ArrayList<>();
    int compared = 0;
    int toldExactly = 0;
    Map<String, String> before = Map.of(); // What is there now; empty if that is to be made anew.
    for (boolean autoCommit : new boolean[] {true, false}) {
      for (String sql : ComparedStatements.STATEMENTS) {
        boolean query = sql.startsWith("SELECT") && !sql.contains("add_one");
        for (Way way : ways) {
          String text = sql.replace("public.acc", "hidden.acc");
          boolean changes = !query || text.contains(";");
          if (changes || before.isEmpty()) {
            fill();
          }
          List<String> expected = seen(plain(settings), autoCommit, way, text);
          if (changes || before.isEmpty()) {
            fill();
            before = versions();
          }
          sink.clear();
          long refused = relay.stats().of(CaptureStats.Event.REWRITING_REFUSED);
          List<String> actual = seen(through(settings), autoCommit, way, text);
          compared++;
          String name = "%s, autocommit %s: %s".formatted(way, autoCommit, sql);
          // The application's own mistakes may look as if added columns were refused.
          boolean mistaken = expected.stream().anyMatch(line -> line.contains("Exception"));
          if (!mistaken && relay.stats().of(CaptureStats.Event.REWRITING_REFUSED) > refused) {
            different.add(name + " was refused");
          }
          if (!actual.equals(expected)) {
            different.add(name + difference(expected, actual));
          }
          Map<String, String> was = before;
          before = changes ? Map.of() : before;
          if (text.contains(" seen ")) {
            continue; // What is written through a view is of a writer who is not captured.
          }
          Map<String, String> after = changes ? versions() : was;
          toldExactly += checkRecord(name, sink, was, after, different) ? 1 : 0;
        }
      }
    }
    System.out.printf(
        "%,d statements beside the real driver%s, of which %,d wrote and told exactly what%n",
        compared, settings, toldExactly);
    assertThat(different).isEmpty();
    assertThat(relay.stats().of(CaptureStats.Event.INTERNAL_FAILURE)).isZero();
    assertThat(toldExactly).isGreaterThan(10);
  }

  private static List<String> seen(Connection c, boolean autoCommit, Way way, String sql)
      throws SQLException {
    try (c) {
      c.setAutoCommit(autoCommit);
      List<String> seen = SeenByApplication.of(c, way, sql);
      if (!autoCommit) {
        c.commit();
      }
      return seen;
    }
  }
}
