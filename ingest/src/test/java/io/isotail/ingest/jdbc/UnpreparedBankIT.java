package io.isotail.ingest.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.Checker;
import io.isotail.incremental.CheckerReport;
import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.incremental.anomaly.AnomalyKind;
import io.isotail.incremental.anomaly.AnomalyListener;
import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.record.Goodbye;
import io.isotail.incremental.record.Hello;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.ingest.capture.CaptureConfig;
import io.isotail.ingest.capture.CaptureStats;
import io.isotail.ingest.emit.TransactionSink;
import io.isotail.ingest.sql.ObservedTables;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * An application that was not written for isotail, on tables without versions: the six transactions
 * of SmallBank (Alomari, Cahill, Fekete, Röhm, The Cost of Serializability on Platforms That Use
 * Snapshot Isolation, ICDE 2008). Nothing is declared.
 */
class UnpreparedBankIT {
  private static final int CUSTOMERS = 200;
  private static final int HOT_CUSTOMERS = 3;
  private static final int CLIENTS = 6;
  private static final int TRANSACTIONS = 1_000;
  private static final String PROXY = "proxy";

  @BeforeAll
  static void makeTables() throws Exception {
    DatabaseScenario.startDatabase();
    DatabaseScenario.direct(
        "DROP SCHEMA IF EXISTS bank CASCADE",
        "CREATE SCHEMA bank",
        "CREATE TABLE bank.accounts (custid bigint PRIMARY KEY, name varchar(64) NOT NULL)",
        "CREATE TABLE bank.savings (custid bigint PRIMARY KEY, bal double precision NOT NULL)",
        "CREATE TABLE bank.checking (custid bigint PRIMARY KEY, bal double precision NOT NULL)",
        "INSERT INTO bank.accounts SELECT i, 'c' || i FROM generate_series(1, 200) i",
        "INSERT INTO bank.savings SELECT i, 1000 FROM generate_series(1, 200) i",
        "INSERT INTO bank.checking SELECT i, 1000 FROM generate_series(1, 200) i");
  }

  /** Everything in the order in which it was handed over. */
  private static final class Log implements TransactionSink {
    private final List<TransactionRecord> records = new ArrayList<>();

    @Override
    public void writeStarted(long session, long transaction) {
      // All is checked after the end, when nothing can be awaited.
    }

    @Override
    public synchronized void transaction(TransactionRecord record) {
      records.add(record);
    }
  }

  private record Outcome(CheckerReport report, List<Anomaly> anomalies, CaptureStats stats) {}

  private static Outcome run(int level, IsolationLevel promise) throws Exception {
    long oldest;
    try (Connection c = connect();
        ResultSet row =
            c.createStatement()
                .executeQuery("SELECT txid_snapshot_xmin(txid_current_snapshot())")) {
      row.next();
      oldest = row.getLong(1);
    }
    Log log = new Log();
    ConnectionWrapper wrapper =
        IsotailDriver.wrapper(CaptureConfig.of("bank", new ObservedTables(List.of())), log, PROXY);
    ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
    List<Future<?>> running = new ArrayList<>();
    for (int client = 0; client < CLIENTS; client++) {
      int seed = client;
      running.add(
          clients.submit(
              () -> {
                try (Connection c = wrapper.wrap(connect())) {
                  c.setTransactionIsolation(level);
                  c.setAutoCommit(false);
                  new Client(c, new Random(seed)).run();
                }
                return null;
              }));
    }
    for (Future<?> client : running) {
      client.get();
    }
    clients.shutdown();
    List<Anomaly> anomalies = new ArrayList<>();
    Checker checker = checker(promise, anomalies);
    long offset = 0;
    checker.accept(offset++, 0, new Hello(PROXY, "bank", "1", 100, oldest));
    for (TransactionRecord record : log.records) {
      checker.accept(offset++, 0, record);
    }
    checker.accept(offset, 0, new Goodbye(PROXY));
    checker.finish();
    return new Outcome(checker.report(), anomalies, wrapper.stats());
  }

  /** A checker of an open history in which nothing is declared but a promise. */
  static Checker checker(IsolationLevel promise, List<Anomaly> anomalies) {
    return checker(CheckerConfig.forLive("bank").withPromise(promise), anomalies);
  }

  /** A checker that keeps the anomalies. */
  static Checker checker(CheckerConfig config, List<Anomaly> anomalies) {
    AnomalyListener keeping =
        new AnomalyListener() {
          @Override
          public void found(Anomaly anomaly) {
            anomalies.add(anomaly);
          }

          @Override
          public void repeated(String id, long occurrences) {
            // It is known already.
          }
        };
    return new Checker(config, keeping);
  }

  private static Connection connect() throws SQLException {
    return DriverManager.getConnection(
        DatabaseScenario.database.jdbcUrl()
            + "&currentSchema=bank&options=-c%20deadlock_timeout=20ms");
  }

  /** One client's transactions. */
  private record Client(Connection c, Random random) {
    void run() throws SQLException {
      for (int i = 0; i < TRANSACTIONS; i++) {
        try {
          one(random.nextInt(6));
          c.commit();
        } catch (SQLException e) {
          c.rollback();
          if (!"40001".equals(e.getSQLState()) && !"40P01".equals(e.getSQLState())) {
            throw e;
          }
        }
      }
    }

    private int customer() {
      return 1 + random.nextInt(random.nextInt(10) < 9 ? HOT_CUSTOMERS : CUSTOMERS);
    }

    private void one(int kind) throws SQLException {
      int a = customer();
      int b = customer();
      switch (kind) {
        case 0 -> balances(a);
        case 1 -> set("checking", a, read("checking", id(a)) + 5);
        case 2 -> set("savings", a, read("savings", id(a)) + 20);
        case 3 -> {
          double all = read("savings", id(a)) + read("checking", a);
          set("savings", a, 0);
          set("checking", a, 0);
          set("checking", b, read("checking", id(b)) + all);
        }
        case 4 -> {
          double all = read("savings", id(a)) + read("checking", a);
          set("checking", a, read("checking", a) - (all < 50 ? 51 : 50));
        }
        default -> {
          if (a != b) {
            set("checking", a, read("checking", id(a)) - 1);
            set("checking", b, read("checking", id(b)) + 1);
          }
        }
      }
    }

    private long id(int customer) throws SQLException {
      try (PreparedStatement s = c.prepareStatement("SELECT * FROM accounts WHERE name = ?")) {
        s.setString(1, "c" + customer);
        try (ResultSet row = s.executeQuery()) {
          row.next();
          return row.getLong("custid");
        }
      }
    }

    private void balances(int customer) throws SQLException {
      try (PreparedStatement s =
          c.prepareStatement(
              "SELECT a.name, s.bal + c.bal FROM accounts a JOIN savings s ON s.custid = a.custid"
                  + " JOIN checking c ON c.custid = a.custid WHERE a.name = ?")) {
        s.setString(1, "c" + customer);
        try (ResultSet row = s.executeQuery()) {
          row.next();
          row.getDouble(2);
        }
      }
    }

    private double read(String table, long customer) throws SQLException {
      try (PreparedStatement s =
          c.prepareStatement("SELECT bal FROM " + table + " WHERE custid = ?")) {
        s.setLong(1, customer);
        try (ResultSet row = s.executeQuery()) {
          row.next();
          return row.getDouble(1);
        }
      }
    }

    private void set(String table, long customer, double balance) throws SQLException {
      try (PreparedStatement s =
          c.prepareStatement("UPDATE " + table + " SET bal = ? WHERE custid = ?")) {
        s.setDouble(1, balance);
        s.setLong(2, customer);
        assertThat(s.executeUpdate()).isOne();
      }
    }
  }

  private static void print(String name, Outcome outcome) {
    System.out.printf(
        "%s: %,d transactions, %,d of %,d reads decided, undecided %s, anomalies %s%n",
        name,
        outcome.report().transactions(),
        outcome.report().readsDecided(),
        outcome.report().reads(),
        outcome.report().undecided(),
        outcome.report().anomalies());
  }

  private static void isCovered(Outcome outcome) {
    assertThat(outcome.stats().of(CaptureStats.Event.INTERNAL_FAILURE)).isZero();
    assertThat(outcome.stats().of(CaptureStats.Event.REWRITING_REFUSED)).isZero();
    assertThat(outcome.report().reads()).isGreaterThan(CLIENTS * TRANSACTIONS);
    assertThat((double) outcome.report().readsDecided() / outcome.report().reads())
        .isGreaterThan(0.98);
  }

  @Test
  void atSerializableNearlyAllReadsAreDecidedAndNothingIsWrong() throws Exception {
    Outcome outcome = run(Connection.TRANSACTION_SERIALIZABLE, IsolationLevel.SERIALIZABLE);
    print("serializable", outcome);
    isCovered(outcome);
    assertThat(outcome.anomalies()).isEmpty();
  }

  @Test
  void writeSkewOfRepeatableReadIsFound() throws Exception {
    Outcome outcome = run(Connection.TRANSACTION_REPEATABLE_READ, IsolationLevel.SERIALIZABLE);
    print("repeatable read, promised serializable", outcome);
    isCovered(outcome);
    assertThat(outcome.report().anomalies().get(IsolationLevel.SERIALIZABLE)).isNotEmpty();
    assertThat(outcome.report().anomalies())
        .doesNotContainKeys(
            IsolationLevel.READ_COMMITTED,
            IsolationLevel.READ_ATOMIC,
            IsolationLevel.CAUSAL,
            IsolationLevel.PREFIX,
            IsolationLevel.SNAPSHOT_ISOLATION);
  }

  @Test
  void lostUpdatesOfReadCommittedAreFound() throws Exception {
    Outcome outcome = run(Connection.TRANSACTION_READ_COMMITTED, IsolationLevel.SNAPSHOT_ISOLATION);
    print("read committed, promised snapshot isolation", outcome);
    isCovered(outcome);
    assertThat(outcome.anomalies()).extracting(Anomaly::kind).contains(AnomalyKind.LOST_UPDATE);
    assertThat(outcome.report().anomalies()).doesNotContainKey(IsolationLevel.READ_COMMITTED);
  }
}
