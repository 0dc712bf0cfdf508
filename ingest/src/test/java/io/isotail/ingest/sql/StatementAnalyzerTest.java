package io.isotail.ingest.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What each form of statement does to the observed tables, as a table. */
class StatementAnalyzerTest {
  private final ObservedTables tables =
      ObservedTables.parse("reg(k; v), app.pair(a, b; rev), \"Mixed\"(\"Id\"; \"Ver\")");
  private final StatementAnalyzer analyzer =
      new StatementAnalyzer(
          tables,
          Set.of("my_pure", "shop.total"),
          PostgresSql.DIALECT,
          Identities.ofHistory("test"));

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "SELECT k, v FROM reg WHERE k = ?                     | select reg [k, v] k=($1) exact",
        "select V, K from PUBLIC.REG where ?=k                | select reg [v, k] k=($1) exact",
        "SELECT v FROM reg r WHERE r.k = 7                    | select reg [v] k=(7) exact",
        "SELECT v FROM reg WHERE (k = -7)                     | select reg [v] k=(-7) exact",
        "SELECT v FROM reg WHERE k = '7'::bigint FOR UPDATE   | select reg [v] k=('7') exact",
        "SELECT v FROM reg WHERE k = cast(? as bigint) FOR NO KEY UPDATE | select reg [v] k=($1) exact",
        "SELECT * FROM reg WHERE k IN (?, 2, ?) ORDER BY k    | select reg [*] k=($1),(2),($2) exact",
        "SELECT v AS x, k AS \"y\" FROM reg                   | select reg [v, k]",
        "SELECT v FROM reg WHERE k = ? AND v = ?              | select reg [v] k=($1) v=$2",
        "SELECT v FROM reg WHERE k = ? AND w = 'x'            | select reg [v] k=($1)",
        "SELECT v FROM reg WHERE k = ? OR k = ?               | select reg [v]",
        "SELECT v FROM reg WHERE NOT k = ?                    | select reg [v]",
        "SELECT v FROM reg WHERE k::text = ?                  | select reg [v]",
        "SELECT v FROM reg WHERE k = v                        | select reg [v]",
        "SELECT v FROM reg WHERE k = ANY(?)                   | select reg [v]",
        "SELECT v FROM reg WHERE k = ? LIMIT 1                | select reg [v] k=($1)",
        "SELECT v FROM reg WHERE k = ? OFFSET 1               | select reg [v] k=($1)",
        "SELECT v FROM reg WHERE k = ? FETCH FIRST 1 ROWS ONLY | select reg [v] k=($1)",
        "SELECT v FROM reg WHERE k = ? FOR UPDATE SKIP LOCKED | select reg [v] k=($1)",
        "SELECT unnest(x) FROM reg WHERE k = ?                | select reg [?] k=($1)",
        "SELECT k+1 AS k, v FROM reg                          | select reg [?, v]",
        "SELECT r.k, o.v FROM reg r                           | select reg [k, ?]",
        "SELECT rev FROM app.pair WHERE b = ? AND a = ?       | select app.pair [rev] k=($2,$1) exact",
        "SELECT app.pair.rev FROM app.pair WHERE app.pair.b = ? AND pair.a = ? | select app.pair [rev] k=($2,$1) exact",
        "SELECT public.reg.v FROM reg WHERE public.reg.k = ?  | select reg [v] k=($1) exact",
        "SELECT other.reg.v FROM reg WHERE reg.k = ?          | select reg [?] k=($1) exact",
        "SELECT app.pair.rev FROM app.pair pair               | select app.pair [?]",
        "SELECT rev FROM pair WHERE (b, a) IN ((1, 2), (3, ?)) | select app.pair [rev] k=(2,1),($1,3) exact",
        "SELECT rev FROM pair WHERE a = ?                     | select app.pair [rev]",
        "SELECT \"Ver\" FROM \"Mixed\" WHERE \"Id\" = ?       | select Mixed [Ver] k=($1) exact",
        "SELECT ver FROM mixed WHERE id = ?                   | harmless",
        "SELECT rev FROM other.pair                           | harmless",
        "SELECT v FROM other.reg                              | unread SUBQUERY",
        "SELECT v FROM reg AS r(v, k) WHERE k = ?             | unread SUBQUERY",
        "SELECT v FROM reg, other                             | unread JOIN",
        "SELECT v FROM reg JOIN other USING (k)               | unread JOIN",
        "SELECT max(v) FROM reg GROUP BY k                    | unread AGGREGATE",
        "SELECT v FROM reg UNION SELECT 1                     | unread AGGREGATE",
        "SELECT 1 FROM o WHERE EXISTS (SELECT 1 FROM reg)     | unread SUBQUERY",
        "WITH reg AS (SELECT 1) SELECT * FROM reg             | unread SUBQUERY",
        "SELECT count(*) FROM o WHERE o.reg = 1               | unread SUBQUERY",
        "SELECT v FROM reg TABLESAMPLE system (10)            | unread PARSE_FAILED",
        "SELECT now(), count(*) FROM o                        | harmless",
        "SELECT pg_catalog.upper(x), my_pure(x) FROM o        | harmless",
        "SELECT shop.total(x), total(x), app.my_pure(x) FROM o | harmless",
        "SELECT (information_schema._pg_expandarray(x)).n FROM o | harmless",
        "SELECT (_pg_expandarray(x)).n FROM o                 | opaque * UNKNOWN_FUNCTION",
        "SELECT information_schema.upper(x) FROM o            | opaque * UNKNOWN_FUNCTION",
        "SELECT n FROM generate_series(1, 3) s(n)             | harmless",
        "SELECT n FROM pg_catalog.generate_series(1, ?) AS s(n) | harmless",
        "SELECT n FROM transfer(1) s(n)                       | opaque * UNKNOWN_FUNCTION",
        "SELECT abs(1) OPERATOR(pg_catalog.+) transfer(3)     | opaque * UNKNOWN_FUNCTION",
        "SELECT DISTINCT ON (a) transfer(a) FROM o            | opaque * UNKNOWN_FUNCTION",
        "SELECT transfer(1, 2)                                | opaque * UNKNOWN_FUNCTION",
        "SELECT v FROM reg WHERE k = other.upper(?)           | opaque * UNKNOWN_FUNCTION",
        "INSERT INTO o (a) VALUES (transfer(1))               | opaque * UNKNOWN_FUNCTION",
      })
  void selects(String sql, String expected) {
    assertThat(describe(analyzer.of(sql, Placeholders.QUESTION_MARKS))).isEqualTo(expected);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "UPDATE reg SET v = ? WHERE k = ?                     | update reg k=($2) exact := $1",
        "UPDATE reg AS r SET w = 1, v = 5 WHERE r.k = ?       | update reg k=($1) exact := 5",
        "UPDATE reg SET (w, v) = (?, ?) WHERE k = ?           | update reg k=($3) exact := $2",
        "UPDATE reg SET v = v + 1 WHERE k = ? AND v = 7       | update reg k=($1) v=7 := 8",
        "UPDATE reg SET v = (2 + reg.v) WHERE v = -7 AND k = ? | update reg k=($1) v=-7 := -5",
        "UPDATE reg SET w = 1, v = v + 1 WHERE k IN (1, 2) AND v = 7 | update reg k=(1),(2) v=7 := 8",
        "UPDATE reg SET v = v + 1 WHERE k = ? AND v = ?       | update reg k=($1) v=$2 := unknown",
        "UPDATE reg SET v = v + 1 WHERE k = ?                 | update reg k=($1) exact := unknown",
        "UPDATE reg SET v = v + 1.5 WHERE k = ? AND v = 7     | update reg k=($1) v=7 := unknown",
        "UPDATE reg SET v = v + '1' WHERE k = ? AND v = 7     | update reg k=($1) v=7 := unknown",
        "UPDATE reg SET v = w + 1 WHERE k = ? AND v = 7       | update reg k=($1) v=7 := unknown",
        "UPDATE reg SET v = v + v WHERE k = ? AND v = 7       | update reg k=($1) v=7 := unknown",
        "UPDATE reg SET v = v - 1 WHERE k = ? AND v = 7       | update reg k=($1) v=7 := unknown",
        "UPDATE reg SET v = v + 1 WHERE k = ? AND (v = 7 OR v = 8) | update reg k=($1) := unknown",
        "UPDATE reg SET v = ? WHERE k IN (?, ?)               | update reg k=($2),($3) exact := $1",
        "UPDATE reg SET w = ? WHERE k = ?                     | update reg k=($2) exact := unknown",
        "UPDATE reg SET v = DEFAULT WHERE k = ?               | update reg k=($1) exact := unknown",
        "UPDATE reg SET v = ? WHERE k = ? RETURNING k, v      | update reg k=($2) exact := $1 returning [k, v]",
        "UPDATE reg SET v = ?                                 | opaque reg NO_KEY_CONDITION",
        "UPDATE reg SET v = ? WHERE k > ?                     | opaque reg NO_KEY_CONDITION",
        "UPDATE reg SET v = ? WHERE k IN (SELECT 1)           | opaque reg NO_KEY_CONDITION",
        "UPDATE reg SET k = ? WHERE k = ?                     | opaque reg KEY_CHANGED",
        "UPDATE reg SET v = o.v FROM o WHERE reg.k = 1        | opaque reg JOIN",
        "UPDATE ONLY reg SET v = ? WHERE k = ?                | opaque reg PARSE_FAILED",
        "UPDATE other.reg SET v = ? WHERE k = ?               | opaque reg SCHEMA_UNCLEAR",
        "UPDATE o SET v = (SELECT v FROM reg WHERE k = 1)     | unread SUBQUERY",
        "UPDATE o SET v = ? WHERE k = ?                       | harmless",
        "INSERT INTO reg (k, v) VALUES (?, ?), (3, -4)        | insert reg [k, v] ($1,$2),(3,-4) FAIL",
        "INSERT INTO reg VALUES (?, ?)                        | insert reg * ($1,$2) FAIL",
        "INSERT INTO reg (k, v) VALUES (DEFAULT, NULL)        | insert reg [k, v] (unknown,NULL) FAIL",
        "INSERT INTO reg (k, v) VALUES (?, ? + 1) RETURNING * | insert reg [k, v] ($1,unknown) FAIL returning [*]",
        "INSERT INTO reg (k, v) VALUES (?, ?) ON CONFLICT DO NOTHING | insert reg [k, v] ($1,$2) NOTHING",
        "INSERT INTO reg (k, v) VALUES (?, ?) ON CONFLICT (k) DO UPDATE SET v = EXCLUDED.v | insert reg [k, v] ($1,$2) SAME_VERSION",
        "INSERT INTO reg (k, v) VALUES (?, ?) ON CONFLICT (k) DO UPDATE SET v = excluded.v WHERE reg.v < excluded.v | insert reg [k, v] ($1,$2) SAME_VERSION_IF",
        "INSERT INTO reg (k, v) VALUES (?, ?) ON CONFLICT (k) DO UPDATE SET v = reg.v + 1 | insert reg [k, v] ($1,$2) OTHER_VERSION",
        "INSERT INTO reg (k, v) VALUES (?, ?) ON CONFLICT (k) DO UPDATE SET w = 1 WHERE reg.w = 2 | insert reg [k, v] ($1,$2) OTHER_VERSION_IF",
        "INSERT INTO reg (k, v) VALUES (?, ?) ON CONFLICT (w) DO UPDATE SET v = 1 | opaque reg KEY_CHANGED",
        "INSERT INTO reg (k, v) VALUES (?, ?) ON CONFLICT ON CONSTRAINT c DO UPDATE SET v = 1 | opaque reg KEY_CHANGED",
        "INSERT INTO reg (k, v) SELECT 1, 2                   | opaque reg INSERT_WITHOUT_VALUES",
        "INSERT INTO reg DEFAULT VALUES                       | opaque reg INSERT_WITHOUT_VALUES",
        "INSERT INTO o SELECT * FROM reg                      | unread SUBQUERY",
        "DELETE FROM reg WHERE k = ?                          | delete reg k=($1) exact",
        "DELETE FROM reg WHERE k = ? AND v = 3 RETURNING v    | delete reg k=($1) v=3 returning [v]",
        "DELETE FROM reg                                      | opaque reg NO_KEY_CONDITION",
        "DELETE FROM reg USING o WHERE reg.k = 1              | opaque reg JOIN",
        "DELETE FROM o WHERE x IN (SELECT v FROM reg)         | unread SUBQUERY",
        "WITH d AS (DELETE FROM reg WHERE k = 1 RETURNING v) SELECT * FROM d | opaque reg WRITING_CTE",
        "WITH d AS (SELECT 1) UPDATE reg SET v = 1 WHERE k = 1 | opaque reg WRITING_CTE",
        "WITH d AS (SELECT v FROM reg FOR UPDATE) SELECT * FROM d | unread SUBQUERY",
        "MERGE INTO reg USING o ON reg.k = o.k WHEN MATCHED THEN DELETE | opaque reg UTILITY",
        "TRUNCATE TABLE o, reg                                | opaque reg UTILITY",
        "TRUNCATE o CASCADE                                   | opaque * UTILITY",
        "TRUNCATE o                                           | harmless",
        "COPY reg (k, v) FROM STDIN                           | opaque reg UTILITY",
        "COPY reg TO STDOUT                                   | unread SUBQUERY",
        "COPY (SELECT * FROM o) TO STDOUT                     | harmless",
        "CALL anything(1)                                     | opaque * UTILITY",
        "{call anything(?)}                                   | opaque * UTILITY",
        "DO $$ BEGIN DELETE FROM reg; END $$                  | opaque * UTILITY",
        "EXECUTE something                                    | opaque * UTILITY",
        "EXPLAIN ANALYZE DELETE FROM reg                      | opaque reg UTILITY",
        "EXPLAIN DELETE FROM reg                              | unread SUBQUERY",
        "ALTER TABLE reg DROP COLUMN v                        | opaque reg UTILITY",
        "DROP TABLE o                                         | harmless",
        "DROP SCHEMA x CASCADE                                | opaque * UTILITY",
        "CREATE TABLE reg (k bigint primary key, v bigint)    | harmless",
        "CREATE TABLE IF NOT EXISTS reg (k bigint primary key) | harmless",
        "CREATE TABLE reg (k int GENERATED BY DEFAULT AS IDENTITY) | harmless",
        "CREATE TABLE reg (k int, v int GENERATED ALWAYS AS (k + 1) STORED) | harmless",
        "CREATE TABLE IF NOT EXISTS reg AS (SELECT 1 AS k)    | opaque reg UTILITY",
        "CREATE TABLE reg (k) AS WITH x AS (VALUES (1)) TABLE x | opaque reg UTILITY",
        "CREATE TABLE reg AS EXECUTE q                        | opaque reg UTILITY",
        "CREATE TABLE reg AS SELECT 1 AS k                    | opaque reg UTILITY",
        "UPDATE o SET v = 1; UPDATE reg SET v = 1             | opaque * SEVERAL_STATEMENTS",
        "SELECT 1; BEGIN                                      | opaque * SEVERAL_STATEMENTS",
        "SELECT 1; SELECT 2                                   | harmless",
        "UPDATE reg SET v = 'unclosed WHERE k = 1             | opaque * PARSE_FAILED",
        "frobnicate reg                                       | opaque * UTILITY",
        ";                                                    | harmless",
      })
  void writes(String sql, String expected) {
    assertThat(describe(analyzer.of(sql, Placeholders.QUESTION_MARKS))).isEqualTo(expected);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "begin                                                | BEGIN null null false",
        "/* x */ START TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ WRITE; | BEGIN repeatable read null false",
        "BEGIN ISOLATION LEVEL SERIALIZABLE                   | BEGIN serializable null false",
        "COMMIT                                               | COMMIT null null false",
        "END AND CHAIN                                        | COMMIT null null true",
        "COMMIT AND NO CHAIN                                  | COMMIT null null false",
        "ROLLBACK WORK                                        | ROLLBACK null null false",
        "ABORT                                                | ROLLBACK null null false",
        "SAVEPOINT s1                                         | SAVEPOINT null s1 false",
        "ROLLBACK TO SAVEPOINT \"S 1\"                        | ROLLBACK_TO null S 1 false",
        "ROLLBACK WORK TO s1                                  | ROLLBACK_TO null s1 false",
        "RELEASE s1                                           | RELEASE null s1 false",
        "PREPARE TRANSACTION 'X''y'                           | PREPARE null X'y false",
        "COMMIT PREPARED 'x'                                  | COMMIT_PREPARED null x false",
        "ROLLBACK PREPARED 'x'                                | ROLLBACK_PREPARED null x false",
        "SET TRANSACTION ISOLATION LEVEL READ COMMITTED       | SET_TRANSACTION read committed null false",
        "SET LOCAL transaction_isolation = 'serializable'     | SET_TRANSACTION serializable null false",
        "SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL SERIALIZABLE | SET_SESSION serializable null false",
        "SET default_transaction_isolation TO 'Repeatable Read' | SET_SESSION repeatable read null false",
        "SET default_transaction_isolation TO DEFAULT         | RESET_SETTINGS null null false",
        "RESET ALL                                            | RESET_SETTINGS null null false",
        "DISCARD ALL                                          | RESET_SETTINGS null null false",
        "SET search_path TO app                               | SET_SEARCH_PATH null null false",
        "SET LOCAL \"SEARCH_PATH\" = app                       | SET_SEARCH_PATH null null false",
        "SET SESSION SCHEMA 'app'                             | SET_SEARCH_PATH null null false",
        "SET LOCAL ROLE app                                   | SET_ROLE null null false",
        "SET SESSION AUTHORIZATION app                        | SET_ROLE null null false",
        "SET LOCAL SESSION AUTHORIZATION DEFAULT              | SET_ROLE null null false",
        "SET \"Transaction_Isolation\" TO 'serializable'       | SET_TRANSACTION serializable null false",
      })
  void transactionControl(String sql, String expected) {
    assertThat(analyzer.of(sql, Placeholders.NONE).analysis()).isInstanceOf(Analysis.Control.class);
    TransactionControl c =
        ((Analysis.Control) analyzer.of(sql, Placeholders.NONE).analysis()).control();
    assertThat(c.kind() + " " + c.isolation() + " " + c.name() + " " + c.chain())
        .isEqualTo(expected);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "SELECT v FROM reg  /* 'secret' */ WHERE k = 'secret'     | SELECT v FROM reg WHERE k = ?",
        "INSERT INTO o VALUES (E'sec\\'ret', $$secret$$, 12.5e3, B'01') | INSERT INTO o VALUES (?, ?, ?, ?)",
        "SELECT x::varchar(10) FROM o WHERE y='o''secret'     | SELECT x::varchar(10) FROM o WHERE y=?",
        "INSERT INTO o VALUES ('a\\', 'secret')               | INSERT",
        "SELECT 'unclosed secret                              | SELECT",
      })
  void fingerprintHoldsNoValue(String sql, String expected) {
    assertThat(analyzer.of(sql, Placeholders.NONE).fingerprint()).isEqualToIgnoringCase(expected);
    assertThat(analyzer.of(sql, Placeholders.NONE).fingerprint()).doesNotContain("secret");
  }

  @Test
  void aLineCommentIsNotPartOfTheFingerprint() {
    assertThat(analyzer.of("SELECT 1 -- don't tell\nFROM o", Placeholders.NONE).fingerprint())
        .isEqualTo("SELECT ? FROM o");
  }

  @Test
  void statementsThatDifferInLiteralsShareOneAnalysis() {
    Analysis one = analyzer.of("SELECT v FROM reg WHERE k = 1", Placeholders.NONE).analysis();
    assertThat(analyzer.of("SELECT v FROM reg WHERE k = 2", Placeholders.NONE).analysis())
        .isSameAs(one);
  }

  @Test
  void anAbsurdStatementIsGivenUpWithinItsBounds() {
    String nested = "SELECT v FROM reg WHERE k = " + "(".repeat(5_000) + "1" + ")".repeat(5_000);
    assertThat(describe(analyzer.of(nested, Placeholders.NONE))).isEqualTo("unread TOO_COMPLEX");
    String longList = "DELETE FROM reg WHERE k IN (1" + ", 1".repeat(50_000) + ")";
    assertThat(describe(analyzer.of(longList, Placeholders.NONE)))
        .isEqualTo("opaque reg TOO_COMPLEX");
    String huge = "SELECT '" + "x".repeat(SqlLexer.MAX_TEXT_CHARS) + "'";
    assertThat(describe(analyzer.of(huge, Placeholders.NONE))).isEqualTo("opaque * TOO_COMPLEX");
    assertThat(analyzer.of(huge, Placeholders.NONE).fingerprint()).isEqualTo("select");
  }

  @Test
  void aQuestionMarkIsAnOperatorInAPlainStatement() {
    assertThat(describe(analyzer.of("SELECT v FROM reg WHERE x ? 'a'", Placeholders.NONE)))
        .isEqualTo("unread PARSE_FAILED");
    assertThat(
            describe(
                analyzer.of(
                    "SELECT v FROM reg WHERE x ?? 'a' AND k = ?", Placeholders.QUESTION_MARKS)))
        .isEqualTo("unread PARSE_FAILED");
  }

  private String describe(AnalyzedSql sql) {
    Analysis a = sql.analysis();
    List<Slot> slots = sql.slots();
    if (a instanceof Analysis.Select s) {
      return "select "
          + s.table().identityName()
          + " "
          + shape(s.shape())
          + keys(s.predicate(), slots);
    }
    if (a instanceof Analysis.Update u) {
      return "update "
          + u.table().identityName()
          + keys(u.predicate(), slots)
          + " := "
          + text(u.version(), slots)
          + returning(u.returning());
    }
    if (a instanceof Analysis.Delete d) {
      return "delete "
          + d.table().identityName()
          + keys(d.predicate(), slots)
          + returning(d.returning());
    }
    if (a instanceof Analysis.Insert i) {
      return "insert "
          + i.table().identityName()
          + " "
          + (i.columns() == null ? "*" : i.columns())
          + " "
          + tuples(i.rows(), slots)
          + " "
          + i.conflict()
          + returning(i.returning());
    }
    if (a instanceof Analysis.Opaque o) {
      return "opaque "
          + (o.tables().equals(tables.all())
              ? "*"
              : o.tables().stream()
                  .map(ObservedTable::identityName)
                  .collect(Collectors.joining(",")))
          + " "
          + o.reason();
    }
    return a instanceof Analysis.Unread u
        ? "unread " + u.reason()
        : a instanceof Analysis.Harmless ? "harmless" : a.toString();
  }

  private static String returning(RowShape shape) {
    return shape == null ? "" : " returning " + shape(shape);
  }

  private static String shape(RowShape shape) {
    return shape.items().stream()
        .map(item -> item.star() ? "*" : item.column() == null ? "?" : item.column())
        .toList()
        .toString();
  }

  private static String keys(KeyPredicate p, List<Slot> slots) {
    return p == null
        ? ""
        : " k="
            + tuples(p.keys(), slots)
            + (p.version() == null ? "" : " v=" + text(p.version(), slots))
            + (p.exact() ? " exact" : "");
  }

  private static String tuples(List<List<Operand>> tuples, List<Slot> slots) {
    return tuples.stream()
        .map(t -> t.stream().map(o -> text(o, slots)).collect(Collectors.joining(",", "(", ")")))
        .collect(Collectors.joining(","));
  }

  private static String text(Operand operand, List<Slot> slots) {
    Object value = operand.value(slots, i -> new Parameter(i));
    return value instanceof String s ? "'" + s + "'" : value.toString();
  }

  private record Parameter(int index) {
    @Override
    public String toString() {
      return "$" + index;
    }
  }

  @Test
  void whatMustBeParsedIsNotAnalyzedSoon() {
    String first = "SELECT v FROM reg WHERE k = 7";
    assertThat(analyzer.soon(first, Placeholders.NONE)).isNull();
    AnalyzedSql parsed = analyzer.of(first, Placeholders.NONE);
    assertThat(analyzer.soon(first, Placeholders.NONE)).isSameAs(parsed);
    String alike = "SELECT v FROM reg WHERE k = 8";
    AnalyzedSql soon = analyzer.soon(alike, Placeholders.NONE);
    assertThat(soon).isNotNull().isEqualTo(analyzer.of(alike, Placeholders.NONE));
    assertThat(analyzer.soon("SELECT v FROM reg WHERE v = 8", Placeholders.NONE)).isNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "COMMIT",
        "SELECT 1",
        "SELECT my_impure(v) FROM reg",
        "SELECT v FROM elsewhere",
        "UPDATE elsewhere SET v = 1",
        "SELECT v FROM reg; SELECT 1",
        "LOCK TABLE reg",
        "TRUNCATE reg",
        "SELECT 'unclosed",
        ""
      })
  void whatNeedsNoParserIsAnalyzedSoon(String text) {
    AnalyzedSql soon = analyzer.soon(text, Placeholders.NONE);
    assertThat(soon).isNotNull();
    assertThat(
            new StatementAnalyzer(
                    tables, Set.of("my_pure"), PostgresSql.DIALECT, Identities.ofHistory("test"))
                .of(text, Placeholders.NONE))
        .isEqualTo(soon);
  }

  @Test
  void aTextThatNeededNoParserIsKeptWhenItComesTheSecondTime() {
    analyzer.of("SELECT v FROM reg WHERE k = 1", Placeholders.NONE);
    String other = "SELECT v FROM reg WHERE k = 2";
    AnalyzedSql first = analyzer.soon(other, Placeholders.NONE);
    AnalyzedSql second = analyzer.of(other, Placeholders.NONE);
    assertThat(second).isEqualTo(first).isNotSameAs(first);
    assertThat(analyzer.soon(other, Placeholders.NONE)).isSameAs(second);
    assertThat(analyzer.of(other, Placeholders.NONE)).isSameAs(second);
  }

  @Test
  void aQuestionMarkThatIsNoParameterIsNotTakenForOne() {
    String text = "UPDATE reg SET v = ? WHERE k = 1";
    AnalyzedSql symbol = analyzer.of(text, Placeholders.NONE);
    AnalyzedSql parameter = analyzer.of(text.replace("?", "$1"), Placeholders.NUMBERED);
    assertThat(symbol.analysis()).isInstanceOf(Analysis.Opaque.class);
    assertThat(parameter.analysis()).isNotInstanceOf(Analysis.Opaque.class);
  }

  @Test
  void theNamesOfSettingsAreLookedAtInEachText() {
    StatementAnalyzer harmless =
        new StatementAnalyzer(
            tables, Set.of("set_config"), PostgresSql.DIALECT, Identities.ofHistory("test"));
    String text = "SELECT set_config('%s', v, true) FROM reg WHERE k = 1";
    AnalyzedSql own = harmless.of(text.formatted("app.user"), Placeholders.NONE);
    AnalyzedSql role = harmless.of(text.formatted("role"), Placeholders.NONE);
    assertThat(own.may(StatementTrait.CHANGES_ROLE)).isFalse();
    assertThat(role.may(StatementTrait.CHANGES_ROLE)).isTrue();
    assertThat(own.fingerprint()).isEqualTo(role.fingerprint());
  }

  @Test
  void aLongTextIsNotAnalyzedSoon() {
    String text = "SELECT v FROM reg WHERE k = 1 AND w = '" + "x".repeat(20_000) + "'";
    analyzer.of(text, Placeholders.NONE);
    assertThat(analyzer.soon(text, Placeholders.NONE)).isNull();
  }
}
