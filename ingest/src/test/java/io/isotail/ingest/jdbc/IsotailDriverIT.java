package io.isotail.ingest.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.ingest.capture.CaptureConfig;
import io.isotail.ingest.capture.CaptureStats;
import io.isotail.ingest.emit.TransactionSink;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.PGConnection;

/** The driver from outside: URLs, settings, pools, threads, failures of its own. */
class IsotailDriverIT extends DatabaseScenario {

  @Test
  void ownParametersAreStripped() {
    Properties given = new Properties();
    given.setProperty("user", "postgres");
    given.setProperty("isotail.history", "h");
    CaptureSettings settings =
        CaptureSettings.of(
            "jdbc:isotail:postgresql://host:5/db?ssl=true&isotail.tables=reg(k%3Bv),p(a,b;c)"
                + "&isotail.kafka=k:9092&isotail.clear-names&x=y"
                + "&isotail.kafka.security.protocol=SSL",
            given, true, name -> null, name -> null);
    assertThat(settings.realUrl()).isEqualTo("jdbc:postgresql://host:5/db?ssl=true&x=y");
    assertThat(settings.realProperties()).containsOnlyKeys("user");
    CaptureConfig config = settings.config();
    assertThat(config.tables().all()).hasSize(2);
    assertThat(config.clearNames()).isTrue();
    assertThat(config.kafkaProperties()).containsExactly(Map.entry("security.protocol", "SSL"));
    assertThat(
            CaptureSettings.of(
                    "jdbc:isotail:h2:mem:x?isotail.enabled=false",
                    new Properties(),
                    true,
                    name -> null,
                    name -> null)
                .realUrl())
        .isEqualTo("jdbc:h2:mem:x");
  }

  @Test
  void settingsComeFromFileSystemPropertiesAndEnvironment(@TempDir Path directory)
      throws Exception {
    Path file = directory.resolve("isotail.properties");
    Files.writeString(file, "isotail.tables=reg(k;v)\nisotail.service=from-file\n");
    Map<String, String> environment =
        Map.of("ISOTAIL_KAFKA", "k:1", "ISOTAIL_SERVICE", "from-environment");
    CaptureConfig config =
        CaptureSettings.of(
                "jdbc:isotail:postgresql:db?isotail.config=" + file,
                new Properties(),
                true,
                Map.of("isotail.history", "from-system")::get,
                environment::get)
            .config();
    assertThat(config.history()).isEqualTo("from-system");
    assertThat(config.service()).isEqualTo("from-file");
    assertThat(config.kafka()).isEqualTo("k:1");
  }

  @Test
  void wrongSettingsFailTheConnectWithTheCause() {
    String url = "jdbc:isotail:" + database.jdbcUrl().substring("jdbc:".length());
    assertThatThrownBy(() -> DriverManager.getConnection(url))
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("isotail.history is missing");
    assertThatThrownBy(() -> DriverManager.getConnection(url + "&isotail.tabels=reg(k;v)"))
        .hasMessageContaining("unknown setting isotail.tabels");
  }

  @Test
  void theRegisteredDriverWorksWithoutABroker() throws SQLException {
    String url =
        "jdbc:isotail:"
            + database.jdbcUrl().substring("jdbc:".length())
            + "&isotail.kafka=localhost:1&isotail.history=no-broker&isotail.tables=reg(k;v)";
    try (Connection c = DriverManager.getConnection(url)) {
      run(c, "UPDATE reg SET v = 11 WHERE k = 1");
      assertThat(c.getMetaData().getURL()).startsWith("jdbc:postgresql:");
    }
  }

  @Test
  void wrappersAreSeenEverywhereAndUnwrapEverywhere() throws SQLException {
    assertThat(connection.unwrap(Connection.class)).isSameAs(connection);
    assertThat(connection.isWrapperFor(PGConnection.class)).isTrue();
    assertThat(connection.unwrap(PGConnection.class).getBackendPID()).isPositive();
    assertThat(connection.getMetaData().getConnection()).isSameAs(connection);
    try (PreparedStatement s = connection.prepareStatement("SELECT k, v FROM reg WHERE k = ?")) {
      assertThat(s.getConnection()).isSameAs(connection);
      assertThat(s.unwrap(org.postgresql.PGStatement.class)).isNotNull();
      s.setLong(1, 1);
      s.execute();
      ResultSet rows = s.getResultSet();
      assertThat(rows.getStatement()).isSameAs(s);
      assertThat(rows.isWrapperFor(ResultSet.class)).isTrue();
      assertThat(s.getResultSet()).isSameAs(rows);
      assertThat(rows).isEqualTo(rows).isNotEqualTo(s);
      assertThat(s.toString()).contains("SELECT k, v FROM reg WHERE k = ");
    }
    try (Statement s = connection.createStatement()) {
      assertThat(s.getConnection()).isSameAs(connection);
      assertThatThrownBy(() -> s.execute("SELECT * FROM no_such_table"))
          .isInstanceOf(org.postgresql.util.PSQLException.class);
    }
  }

  @Test
  void worksUnderAPool() throws SQLException {
    HikariConfig config = new HikariConfig();
    config.setDataSource(new WrappingDataSource(this::open));
    config.setMaximumPoolSize(2);
    config.setAutoCommit(false);
    config.setTransactionIsolation("TRANSACTION_REPEATABLE_READ");
    try (HikariDataSource pool = new HikariDataSource(config)) {
      for (int i = 0; i < 3; i++) {
        try (Connection c = pool.getConnection()) {
          assertThat(c.unwrap(PGConnection.class).getBackendPID()).isPositive();
          run(c, "UPDATE reg SET v = " + (11 + i) + " WHERE k = 1");
          if (i == 1) {
            c.rollback();
          } else if (i == 0) {
            c.commit();
          }
        }
      }
    }
    expect("committed: w1=11", "aborted: w1=12", "aborted: w1=13");
    assertThat(sink.records())
        .extracting(TransactionRecord::ranAt)
        .containsOnly("postgresql:repeatable-read");
  }

  @Test
  void aFailureInsideIsotailNeverReachesTheApplication() throws SQLException {
    TransactionSink broken =
        new TransactionSink() {
          @Override
          public void writeStarted(long session, long transaction) {
            throw new IllegalStateException("broken on purpose");
          }

          @Override
          public void transaction(TransactionRecord record) {
            sink.transaction(record);
          }
        };
    ConnectionWrapper failing =
        IsotailDriver.wrapper(CaptureConfig.of("test", TABLES).withClearNames(), broken, null);
    try (Connection c = failing.wrap(DriverManager.getConnection(database.jdbcUrl()))) {
      c.setAutoCommit(false);
      run(c, "SELECT k, v FROM reg WHERE k = 1");
      run(c, "UPDATE reg SET v = 11 WHERE k = 1");
      c.commit();
    }
    expect("committed: opaque(*)");
    assertThat(failing.stats().of(CaptureStats.Event.INTERNAL_FAILURE)).isPositive();
  }

  /**
   * Threads increment and read rows through their own connections; the records of all of them
   * together must tell exactly what is in the database at the end.
   */
  @Test
  void concurrentSessionsAreRecordedExactly() throws Exception {
    int threads = 8;
    ExecutorService executor = Executors.newFixedThreadPool(threads);
    List<Future<Integer>> commits = new ArrayList<>();
    for (int t = 0; t < threads; t++) {
      int thread = t;
      commits.add(executor.submit(() -> incrementAtRandom(thread, 150)));
    }
    int expected = 0;
    for (Future<Integer> commit : commits) {
      expected += commit.get();
    }
    executor.shutdown();
    Map<Long, Long> next = new HashMap<>();
    Set<Long> versions = new HashSet<>();
    Map<Long, Long> lastSequence = new HashMap<>();
    int committed = 0;
    for (TransactionRecord record : sink.records()) {
      long last = lastSequence.getOrDefault(record.session().id(), -1L);
      assertThat(record.sequence()).isEqualTo(last + 1);
      lastSequence.put(record.session().id(), record.sequence());
      committed += record.outcome() == Outcome.COMMITTED ? 1 : 0;
      for (int i = 0; i < record.operations().size(); i++) {
        if (record.outcome() == Outcome.COMMITTED
            && record.operations().kind(i) == OperationKind.WRITE) {
          assertThat(versions.add(record.operations().version(i))).isTrue();
          next.put(record.operations().version(i), record.operations().key(i));
        }
      }
    }
    assertThat(committed).isEqualTo(expected);
    assertThat(next).hasSize(expected);
    assertThat(lastSequence).hasSize(threads);
  }

  private int incrementAtRandom(int thread, int transactions) throws SQLException {
    int committed = 0;
    try (Connection c = open();
        PreparedStatement read = c.prepareStatement("SELECT v FROM reg WHERE k = ? FOR UPDATE");
        PreparedStatement write = c.prepareStatement("UPDATE reg SET v = ? WHERE k = ?")) {
      c.setAutoCommit(false);
      for (int i = 0; i < transactions; i++) {
        long key = ThreadLocalRandom.current().nextLong(1, 4);
        read.setLong(1, key);
        try (ResultSet rows = read.executeQuery()) {
          rows.next();
        }
        write.setLong(1, 1_000_000L * (thread + 1) + i);
        write.setLong(2, key);
        write.executeUpdate();
        if (i % 7 == 0) {
          c.rollback();
        } else {
          c.commit();
          committed++;
        }
      }
    }
    return committed;
  }
}
