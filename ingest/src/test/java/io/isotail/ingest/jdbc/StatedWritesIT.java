package io.isotail.ingest.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.VersionKind;
import io.isotail.ingest.capture.CaptureConfig;
import io.isotail.ingest.capture.CaptureStats;
import io.isotail.ingest.capture.RecordingSink;
import io.isotail.ingest.sql.ObservedTables;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Writes after another one has told the transaction's id: those that text and parameters state are
 * sent as they are and recorded in full, the others are asked what they wrote.
 */
class StatedWritesIT {
  private static final String FIRST = "UPDATE item SET v = v + 1 WHERE k = 1";

  private final RecordingSink sink = new RecordingSink();
  private ConnectionWrapper wrapper;

  /** What an application does after the first write. */
  private interface Work {
    void on(Connection connection) throws SQLException;
  }

  @BeforeAll
  static void startDatabase() throws Exception {
    DatabaseScenario.startDatabase();
  }

  @BeforeEach
  void makeTables() throws Exception {
    DatabaseScenario.direct(
        "DROP SCHEMA IF EXISTS stated CASCADE",
        "CREATE SCHEMA stated",
        "CREATE TABLE stated.item (k int PRIMARY KEY, v int)",
        "CREATE TABLE stated.named (t varchar(4) PRIMARY KEY, v int)",
        "CREATE TABLE stated.priced (p numeric(5, 1) PRIMARY KEY, v int)",
        "CREATE TABLE stated.numbered (k int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, v int)",
        "CREATE COLLATION stated.folding (provider = icu, locale = 'und-u-ks-level2',"
            + " deterministic = false)",
        "CREATE TABLE stated.folded (t text COLLATE stated.folding PRIMARY KEY, v int)",
        "INSERT INTO stated.folded VALUES ('abc', 1)",
        "CREATE TABLE stated.moved (k int PRIMARY KEY, v int)",
        "CREATE FUNCTION stated.move() RETURNS trigger LANGUAGE plpgsql AS"
            + " $$ BEGIN NEW.k := NEW.k + 100; RETURN NEW; END $$",
        "CREATE TRIGGER move BEFORE INSERT ON stated.moved FOR EACH ROW"
            + " EXECUTE FUNCTION stated.move()",
        "CREATE TABLE stated.part (k int PRIMARY KEY, v int) PARTITION BY RANGE (k)",
        "CREATE TABLE stated.part1 PARTITION OF stated.part FOR VALUES FROM (0) TO (1000)",
        "CREATE TRIGGER move BEFORE UPDATE ON stated.part1 FOR EACH ROW"
            + " EXECUTE FUNCTION stated.move()",
        "INSERT INTO stated.item SELECT i, 0 FROM generate_series(1, 9) i",
        "INSERT INTO stated.named VALUES ('a', 0), ('b', 0)");
    wrapper =
        IsotailDriver.wrapper(
            CaptureConfig.of("any", new ObservedTables(List.of())).withClearNames(), sink, "proxy");
  }

  private static Connection plain(String settings) throws SQLException {
    return DriverManager.getConnection(
        DatabaseScenario.database.jdbcUrl() + "&currentSchema=stated" + settings);
  }

  /** The text that the server was sent last, after the first write and the work. */
  private String lastText(String settings, Work work) throws SQLException {
    try (Connection c = wrapper.wrap(plain(settings))) {
      c.setAutoCommit(false);
      try (Statement s = c.createStatement()) {
        s.executeUpdate(FIRST);
      }
      work.on(c);
      String sent = sentBy(c);
      c.commit();
      return sent;
    }
  }

  private static String sentBy(Connection c) throws SQLException {
    int pid = c.unwrap(org.postgresql.PGConnection.class).getBackendPID();
    try (Connection other = plain("");
        Statement s = other.createStatement();
        ResultSet row =
            s.executeQuery("SELECT query FROM pg_stat_activity WHERE pid = %d".formatted(pid))) {
      row.next();
      return row.getString(1);
    }
  }

  private static Work update(String sql, Object... parameters) {
    return c -> {
      try (PreparedStatement s = c.prepareStatement(sql)) {
        for (int i = 0; i < parameters.length; i++) {
          s.setObject(i + 1, parameters[i]);
        }
        s.executeUpdate();
      }
    };
  }

  private static Work batch(String sql, Object... keys) {
    return c -> {
      try (PreparedStatement s = c.prepareStatement(sql)) {
        for (Object key : keys) {
          s.setObject(1, key);
          s.addBatch();
        }
        s.executeBatch();
      }
    };
  }

  /** Rows of a table that were recorded as written, with the version, or {@code ?}. */
  private Map<String, String> recorded(String table) {
    Operations ops = sink.records().get(sink.records().size() - 1).operations();
    Map<String, String> written = new TreeMap<>();
    for (int i = 0; i < ops.size(); i++) {
      boolean of = ("stated." + table).equals(ops.statement(i).table());
      if (of && ops.kind(i) == OperationKind.WRITE && !ops.undone(i)) {
        boolean known = ops.versionKind(i) == VersionKind.KNOWN;
        written.put(ops.keyName(i), known ? ops.versionName(i) : "?");
      }
      assertThat(ops.kind(i)).as(sink.described().toString()).isNotEqualTo(OperationKind.OPAQUE);
    }
    return written;
  }

  /** Rows of a table that the server has from the last transaction. */
  private static Map<String, String> stored(String table, String key) throws SQLException {
    Map<String, String> rows = new TreeMap<>();
    try (Connection c = plain("");
        Statement s = c.createStatement();
        ResultSet row =
            s.executeQuery(
                "SELECT (%s)::text, xmin FROM %s WHERE xmin = (SELECT xmin FROM item WHERE k = 1)"
                    .formatted(key, table))) {
      while (row.next()) {
        rows.put(row.getString(1), row.getString(2));
      }
    }
    return rows;
  }

  private void isStated(String table, String key, Work work) throws SQLException {
    for (String settings : List.of("", "&reWriteBatchedInserts=true")) {
      assertThat(lastText(settings, work)).doesNotContain("RETURNING");
      assertThat(recorded(table)).isEqualTo(stored(table, key)).isNotEmpty();
      try (Connection c = plain("");
          Statement s = c.createStatement()) {
        s.executeUpdate("DELETE FROM item WHERE k >= 50");
        s.executeUpdate("DELETE FROM named WHERE t NOT IN ('a', 'b')");
      }
    }
    assertThat(wrapper.stats().of(CaptureStats.Event.INTERNAL_FAILURE)).isZero();
  }

  @Test
  void updatesAndInsertsByKeyAreStated() throws SQLException {
    isStated("item", "k", update("UPDATE item SET v = ? WHERE k = ?", 5, 2));
    isStated("item", "k", update("INSERT INTO item VALUES (?, 1)", 50));
    isStated("item", "k", update("INSERT INTO item (v, k) VALUES (1, ?), (2, ?)", 50, 51));
    isStated("named", "t", update("INSERT INTO named VALUES (?, 1)", "xy"));
    isStated(
        "item",
        "k",
        update("INSERT INTO item VALUES (?, 1) ON CONFLICT (k) DO UPDATE SET v = 2", 3));
  }

  @Test
  void batchesAreStated() throws SQLException {
    isStated("item", "k", batch("INSERT INTO item VALUES (?, 1)", 50, 51, 52));
    isStated("item", "k", batch("UPDATE item SET v = 7 WHERE k = ?", 2, 3, 99, 2));
    isStated("named", "t", batch("INSERT INTO named VALUES (?, 1)", "x", "y"));
  }

  @Test
  void anUpdateThatMeetsNoRowWritesNone() throws SQLException {
    String sent = lastText("", update("UPDATE item SET v = 1 WHERE k = ? AND v = 77", 2));

    assertThat(sent).doesNotContain("RETURNING");
    assertThat(recorded("item")).isEqualTo(stored("item", "k")).containsOnlyKeys("1");
  }

  private void isAsked(String table, String key, Work work) throws SQLException {
    assertThat(lastText("", work)).contains("RETURNING");
    assertThat(recorded(table)).isEqualTo(stored(table, key)).isNotEmpty();
  }

  @Test
  void whatMayBeStoredOtherwiseIsAsked() throws SQLException {
    isAsked("named", "t", update("INSERT INTO named VALUES (?, 1)", "x    "));
    isAsked("named", "t", update("UPDATE named SET v = 1 WHERE t = ?", "a"));
    isAsked(
        "priced",
        "trim_scale(p)",
        update("INSERT INTO priced VALUES (?, 1)", new java.math.BigDecimal("1.04")));
    isAsked("item", "k", update("UPDATE item SET v = ? WHERE k IN (?, ?)", 5, 4, 5));
    isAsked("named", "t", update("INSERT INTO named VALUES ('007'::int, 1)"));
    isAsked("named", "t", update("INSERT INTO named VALUES (CAST(? AS text), 1)", "z"));
    isAsked(
        "numbered", "k", update("INSERT INTO numbered OVERRIDING USER VALUE VALUES (?, 1)", 50));
    isAsked(
        "folded",
        "t",
        update("INSERT INTO folded VALUES (?, 2) ON CONFLICT (t) DO UPDATE SET v = 3", "ABC"));
  }

  @Test
  void triggersAreAsked() throws SQLException {
    assertThat(lastText("", update("INSERT INTO moved VALUES (?, 1)", 7))).contains("RETURNING");
    assertThat(sink.described().toString()).contains("w107=").doesNotContain("w7=");
    update("INSERT INTO part VALUES (?, 1)", 5).on(plain(""));
    assertThat(lastText("", update("UPDATE part SET v = 2 WHERE k = ?", 5))).contains("RETURNING");
    assertThat(sink.described().toString()).contains("w105=", "opaque(*)").doesNotContain("w5=");
  }

  @Test
  void savepointsHaveIdsOfTheirOwn() throws SQLException {
    Work write = update("UPDATE item SET v = ? WHERE k = ?", 5, 2);
    Work inSavepoint =
        c -> {
          c.setSavepoint();
          write.on(c);
        };
    Work inSqlSavepoint =
        c -> {
          try (Statement s = c.createStatement()) {
            s.execute("SAVEPOINT one");
          }
          write.on(c);
        };

    for (Work work : List.of(inSavepoint, inSqlSavepoint)) {
      assertThat(lastText("", work)).contains("RETURNING");
      assertThat(recorded("item")).containsEntry("2", versionOfTwo());
    }
    lastText("&autosave=always", write);
    assertThat(recorded("item")).containsEntry("2", versionOfTwo());
  }

  private static String versionOfTwo() throws SQLException {
    try (Connection c = plain("");
        Statement s = c.createStatement();
        ResultSet row = s.executeQuery("SELECT xmin FROM item WHERE k = 2")) {
      row.next();
      return row.getString(1);
    }
  }

  @Test
  void aTransactionWithoutAnIdIsAsked() throws SQLException {
    try (Connection c = wrapper.wrap(plain(""))) {
      c.setAutoCommit(false);
      update("UPDATE item SET v = ? WHERE k = ?", 5, 1).on(c);
      assertThat(sentBy(c)).contains("RETURNING");
      c.commit();
      update("UPDATE item SET v = ? WHERE k = ?", 5, 1).on(c);
      assertThat(sentBy(c)).contains("RETURNING");
      c.rollback();
    }
    assertThat(sink.described()).hasSize(2);
  }
}
