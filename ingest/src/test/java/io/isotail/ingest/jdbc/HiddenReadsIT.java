package io.isotail.ingest.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.incremental.record.VersionKind;
import io.isotail.ingest.capture.CaptureConfig;
import io.isotail.ingest.capture.CaptureStats;
import io.isotail.ingest.capture.RecordingSink;
import io.isotail.ingest.jdbc.SeenByApplication.Way;
import io.isotail.ingest.sql.ObservedTables;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.postgresql.util.PSQLException;

/**
 * Which rows queries of each shape are recorded to have read, as a table: behind the query the
 * rows, each with its table and its key, which must have the writers that the server knows; {@code
 * -} is a key without a row.
 */
class HiddenReadsIT {
  private static final List<String> AGGREGATES =
      List.of(
          "SELECT count(*), sum(v) FROM acc WHERE k = 2 | acc 2",
          "SELECT max(v) FROM acc WHERE k IN (1, 3, 99) | acc 1, acc 3",
          "SELECT max(v) FROM acc WHERE k IN (98, 99) | acc 98 -, acc 99 -",
          "SELECT max(v) FROM acc WHERE k IN (98, 99) HAVING count(*) > 0 |",
          "SELECT max(v) FROM acc WHERE k = 99 AND v > 1 |",
          "SELECT count(*) FILTER (WHERE v > 1000) FROM acc WHERE k = 2 | acc 2",
          "SELECT w, count(*) FROM acc WHERE k IN (1, 2) GROUP BY w | acc 1, acc 2",
          "SELECT count(*) FROM pair2 WHERE (a, b) IN ((1, 'x'), (2, 'x')) | pair2 1,x; pair2 2,x",
          "SELECT count(*) FROM acc a LEFT JOIN uniq u ON u.k = a.k WHERE a.k IN (1, 2)"
              + " | acc 1, acc 2, uniq 1",
          "SELECT min(id::text) FROM doc2 WHERE id = '00000000-0000-0000-0000-000000000001'"
              + " | doc2 00000000-0000-0000-0000-000000000001",
          "SELECT min(\"from\") FROM \"Odd Table\" WHERE \"Id\" = 1 | Odd Table 1",
          "SELECT sum(v) FROM part WHERE k IN (1, 150) | part 1, part 150",
          "SELECT count(*) FROM acc |");

  private static final List<String> SUBQUERIES =
      List.of(
          "SELECT s.v FROM (SELECT v FROM acc WHERE k < 3) s WHERE s.v > 10 | acc 2",
          "SELECT * FROM (SELECT v FROM acc WHERE k < 3) s, uniq u | uniq 1",
          "SELECT * FROM uniq u, (SELECT v FROM acc WHERE k < 3) s | acc 1, acc 2, uniq 1",
          "SELECT s.* FROM (SELECT v FROM acc) s LEFT JOIN uniq u ON u.k = 5 | acc 1, acc 2, acc 3",
          "SELECT s.c FROM (SELECT count(*) AS c FROM acc WHERE k IN (1, 2)) s | acc 1, acc 2",
          "SELECT count(*) FROM (SELECT v FROM acc ORDER BY k LIMIT 2) s | acc 1, acc 2",
          "SELECT count(*) FROM (SELECT v FROM acc ORDER BY k LIMIT 20000) s |",
          "SELECT p.n FROM pair2 p, LATERAL (SELECT w FROM acc WHERE k = p.a) s WHERE p.b = 'y'"
              + " | pair2 1,y; acc 1");

  private static final List<String> COMMON_TABLES_AND_UNIONS =
      List.of(
          "WITH x AS (SELECT v FROM acc WHERE k < 3), y AS (SELECT v FROM x) SELECT * FROM y"
              + " | acc 1, acc 2",
          "WITH x(a) AS (SELECT v FROM acc WHERE k < 3) SELECT u.v FROM uniq u JOIN x t ON true"
              + " | acc 1, acc 2, uniq 1",
          "WITH x AS (SELECT v FROM acc) SELECT one.v FROM x one, x two |",
          "SELECT v FROM acc WHERE k = 1 UNION ALL SELECT n FROM pair2 WHERE b = 'y'"
              + " | acc 1; pair2 1,y",
          "SELECT NULL UNION ALL SELECT NULL UNION ALL SELECT \"from\" FROM \"Odd Table\""
              + " | Odd Table 1",
          "SELECT v FROM uniq UNION ALL SELECT max(v) FROM acc WHERE k IN (1, 2)"
              + " | acc 1, acc 2, uniq 1",
          "SELECT s.k FROM (SELECT k FROM part UNION ALL SELECT k FROM uniq) s | part 1, part 150,"
              + " uniq 1");

  private static final List<String> DISTINCT_AND_GROUPS =
      List.of(
          "SELECT DISTINCT k, w FROM acc WHERE k < 3 ORDER BY k | acc 1, acc 2",
          "SELECT DISTINCT ON (a) b FROM pair2 ORDER BY a, b DESC | pair2 1,y; pair2 2,x",
          "SELECT DISTINCT a.k, p.a FROM acc a LEFT JOIN pair2 p ON p.a = a.k | acc 1, acc 2, acc 3",
          "SELECT k, count(*) FROM uniq GROUP BY k | uniq 1",
          "SELECT a.k, sum(p.n) FROM acc a LEFT JOIN pair2 p ON p.a = a.k GROUP BY a.k, a.w"
              + " | acc 1, acc 2, acc 3",
          "SELECT a, b, count(*) FROM pair2 WHERE a = 1 GROUP BY (a, b) | pair2 1,x; pair2 1,y",
          "SELECT DISTINCT v FROM acc |");

  private static final List<String> KEYS_WITH_NULL =
      List.of(
          "SELECT v FROM maybe; | maybe 1,x",
          "SELECT v FROM maybe WHERE a = 1 AND b = 'x'; | maybe 1,x",
          "SELECT v FROM maybe WHERE a = 2 AND b = 'x'; | maybe 2,x -",
          "SELECT v FROM maybe WHERE a = 1 AND b = NULL |",
          "SELECT v FROM maybe WHERE b IS NULL |",
          "SELECT DISTINCT a, b FROM maybe |",
          "SELECT a, b, count(*) FROM maybe GROUP BY a, b |",
          "SELECT count(*) FROM maybe WHERE a = 1 AND b IN ('x', 'y'); | maybe 1,x",
          "SELECT a FROM maybe UNION ALL SELECT k FROM uniq | maybe 1,x; uniq 1");

  private static final List<String> EXISTENCE =
      List.of(
          "SELECT EXISTS (SELECT 1 FROM acc WHERE k = 2) | acc 2",
          "SELECT EXISTS(SELECT*FROM acc WHERE k = 99)AS found | acc 99 -",
          "SELECT exists (select from acc where k = 2) |",
          "SELECT EXISTS (SELECT k, v FROM acc a WHERE a.v > 10 AND a.k < 3) \"End\"; | acc 2",
          "SELECT 1, now() > now() AS x, EXISTS (SELECT NULL FROM acc WHERE v > 1000) AS user |",
          "SELECT EXISTS (SELECT 1 FROM pair2 p WHERE a = 2 AND b = 'x') e; -- a | pair2 2,x",
          "SELECT EXISTS (SELECT 1 FROM \"Odd Table\" WHERE \"Id\" = 1) AS \"from\" | Odd Table 1",
          "SELECT EXISTS (SELECT 1 FROM part WHERE k = 150) | part 150",
          "SELECT EXISTS (SELECT 1 FROM acc WHERE k = 2 AND k IN (SELECT 2)) | acc 2",
          "SELECT 1 WHERE EXISTS (SELECT 1 FROM acc WHERE k = 2) | acc 2",
          "select 1 \"one\" where exists (select k from acc as a where a.k = 99) | acc 99 -",
          "SELECT 1,'x' AS \"End\"WHERE EXISTS(SELECT*FROM acc WHERE v > 10 AND k < 3); | acc 2",
          "SELECT WHERE EXISTS (SELECT 1 FROM acc WHERE k = 2) |",
          "SELECT 1 WHERE EXISTS (SELECT 1 FROM pair2 p WHERE a = 2 AND b = 'x'); -- a | pair2 2,x",
          "SELECT 1 WHERE EXISTS (SELECT 1 FROM \"Odd Table\" WHERE \"Id\" = 1) | Odd Table 1",
          // Something else is asked.
          "SELECT NOT EXISTS (SELECT 1 FROM acc WHERE k = 2) |",
          "SELECT EXISTS (SELECT 1 FROM acc WHERE k = 2)::text |",
          "SELECT EXISTS (SELECT 1 FROM acc WHERE k = 2), 1 |",
          "SELECT (EXISTS (SELECT 1 FROM acc WHERE k = 2)) |",
          "SELECT count(*), EXISTS (SELECT 1 FROM acc WHERE k = 2) |",
          "SELECT EXISTS (SELECT 1 FROM acc WHERE k = 2) WHERE true |",
          "SELECT 1 WHERE EXISTS (SELECT 1 FROM acc WHERE k = 2) AND true |",
          "SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM acc WHERE k = 99) |",
          "SELECT count(*) WHERE EXISTS (SELECT 1 FROM acc WHERE k = 2) |",
          "SELECT * WHERE EXISTS (SELECT 1 FROM acc WHERE k = 2) |",
          "SELECT generate_series(1, 2) WHERE EXISTS (SELECT 1 FROM acc WHERE k = 2) |",
          "SELECT 1 WHERE EXISTS (SELECT 1 FROM acc WHERE k = 2) LIMIT 1 |",
          "SELECT 1 FROM uniq WHERE EXISTS (SELECT 1 FROM acc WHERE k = 2) | uniq 1",
          "SELECT EXISTS (SELECT max(v) FROM acc WHERE k = 99) |",
          "SELECT EXISTS (SELECT 1 FROM acc a JOIN uniq u ON u.k = a.k) |",
          "SELECT EXISTS (SELECT 1 FROM acc ORDER BY k) |",
          "SELECT EXISTS (SELECT 1 FROM acc LIMIT 1) |",
          "SELECT EXISTS (SELECT v FROM acc WHERE k = 1 UNION SELECT 1) |",
          "SELECT EXISTS (SELECT generate_series(1, 0) FROM acc WHERE k = 2) |",
          "SELECT EXISTS (SELECT 1 FROM acc WHERE k = 2 FOR UPDATE) |",
          "SELECT EXISTS (SELECT 1 FROM acc WHERE k IN (SELECT k FROM uniq)) |");

  private static final List<String> NUMBERS_FOR_COLUMNS =
      List.of(
          "SELECT k FROM acc WHERE k = 1 ORDER BY 1 | acc 1",
          "SELECT k FROM acc WHERE k = 1 ORDER BY 2 |",
          "SELECT v, max(k) FROM acc WHERE k = 1 GROUP BY 1 ORDER BY 2 | acc 1",
          "SELECT * FROM acc WHERE k < 3 ORDER BY 3, 2 | acc 1, acc 2",
          "SELECT u.*, a.w FROM acc a JOIN uniq u ON a.k = u.k ORDER BY 3 | acc 1, uniq 1",
          "WITH x AS (SELECT * FROM acc WHERE k < 3) SELECT * FROM x ORDER BY 3 | acc 1, acc 2",
          "SELECT * FROM part UNION ALL SELECT * FROM uniq ORDER BY 2, 1 | part 1, part 150, uniq 1",
          "SELECT u.v, s.* FROM uniq u, seen s ORDER BY 2 | uniq 1",
          // Of a view it is not known that there are three.
          "SELECT u.v, s.* FROM uniq u, seen s ORDER BY 3 |");

  private final RecordingSink sink = new RecordingSink();

  @BeforeAll
  static void makeSchema() throws Exception {
    HiddenSchema.make();
    HiddenSchema.fill();
  }

  /** A row has no key if a column of it is NULL. */
  @Test
  void rowsWithoutKeyAreNotRecorded() throws SQLException {
    check(KEYS_WITH_NULL);
  }

  @Test
  void rowsThatAreAggregatedAreRead() throws SQLException {
    check(AGGREGATES);
  }

  @Test
  void rowsOfSubqueriesInFromAreRead() throws SQLException {
    check(SUBQUERIES);
  }

  @Test
  void rowsOfCommonTablesAndOfUnionsAreRead() throws SQLException {
    check(COMMON_TABLES_AND_UNIONS);
  }

  @Test
  void rowsWhoseKeysDistinguishRowsOrGroupsAreRead() throws SQLException {
    check(DISTINCT_AND_GROUPS);
  }

  @Test
  void theRowIsReadThatAnswersWhetherThereIsOne() throws SQLException {
    check(EXISTENCE);
    ConnectionWrapper wrapper = wrapper();
    for (String line : EXISTENCE) {
      String sql = line.substring(0, line.lastIndexOf('|'));
      for (Way way : Way.values()) {
        try (Connection plain = HiddenSchema.plain();
            Connection c = wrapper.wrap(HiddenSchema.plain())) {
          assertThat(SeenByApplication.of(c, way, sql))
              .as("%s: %s", way, sql)
              .isEqualTo(SeenByApplication.of(plain, way, sql));
        }
      }
    }
  }

  @Test
  void rowsAreReadWhereNumbersStandForTheApplicationsColumns() throws SQLException {
    check(NUMBERS_FOR_COLUMNS);
  }

  @Test
  void aParameterStandsForNoColumn() throws SQLException {
    ConnectionWrapper wrapper = wrapper();
    try (Connection c = wrapper.wrap(HiddenSchema.plain());
        PreparedStatement s = c.prepareStatement("SELECT v FROM acc WHERE k = 1 ORDER BY ?")) {
      s.setInt(1, 7);
      try (ResultSet rows = s.executeQuery()) {
        assertThat(rows.next()).isTrue();
        assertThat(rows.next()).isFalse();
      }
    }
    assertThat(reads())
        .containsExactly("hidden.acc 1=" + HiddenSchema.versions().get("hidden.acc 1"));
  }

  /** With parameters before and behind what is added, and a comment before the statement. */
  @Test
  void anErrorNamesThePlaceInTheApplicationsText() throws SQLException {
    for (String sql :
        List.of(
            "SELECT v FROM acc WHERE k = ? AND nothing > ?",
            "SELECT nothing FROM acc WHERE k = ? AND v > ?",
            "SELECT v + ? FROM acc WHERE k = ? AND 'x' > 1",
            "SELECT k, EXISTS (SELECT 1 FROM acc WHERE k = ? AND v = ?)",
            "SELECT ?::int, EXISTS (SELECT nothing FROM acc WHERE k = ?)",
            "SELECT ?::int, EXISTS (SELECT 1 FROM acc WHERE k = ? AND nothing)",
            "SELECT ?::int WHERE EXISTS (SELECT 1 FROM acc WHERE k = ? AND nothing)",
            "SELECT ?::int, EXISTS (SELECT 1 FROM acc WHERE k = ?) AS x, nothing",
            "/*route='x',app='y'*/ SELECT ?, EXISTS (SELECT 1 FROM acc WHERE k = ? AND nothing)",
            "UPDATE acc SET v = ? WHERE k = ? AND nothing",
            "SELECT max(v) FROM acc WHERE k IN (?, ?) AND nothing")) {
      assertThat(error(wrapper().wrap(HiddenSchema.plain()), sql))
          .as(sql)
          .contains("Position: ")
          .isEqualTo(error(HiddenSchema.plain(), sql));
    }
  }

  /** Rows that can be updated are asked for as the application wrote it, and so is their list. */
  @Test
  void anErrorOfWhatIsSentAsItIsKeepsItsPlace() throws SQLException {
    String sql = "SELECT EXISTS (SELECT nothing FROM acc WHERE k = 99)";
    for (int concurrency : new int[] {ResultSet.CONCUR_READ_ONLY, ResultSet.CONCUR_UPDATABLE}) {
      assertThat(metaDataError(wrapper().wrap(HiddenSchema.plain()), sql, concurrency))
          .contains("Position: ")
          .isEqualTo(metaDataError(HiddenSchema.plain(), sql, concurrency));
    }
  }

  private static String metaDataError(Connection c, String sql, int concurrency)
      throws SQLException {
    try (c;
        PreparedStatement s = c.prepareStatement(sql, ResultSet.TYPE_FORWARD_ONLY, concurrency)) {
      s.getMetaData();
      return "none";
    } catch (SQLException e) {
      return e.getMessage();
    }
  }

  private static String error(Connection c, String sql) throws SQLException {
    try (c;
        PreparedStatement s = c.prepareStatement(sql)) {
      s.setInt(1, 1);
      s.setInt(2, 2);
      s.execute();
      return "none";
    } catch (SQLException e) {
      PSQLException told = (PSQLException) e;
      return "%s %s".formatted(told, told.getServerErrorMessage());
    }
  }

  private ConnectionWrapper wrapper() {
    return IsotailDriver.wrapper(
        CaptureConfig.of("any", new ObservedTables(List.of())).withClearNames(), sink, "proxy");
  }

  private void check(List<String> lines) throws SQLException {
    ConnectionWrapper wrapper = wrapper();
    Map<String, String> versions = HiddenSchema.versions();
    List<String> wrong = new ArrayList<>();
    for (String line : lines) {
      int bar = line.lastIndexOf('|');
      String sql = line.substring(0, bar).strip();
      Set<String> expected = new TreeSet<>();
      for (String row : line.substring(bar + 1).split(line.contains(";") ? ";" : ",")) {
        String read = row.strip();
        if (read.endsWith(" -")) {
          expected.add("hidden." + read.replace(" -", "=absent"));
        } else if (!read.isEmpty()) {
          expected.add("hidden." + read + "=" + versions.get("hidden." + read));
        }
      }
      for (Way way : List.of(Way.STATEMENT, Way.PREPARED_TWICE)) {
        sink.clear();
        try (Connection c = wrapper.wrap(HiddenSchema.plain())) {
          SeenByApplication.of(c, way, sql);
        }
        Set<String> reads = reads();
        if (!reads.equals(expected)) {
          wrong.add("%s: %s\n  expected %s\n  recorded %s".formatted(way, sql, expected, reads));
        }
      }
    }
    assertThat(wrong).isEmpty();
    assertThat(wrapper.stats().of(CaptureStats.Event.INTERNAL_FAILURE)).isZero();
    assertThat(wrapper.stats().of(CaptureStats.Event.REWRITING_REFUSED)).isZero();
  }

  private Set<String> reads() {
    Set<String> reads = new TreeSet<>();
    for (TransactionRecord record : sink.records()) {
      Operations ops = record.operations();
      for (int i = 0; i < ops.size(); i++) {
        boolean absent = ops.versionKind(i) == VersionKind.INITIAL;
        reads.add(
            "%s %s=%s"
                .formatted(
                    ops.statement(i).table(),
                    ops.keyName(i),
                    absent ? "absent" : ops.versionName(i)));
      }
    }
    return reads;
  }
}
