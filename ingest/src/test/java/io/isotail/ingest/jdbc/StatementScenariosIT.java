package io.isotail.ingest.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.isotail.ingest.capture.CaptureConfig;
import io.isotail.ingest.capture.CaptureStats;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What one statement, run on a real database, is recorded as. */
class StatementScenariosIT extends DatabaseScenario {

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "SELECT k, v FROM reg WHERE k = 1                      | committed: r1=10",
        "SELECT v FROM reg WHERE k = '2'                       | committed: r2=20",
        "SELECT * FROM reg ORDER BY k                          | committed: r1=10 r2=20 r3=30",
        "SELECT v AS k, k AS v FROM reg WHERE v = 20           | committed: r2=20",
        "SELECT w, r.*, 1 AS v FROM reg AS r WHERE k = 3       | committed: r3=30",
        "SELECT v FROM reg WHERE k = 9                         | committed: r9=-",
        "SELECT 1 FROM reg WHERE k = 9                         | committed: r9=-",
        "SELECT v FROM reg WHERE k IN (1, 8, 9)                | ",
        "SELECT k, v FROM reg WHERE k IN (1, 8, 9) FOR UPDATE  | committed: r1=10 r8=- r9=-",
        "SELECT v FROM reg WHERE k = 9 AND w = 'a'             | ",
        "SELECT v FROM reg WHERE k = 1 AND w = 'zzz'           | ",
        "SELECT max(v) FROM reg WHERE k = 9                    | ",
        "SELECT count(*) FROM reg                              | ",
        "SELECT r.v FROM reg r JOIN other o USING (k)          | ",
        "SELECT rev, b, a FROM pair                            | committed: r1,x=100 r1,y=200",
        "SELECT rev FROM pair WHERE b = 'x' AND a = 1          | committed: r1,x=100",
        "UPDATE reg SET v = 11 WHERE k = 1                     | committed: w1=11",
        "UPDATE reg SET v = -11 WHERE k = 1 AND v = 10         | committed: r1=10 w1=-11",
        "UPDATE reg SET v = 11 WHERE k = 1 AND v = 999         | committed:",
        "UPDATE reg SET v = 11 WHERE k = 9                     | committed:",
        "UPDATE reg SET v = v + 1 WHERE k = 1                  | committed: w1=?",
        "UPDATE reg SET v = v + 1 WHERE k = 1 AND v = 10       | committed: r1=10 w1=11",
        "UPDATE reg SET v = v + 1 WHERE k = 1 AND v = 10 RETURNING w | committed: r1=10 w1=11",
        "UPDATE reg SET v = v + 1 WHERE k IN (1, 2) AND v = 10 | committed: opaque(reg)",
        "UPDATE reg SET v = v + 1 WHERE k = 1 AND v = 999      | committed:",
        "UPDATE reg SET v = v + 1 WHERE k = 1 RETURNING v      | committed: w1=11",
        "UPDATE reg SET v = 5 WHERE k = 1 RETURNING w          | committed: w1=5",
        "UPDATE reg SET v = 5 WHERE k = 9 RETURNING w          | committed:",
        "UPDATE reg SET v = v + 1 WHERE k IN (1, 2, 9) RETURNING * | committed: w1=11 w2=21",
        "UPDATE reg SET w = 'z' WHERE k = 1                    | committed: w1=?",
        "UPDATE reg SET v = 5 WHERE k IN (1, 2)                | committed: w1=5 w2=5",
        "UPDATE reg SET v = 5 WHERE k IN (1, 9)                | committed: opaque(reg)",
        "UPDATE reg SET v = 5 WHERE k IN (8, 9)                | committed:",
        "UPDATE reg SET v = 5                                  | committed: opaque(reg)",
        "UPDATE reg SET v = NULL WHERE k = 1                   | committed: w1=?",
        "INSERT INTO reg (k, v) VALUES (4, 40), (5, -50)       | committed: w4=40 w5=-50",
        "INSERT INTO reg VALUES (4, 40)                        | committed: w4=40",
        "INSERT INTO reg (k) VALUES (4)                        | committed: w4=?",
        "INSERT INTO reg (k, v) VALUES (1, 1) ON CONFLICT DO NOTHING | committed:",
        "INSERT INTO reg (k, v) VALUES (4, 1) ON CONFLICT DO NOTHING | committed: w4=1",
        "INSERT INTO reg (k, v) VALUES (1, 1), (4, 1) ON CONFLICT DO NOTHING | committed: opaque(reg)",
        "INSERT INTO reg (k, v) VALUES (1, 1), (4, 1) ON CONFLICT DO NOTHING RETURNING k | committed: w4=?",
        "INSERT INTO reg (k, v) VALUES (1, 11) ON CONFLICT (k) DO UPDATE SET v = EXCLUDED.v | committed: w1=11",
        "INSERT INTO reg (k, v) VALUES (4, 40) ON CONFLICT (k) DO UPDATE SET v = EXCLUDED.v | committed: w4=40",
        "INSERT INTO reg (k, v) VALUES (1, 11) ON CONFLICT (k) DO UPDATE SET v = reg.v + 5 | committed: w1=?",
        "INSERT INTO reg (k, v) VALUES (1, 1) ON CONFLICT (k) DO UPDATE SET v = reg.v + 5 RETURNING v | committed: w1=15",
        "INSERT INTO reg (k, v) VALUES (1, 1), (4, 1) ON CONFLICT (k) DO UPDATE SET v = reg.v + 5 | committed: w1=? w4=?",
        "INSERT INTO reg (k, v) VALUES (1, 1), (4, 1) ON CONFLICT (k) DO UPDATE SET v = reg.v + 5 WHERE reg.v > 0 | committed: w1=? w4=?",
        "INSERT INTO reg (k, v) VALUES (1, 1), (4, 1) ON CONFLICT (k) DO UPDATE SET v = reg.v + 5 WHERE reg.v < 0 | committed: opaque(reg)",
        "INSERT INTO reg (k, v) VALUES (1, 1) ON CONFLICT (k) DO UPDATE SET v = EXCLUDED.v WHERE reg.v < 0 | committed:",
        "INSERT INTO reg (k, v) SELECT 4, 40                   | committed: opaque(reg)",
        "INSERT INTO ids (v) VALUES (70)                       | committed: opaque(ids)",
        "INSERT INTO ids (v) VALUES (70), (71) RETURNING k, v  | committed: w1=70 w2=71",
        "INSERT INTO ids DEFAULT VALUES                        | committed: opaque(ids)",
        "DELETE FROM reg WHERE k = 1                           | committed: d1",
        "DELETE FROM reg WHERE k = 9                           | committed:",
        "DELETE FROM reg WHERE k = 1 AND v = 10                | committed: r1=10 d1",
        "DELETE FROM reg WHERE k = 1 RETURNING v               | committed: r1=10 d1",
        "DELETE FROM reg WHERE k IN (1, 2)                     | committed: d1 d2",
        "DELETE FROM reg WHERE k IN (1, 9)                     | committed: opaque(reg)",
        "DELETE FROM reg                                       | committed: opaque(reg)",
        "TRUNCATE reg                                          | committed: opaque(reg)",
        "WITH x AS (DELETE FROM reg WHERE k = 1 RETURNING v) SELECT * FROM x | committed: opaque(reg)",
        "MERGE INTO reg USING other o ON reg.k = o.k WHEN MATCHED THEN DELETE | committed: opaque(reg)",
        "DO $$ BEGIN UPDATE reg SET v = 1; END $$              | committed: opaque(*)",
        "SELECT touch()                                        | committed: opaque(*)",
        "UPDATE other SET v = 1; UPDATE reg SET v = 1          | committed: opaque(*)",
        "SELECT count(*) FROM other WHERE k = 1                | ",
        "UPDATE other SET v = 1 WHERE k = 1                    | ",
        "EXPLAIN ANALYZE UPDATE reg SET v = 1                  | committed: opaque(reg)",
      })
  void plainStatement(String sql, String expected) throws SQLException {
    run(sql);
    connection.close();
    assertThat(sink.described())
        .isEqualTo(expected == null ? java.util.List.of() : java.util.List.of(expected));
  }

  @Test
  void everyWayOfBindingAKeyNamesTheSameRow() throws SQLException {
    connection.setAutoCommit(false);
    try (PreparedStatement s = connection.prepareStatement("SELECT v FROM reg WHERE k = ?")) {
      s.setInt(1, 1);
      readAll(s);
      s.setLong(1, 1);
      readAll(s);
      s.setShort(1, (short) 1);
      readAll(s);
      s.setBigDecimal(1, new BigDecimal("1.0"));
      readAll(s);
      s.setObject(1, 1);
      readAll(s);
      s.setObject(1, "1", java.sql.Types.BIGINT);
      readAll(s);
      s.setNull(1, java.sql.Types.BIGINT);
      readAll(s);
      s.setDouble(1, 1.0);
      readAll(s);
    }
    connection.commit();
    expect("committed: r1=10 r1=10 r1=10 r1=10 r1=10 r1=10");
  }

  @Test
  void keysOfOtherTypes() throws SQLException {
    UUID id = UUID.fromString("00000000-0000-0001-0000-0000000000ab");
    connection.setAutoCommit(false);
    try (PreparedStatement s = connection.prepareStatement("INSERT INTO doc VALUES (?, ?)")) {
      s.setObject(1, id);
      s.setBytes(2, new byte[] {1, -1});
      s.executeUpdate();
    }
    run("SELECT * FROM doc WHERE id = '00000000-0000-0001-0000-0000000000AB'");
    try (PreparedStatement s = connection.prepareStatement("INSERT INTO num VALUES (?, ?)")) {
      s.setBigDecimal(1, new BigDecimal("1.5"));
      s.setString(2, "one");
      s.executeUpdate();
      s.setBigDecimal(1, new BigDecimal("2.555"));
      s.executeUpdate();
    }
    run("SELECT k, v FROM num WHERE k = 1.50");
    connection.commit();
    expect(
        "committed: w00000000-0000-0001-0000-0000000000ab=01ff"
            + " r00000000-0000-0001-0000-0000000000ab=01ff w1.5=one opaque(num) r1.5=one");
    assertThat(sink.records().get(0).operations().key(0))
        .isEqualTo(sink.records().get(0).operations().key(1));
    assertThat(sink.records().get(0).operations().version(0))
        .isEqualTo(sink.records().get(0).operations().version(1));
  }

  @Test
  void onlyRowsThatTheApplicationReadsAreObserved() throws SQLException {
    connection.setAutoCommit(false);
    try (Statement s = connection.createStatement()) {
      s.setFetchSize(1);
      try (ResultSet rows = s.executeQuery("SELECT k, v FROM reg ORDER BY k")) {
        assertThat(rows.next()).isTrue();
        assertThat(rows.next()).isTrue();
      }
    }
    connection.commit();
    expect("committed: r1=10 r2=20");
  }

  @Test
  void rowsCountAsReadWhenTheirStatementRan() throws SQLException {
    connection.setAutoCommit(false);
    try (Statement s = connection.createStatement();
        ResultSet rows = s.executeQuery("SELECT k, v FROM reg WHERE k = 1")) {
      run("UPDATE reg SET v = 11 WHERE k = 1");
      rows.next();
      assertThat(rows.getLong("v")).isEqualTo(10);
    }
    connection.commit();
    expect("committed: r1=10 w1=11");
  }

  @Test
  void rowsLockedWhenFetchedAreNotAddedToAnEarlierStatement() throws SQLException {
    connection.setAutoCommit(false);
    try (Statement s = connection.createStatement()) {
      s.setFetchSize(1);
      ResultSet rows = s.executeQuery("SELECT k, v FROM reg WHERE k IN (1, 2) FOR UPDATE");
      rows.next();
      run("SELECT k, v FROM reg WHERE k = 3");
      direct("BEGIN; UPDATE reg SET v = 21 WHERE k = 2; UPDATE reg SET v = 31 WHERE k = 3; COMMIT");
      rows.next();
      assertThat(rows.getLong("v")).isEqualTo(21);
      rows.close();
      s.setFetchSize(0);
      rows = s.executeQuery("SELECT k, v FROM reg WHERE k IN (1, 2) ORDER BY k FOR UPDATE");
      rows.next();
      run("UPDATE reg SET v = 11 WHERE k = 1");
      rows.next();
    }
    connection.commit();
    expect("committed: r1=10 r3=30 r1=10 r2=21 w1=11");
    assertThat(wrapper.stats().of(CaptureStats.Event.LATE_ROW)).isEqualTo(1);
  }

  @Test
  void scrollingObservesTheRowsMovedTo() throws SQLException {
    try (Statement s =
            connection.createStatement(
                ResultSet.TYPE_SCROLL_INSENSITIVE, ResultSet.CONCUR_READ_ONLY);
        ResultSet rows = s.executeQuery("SELECT k, v FROM reg ORDER BY k")) {
      rows.last();
      rows.previous();
      rows.absolute(1);
    }
    expect("committed: r3=30 r2=20 r1=10");
  }

  @Test
  void wasNullAnswersForTheApplicationsOwnGetter() throws SQLException {
    try (Statement s = connection.createStatement();
        ResultSet rows =
            s.executeQuery("SELECT w, k, v FROM reg WHERE k IN (2, 3) ORDER BY k DESC")) {
      rows.next();
      assertThat(rows.getString(1)).isNull();
      rows.next();
      assertThat(rows.wasNull()).isTrue();
      assertThat(rows.getString(1)).isEqualTo("b");
      assertThat(rows.wasNull()).isFalse();
    }
    expect("committed: r3=30 r2=20");
  }

  @Test
  void updatableResultSetsWriteOpaquely() throws SQLException {
    connection.setAutoCommit(false);
    try (Statement s =
            connection.createStatement(
                ResultSet.TYPE_SCROLL_INSENSITIVE, ResultSet.CONCUR_UPDATABLE);
        ResultSet rows = s.executeQuery("SELECT k, v FROM reg WHERE k = 1")) {
      rows.next();
      rows.updateLong("v", 11);
      rows.updateRow();
    }
    connection.commit();
    expect("committed: r1=10 opaque(*)");
  }

  @Test
  void generatedKeysNameTheRowsOnceTheyAreRead() throws SQLException {
    try (PreparedStatement s =
        connection.prepareStatement(
            "INSERT INTO ids (v) VALUES (?)", Statement.RETURN_GENERATED_KEYS)) {
      connection.setAutoCommit(false);
      s.setLong(1, 70);
      s.executeUpdate();
      try (ResultSet keys = s.getGeneratedKeys()) {
        assertThat(keys.next()).isTrue();
        assertThat(keys.getLong(1)).isEqualTo(1);
        assertThat(keys.getStatement()).isSameAs(s);
      }
      connection.commit();
    }
    expect("committed: w1=70");
  }

  @Test
  void anUpdateWhoseAnswerIsNotReadMayHaveWrittenNothing() throws SQLException {
    connection.setAutoCommit(false);
    try (Statement s = connection.createStatement()) {
      s.execute("UPDATE reg SET v = 5 WHERE k = 1 RETURNING v");
      assertThatThrownBy(() -> s.executeUpdate("UPDATE reg SET v = 6 WHERE k = 2 RETURNING v"))
          .isInstanceOf(SQLException.class);
    }
    connection.commit();
    expect("committed: opaque(reg) opaque(reg)");
  }

  @Test
  void anInsertWhoseAnswerIsNotReadHasWrittenItsRowsAllTheSame() throws SQLException {
    connection.setAutoCommit(false);
    try (Statement s = connection.createStatement()) {
      s.execute("INSERT INTO reg (k, v) VALUES (4, 40), (5, 50) RETURNING k");
      s.execute("INSERT INTO reg (k, v) VALUES (6, 60) ON CONFLICT DO NOTHING RETURNING k");
    }
    connection.commit();
    expect("committed: w4=40 w5=50 opaque(reg)");
  }

  @Test
  void batches() throws SQLException {
    connection.setAutoCommit(false);
    try (PreparedStatement s = connection.prepareStatement("UPDATE reg SET v = ? WHERE k = ?")) {
      for (int k : new int[] {1, 9, 2}) {
        s.setLong(1, 100 + k);
        s.setLong(2, k);
        s.addBatch();
      }
      assertThat(s.executeBatch()).containsExactly(1, 0, 1);
      s.setLong(1, 1);
      s.setLong(2, 3);
      s.addBatch();
      s.clearBatch();
      assertThat(s.executeBatch()).isEmpty();
    }
    try (Statement s = connection.createStatement()) {
      s.addBatch("UPDATE reg SET v = 7 WHERE k = 3");
      s.addBatch("DELETE FROM reg WHERE k = 1");
      s.executeLargeBatch();
    }
    connection.commit();
    expect("committed: w1=101 w2=102 w3=7 d1");
  }

  @Test
  void aBatchInAutocommitModeIsOneTransactionPerElement() throws SQLException {
    try (Statement s = connection.createStatement()) {
      s.addBatch("UPDATE reg SET v = 7 WHERE k = 1");
      s.addBatch("UPDATE reg SET v = 8 WHERE k = 2");
      s.executeBatch();
    }
    expect("committed: w1=7", "committed: w2=8");
  }

  @Test
  void aFailedBatchInAutocommitModeMayHaveHadEffect() throws SQLException {
    try (Statement s = connection.createStatement()) {
      s.addBatch("INSERT INTO reg (k, v) VALUES (4, 40)");
      s.addBatch("INSERT INTO reg (k, v) VALUES (1, 1)");
      assertThatThrownBy(s::executeBatch).isInstanceOf(java.sql.BatchUpdateException.class);
    }
    expect("unknown: w4=40", "unknown: w1=1");
  }

  @Test
  void rewrittenBatchInsertsAreCertainWithoutCounts() throws SQLException {
    try (Connection rewriting = open("&reWriteBatchedInserts=true")) {
      rewriting.setAutoCommit(false);
      try (PreparedStatement s =
          rewriting.prepareStatement("INSERT INTO reg (k, v) VALUES (?, ?)")) {
        for (int k = 4; k < 8; k++) {
          s.setLong(1, k);
          s.setLong(2, 10 * k);
          s.addBatch();
        }
        assertThat(s.executeBatch()).containsOnly(Statement.SUCCESS_NO_INFO);
      }
      rewriting.commit();
    }
    expect("committed: w4=40 w5=50 w6=60 w7=70");
  }

  @Test
  void callsAreOpaque() throws SQLException {
    try (java.sql.CallableStatement call = connection.prepareCall("{? = call touch()}")) {
      call.registerOutParameter(1, java.sql.Types.INTEGER);
      call.execute();
      assertThat(call.getInt(1)).isEqualTo(1);
    }
    expect("committed: opaque(*)");
  }

  @Test
  void aChangedSearchPathIsAskedAboutWithinTheTransaction() throws SQLException {
    connection.setAutoCommit(false);
    run("SELECT k, v FROM reg WHERE k = 1");
    connection.setSchema("public");
    run("SELECT k, v FROM reg WHERE k = 2");
    run("SET search_path TO public");
    run("SELECT k, v FROM reg WHERE k = 3");
    run("UPDATE reg SET v = 1 WHERE k = 3");
    connection.commit();
    expect("committed: r1=10 r2=20 r3=30 w3=1");
  }

  @Test
  void tablesOfAnotherSchemaAreNotTakenForTheObservedOnes() throws SQLException {
    direct(
        "CREATE SCHEMA tenant",
        "CREATE TABLE tenant.reg (k bigint PRIMARY KEY, v bigint)",
        "INSERT INTO tenant.reg VALUES (1, 77)");
    try {
      for (String sql :
          new String[] {
            "SET search_path = tenant; SET work_mem = 64",
            "SELECT set_config('search_path', 'tenant', false)",
            "SET search_path = tenant",
          }) {
        try (Connection c = open()) {
          run(c, sql);
          sink.clear();
          readAndWrite(c);
        }
        expect("committed: opaque(reg)");
      }
      sink.clear();
      try (Connection c = open("&currentSchema=tenant")) {
        readAndWrite(c);
      }
      expect("committed: opaque(reg)");
      sink.clear();
      try (Connection c = open("&currentSchema=absent,public")) {
        readAndWrite(c);
      }
      expect("committed: r1=10", "committed: w1=11");
      sink.clear();
      run("SELECT set_config('app.tenant', 'x', false)");
      run("SELECT set_config('app.tenant', 'x', false)");
      readAndWrite(connection);
      expect(
          "committed: opaque(*)", "committed: opaque(*)", "committed: r1=11", "committed: w1=11");
      sink.clear();
      connection.setAutoCommit(false);
      connection.setSchema("tenant");
      connection.commit();
      connection.setSchema("public");
      connection.rollback();
      readAndWrite(connection);
      connection.rollback();
      expect("aborted: opaque(reg)");
    } finally {
      connection.rollback();
      direct("DROP SCHEMA tenant CASCADE");
    }
  }

  private static void readAndWrite(Connection c) throws SQLException {
    run(c, "SELECT k, v FROM reg WHERE k = 1");
    run(c, "UPDATE reg SET v = 11 WHERE k = 1");
  }

  @Test
  void theCatalogIsNotAskedAgainForEveryChange() throws SQLException {
    for (int i = 0; i < 3; i++) {
      run("ALTER TABLE reg ALTER v SET NOT NULL");
      sink.clear();
      run("SELECT k, v FROM reg WHERE k = 1");
      run("CREATE TEMP TABLE scratch" + i + " (x int)");
      run("SELECT k, v FROM reg WHERE k = 2");
      if (i == 0) {
        run("SELECT 1");
        expect("committed: r1=10", "committed: r2=20");
      } else {
        expect();
      }
    }
    run("ALTER TABLE reg ALTER v DROP NOT NULL");
  }

  @Test
  void fingerprintsHoldNoValueAndNamesStayInsideByDefault() throws SQLException {
    ConnectionWrapper discreet =
        IsotailDriver.wrapper(CaptureConfig.of("test", TABLES), sink, "proxy");
    try (Connection c = discreet.wrap(java.sql.DriverManager.getConnection(database.jdbcUrl()))) {
      run(c, "UPDATE reg SET v = 4711, w = 'secret' WHERE k = 1 /* secret */");
    }
    var operations = sink.records().get(0).operations();
    assertThat(operations.statement(0).table()).isEqualTo("reg");
    assertThat(operations.statement(0).fingerprint())
        .isEqualTo("UPDATE reg SET v = ?, w = ? WHERE k = ?");
    assertThat(operations.keyName(0)).isNull();
    assertThat(operations.versionName(0)).isNull();
  }

  private static void readAll(PreparedStatement s) throws SQLException {
    try (ResultSet rows = s.executeQuery()) {
      while (rows.next()) {
        rows.getLong(1);
      }
    }
  }
}
