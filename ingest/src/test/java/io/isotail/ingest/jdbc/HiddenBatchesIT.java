package io.isotail.ingest.jdbc;

import static io.isotail.ingest.jdbc.HiddenSchema.checkRecord;
import static io.isotail.ingest.jdbc.HiddenSchema.difference;
import static io.isotail.ingest.jdbc.HiddenSchema.fill;
import static io.isotail.ingest.jdbc.HiddenSchema.plain;
import static io.isotail.ingest.jdbc.HiddenSchema.rows;
import static io.isotail.ingest.jdbc.HiddenSchema.versions;
import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.ingest.capture.CaptureConfig;
import io.isotail.ingest.capture.CaptureStats;
import io.isotail.ingest.capture.RecordingSink;
import io.isotail.ingest.sql.ObservedTables;
import java.sql.BatchUpdateException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Batches through isotail beside the same through the real driver. */
class HiddenBatchesIT {

  /**
   * A batch.
   *
   * @param told whether the record must name each row with its version, in autocommit mode if the
   *     driver sends the batch at once
   * @param elements the parameters of each element
   */
  private record Case(boolean told, String sql, List<List<Object>> elements) {}

  private static Case told(String sql, Object[]... elements) {
    return new Case(true, sql, Arrays.stream(elements).map(Arrays::asList).toList());
  }

  private static Case notTold(String sql, Object[]... elements) {
    return new Case(false, sql, Arrays.stream(elements).map(Arrays::asList).toList());
  }

  private static Object[] of(Object... parameters) {
    return parameters;
  }

  private static Object[][] range(int from, int to, int... more) {
    return IntStream.concat(IntStream.range(from, to), Arrays.stream(more))
        .mapToObj(k -> of(k))
        .toArray(Object[][]::new);
  }

  private static Object[][] range2(int to) {
    return IntStream.range(0, to).mapToObj(k -> of(k, "x")).toArray(Object[][]::new);
  }

  private static final List<Case> CASES =
      List.of(
          told("INSERT INTO acc VALUES (?, ?, ?)", of(50, 1, "a"), of(51, 2, null), of(52, 3, "c")),
          told("INSERT INTO acc (k) VALUES (?) -- end", range(1000, 1200)),
          told("INSERT INTO acc (k) VALUES (?)", range(1000, 1600)),
          notTold("INSERT INTO acc (k) VALUES (?)", of(50), of(1), of(52)),
          notTold("INSERT INTO acc (k) VALUES (?)", range(1000, 1190, 1, 1200, 1201)),
          notTold("INSERT INTO acc (k) VALUES (?)", range(1000, 1245, 1, 1300, 1301)),
          notTold("INSERT INTO acc (k) VALUES (?)", range(1000, 1290, 1, 1300, 1301)),
          told(
              "INSERT INTO acc AS it (k, v) VALUES (?, ?)"
                  + " ON CONFLICT (k) DO UPDATE SET v = it.v + 1",
              of(1, 5),
              of(70, 1),
              of(70, 2)),
          told("INSERT INTO acc (k) VALUES (?) ON CONFLICT DO NOTHING", of(1), of(80), of(80)),
          told(
              "INSERT INTO serialised (id, at, t) VALUES (?, ?, ?)",
              of(90, new Timestamp(1_000_000), "x"),
              of(91, null, "y")),
          told("INSERT INTO serialised (at, t) VALUES (now(), ?)", of("x"), of("y")),
          told(
              "INSERT INTO doc2 VALUES (?, ?::jsonb, '{1}')",
              of(new UUID(0, 7), "{}"), of(new UUID(0, 8), "[1]")),
          notTold("INSERT INTO part VALUES (?, 1)", of(2), of(160)),
          notTold("INSERT INTO keyless VALUES (?, 1)", of(2), of(160)),
          notTold("INSERT INTO ruled VALUES (?, 1)", of(2), of(160)),
          told("UPDATE acc SET v = v + ? WHERE k = ?", of(1, 1), of(1, 99), of(1, 1), of(2, 3)),
          told("UPDATE acc SET v = ?, w = ? WHERE ? = k", of(1, "w", 1), of(1, null, 2)),
          notTold("UPDATE acc SET v = 1 / ? WHERE k = ?", of(1, 1), of(0, 2), of(1, 3)),
          told("UPDATE acc SET v = v + ?", of(1), of(2)),
          told("UPDATE acc SET v = v + ? WHERE v > ?", of(1, 15), of(1, 900), of(2, 0)),
          told("UPDATE acc SET w = ? WHERE k IN (?, ?)", of("a", 1, 2), of("b", 3, 77)),
          notTold("UPDATE acc SET v = 1 / ? WHERE v > ?", of(1, 0), of(0, 0), of(1, 0)),
          notTold("UPDATE acc SET w = ? WHERE v > 0", of("x".repeat(20_000)), of("y")),
          told("DELETE FROM acc WHERE v > ?", of(25), of(900), of(0)),
          told("INSERT INTO acc (k) SELECT k + ? FROM acc WHERE k < ?", of(100, 10), of(200, 10)),
          told("UPDATE pair2 SET n = n + ? WHERE a >= ?", of(1, 2), of(1, 7), of(2, 0)),
          notTold("UPDATE pair2 SET n = 1 / ? WHERE a > ?", of(1, 0), of(0, 0), of(1, 0)),
          notTold("UPDATE pair2 SET n = ? WHERE a > 0 AND b = ?", range2(150)),
          notTold("UPDATE audited SET v = v + ? WHERE v > ?", of(1, 0), of(1, 0)),
          notTold("UPDATE acc SET v = ? WHERE k = ? RETURNING v", of(1, 1), of(2, 2)),
          told("UPDATE part SET v = ? WHERE k = ?", of(1, 1), of(2, 150)),
          notTold("UPDATE audited SET v = ? WHERE k = ?", of(77, 1), of(78, 1)),
          notTold("UPDATE pair2 SET n = ? WHERE a = ? AND b = ?", of(1, 1, "x"), of(2, 1, "y")),
          notTold("UPDATE acc SET missing = ? WHERE k = ?", of(1, 1), of(2, 2)),
          notTold("UPDATE seen SET v = ? WHERE k = ?", of(1, 1), of(2, 2)),
          told("DELETE FROM acc WHERE k = ?", of(1), of(99), of(2)),
          told("DELETE FROM acc WHERE k = ? AND v > ?", of(1, 100), of(2, 1)),
          notTold("DELETE FROM parent WHERE k = ?", of(1), of(2)),
          notTold("SELECT v FROM acc WHERE k = ?", of(1), of(2)),
          told("UPDATE acc SET v = 1 WHERE k = 1", of(), of()),
          notTold("UPDATE acc SET v = ? WHERE k = ?", of(1, 1), of()),
          notTold("UPDATE acc SET v = 1 WHERE k = 1"));

  private final RecordingSink sink = new RecordingSink();
  private ConnectionWrapper wrapper;

  @BeforeAll
  static void makeSchema() throws Exception {
    HiddenSchema.make();
  }

  @BeforeEach
  void wrap() {
    wrapper =
        IsotailDriver.wrapper(
            CaptureConfig.of("any", new ObservedTables(List.of())).withClearNames(), sink, "proxy");
  }

  @Test
  void theApplicationSeesTheSameAndTheRecordIsTrue() throws SQLException {
    List<String> different = new ArrayList<>();
    for (Case one : CASES) {
      fill();
      seen(wrapper.wrap(plain()), false, one); // How many rows it writes is known from here on.
    }
    for (String settings : List.of("", "&reWriteBatchedInserts=true", "&preferQueryMode=simple")) {
      for (boolean autoCommit : new boolean[] {false, true}) {
        for (Case one : CASES) {
          if (settings.contains("reWrite") && !one.sql().startsWith("INSERT")) {
            continue; // Of batches of others the driver makes what it makes without it.
          }
          fill();
          List<String> expected = seen(plain(settings), autoCommit, one);
          fill();
          Map<String, String> before = versions();
          sink.clear();
          List<String> actual = seen(wrapper.wrap(plain(settings)), autoCommit, one);
          String name =
              "%s, autocommit %s: %s %s"
                  .formatted(
                      settings, autoCommit, one.sql(), one.elements().stream().limit(9).toList());
          if (!actual.equals(expected)) {
            different.add(name + difference(expected, actual));
          }
          if (one.sql().contains("seen")) {
            continue; // What is written through a view is of a writer who is not captured.
          }
          boolean exact = checkRecord(name, sink, before, versions(), different);
          boolean oneGroup =
              one.elements().size() < 200
                  && !one.sql().startsWith("DELETE")
                  && !one.sql().contains("pair2");
          if (one.told() && settings.isEmpty() && (!autoCommit || oneGroup) && !exact) {
            different.add(name + "\n    does not tell what it wrote: " + sink.described());
          }
        }
      }
    }
    assertThat(different).isEmpty();
    assertThat(wrapper.stats().of(CaptureStats.Event.INTERNAL_FAILURE)).isZero();
  }

  private static List<String> seen(Connection connection, boolean autoCommit, Case one)
      throws SQLException {
    List<String> seen = new ArrayList<>();
    try (Connection c = connection) {
      c.setAutoCommit(autoCommit);
      try (PreparedStatement s = c.prepareStatement(one.sql())) {
        execute(s, one, false, seen);
        boolean again = !one.sql().startsWith("INSERT") || one.sql().contains("CONFLICT");
        if (again) {
          s.clearParameters();
          execute(s, one, true, seen);
        }
      }
      if (!autoCommit) {
        c.commit();
      }
    }
    seen.addAll(rows(List.of("acc", "pair2", "part", "doc2", "audited", "uniq", "keyless")));
    return seen;
  }

  private static void execute(PreparedStatement s, Case one, boolean large, List<String> seen)
      throws SQLException {
    try {
      for (List<Object> element : one.elements()) {
        for (int i = 0; i < element.size(); i++) {
          Object value = element.get(i);
          if (value instanceof Timestamp at) {
            Timestamp changed = new Timestamp(at.getTime());
            s.setTimestamp(i + 1, changed);
            changed.setTime(5);
          } else {
            s.setObject(i + 1, value);
          }
        }
        s.addBatch();
      }
      seen.add(large ? Arrays.toString(s.executeLargeBatch()) : Arrays.toString(s.executeBatch()));
    } catch (BatchUpdateException e) {
      seen.add(Arrays.toString(e.getUpdateCounts()) + Arrays.toString(e.getLargeUpdateCounts()));
      for (Throwable cause = e; cause != null; cause = cause.getCause()) {
        seen.add(cause.toString());
      }
      for (SQLException next = e; next != null; next = next.getNextException()) {
        seen.add(next.getSQLState() + " " + next.getErrorCode() + " " + next);
      }
    } catch (SQLException e) {
      seen.add(e.getSQLState() + " " + e);
    }
    seen.add("count " + s.getUpdateCount() + " more " + s.getMoreResults());
    seen.add("warnings " + s.getWarnings());
    try (ResultSet keys = s.getGeneratedKeys()) {
      seen.add("keys " + keys.getMetaData().getColumnCount() + " " + keys.next());
    } catch (SQLException e) {
      seen.add(e.getSQLState() + " " + e);
    }
  }
}
