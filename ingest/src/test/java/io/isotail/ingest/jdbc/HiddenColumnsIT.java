package io.isotail.ingest.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.Checker;
import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.record.Goodbye;
import io.isotail.incremental.record.Hello;
import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.incremental.record.VersionKind;
import io.isotail.ingest.capture.CaptureConfig;
import io.isotail.ingest.capture.CaptureStats;
import io.isotail.ingest.capture.RecordingSink;
import io.isotail.ingest.jdbc.SeenByApplication.Way;
import io.isotail.ingest.sql.ObservedTables;
import java.io.StringReader;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Statements through isotail beside the same through the real driver, on a schema that knows
 * nothing of isotail: the application sees the same, and what is recorded is what the server has.
 */
class HiddenColumnsIT {
  private static final List<String> SCHEMA =
      List.of(
          "CREATE TABLE acc (k bigint PRIMARY KEY, v bigint, w text)",
          "CREATE TABLE pair2 (a int, b text, n numeric(10,2), PRIMARY KEY (a, b))",
          "CREATE TABLE doc2 (id uuid PRIMARY KEY, j jsonb, xs int[])",
          "CREATE TABLE serialised (id bigserial PRIMARY KEY, at timestamptz DEFAULT now(), t text)",
          "CREATE TABLE \"Odd Table\" (\"Id\" int PRIMARY KEY, \"from\" text)",
          "CREATE TABLE keyless (k bigint, v bigint)",
          "CREATE TABLE included (k bigint, v bigint, PRIMARY KEY (k) INCLUDE (v))",
          "CREATE TABLE other.acc (k bigint PRIMARY KEY, v bigint)",
          "INSERT INTO other.acc VALUES (1, 5)",
          "CREATE TABLE uniq (k bigint NOT NULL UNIQUE, v bigint)",
          "CREATE TABLE deferred2 (k bigint PRIMARY KEY DEFERRABLE, v bigint)",
          "CREATE TABLE part (k bigint PRIMARY KEY, v bigint) PARTITION BY RANGE (k)",
          "CREATE TABLE part_low PARTITION OF part FOR VALUES FROM (0) TO (100)",
          "CREATE TABLE part_high PARTITION OF part FOR VALUES FROM (100) TO (1000)",
          "CREATE TABLE base (k bigint PRIMARY KEY, v bigint)",
          "CREATE TABLE derived () INHERITS (base)",
          "CREATE VIEW seen AS SELECT k, v FROM acc",
          "CREATE TABLE ruled (k bigint PRIMARY KEY, v bigint)",
          "CREATE RULE also AS ON INSERT TO ruled DO ALSO NOTIFY x",
          "CREATE TABLE secured (k bigint PRIMARY KEY, v bigint)",
          "ALTER TABLE secured ENABLE ROW LEVEL SECURITY",
          "CREATE TABLE audited (k bigint PRIMARY KEY, v bigint)",
          "CREATE TABLE audit (n bigserial PRIMARY KEY, k bigint)",
          "CREATE FUNCTION raised() RETURNS trigger LANGUAGE plpgsql AS "
              + "'BEGIN NEW.v := NEW.v + 1; INSERT INTO audit (k) VALUES (NEW.k); RETURN NEW; END'",
          "CREATE TRIGGER before_it BEFORE INSERT OR UPDATE ON audited FOR EACH ROW "
              + "EXECUTE FUNCTION raised()",
          "CREATE TABLE parent (k bigint PRIMARY KEY)",
          "CREATE TABLE child (k bigint PRIMARY KEY, p bigint REFERENCES parent ON DELETE CASCADE)",
          "CREATE FUNCTION add_one(n bigint) RETURNS bigint LANGUAGE sql AS "
              + "'UPDATE acc SET v = v + 1 WHERE k = n RETURNING v'");

  private static final List<String> FILL =
      List.of(
          "TRUNCATE acc, pair2, doc2, serialised, \"Odd Table\", keyless, uniq, deferred2, part, base,"
              + " derived, ruled, secured, audited, audit, parent, child, included RESTART IDENTITY",
          "INSERT INTO included VALUES (1, 1)",
          "INSERT INTO acc VALUES (1, 10, 'a'), (2, 20, 'b'), (3, 30, NULL)",
          "UPDATE acc SET v = 21 WHERE k = 2",
          "INSERT INTO pair2 VALUES (1, 'x', 1.5), (1, 'y', 2), (2, 'x', NULL)",
          "INSERT INTO doc2 VALUES ('00000000-0000-0000-0000-000000000001', '{\"a\": [1]}', '{1,2}')",
          "INSERT INTO serialised (t) VALUES ('one'), ('two')",
          "INSERT INTO \"Odd Table\" VALUES (1, 'odd')",
          "INSERT INTO keyless VALUES (1, 1)",
          "INSERT INTO uniq VALUES (1, 1)",
          "INSERT INTO deferred2 VALUES (1, 1)",
          "INSERT INTO part VALUES (1, 1), (150, 2)",
          "INSERT INTO base VALUES (1, 1)",
          "INSERT INTO derived VALUES (1, 2)",
          "INSERT INTO ruled VALUES (1, 1)",
          "INSERT INTO secured VALUES (1, 1)",
          "INSERT INTO audited VALUES (1, 1)",
          "INSERT INTO parent VALUES (1), (2)",
          "INSERT INTO child VALUES (10, 1), (11, 1), (20, 2)");

  /** Each is run in every way. */
  private static final List<String> STATEMENTS =
      List.of(
          "SELECT * FROM acc ORDER BY k",
          "SELECT v, w FROM acc WHERE k = 2",
          "SELECT v FROM acc WHERE k = 99",
          "SELECT v FROM acc WHERE k IN (1, 98)",
          "SELECT a.w AS \"A w\", a.k + 1 FROM public.acc a WHERE a.v > 10 ORDER BY 2 DESC LIMIT 1",
          "SELECT v IS DISTINCT FROM 10, extract(year FROM now()) > 0 FROM acc ORDER BY k",
          "SELECT w -- from here\n FROM acc -- the end\n WHERE k = 1",
          "SELECT w /* FROM */ FROM acc WHERE w = 'from' OR k = 1;",
          "SELECT * FROM acc a JOIN pair2 p ON p.a = a.k ORDER BY p.a, p.b",
          "SELECT a.*, p.n FROM acc a LEFT JOIN pair2 p ON p.a = a.k AND p.b = 'x' ORDER BY a.k",
          "SELECT * FROM acc NATURAL JOIN uniq",
          "SELECT * FROM acc JOIN uniq USING (k)",
          "SELECT one.v, two.v FROM acc one, acc two WHERE one.k = 1 AND two.k = one.k + 1",
          "SELECT b.v FROM acc a FULL JOIN uniq b ON a.k = b.k + 5 ORDER BY 1",
          "SELECT count(*) FROM acc",
          "SELECT max(v), min(k) FROM acc WHERE k > 1",
          "SELECT w, count(*) FROM acc GROUP BY w ORDER BY w",
          "SELECT DISTINCT w FROM acc ORDER BY w",
          "SELECT row_number() OVER (ORDER BY k) FROM acc",
          "SELECT sum(v) OVER (), k FROM acc ORDER BY k",
          "SELECT k FROM acc UNION SELECT k FROM uniq ORDER BY 1",
          "SELECT v, (SELECT max(n) FROM pair2 WHERE a = acc.k) FROM acc ORDER BY k",
          "SELECT v FROM acc WHERE EXISTS (SELECT 1 FROM pair2 WHERE a = acc.k) ORDER BY k",
          "SELECT v FROM (SELECT * FROM acc) x ORDER BY 1",
          "WITH x AS (SELECT * FROM acc) SELECT v FROM x ORDER BY 1",
          "SELECT row_to_json(acc) FROM acc ORDER BY k",
          "SELECT acc FROM acc ORDER BY k",
          "SELECT v FROM acc WHERE k = 1 FOR UPDATE",
          "SELECT v FROM acc ORDER BY k FOR UPDATE SKIP LOCKED",
          "SELECT a.v FROM acc a JOIN uniq u ON a.k = u.k FOR UPDATE OF a",
          "SELECT xmin::text = '0', ctid FROM acc ORDER BY k",
          "SELECT generate_series(1, 2), v FROM acc ORDER BY k, 1",
          "SELECT coalesce(w, 'none'), upper(w), length(w) FROM acc ORDER BY k",
          "SELECT * FROM pair2 WHERE a = 1 AND b = 'x'",
          "SELECT * FROM doc2",
          "SELECT j->'a', xs[1] FROM doc2",
          "SELECT \"from\" FROM \"Odd Table\" WHERE \"Id\" = 1",
          "SELECT \"Odd Table\".* FROM \"Odd Table\"",
          "SELECT * FROM keyless",
          "SELECT * FROM uniq",
          "SELECT * FROM deferred2",
          "SELECT * FROM part ORDER BY k",
          "SELECT * FROM part_low",
          "SELECT * FROM base ORDER BY v",
          "SELECT * FROM ONLY base",
          "SELECT * FROM seen ORDER BY k",
          "SELECT * FROM ruled",
          "SELECT * FROM secured",
          "SELECT * FROM audited",
          "SELECT add_one(1)",
          "SELECT nothing FROM acc",
          "SELECT v FROM missing_table",
          "SELECT 1 / (k - 1) FROM acc ORDER BY k DESC",
          "SELECT o.\"from\", o.from FROM \"Odd Table\" o",
          "SELECT (SELECT max(acc.v)) FROM acc",
          "SELECT hidden.acc.v FROM hidden.acc, other.acc WHERE hidden.acc.k = other.acc.k",
          "UPDATE hidden.acc SET v = other.acc.v FROM other.acc WHERE hidden.acc.k = other.acc.k",
          "INSERT INTO acc (k) VALUES (generate_series(1000, 1002))",
          "INSERT INTO acc (k) VALUES (generate_series(1000, 1002)) RETURNING k",
          "UPDATE included SET v = v + 1 WHERE k = 1",
          "SELECT",
          "SELECT FROM acc",
          "VALUES (1), (2)",
          "TABLE uniq",
          "UPDATE acc SET v = v + 1 WHERE k = 1",
          "UPDATE acc SET v = v + 1",
          "UPDATE acc SET v = v + 1 WHERE k = 99",
          "UPDATE acc a SET v = p.n FROM pair2 p WHERE p.a = a.k AND p.b = 'x'",
          "UPDATE acc SET v = 5 WHERE w IN (SELECT b FROM pair2) OR k = 3 -- end",
          "UPDATE acc SET k = k + 100 WHERE k = 1",
          "UPDATE acc SET (v, w) = (7, 'seven') WHERE k = 2",
          "UPDATE acc SET v = 1 / (k - 3)",
          "UPDATE acc SET v = 8 WHERE k = 1 RETURNING v AS \"new v\", k * 2",
          "UPDATE acc SET v = 8 RETURNING *",
          "UPDATE part SET v = v + 1",
          "UPDATE part SET k = 160 WHERE k = 1",
          "UPDATE base SET v = v + 1",
          "UPDATE seen SET v = 3 WHERE k = 1",
          "UPDATE audited SET v = 77 WHERE k = 1",
          "UPDATE secured SET v = 2",
          "UPDATE \"Odd Table\" SET \"from\" = 'x' WHERE \"Id\" = 1;",
          "INSERT INTO acc VALUES (50, 1, 'new')",
          "INSERT INTO acc (k) VALUES (51), (52)",
          "INSERT INTO acc AS it (k, v) VALUES (1, 5) ON CONFLICT (k) DO UPDATE SET v = it.v + 1",
          "INSERT INTO acc (k, v) VALUES (1, 5), (60, 6) ON CONFLICT DO NOTHING",
          "INSERT INTO acc (k, v) VALUES (1, 5)",
          "INSERT INTO acc SELECT k + 200, v, w FROM acc",
          "INSERT INTO serialised (t) VALUES ('three')",
          "INSERT INTO serialised (t) VALUES ('three'), ('four')",
          "INSERT INTO serialised DEFAULT VALUES",
          "INSERT INTO serialised (t) VALUES ('five') RETURNING id",
          "INSERT INTO serialised (t) VALUES ('five'), ('six') RETURNING id, t",
          "INSERT INTO part VALUES (7, 7)",
          "INSERT INTO ruled VALUES (2, 2)",
          "INSERT INTO secured VALUES (2, 2)",
          "INSERT INTO audited VALUES (2, 2)",
          "INSERT INTO keyless VALUES (2, 2)",
          "INSERT INTO seen VALUES (70, 7)",
          "INSERT INTO doc2 VALUES ('00000000-0000-0000-0000-000000000002', '{}', '{}')",
          "DELETE FROM acc WHERE k = 1",
          "DELETE FROM acc",
          "DELETE FROM acc a USING pair2 p WHERE p.a = a.k",
          "DELETE FROM acc WHERE k = 99",
          "DELETE FROM acc WHERE v > 10 RETURNING k, w",
          "DELETE FROM parent WHERE k = 1",
          "WITH gone AS (DELETE FROM acc WHERE k = 1 RETURNING *) SELECT * FROM gone",
          "WITH x AS (SELECT 1 AS k) UPDATE acc SET v = 0 FROM x WHERE acc.k = x.k",
          "TRUNCATE child",
          "DO $$ BEGIN UPDATE acc SET v = 4 WHERE k = 2; END $$",
          "SELECT 1; SELECT v FROM acc WHERE k = 1",
          "UPDATE acc SET v = 2 WHERE k = 1; DELETE FROM acc WHERE k = 2",
          "CREATE TEMPORARY TABLE acc (k bigint PRIMARY KEY, other text) ON COMMIT DROP",
          "LOCK TABLE acc",
          "EXPLAIN (COSTS OFF) SELECT v FROM uniq",
          "");

  private static final Set<Way> OF_QUERIES =
      EnumSet.of(
          Way.STATEMENT,
          Way.QUERY_OR_UPDATE,
          Way.PREPARED_TWICE,
          Way.SCROLLABLE,
          Way.UPDATABLE,
          Way.FETCHED_IN_PORTIONS);
  private static final Set<Way> OF_WRITES = EnumSet.complementOf(EnumSet.of(Way.UPDATABLE));
  private static final Set<Way> IN_TRANSACTIONS =
      EnumSet.of(
          Way.STATEMENT, Way.PREPARED, Way.FETCHED_IN_PORTIONS, Way.ALL_KEYS, Way.PREPARED_BATCH);

  private final RecordingSink sink = new RecordingSink();
  private ConnectionWrapper wrapper;

  @BeforeAll
  static void makeSchema() throws Exception {
    DatabaseScenario.startDatabase();
    DatabaseScenario.direct(
        "DROP SCHEMA IF EXISTS hidden CASCADE",
        "DROP SCHEMA IF EXISTS other CASCADE",
        "CREATE SCHEMA hidden",
        "CREATE SCHEMA other");
    try (Connection c = plain();
        Statement s = c.createStatement()) {
      for (String sql : SCHEMA) {
        s.execute(sql.replace("public.acc", "hidden.acc"));
      }
    }
  }

  @BeforeEach
  void wrap() {
    wrapper =
        IsotailDriver.wrapper(
            CaptureConfig.of("any", new ObservedTables(List.of())).withClearNames(), sink, "proxy");
  }

  private static Connection plain() throws SQLException {
    return DriverManager.getConnection(
        DatabaseScenario.database.jdbcUrl() + "&currentSchema=hidden");
  }

  private static void fill() throws SQLException {
    try (Connection c = plain();
        Statement s = c.createStatement()) {
      s.execute(String.join(";", FILL));
    }
  }

  @Test
  void theApplicationSeesTheSameAndTheRecordIsTrue() throws SQLException {
    List<String> different = new ArrayList<>();
    int compared = 0;
    int toldExactly = 0;
    for (boolean autoCommit : new boolean[] {true, false}) {
      for (String sql : STATEMENTS) {
        boolean query = sql.startsWith("SELECT") && !sql.contains("add_one");
        Set<Way> ways = EnumSet.copyOf(query ? OF_QUERIES : OF_WRITES);
        if (!autoCommit) {
          ways.retainAll(IN_TRANSACTIONS);
        }
        for (Way way : ways) {
          String text = sql.replace("public.acc", "hidden.acc");
          fill();
          List<String> expected = seen(plain(), autoCommit, way, text);
          fill();
          Map<String, String> before = versions();
          sink.clear();
          List<String> actual = seen(wrapper.wrap(plain()), autoCommit, way, text);
          compared++;
          String name = "%s, autocommit %s: %s".formatted(way, autoCommit, sql);
          if (!actual.equals(expected)) {
            different.add(name + difference(expected, actual));
          }
          if (text.contains(" seen ")) {
            continue; // What is written through a view is of a writer who is not captured.
          }
          toldExactly += checkRecord(name, before, versions(), different) ? 1 : 0;
        }
      }
    }
    System.out.printf(
        "%,d statements beside the real driver, of which %,d wrote and told exactly what%n",
        compared, toldExactly);
    assertThat(different).isEmpty();
    assertThat(wrapper.stats().of(CaptureStats.Event.INTERNAL_FAILURE)).isZero();
    assertThat(toldExactly).isGreaterThan(100);
    // The application's own mistake, a column that is not there, might have been an added one.
    assertThat(wrapper.stats().of(CaptureStats.Event.REWRITING_REFUSED)).isOne();
  }

  @Test
  void valuesThatCannotBeReadTwiceAndLimitsAreLeftAlone() throws SQLException {
    fill();
    try (Connection c = wrapper.wrap(plain());
        PreparedStatement insert = c.prepareStatement("INSERT INTO acc VALUES (?, ?, ?)");
        PreparedStatement update = c.prepareStatement("UPDATE acc SET v = v + 1 WHERE k < ?")) {
      insert.setLong(1, 500);
      insert.setNull(2, java.sql.Types.BIGINT);
      insert.setCharacterStream(3, new StringReader("hello"), 5);
      insert.addBatch();
      assertThat(insert.executeBatch()).containsExactly(1);
      insert.setLong(1, 501);
      insert.setCharacterStream(3, new StringReader("world"), 5);
      assertThat(insert.executeUpdate()).isOne();
      for (int maxRows = 0; maxRows < 3; maxRows++) {
        update.setMaxRows(maxRows);
        update.setLong(1, 100);
        assertThat(update.executeUpdate()).isEqualTo(3);
      }
      try (ResultSet rows =
          c.createStatement().executeQuery("SELECT w FROM acc WHERE k >= 500 ORDER BY k")) {
        rows.next();
        assertThat(rows.getString(1)).isEqualTo("hello");
        rows.next();
        assertThat(rows.getString(1)).isEqualTo("world");
      }
    }
  }

  @Test
  void aPreparedStatementOutlivesAChangeOfItsTable() throws SQLException {
    fill();
    DatabaseScenario.direct("CREATE TABLE hidden.brief (k bigint PRIMARY KEY, v bigint)");
    try (Connection c = wrapper.wrap(plain());
        PreparedStatement read = c.prepareStatement("SELECT v FROM brief WHERE v = 1")) {
      read.executeQuery().close();
      DatabaseScenario.direct("ALTER TABLE hidden.brief RENAME k TO kk");
      int failures = 0;
      for (int i = 0; i < 3; i++) {
        try {
          read.executeQuery().close();
        } catch (SQLException e) {
          failures++;
        }
      }
      assertThat(failures).as("failures of a statement that plain JDBC runs").isLessThan(2);
    } finally {
      DatabaseScenario.direct("DROP TABLE hidden.brief");
    }
  }

  @Test
  void whatATransactionReadsAfterAWriteElsewhereMayBeItsOwn() throws SQLException {
    fill();
    for (String through : List.of("seen", "part_low")) {
      String table = through.equals("seen") ? "acc" : "part";
      sink.clear();
      long oldest = oldestRunning();
      try (Connection c = wrapper.wrap(plain());
          Statement s = c.createStatement()) {
        c.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        c.setAutoCommit(false);
        DatabaseScenario.run(c, "SELECT v FROM " + table + " WHERE k = 1");
        s.executeUpdate("UPDATE " + through + " SET v = v + 1 WHERE k = 1");
        DatabaseScenario.run(c, "SELECT v FROM " + table + " WHERE k = 1");
        c.commit();
      }
      List<Anomaly> anomalies = new ArrayList<>();
      Checker checker = UnpreparedBankIT.checker(IsolationLevel.SNAPSHOT_ISOLATION, anomalies);
      checker.accept(0, 0, new Hello("proxy", "any", "1", 100, oldest));
      long offset = 1;
      for (TransactionRecord record : sink.records()) {
        checker.accept(offset++, 0, record);
      }
      checker.accept(offset, 0, new Goodbye("proxy"));
      checker.finish();
      assertThat(checker.report().reads()).as(through).isEqualTo(2);
      assertThat(checker.report().readsDecided()).as(through).isLessThan(2);
      assertThat(anomalies).as(through).isEmpty();
    }
  }

  private static long oldestRunning() throws SQLException {
    try (Connection c = plain();
        ResultSet row =
            c.createStatement()
                .executeQuery("SELECT txid_snapshot_xmin(txid_current_snapshot())")) {
      row.next();
      return row.getLong(1);
    }
  }

  @Test
  void manyRowsAreNotAskedForUntilTheStatementIsKnown() throws SQLException {
    fill();
    try (Connection c = wrapper.wrap(plain())) {
      sink.clear();
      for (int i = 0; i < 3; i++) {
        try (Statement s = c.createStatement()) {
          s.executeUpdate("UPDATE acc SET v = v + 1");
        }
      }
    }
    assertThat(sink.described().get(0)).contains("opaque");
    assertThat(sink.described().get(1)).doesNotContain("opaque").contains("w1=", "w2=", "w3=");
  }

  /** The first line that differs. */
  private static String difference(List<String> expected, List<String> actual) {
    int i = 0;
    while (i < expected.size() && i < actual.size() && expected.get(i).equals(actual.get(i))) {
      i++;
    }
    return "\n    plain   %s\n    isotail %s"
        .formatted(
            i < expected.size() ? expected.get(i) : "no more",
            i < actual.size() ? actual.get(i) : "no more");
  }

  private List<String> seen(Connection connection, boolean autoCommit, Way way, String sql)
      throws SQLException {
    try (Connection c = connection) {
      c.setAutoCommit(autoCommit);
      List<String> seen = SeenByApplication.of(c, way, sql);
      if (!autoCommit) {
        c.commit();
      }
      return seen;
    }
  }

  /** Key and version of every row of the tables that can tell it. */
  private static Map<String, String> versions() throws SQLException {
    Map<String, String> keys = new LinkedHashMap<>();
    keys.put("acc", "k");
    keys.put("pair2", "a || ',' || b");
    keys.put("doc2", "id");
    keys.put("serialised", "id");
    keys.put("\"Odd Table\"", "\"Id\"");
    keys.put("uniq", "k");
    keys.put("included", "k");
    keys.put("part", "k");
    keys.put("audited", "k");
    keys.put("parent", "k");
    Map<String, String> versions = new HashMap<>();
    try (Connection c = plain();
        Statement s = c.createStatement()) {
      for (Map.Entry<String, String> table : keys.entrySet()) {
        String name = "hidden." + table.getKey().replace("\"", "");
        try (ResultSet rows =
            s.executeQuery("SELECT %s, xmin FROM %s".formatted(table.getValue(), table.getKey()))) {
          while (rows.next()) {
            versions.put(name + " " + rows.getString(1), rows.getString(2));
          }
        }
      }
    }
    return versions;
  }

  /**
   * Compares what was recorded with what the server had before and has after.
   *
   * @return whether rows changed, and the record names each of them and nothing more
   */
  private boolean checkRecord(
      String name, Map<String, String> before, Map<String, String> after, List<String> wrong) {
    Map<String, String> written = new HashMap<>();
    Set<String> opaque = new HashSet<>();
    Set<String> named = new HashSet<>();
    for (TransactionRecord record : sink.records()) {
      Operations ops = record.operations();
      for (int i = 0; i < ops.size(); i++) {
        String table = ops.statement(i) == null ? null : ops.statement(i).table();
        if (ops.kind(i) == OperationKind.OPAQUE) {
          opaque.add(table == null ? "*" : table);
          continue;
        }
        String row = table + " " + ops.keyName(i);
        String version = ops.versionName(i);
        if (ops.kind(i) == OperationKind.READ) {
          boolean known = ops.versionKind(i) == VersionKind.KNOWN;
          String had = written.containsKey(row) ? written.get(row) : before.get(row);
          boolean concerns = before.containsKey(row) || after.containsKey(row) || !known;
          boolean own = known && version.equals(after.get(row));
          if (concerns && !own && (known ? !version.equals(had) : had != null)) {
            wrong.add(name + "\n    read " + row + "=" + version + " but the server had " + had);
          }
        } else if (!ops.undone(i) && ops.keyName(i) != null) {
          named.add(row);
          written.put(row, ops.kind(i) == OperationKind.DELETE ? null : version);
        }
      }
    }
    boolean exact = opaque.isEmpty();
    int changed = 0;
    Set<String> rows = new HashSet<>(before.keySet());
    rows.addAll(after.keySet());
    for (String row : rows) {
      String now = after.get(row);
      if (java.util.Objects.equals(before.get(row), now)) {
        continue;
      }
      changed++;
      String table = row.substring(0, row.lastIndexOf(' '));
      boolean doubted = opaque.contains("*") || opaque.contains(table);
      boolean told = named.contains(row) && (written.get(row) == null || now != null);
      if (!doubted && !told) {
        wrong.add(name + "\n    not recorded: " + row + " is " + now + ": " + sink.described());
      } else if (!doubted && written.get(row) != null && !written.get(row).equals(now)) {
        wrong.add(name + "\n    written " + row + "=" + written.get(row) + " but it is " + now);
      }
      exact &= told && !doubted && java.util.Objects.equals(written.get(row), now);
    }
    return exact && changed > 0;
  }
}
