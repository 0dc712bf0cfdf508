package io.isotail.ingest.capture;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.record.CaptureCounts;
import io.isotail.incremental.record.NotCaptured;
import io.isotail.ingest.sql.ObservedTables;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Sessions of databases other than PostgreSQL: what is recorded, and what leaves the process. */
final class OtherDialectsTest {
  private final RecordingSink sink = new RecordingSink();
  private final FakeServer server = new FakeServer();
  private Capture capture;

  @BeforeEach
  void theServerTellsNoState() {
    server.state = Server.TransactionState.UNKNOWN;
  }

  private SessionCapture session(String database, boolean autoCommit) {
    server.dialect = Dialects.of(database);
    CaptureConfig config =
        CaptureConfig.of("test", ObservedTables.parse("orders(id bigint; rev bigint)"))
            .withClearNames();
    capture = new Capture(config, sink, null);
    return Sessions.open(capture, server, "db:3306", autoCommit);
  }

  private static void sent(SessionCapture session, String sql, long count) {
    session.afterUpdate(session.beforeStatement(session.analyze(sql, true), i -> 1L), count);
  }

  /** What is recorded of one statement in autocommit mode. */
  private List<String> recorded(String database, String sql, long count) {
    SessionCapture session = session(database, true);
    sent(session, sql, count);
    session.closed();
    return sink.described();
  }

  private String told() {
    CaptureCounts counts = capture.tally().untold(50);
    return counts == null
        ? ""
        : counts.notCaptured().stream().map(NotCaptured::fingerprint).toList().toString();
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      value = {
        "mysql   | UPDATE orders SET name = \"Alice Smith, 555-1234\"",
        "mariadb | UPDATE orders SET name = \"Alice \"\"555-1234\"\"\" WHERE id > 3",
        "mysql   | DELETE FROM orders WHERE name = \"Alice\\\" 555-1234\"",
        "mysql   | DELETE FROM orders WHERE name = 'Alice\\' 555-1234'",
        "mysql   | UPDATE orders SET rev = 1 # Alice 555-1234",
        "oracle  | UPDATE orders SET name = q'[Alice's 555-1234]'",
        "h2      | UPDATE orders SET name = \"Alice Smith, 555-1234\"",
        "h2      | UPDATE orders SET name = $$Alice 555-1234$$",
        "sqlserver | UPDATE orders SET name = [Alice 555-1234]",
      })
  void noValueLeavesTheProcess(String database, String sql) {
    recorded(database, sql, -1);
    assertThat(sink.texts() + told()).doesNotContain("Alice").doesNotContain("1234");
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      value = {
        "mysql   | UPDATE `orders` SET name = ?",
        "mariadb | DELETE FROM `orders` WHERE name = ?",
        "mysql   | INSERT INTO `orders` (name) SELECT ?",
        "mysql   | UPDATE `shop`.`orders` SET rev = 1",
        "mysql   | UPDATE \"orders\" SET rev = 1",
        "mysql   | UPDATE customers c JOIN orders o ON o.id = c.id SET o.rev = 1",
        "mysql   | UPDATE customers, orders SET orders.rev = 1",
        "mysql   | DELETE orders FROM customers JOIN orders ON orders.id = customers.id",
        "mysql   | LOAD DATA INFILE 'x' INTO TABLE orders",
        "mysql   | /*!50000 UPDATE orders SET rev = 1 */",
        "mariadb | SET STATEMENT max_statement_time=10 FOR UPDATE orders SET rev = 1",
        "mariadb | ANALYZE UPDATE orders SET rev = 1",
        "mysql   | INSERT IGNORE INTO orders (id, rev) VALUES (1, 2)",
        "mysql   | UPDATE IGNORE orders SET rev = 1 WHERE id = 1",
        "mysql   | INSERT DELAYED INTO orders (id, rev) VALUES (1, 2)",
        "sqlserver | UPDATE [orders] SET rev = 1",
        "h2      | UPDATE \"ORDERS\" SET rev = 1",
        "h2      | SELECT * FROM FINAL TABLE (UPDATE orders SET rev = 1)",
        "sqlite  | INSERT OR REPLACE INTO orders (id, rev) VALUES (1, 2)",
      })
  void aWriteWhoseRowsAreNotCertainIsOpaque(String database, String sql) {
    assertThat(recorded(database, sql, -1)).hasSize(1).allMatch(tx -> tx.contains("opaque("));
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      value = {
        "mysql   | UPDATE `orders` SET `rev` = 7 WHERE `id` = 1   | committed: w1=7",
        "mysql   | UPDATE orders SET name = \"Alice\", rev = 7 WHERE id = 1 | committed: w1=7",
        "mariadb | INSERT IGNORE INTO orders (id, rev) VALUES (1, 2) | committed: w1=2",
        "h2      | UPDATE orders SET rev = 7 WHERE id = 1          | committed: w1=7",
        "h2      | DELETE FROM orders WHERE id = 1                 | committed: d1",
      })
  void aWriteThatIsReadAlikeEverywhereIsRecorded(String database, String sql, String record) {
    assertThat(recorded(database, sql, 1)).containsExactly(record);
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      value = {
        "mysql   | SELECT database()                 | committed: w1=7",
        "mariadb | SELECT last_insert_id(), now(6)   | committed: w1=7",
        "mariadb | SELECT ifnull(group_concat(v), '') FROM other | committed: w1=7",
        "mysql   | SELECT shop.touch_orders(1)       | committed: opaque(*)",
        "mysql   | SELECT age(1)                     | committed: opaque(*)",
        "mysql   | SELECT nvl(1, 2)                  | committed: opaque(*)",
        "mysql   | SELECT `now`()                    | committed: opaque(*)",
        "mysql   | SELECT count (*) FROM other       | committed: opaque(*)",
        "h2      | SELECT upper(v), count(*) FROM other | committed: w1=7",
        "h2      | SELECT touch_orders(1)            | committed: opaque(*)",
      })
  void aFunctionThatWritesNothingLeavesNoDoubt(String database, String call, String record) {
    SessionCapture session = session(database, true);
    sent(session, call, -1);
    sent(session, "UPDATE orders SET rev = 7 WHERE id = 1", 1);
    session.closed();
    assertThat(sink.described()).startsWith(record).hasSize(record.contains("opaque") ? 2 : 1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"mysql", "mariadb", "sqlserver"})
  void afterUseABareNameIsThatOfAnotherDatabase(String database) {
    SessionCapture session = session(database, true);
    sent(session, "USE archive", -1);
    sent(session, "SELECT rev FROM orders WHERE id = 1", -1);
    sent(session, "UPDATE orders SET rev = 7 WHERE id = 1", 1);
    session.closed();
    assertThat(sink.described()).containsExactly("committed: opaque(*)");
  }

  /** The level that the second of two transactions is recorded with. */
  private String levelAfter(String database, String sql) {
    SessionCapture session = session(database, false);
    session.isolationSet("repeatable read");
    sent(session, "UPDATE orders SET rev = 1 WHERE id = 1", 1);
    session.beforeCommit();
    session.committed();
    sent(session, sql, 0);
    session.beforeCommit();
    session.committed();
    sent(session, "UPDATE orders SET rev = 2 WHERE id = 1", 1);
    session.beforeCommit();
    session.committed();
    return sink.records().get(sink.records().size() - 1).ranAt();
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      value = {
        "mysql   | SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED | mysql:read-committed",
        "mariadb | SET LOCAL TRANSACTION ISOLATION LEVEL READ COMMITTED | mariadb:read-committed",
        "mysql   | SET transaction_isolation = 'READ-COMMITTED'  | mysql:read-committed",
        "mysql   | SET @@session.tx_isolation = \"read-uncommitted\" | mysql:read-uncommitted",
        "mysql   | SET autocommit=1, transaction_isolation='READ-UNCOMMITTED' | mysql-unknown:read-uncommitted",
        "mysql   | SET @transaction_isolation='SERIALIZABLE' | mysql-unknown:read-uncommitted",
        "mysql   | SET GLOBAL TRANSACTION ISOLATION LEVEL READ COMMITTED | mysql:repeatable-read",
        "mysql   | SET NAMES utf8mb4                             | mysql:repeatable-read",
        "mysql   | SET sql_mode = '', transaction_isolation = 'READ-COMMITTED' | mysql-unknown:read-uncommitted",
        "mysql   | SET transaction_isolation = @old              | mysql-unknown:read-uncommitted",
        "sqlserver | SET TRANSACTION ISOLATION LEVEL SNAPSHOT    | sqlserver-unknown:read-uncommitted",
        "derby   | SET CURRENT ISOLATION = UR                    | derby-unknown:read-uncommitted",
        "oracle  | ALTER SESSION SET ISOLATION_LEVEL = READ COMMITTED | oracle-unknown:read-uncommitted",
        "sqlite  | PRAGMA read_uncommitted = 1                   | sqlite-unknown:read-uncommitted",
        "h2      | SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL SERIALIZABLE | h2:serializable",
        "h2      | SET SCHEMA app                                | h2:repeatable-read",
      })
  void aSettingThatMayBeTheLevelLeavesNoOldLevelInForce(
      String database, String sql, String expected) {
    assertThat(levelAfter(database, sql)).isEqualTo(expected);
  }

  @Test
  void theLevelOfTheNextTransactionAloneIsThatOfTheNextAlone() {
    SessionCapture session = session("mysql", true);
    session.isolationSet("repeatable read");
    sent(session, "SET TRANSACTION ISOLATION LEVEL READ COMMITTED", 0);
    for (int i = 1; i <= 2; i++) {
      sent(session, "START TRANSACTION", 0);
      sent(session, "UPDATE orders SET rev = 1 WHERE id = 1", 1);
      sent(session, "COMMIT", 0);
    }
    assertThat(sink.records())
        .extracting(record -> record.ranAt())
        .containsExactly("mysql:read-committed", "mysql:repeatable-read");
  }

  @ParameterizedTest
  @ValueSource(strings = {"SET NAMES utf8", "SHOW WARNINGS", "SET @x = 1"})
  void theLevelOfTheNextTransactionOutlivesWhatIsNone(String sql) {
    SessionCapture session = session("mysql", true);
    session.isolationSet("repeatable read");
    sent(session, "SET TRANSACTION ISOLATION LEVEL READ UNCOMMITTED", 0);
    sent(session, sql, 0);
    sent(session, "START TRANSACTION", 0);
    sent(session, "UPDATE orders SET rev = 1 WHERE id = 1", 1);
    sent(session, "COMMIT", 0);
    assertThat(sink.records())
        .extracting(record -> record.ranAt())
        .containsExactly("mysql:read-uncommitted");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"CREATE INDEX i ON customers (id)", "LOCK TABLES customers READ", "XA END 'x'"})
  void aStatementThatCommitsByItselfLeavesTheTransactionUncertain(String sql) {
    SessionCapture session = session("mysql", false);
    sent(session, "UPDATE orders SET rev = 1 WHERE id = 1", 1);
    sent(session, sql, 0);
    session.rolledBack();
    assertThat(sink.described()).containsExactly("unknown: opaque(*)");
  }

  @Test
  void autocommitThatSqlSwitchesOffMakesOneTransactionOfWhatFollows() {
    SessionCapture session = session("mariadb", true);
    sent(session, "SET autocommit = 0", 0);
    sent(session, "UPDATE orders SET rev = 1 WHERE id = 1", 1);
    sent(session, "UPDATE orders SET rev = 1 WHERE id = 2", 1);
    sent(session, "ROLLBACK", 0);
    sent(session, "SET autocommit = ON", 0);
    sent(session, "UPDATE orders SET rev = 2 WHERE id = 1", 1);
    session.closed();
    assertThat(sink.described()).containsExactly("aborted: w1=1 w2=1", "committed: w1=2");
  }

  @Test
  void theSameStatementOfAnUnknownDialectHasOneName() {
    recorded("h2", "UPDATE orders SET rev = 1", -1);
    recorded("h2", "UPDATE orders SET rev = 2", -1);
    recorded("h2", "UPDATE orders SET name = 2", -1);
    List<String> names = sink.fingerprints();
    assertThat(names.get(0)).matches("update #[0-9a-f]{16}").isEqualTo(names.get(1));
    assertThat(names.get(2)).matches("update #[0-9a-f]{16}").isNotEqualTo(names.get(0));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "COMMIT | 1",
        "START TRANSACTION | 1",
        "SET autocommit = 1 | 1",
        "CREATE TABLE other (k int) | 1",
        "SELECT rev FROM orders WHERE id = 1 | 0",
        "UPDATE orders SET rev = 3 WHERE id = 1 | 0",
        "ROLLBACK | 0",
      })
  void whatCommitsAWriteWaitsForTheStream(String sql, int expected) {
    AtomicInteger waits = new AtomicInteger();
    awaiting("mysql", waits);
    SessionCapture reads = Sessions.open(capture, server, "db:3306", false);
    sent(reads, "SELECT rev FROM orders WHERE id = 1", -1);
    sent(reads, sql, -1);
    assertThat(waits).as("nothing was written before").hasValue(0);
    reads.closed();
    SessionCapture session = Sessions.open(capture, server, "db:3306", false);
    sent(session, "UPDATE orders SET rev = 2 WHERE id = 1", 1);
    assertThat(waits).as("a write that is not committed").hasValue(0);
    sent(session, sql, -1);
    assertThat(waits).hasValue(expected);
    session.closed();
  }

  @ParameterizedTest
  @CsvSource({"mysql, 1", "postgresql, 0"})
  void closingWaitsForTheStreamWhereItMayCommitAWrite(String database, int expected) {
    AtomicInteger waits = new AtomicInteger();
    awaiting(database, waits);
    SessionCapture reads = Sessions.open(capture, server, "db:1", false);
    sent(reads, "SELECT rev FROM orders WHERE id = 1", -1);
    reads.beforeClose();
    reads.closed();
    assertThat(waits).as("nothing was written").hasValue(0);
    SessionCapture session = Sessions.open(capture, server, "db:1", false);
    sent(session, "UPDATE orders SET rev = 2 WHERE id = 1", 1);
    session.beforeClose();
    assertThat(waits).hasValue(expected);
    session.closed();
  }

  /** A capture whose stream does not begin; counts who waits for it. */
  private void awaiting(String database, AtomicInteger waits) {
    StreamStart start =
        new StreamStart() {
          @Override
          public boolean isAwaited() {
            return true;
          }

          @Override
          public void await() {
            waits.incrementAndGet();
          }
        };
    server.dialect = Dialects.of(database);
    CaptureConfig config =
        CaptureConfig.of("test", ObservedTables.parse("orders(id bigint; rev bigint)"));
    capture = new Capture(config, sink, null, start);
  }
}
