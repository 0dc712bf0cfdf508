package io.isotail.ingest.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.Checker;
import io.isotail.incremental.CheckerReport;
import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.incremental.anomaly.AnomalyKind;
import io.isotail.incremental.anomaly.UndecidedReason;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.record.Goodbye;
import io.isotail.incremental.record.Hello;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.ingest.capture.CaptureConfig;
import io.isotail.ingest.capture.CaptureStats;
import io.isotail.ingest.emit.TransactionSink;
import io.isotail.ingest.sql.ObservedTables;
import java.io.StringReader;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.PGConnection;

/**
 * Rows that nobody was seen to write: by a trigger, a cascade, a function, a procedure, a block, a
 * COPY, and by a client that is not captured. Whoever reads one is known to have read from the
 * transaction that wrote it.
 */
class UnseenWritersIT {
  private static final String PROXY = "proxy";

  private final List<TransactionRecord> records = new ArrayList<>();
  private final List<Anomaly> anomalies = new ArrayList<>();
  private ConnectionWrapper wrapper;
  private long oldest;

  @BeforeAll
  static void start() throws Exception {
    DatabaseScenario.startDatabase();
  }

  @BeforeEach
  void makeTables() throws Exception {
    DatabaseScenario.direct(
        "DROP SCHEMA IF EXISTS unseen CASCADE",
        "CREATE SCHEMA unseen",
        "CREATE TABLE unseen.account (id bigint PRIMARY KEY, balance bigint)",
        "CREATE TABLE unseen.total (id bigint PRIMARY KEY, balance bigint)",
        "CREATE TABLE unseen.orders (id bigint PRIMARY KEY)",
        "CREATE TABLE unseen.line (id bigint PRIMARY KEY,"
            + " orders bigint REFERENCES unseen.orders ON DELETE SET NULL)",
        "CREATE FUNCTION unseen.sum_up() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
            + " UPDATE unseen.total SET balance = balance + NEW.balance WHERE id = 1;"
            + " RETURN NEW; END $$",
        "CREATE TRIGGER sums AFTER UPDATE ON unseen.account"
            + " FOR EACH ROW EXECUTE FUNCTION unseen.sum_up()",
        "CREATE FUNCTION unseen.raise(a bigint) RETURNS bigint LANGUAGE sql AS"
            + " $$ UPDATE unseen.account SET balance = balance + 1 WHERE id = a RETURNING id $$",
        "CREATE PROCEDURE unseen.lower(a bigint) LANGUAGE sql AS"
            + " $$ UPDATE unseen.account SET balance = balance - 1 WHERE id = a $$",
        "INSERT INTO unseen.account SELECT i, 10 FROM generate_series(1, 20) i",
        "INSERT INTO unseen.total VALUES (1, 0)",
        "INSERT INTO unseen.orders VALUES (1)",
        "INSERT INTO unseen.line VALUES (1, 1)");
    oldest = oldestRunning();
    TransactionSink sink =
        new TransactionSink() {
          @Override
          public void writeStarted(long session, long transaction) {
            // All is checked after the end, when nothing can be awaited.
          }

          @Override
          public void transaction(TransactionRecord record) {
            records.add(record);
          }
        };
    wrapper =
        IsotailDriver.wrapper(CaptureConfig.of("h", new ObservedTables(List.of())), sink, PROXY);
  }

  private static long oldestRunning() throws SQLException {
    try (Connection c = connect();
        ResultSet row =
            c.createStatement()
                .executeQuery("SELECT txid_snapshot_xmin(txid_current_snapshot())")) {
      row.next();
      return row.getLong(1);
    }
  }

  @Test
  void whatWasWrittenUnseenIsOfTheTransactionThatWroteIt() throws Exception {
    try (Connection writer = captured();
        Connection reader = captured()) {
      committed(writer, "UPDATE account SET balance = 11 WHERE id = 1");
      committed(reader, "SELECT balance FROM total WHERE id = 1");
      committed(writer, "DELETE FROM orders WHERE id = 1");
      committed(reader, "SELECT * FROM line");
      committed(writer, "SELECT raise(2)");
      committed(reader, "SELECT * FROM account WHERE id = 2");
      committed(writer, "CALL lower(3)");
      committed(reader, "SELECT * FROM account WHERE id = 3");
      committed(writer, "DO $$ BEGIN UPDATE unseen.account SET balance = 4 WHERE id = 4; END $$");
      committed(reader, "SELECT * FROM account WHERE id = 4");
      writer
          .unwrap(PGConnection.class)
          .getCopyAPI()
          .copyIn("COPY account FROM STDIN", new StringReader("100\t1\n101\t1\n"));
      writer.commit();
      committed(reader, "SELECT * FROM account WHERE id IN (100, 101)");
      committed(reader, "SELECT sum(balance) OVER (), id FROM total");
    }
    CheckerReport report = check(IsolationLevel.SERIALIZABLE);
    assertThat(anomalies).isEmpty();
    assertThat(wrapper.stats().of(CaptureStats.Event.INTERNAL_FAILURE)).isZero();
    assertThat(report.undecided()).isEmpty();
    assertThat(report.readsForeign()).isZero();
    assertThat(report.readsDecided()).isEqualTo(report.reads()).isGreaterThanOrEqualTo(8);
  }

  @Test
  void aFractureThroughATriggersWriteIsFound() throws Exception {
    try (Connection writer = captured();
        Connection reader = captured()) {
      read(reader, "SELECT balance FROM account WHERE id = 1");
      committed(writer, "UPDATE account SET balance = 11 WHERE id = 1");
      read(reader, "SELECT balance FROM total WHERE id = 1");
      reader.commit();
    }
    check(IsolationLevel.SERIALIZABLE);
    assertThat(anomalies).extracting(Anomaly::kind).containsExactly(AnomalyKind.FRACTURED_READ);
    assertThat(anomalies.get(0).capsule()).hasSize(2);
  }

  @Test
  void aFractureOfWhatNobodyCapturedIsFound() throws Exception {
    try (Connection foreign = connect();
        Connection other = captured();
        Connection reader = captured()) {
      foreign.setAutoCommit(false);
      committed(other, "UPDATE account SET balance = 1 WHERE id = 9");
      read(reader, "SELECT balance FROM account WHERE id = 5");
      committed(foreign, "UPDATE unseen.account SET balance = 0 WHERE id IN (5, 6)");
      read(reader, "SELECT balance FROM account WHERE id = 6");
      reader.commit();
      committed(other, "SELECT balance FROM account WHERE id = 5");
    }
    check(IsolationLevel.SNAPSHOT_ISOLATION);
    assertThat(anomalies).extracting(Anomaly::kind).containsExactly(AnomalyKind.FRACTURED_READ);
  }

  /** A function that only reads leaves no doubt behind. */
  @Test
  void whoHasNoIdHasWrittenNothing() throws Exception {
    DatabaseScenario.direct(
        "CREATE FUNCTION unseen.looks() RETURNS bigint LANGUAGE sql AS"
            + " $$ SELECT max(balance) FROM unseen.account $$");
    try (Connection c = captured()) {
      committed(c, "SELECT looks()");
      committed(c, "SELECT * FROM account WHERE id = 7");
    }
    CheckerReport report = check(IsolationLevel.SERIALIZABLE);
    report.levels().forEach((level, said) -> assertThat(said.doubts()).as("%s", level).isEmpty());
  }

  @Test
  void aTriggerLeavesADoubtUntilTheWindowHasPassed() throws Exception {
    try (Connection c = captured()) {
      committed(c, "UPDATE account SET balance = 11 WHERE id = 1");
    }
    assertThat(
            check(IsolationLevel.SERIALIZABLE).levels().get(IsolationLevel.SERIALIZABLE).doubts())
        .containsOnlyKeys(UndecidedReason.OPAQUE_WRITE);
    makeTables();
    DatabaseScenario.direct("DROP TRIGGER sums ON unseen.account");
    records.clear();
    try (Connection c = captured()) {
      committed(c, "UPDATE account SET balance = 12 WHERE id = 1");
    }
    assertThat(
            check(IsolationLevel.SERIALIZABLE).levels().get(IsolationLevel.SERIALIZABLE).doubts())
        .isEmpty();
  }

  /**
   * A block with an exception handler writes under an id that the transaction never shows: what is
   * read of it may be somebody else's or its own.
   */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "UPDATE parted SET v = 1 WHERE k = 5",
        "INSERT INTO defaulted (k) VALUES (7)",
        "UPDATE checked SET v = 1 WHERE k = 1",
        "UPDATE ranged SET v = 1 WHERE k = 1",
        "UPDATE renamed SET name = 'b' WHERE k = 1"
      })
  void whatABlockOfItsOwnWroteIsNotTakenForAnothersWrite(String write) throws Exception {
    DatabaseScenario.direct(
        "CREATE TABLE unseen.counter (id int PRIMARY KEY, n int)",
        "INSERT INTO unseen.counter VALUES (1, 0)",
        "CREATE FUNCTION unseen.counts() RETURNS int LANGUAGE plpgsql AS $$ BEGIN"
            + " BEGIN UPDATE unseen.counter SET n = n + 1 WHERE id = 1;"
            + " EXCEPTION WHEN OTHERS THEN RAISE; END; RETURN 0; END $$",
        "CREATE FUNCTION unseen.counting() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
            + " PERFORM unseen.counts(); RETURN NEW; END $$",
        "CREATE TABLE unseen.parted (k int PRIMARY KEY, v int) PARTITION BY RANGE (k)",
        "CREATE TABLE unseen.parted1 PARTITION OF unseen.parted FOR VALUES FROM (0) TO (10)",
        "INSERT INTO unseen.parted VALUES (5, 0)",
        "CREATE TRIGGER counting BEFORE UPDATE ON unseen.parted1"
            + " FOR EACH ROW EXECUTE FUNCTION unseen.counting()",
        "CREATE TABLE unseen.defaulted (k int PRIMARY KEY, v int DEFAULT unseen.counts())",
        "CREATE TABLE unseen.checked (k int PRIMARY KEY, v int CHECK (unseen.counts() = 0))",
        "INSERT INTO unseen.checked VALUES (1, 0)",
        "CREATE DOMAIN unseen.little AS int CHECK (unseen.counts() = 0)",
        "CREATE TABLE unseen.ranged (k int PRIMARY KEY, v unseen.little)",
        "INSERT INTO unseen.ranged VALUES (1, 0)",
        "CREATE TABLE unseen.renamed (k int PRIMARY KEY, name text UNIQUE)",
        "INSERT INTO unseen.renamed VALUES (1, 'a')",
        "CREATE TABLE unseen.refers (k int PRIMARY KEY,"
            + " name text REFERENCES unseen.renamed (name) ON UPDATE CASCADE)",
        "INSERT INTO unseen.refers VALUES (1, 'a')",
        "CREATE TRIGGER counting BEFORE UPDATE ON unseen.refers"
            + " FOR EACH ROW EXECUTE FUNCTION unseen.counting()");
    oldest = oldestRunning();
    try (Connection c = captured()) {
      read(c, "SELECT n FROM counter WHERE id = 1");
      read(c, write);
      committed(c, "SELECT n FROM counter WHERE id = 1");
      read(c, "UPDATE counter SET n = 10 WHERE id = 1");
      read(c, write.replace("v = 1", "v = 2").replace("'b'", "'c'").replace("(7)", "(8)"));
      committed(c, "SELECT n FROM counter WHERE id = 1");
    }
    CheckerReport report = check(IsolationLevel.SNAPSHOT_ISOLATION);
    assertThat(anomalies).isEmpty();
    assertThat(report.reads()).isEqualTo(3);
    assertThat(report.readsForeign()).isZero();
    assertThat(report.readsDecided()).isOne();
  }

  private Connection captured() throws SQLException {
    Connection c = wrapper.wrap(connect());
    c.setAutoCommit(false);
    return c;
  }

  private static Connection connect() throws SQLException {
    return DriverManager.getConnection(
        DatabaseScenario.database.jdbcUrl() + "&currentSchema=unseen");
  }

  private static void committed(Connection c, String sql) throws SQLException {
    read(c, sql);
    c.commit();
  }

  private static void read(Connection c, String sql) throws SQLException {
    try (Statement s = c.createStatement()) {
      if (s.execute(sql)) {
        try (ResultSet rows = s.getResultSet()) {
          while (rows.next()) {
            rows.getObject(1);
          }
        }
      }
    }
  }

  private CheckerReport check(IsolationLevel promise) {
    Checker checker = UnpreparedBankIT.checker(promise, anomalies);
    long offset = 0;
    checker.accept(offset++, 0, new Hello(PROXY, "bank", "1", 100, oldest));
    for (TransactionRecord record : records) {
      checker.accept(offset++, 0, record);
    }
    checker.accept(offset, 0, new Goodbye(PROXY));
    checker.finish();
    return checker.report();
  }
}
