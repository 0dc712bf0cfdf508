package io.isotail.ingest.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.Seeds;
import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.ingest.capture.CaptureConfig;
import io.isotail.ingest.capture.CaptureStats;
import io.isotail.ingest.capture.RecordingSink;
import io.isotail.ingest.jdbc.SeenByApplication.Way;
import io.isotail.ingest.sql.ObservedTables;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Random statements through isotail beside the same through the real driver: the application sees
 * the same, no read is recorded that the server does not know, and no write is missed. {@code
 * -Disotail.random.statements=N} and {@code -Disotail.random.seed=S} choose which.
 */
class RandomStatementsIT {
  private static final int STATEMENTS = Integer.getInteger("isotail.random.statements", 100);
  private static final long SEED = Seeds.FRESH;

  private final RecordingSink sink = new RecordingSink();
  private ConnectionWrapper wrapper;
  private Connection isotail;
  private long refused;
  private int ran;
  private int told;
  private long reads;

  @BeforeAll
  static void makeSchema() throws Exception {
    HiddenSchema.make();
  }

  @Test
  void theApplicationSeesTheSameAndTheRecordIsTrue() throws SQLException {
    Random random = new Random(SEED);
    RandomStatements statements = new RandomStatements(random);
    List<String> wrong = new ArrayList<>();
    HiddenSchema.fill();
    Map<String, String> versions = HiddenSchema.versions();
    connect();
    try (Connection plain = HiddenSchema.plain()) {
      for (int i = 0; i < STATEMENTS && wrong.size() < 10; i++) {
        String sql = statements.next();
        Way way = random.nextBoolean() ? Way.STATEMENT : Way.PREPARED;
        boolean autoCommit = random.nextBoolean();
        // A write that follows another one may be sent as it is.
        boolean second = !autoCommit && random.nextBoolean();
        boolean writes = second || sql.matches(".*\\b(INSERT|UPDATE|DELETE)\\b.*");
        List<String> expected = seen(plain, autoCommit, second, way, sql);
        if (writes) {
          HiddenSchema.fill();
          versions = HiddenSchema.versions();
        }
        sink.clear();
        List<String> actual = seen(isotail, autoCommit, second, way, sql);
        String name =
            "%d, %s, autocommit %s, second %s: %s".formatted(i, way, autoCommit, second, sql);
        if (!actual.equals(expected)) {
          wrong.add(name + HiddenSchema.difference(expected, actual));
        }
        Map<String, String> after = writes ? HiddenSchema.versions() : versions;
        HiddenSchema.checkRecord(name, sink, versions, after, wrong);
        count(expected);
        check(name, expected, wrong);
        if (writes) {
          HiddenSchema.fill();
          versions = HiddenSchema.versions();
        }
      }
    }
    System.out.printf(
        "seed %d: %,d random statements, %,d ran, %,d told %,d reads, %d refused%n",
        SEED, STATEMENTS, ran, told, reads, refused);
    assertThat(wrong).as("-Disotail.random.seed=%d", SEED).isEmpty();
    assertThat(ran).isGreaterThan(STATEMENTS / 2);
    assertThat(told).isGreaterThan(STATEMENTS / 10);
    isotail.close();
  }

  private void connect() throws SQLException {
    wrapper =
        IsotailDriver.wrapper(
            CaptureConfig.of("any", new ObservedTables(List.of())).withClearNames(), sink, "proxy");
    isotail = wrapper.wrap(HiddenSchema.plain());
  }

  /** A statement that is refused, here for its own fault, leaves the tables unknown for a while. */
  private void check(String name, List<String> expected, List<String> wrong) throws SQLException {
    assertThat(wrapper.stats().of(CaptureStats.Event.INTERNAL_FAILURE)).isZero();
    long now = wrapper.stats().of(CaptureStats.Event.REWRITING_REFUSED);
    if (now > 0) {
      refused += now;
      if (expected.stream().noneMatch(line -> line.contains("Exception"))) {
        wrong.add(name + " was refused");
      }
      isotail.close();
      connect();
    }
  }

  private void count(List<String> seen) {
    ran += seen.stream().anyMatch(line -> line.startsWith("PSQLException")) ? 0 : 1;
    long found = 0;
    for (TransactionRecord record : sink.records()) {
      for (int i = 0; i < record.operations().size(); i++) {
        found += record.operations().kind(i) == OperationKind.READ ? 1 : 0;
      }
    }
    told += found > 0 ? 1 : 0;
    reads += found;
  }

  /** What is seen, whatever the order of rows, and but for places in a text. */
  private static List<String> seen(
      Connection c, boolean autoCommit, boolean second, Way way, String sql) throws SQLException {
    c.setAutoCommit(autoCommit);
    if (second) {
      try (Statement first = c.createStatement()) {
        first.executeUpdate("UPDATE included SET v = v + 1 WHERE k = 1");
      }
    }
    List<String> seen = new ArrayList<>();
    for (String line : SeenByApplication.of(c, way, sql)) {
      seen.add(line.replaceAll("^row \\d+", "row"));
    }
    if (!autoCommit) {
      c.commit();
    }
    seen.sort(null);
    return seen;
  }
}
