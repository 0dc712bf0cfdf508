package io.isotail.ingest.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The first execution of a write whose text does not say how many rows it writes. */
class UnboundedWritesIT {
  private static final String UPDATE = "UPDATE heap SET v = v + 1 WHERE owner = 7";

  private final RecordingSink sink = new RecordingSink();
  private final ConnectionWrapper wrapper = fresh();

  @AfterEach
  void nothingFailedInside() {
    assertThat(wrapper.stats().of(CaptureStats.Event.INTERNAL_FAILURE)).isZero();
  }

  @BeforeEach
  void fill() throws Exception {
    DatabaseScenario.startDatabase();
    DatabaseScenario.direct(
        "DROP SCHEMA IF EXISTS heaps CASCADE",
        "CREATE SCHEMA heaps",
        "CREATE TABLE heaps.heap (id int PRIMARY KEY, owner int, v int NOT NULL DEFAULT 0)",
        "CREATE TABLE heaps.copy (id int PRIMARY KEY, owner int, v int)",
        "INSERT INTO heaps.heap VALUES (0, 1)");
  }

  /** How an application executes an update and learns how many rows it hit. */
  private enum Way {
    UPDATE {
      @Override
      long count(Connection c, String sql) throws SQLException {
        try (Statement s = c.createStatement()) {
          return s.executeUpdate(sql);
        }
      }
    },
    LARGE_UPDATE {
      @Override
      long count(Connection c, String sql) throws SQLException {
        try (Statement s = c.createStatement()) {
          return s.executeLargeUpdate(sql);
        }
      }
    },
    EXECUTE {
      @Override
      long count(Connection c, String sql) throws SQLException {
        try (Statement s = c.createStatement()) {
          assertThat(s.execute(sql)).isFalse();
          return counted(s);
        }
      }
    },
    PREPARED {
      @Override
      long count(Connection c, String sql) throws SQLException {
        try (PreparedStatement s = c.prepareStatement(sql)) {
          return s.executeUpdate();
        }
      }
    },
    PREPARED_EXECUTE {
      @Override
      long count(Connection c, String sql) throws SQLException {
        try (PreparedStatement s = c.prepareStatement(sql)) {
          assertThat(s.execute()).isFalse();
          assertThat(s.getLargeUpdateCount()).isEqualTo(s.getUpdateCount());
          return counted(s);
        }
      }
    };

    abstract long count(Connection c, String sql) throws SQLException;

    void read(Connection c) throws SQLException {
      try (Statement s = c.createStatement();
          ResultSet r = s.executeQuery("SELECT v FROM heap WHERE id = 0")) {
        assertThat(r.next()).isTrue();
      }
    }

    private static long counted(Statement s) throws SQLException {
      int count = s.getUpdateCount();
      assertThat(s.getResultSet()).isNull();
      assertThat(s.getGeneratedKeys().next()).isFalse();
      assertThat(s.getFetchSize()).isZero();
      assertThat(s.getMoreResults()).isFalse();
      assertThat(s.getUpdateCount()).isEqualTo(-1);
      return count;
    }
  }

  @ParameterizedTest
  @EnumSource(Way.class)
  void isToldInATransaction(Way way) throws Exception {
    for (int rows : new int[] {0, 1, 999, 1_000, 1_001, 2_500, 10_000}) {
      fill();
      own(rows);
      String told = first(way, UPDATE, rows);
      assertThat(told).as("%d rows", rows).doesNotContain("opaque");
      assertThat(told.split(" w", -1)).as("%d rows", rows).hasSize(rows + 1);
    }
  }

  @ParameterizedTest
  @EnumSource(Way.class)
  void isOpaqueWhereItWritesVeryMany(Way way) throws Exception {
    own(25_000);
    assertThat(first(way, UPDATE, 25_000)).contains("opaque(").doesNotContain(" w1=");
  }

  @Test
  void whatHasWrittenManyIsNotAskedAgain() throws Exception {
    own(2_500);
    try (Connection c = open()) {
      c.setAutoCommit(false);
      for (boolean told : new boolean[] {true, false}) {
        sink.clear();
        assertThat(Way.PREPARED.count(c, UPDATE)).isEqualTo(2_500);
        c.commit();
        assertThat(sink.described().get(0).contains(" w2500=")).isEqualTo(told);
      }
    }
  }

  @Test
  void deletedRowsAreTold() throws Exception {
    own(1_500);
    String told = first(Way.PREPARED, "DELETE FROM heap WHERE owner = 7", 1_500);
    assertThat(told).contains(" d1500").doesNotContain("opaque");
  }

  /** What is rolled back to a savepoint counts no more, and the connection goes on. */
  @Test
  void theTransactionGoesOn() throws Exception {
    own(3_000);
    try (Connection c = open()) {
      c.setAutoCommit(false);
      var savepoint = c.setSavepoint();
      assertThat(Way.PREPARED.count(c, UPDATE)).isEqualTo(3_000);
      c.rollback(savepoint);
      try (Statement s = c.createStatement();
          ResultSet sum = s.executeQuery("SELECT sum(v) FROM heap")) {
        assertThat(sum.next()).isTrue();
        assertThat(sum.getInt(1)).isZero();
      }
      assertThat(Way.PREPARED.count(c, UPDATE + " AND v > -1")).isEqualTo(3_000);
      c.commit();
    }
    DatabaseScenario.direct("SELECT 1 / (sum(v) / 3000) FROM heaps.heap");
  }

  /** There the driver holds all that the write returns: of a small table it returns little. */
  @Test
  void isToldInAutocommitModeIfTheTableIsSmall() throws Exception {
    own(2);
    try (Connection c = open()) {
      assertThat(Way.PREPARED.count(c, UPDATE)).isEqualTo(2);
      assertThat(sink.described().get(0)).contains(" w1=", " w2=").doesNotContain("opaque");
    }
  }

  @Test
  void isSentAsItIsInAutocommitModeIfTheTableIsNotSmall() throws Exception {
    own(2);
    others();
    DatabaseScenario.direct( // What the server has counted does not matter.
        "UPDATE pg_class SET reltuples = 3, relpages = 1 WHERE oid = 'heaps.heap'::regclass");
    try (Connection c = open()) {
      for (boolean opaque : new boolean[] {true, false}) {
        sink.clear();
        assertThat(Way.PREPARED.count(c, UPDATE)).isEqualTo(2);
        assertThat(sink.described().get(0).contains("opaque(")).isEqualTo(opaque);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void elementsOfABatchAreToldIfTheTableIsSmall(boolean autoCommit) throws Exception {
    own(3);
    try (Connection c = open()) {
      c.setAutoCommit(autoCommit);
      Way.EXECUTE.read(c); // A question takes no snapshot sooner than the application.
      sink.clear();
      try (PreparedStatement s =
          c.prepareStatement("UPDATE heap SET v = v + 1 WHERE owner = ? AND id < ?")) {
        for (int i = 0; i < 3; i++) {
          s.setInt(1, 7);
          s.setInt(2, 2 + i);
          s.addBatch();
        }
        assertThat(s.executeBatch()).containsExactly(1, 2, 3);
      }
      if (!autoCommit) {
        c.commit();
      }
    }
    assertThat(String.join(" ", sink.described())).contains(" w3=").doesNotContain("opaque");
  }

  /** What asks for the size of a table waits for nobody, and a limit of time holds. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void nothingWaitsForALockBeforeTheStatementDoes(boolean inTransaction) throws Exception {
    own(2);
    try (Connection other = plain("");
        Statement locks = other.createStatement();
        Connection c = open()) {
      c.setAutoCommit(!inTransaction);
      other.setAutoCommit(false);
      if (inTransaction) {
        try (Statement s = c.createStatement();
            ResultSet r = s.executeQuery("SELECT 1 FROM copy")) {
          assertThat(r.next()).isFalse();
        }
      }
      locks.execute("LOCK TABLE heap IN ACCESS EXCLUSIVE MODE");
      try (PreparedStatement s = c.prepareStatement(UPDATE)) {
        s.setQueryTimeout(1);
        s.addBatch();
        assertThatThrownBy(s::executeBatch)
            .isInstanceOf(SQLException.class)
            .extracting(e -> ((SQLException) e).getSQLState())
            .isEqualTo("57014");
      }
    }
  }

  /** Together they return more. */
  @Test
  void elementsOfABatchCountEach() throws Exception {
    own(2_000);
    try (Connection c = open()) {
      c.setAutoCommit(false);
      Way.EXECUTE.read(c);
      try (PreparedStatement s = c.prepareStatement("UPDATE heap SET v = v + 1 WHERE owner = ?")) {
        for (int i = 0; i < 60; i++) {
          s.setInt(1, 7);
          s.addBatch();
        }
        s.executeBatch();
      }
      c.commit();
    }
    assertThat(sink.described().get(0)).contains("opaque(");
  }

  @ParameterizedTest
  @ValueSource(strings = {"simple", "extendedForPrepared"})
  void isSentAsItIsWhereTheDriverTakesNoPortions(String mode) throws Exception {
    own(2);
    others();
    try (Connection c = open("&preferQueryMode=" + mode)) {
      c.setAutoCommit(false);
      assertThat(Way.UPDATE.count(c, UPDATE)).isEqualTo(2);
      c.commit();
    }
    assertThat(sink.described().get(0)).contains("opaque(");
  }

  @ParameterizedTest
  @CsvSource({
    ResultSet.TYPE_FORWARD_ONLY + "," + ResultSet.HOLD_CURSORS_OVER_COMMIT,
    ResultSet.TYPE_SCROLL_INSENSITIVE + "," + ResultSet.CLOSE_CURSORS_AT_COMMIT
  })
  void isSentAsItIsWhereResultsOutliveTheTransactionOrScroll(int type, int holdability)
      throws Exception {
    own(2);
    others();
    try (Connection c = open();
        Statement s = c.createStatement(type, ResultSet.CONCUR_READ_ONLY, holdability)) {
      c.setAutoCommit(false);
      assertThat(s.executeUpdate(UPDATE)).isEqualTo(2);
      c.commit();
    }
    assertThat(sink.described().get(0)).contains("opaque(");
  }

  /** What it returns would go to a file of the server. */
  @ParameterizedTest
  @CsvSource({"1000000, false", "1000002, true"})
  void isSentAsItIsOnALargeTable(int estimate, boolean opaque) throws Exception {
    own(2);
    DatabaseScenario.direct(
        "UPDATE pg_class SET reltuples = " + estimate + " WHERE oid = 'heaps.heap'::regclass");
    assertThat(first(Way.PREPARED, UPDATE, 2).contains("opaque(")).isEqualTo(opaque);
  }

  /** Nobody counts the rows of all partitions. */
  @Test
  void isSentAsItIsOnAPartitionedTable() throws Exception {
    DatabaseScenario.direct(
        "CREATE TABLE heaps.parted (id int PRIMARY KEY, owner int) PARTITION BY RANGE (id)",
        "CREATE TABLE heaps.part1 PARTITION OF heaps.parted FOR VALUES FROM (0) TO (10)",
        "INSERT INTO heaps.parted VALUES (1, 7), (2, 7)");
    String sql = "UPDATE parted SET owner = 7 WHERE owner = 7";
    assertThat(first(Way.PREPARED, sql, 2)).contains("opaque(");
  }

  /** A write that was small before may be large now. */
  @Test
  void manyRowsAreTakenInPortionsWhereFewAreKnown() throws Exception {
    try (Connection c = open()) {
      c.setAutoCommit(false);
      own(3);
      assertThat(Way.PREPARED.count(c, UPDATE)).isEqualTo(3);
      c.commit();
      DatabaseScenario.direct("INSERT INTO heaps.heap SELECT i, 7 FROM generate_series(4, 2500) i");
      sink.clear();
      assertThat(Way.EXECUTE.count(c, UPDATE)).isEqualTo(2_500);
      c.commit();
    }
    assertThat(sink.described().get(0)).contains(" w2500=");
  }

  @Test
  void aCountEndsWithTheNextExecutionAndWithTheStatement() throws Exception {
    own(1_500);
    Statement used;
    try (Connection c = open();
        PreparedStatement s = c.prepareStatement(UPDATE)) {
      used = s;
      c.setAutoCommit(false);
      assertThat(s.executeUpdate()).isEqualTo(1_500);
      assertThat(s.getUpdateCount()).isEqualTo(1_500);
      s.addBatch();
      s.executeBatch();
      assertThat(s.getUpdateCount()).isNotEqualTo(1_500);
      c.rollback();
    }
    assertThatThrownBy(used::getUpdateCount).isInstanceOf(SQLException.class);
  }

  @Test
  void isSentAsItIsWhereRowsComeFromElsewhere() throws Exception {
    own(2);
    String sql = "INSERT INTO copy SELECT id, owner, v FROM heap WHERE owner = 7";
    assertThat(first(Way.PREPARED, sql, 2)).contains("opaque(");
  }

  private static void own(int rows) throws SQLException {
    DatabaseScenario.direct(
        "INSERT INTO heaps.heap SELECT i, 7 FROM generate_series(1, " + rows + ") i");
  }

  /** So many that the table is not small. */
  private static void others() throws SQLException {
    DatabaseScenario.direct(
        "INSERT INTO heaps.heap SELECT i, 8 FROM generate_series(10, 130000) i");
  }

  private String first(Way way, String sql, int rows) throws SQLException {
    sink.clear();
    ConnectionWrapper fresh = fresh();
    try (Connection c = fresh.wrap(plain(""))) {
      c.setAutoCommit(false);
      assertThat(way.count(c, sql)).isEqualTo(rows);
      c.commit();
    }
    assertThat(fresh.stats().of(CaptureStats.Event.INTERNAL_FAILURE)).isZero();
    List<String> told = sink.described();
    return rows == 0 && told.isEmpty() ? "" : told.get(0);
  }

  /** One that knows nothing of how many rows writes return. */
  private ConnectionWrapper fresh() {
    return IsotailDriver.wrapper(
        CaptureConfig.of("any", new ObservedTables(List.of())).withClearNames(), sink, "proxy");
  }

  private Connection open() throws SQLException {
    return open("");
  }

  private Connection open(String parameters) throws SQLException {
    return wrapper.wrap(plain(parameters));
  }

  private static Connection plain(String parameters) throws SQLException {
    return DriverManager.getConnection(
        DatabaseScenario.database.jdbcUrl() + "&currentSchema=heaps" + parameters);
  }
}
