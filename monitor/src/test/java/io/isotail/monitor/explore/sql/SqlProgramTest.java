package io.isotail.monitor.explore.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.isotail.incremental.explore.Exploration;
import io.isotail.incremental.explore.Program;
import io.isotail.incremental.explore.language.ProgramText;
import io.isotail.incremental.explore.language.SourceError;
import io.isotail.incremental.explore.verdict.AssertionVerdict;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.monitor.explore.Examples;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import net.sf.jsqlparser.JSQLParserException;
import net.sf.jsqlparser.parser.CCJSqlParserUtil;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

final class SqlProgramTest {
  private static final String SCHEMA =
      """
      CREATE TABLE item (id INT PRIMARY KEY, name VARCHAR(20) NOT NULL, stock INTEGER, "key" BOOLEAN);
      INSERT INTO item VALUES (1, 'pen', 5, TRUE), (2, 'ink', 0, FALSE);
      INSERT INTO item (stock, id, name, "key") VALUES (7, 3, 'pen', TRUE);
      CREATE TABLE line (cart TEXT, item TEXT, n BIGINT, PRIMARY KEY (cart, item));
      INSERT INTO line VALUES ('a:b', 'c', 1), ('a', 'b:c', 2);
      """;

  private static Program program(String text) {
    return SqlProgram.compile(text).program("test.sql", Map.of());
  }

  /** The failures of all histories of a program at a level. */
  private static List<String> failures(Program program, IsolationLevel level) {
    List<String> failures = new ArrayList<>();
    Exploration.of(program, level)
        .run(
            history -> {
              String failure = history.failure();
              return failure == null || failures.add(failure);
            },
            () -> true);
    return failures;
  }

  /** What fails in a session of one transaction over the schema. */
  private static List<String> failing(String statements) {
    return failures(
        program(SCHEMA + "SESSION s BEGIN START TRANSACTION; " + statements + " COMMIT; END;"),
        IsolationLevel.SERIALIZABLE);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        // Expressions, from weak signs to strong ones.
        "ASSERT TRUE OR FALSE AND FALSE;",
        "ASSERT NOT FALSE AND TRUE;",
        "ASSERT NOT (1 = 2) AND NOT 1 = 2 AND 1 <> 2 AND 1 != 2;",
        "ASSERT 1 + 2 * 3 = 7 AND (1 + 2) * 3 = 9 AND 7 - 2 - 1 = 4 AND 7 - (2 - 1) = 6;",
        "ASSERT 7 / 2 = 3 AND 7 % 4 = 3 AND -7 + 2 = -5 AND 12 / (3 * 2) = 2 AND 12 / 3 * 2 = 8;",
        "ASSERT 'a' || 'b' = 'ab' AND 1 || 'b' = '1b' AND 'a' || (1 + 2) = 'a3';",
        "ASSERT 'it''s' = 'it''s' AND 'a' <> 'b';",
        "ASSERT 2 BETWEEN 1 AND 3 AND 2 NOT BETWEEN 3 AND 4 AND NOT 5 BETWEEN 1 AND 4;",
        "ASSERT 2 IN (1, 2) AND 'a' NOT IN ('b', 'c') AND (1 = 1) = TRUE;",
        "ASSERT COALESCE(1, 2) = 1 AND 1 < 2 AND 2 <= 2 AND 3 > 2 AND 3 >= 3;",
        // Locals.
        "SET :a = 1; SET :a := :a + 1; ASSERT :a = 2;",
        "SET :if = 1; SET :absent = 2; SET :item = 3; ASSERT :if + :absent + :item = 6;",
        "SET :a = 1; IF :a = 1 THEN SET :b = 2; ELSE SET :b = 3; END IF; ASSERT :b = 2;",
        "SET :a = 5; IF :a = 1 THEN SET :b = 1; ELSIF :a = 5 THEN SET :b = 5; ELSEIF :a = 6 THEN "
            + "SET :b = 6; ELSE SET :b = 0; END IF; ASSERT :b = 5;",
        "IF 1 = 2 THEN SET :b = 1; END IF; ASSERT :b IS NULL;",
        "IF 1 = 1 THEN SET :b = 1; END IF; ASSERT :b IS NOT NULL AND :b = 1;",
        "IF 1 = 2 THEN ROLLBACK; ELSE SET :b = 1; END IF; ASSERT :b = 1;",
        // One row by its key.
        "SELECT stock INTO :n FROM item WHERE id = 1; ASSERT :n = 5;",
        "SELECT stock, name INTO :n, :m FROM item WHERE 3 = id; ASSERT :n = 7 AND :m = 'pen';",
        "SELECT i.stock INTO :n FROM item AS i WHERE i.id = 1 AND i.stock > 4; ASSERT :n = 5;",
        "SELECT item.stock INTO :n FROM item WHERE item.id = 1 AND stock > 5; ASSERT :n IS NULL;",
        "SELECT stock INTO :n FROM item WHERE id = 1 AND id = 2; ASSERT :n IS NULL;",
        "SELECT \"key\" INTO :b FROM item WHERE id = 1; ASSERT :b;",
        "SELECT stock INTO :n FROM item WHERE id = 9; ASSERT :n IS NULL;",
        "SELECT stock INTO :n FROM item WHERE id = 9; SET :m = :n; ASSERT COALESCE(:m, 4) = 4;",
        "SELECT COALESCE(stock, -1) INTO :n FROM item WHERE id = 9; ASSERT :n = -1;",
        "SELECT n INTO :n FROM line WHERE cart = 'a:b' AND item = 'c'; ASSERT :n = 1;",
        "SELECT n INTO :n FROM line WHERE item = 'b:c' AND 'a' = cart; ASSERT :n = 2;",
        "SELECT n INTO :n FROM line WHERE cart = 'a:b:c' AND item = 'c'; ASSERT :n IS NULL;",
        // All rows, and what is computed of them.
        "SELECT count(*), COUNT(stock) INTO :n, :m FROM item; ASSERT :n = 3 AND :m = 3;",
        "SELECT SUM(stock), MIN(stock), MAX(i.stock) INTO :s, :l, :g FROM item i WHERE name = 'pen';"
            + " ASSERT :s = 12 AND :l = 5 AND :g = 7;",
        "SELECT SUM(stock), MAX(stock) INTO :s, :g FROM item WHERE stock > 99;"
            + " ASSERT :s IS NULL AND :g IS NULL;",
        "SELECT COALESCE(SUM(stock), 0), COALESCE(SUM(stock), 3), COALESCE(MAX(stock), 9)"
            + " INTO :s, :t, :g FROM item WHERE stock > 99; ASSERT :s = 0 AND :t = 3 AND :g = 9;",
        // What is selected does not see the locals that it is selected into.
        "SET :a = 1; SELECT COUNT(*), COALESCE(MAX(stock), :a) INTO :a, :b FROM item"
            + " WHERE stock > 99; ASSERT :a = 0 AND :b = 1;",
        "SET :a = 1; SELECT stock, COALESCE(stock, :a + 1) INTO :a, :b FROM item"
            + " WHERE id = 1 AND stock > 99; ASSERT :a IS NULL AND :b = 2;",
        "SET :a = 1; SELECT COALESCE(SUM(stock), :a) INTO :a FROM item WHERE stock > 99;"
            + " ASSERT :a = 1;",
        "SET :a = 1; SET :b = 2; SELECT COALESCE(SUM(stock), :b), COALESCE(SUM(stock), :a)"
            + " INTO :a, :b FROM item WHERE stock > 99; ASSERT :a = 2 AND :b = 1;",
        "SELECT COUNT(*) INTO :n FROM line WHERE cart = 'a'; ASSERT :n = 1;",
        "SELECT COUNT(*) INTO :n FROM item WHERE \"key\" AND NOT name = 'ink'; ASSERT :n = 2;",
        "SELECT * FROM item; SELECT name, stock FROM item WHERE stock > 2;",
        // Writes.
        "UPDATE item SET stock = stock + 1, name = 'x' WHERE id = 1 AND stock = 5;"
            + " SELECT stock, name INTO :n, :m FROM item WHERE id = 1; ASSERT :n = 6 AND :m = 'x';",
        "UPDATE item SET stock = stock * 2; SELECT SUM(stock) INTO :n FROM item; ASSERT :n = 24;",
        "UPDATE item i SET \"key\" = FALSE WHERE i.stock > 4;"
            + " SELECT COUNT(*) INTO :n FROM item WHERE \"key\"; ASSERT :n = 0;",
        "DELETE FROM item WHERE id = 1; SELECT COUNT(*) INTO :n FROM item; ASSERT :n = 2;",
        "DELETE FROM item WHERE stock > 4; SELECT COUNT(*) INTO :n FROM item; ASSERT :n = 1;",
        "DELETE FROM item; SELECT COUNT(*) INTO :n FROM item; ASSERT :n = 0;",
        "SET :a = 4; INSERT INTO item VALUES (:a, 'cap', :a + 1, TRUE), (5, 'bag', 1, TRUE);"
            + " SELECT SUM(stock) INTO :n FROM item; ASSERT :n = 18;",
        "INSERT INTO line (n, cart, item) VALUES (3, 'a:b', 'd');"
            + " SELECT n INTO :n FROM line WHERE cart = 'a:b' AND item = 'd'; ASSERT :n = 3;",
        "INSERT INTO item VALUES (1, 'pen', 0, TRUE); ASSERT FALSE, 'the key was there';",
        "ROLLBACK;",
        "/* a\n comment */ -- and another\n ASSERT TRUE;",
      })
  void statementsDoWhatSqlSays(String statements) throws JSQLParserException {
    assertThat(failing(statements)).isEmpty();
    // The general parser takes them for SQL too.
    for (String statement : statements.split(";", -1)) {
      String select = statement.strip().replaceAll("INTO :\\w+(, :\\w+)*", "");
      if (select.matches("(?s)(SELECT|INSERT|UPDATE|DELETE) .*")) {
        assertThat(CCJSqlParserUtil.parse(select)).as(select).isNotNull();
      }
    }
  }

  @Test
  void assertionsFailWithTheirTextOrTheirLine() {
    assertThat(failing("ASSERT 1 = 2, 'no';")).containsExactly("s.t1: no");
    assertThat(failing("ASSERT 1 = 2;"))
        .containsExactly("s.t1: the assertion in line 6 does not hold");
  }

  @Test
  void sessionsCallTransactionsAndKeepWhatTheyRead() {
    String text =
        """
        PARAMETER least = 1;
        CREATE TABLE item (id INT PRIMARY KEY, stock INT);
        INSERT INTO item VALUES (1, :least);
        TRANSACTION buy(id INT, :n INT) AT snapshot-isolation BEGIN
          SELECT stock INTO :stock FROM item WHERE id = :id;
          IF :stock < :n THEN ROLLBACK; END IF;
          UPDATE item SET stock = :stock - :n WHERE id = :id;
        COMMIT;
        SESSION alice BEGIN
          CALL buy(1, :least) AT serializable;
          ASSERT :stock >= :least, 'what was bought was there';
          START TRANSACTION AT read-committed;
            SET :kept = :stock;
          COMMIT;
        END;
        SESSION bob BEGIN CALL buy(1, 1); END;
        FINAL BEGIN
          SELECT stock INTO :left FROM item WHERE id = 1;
          ASSERT :left >= 0, 'more was sold than there was';
        END;
        """;
    SqlProgram sql = SqlProgram.compile(text);
    assertThat(failures(sql.program("p", Map.of()), IsolationLevel.SERIALIZABLE)).isEmpty();
    assertThat(sql.text())
        .contains("transaction buy(id, n) at snapshot-isolation {")
        .contains("buy(1, least) at serializable;")
        .contains("begin at read-committed");
    Program two = sql.program("p", Map.of("least", "2"));
    assertThat(two.initial().values().toString()).contains("stock=2");
    assertThatThrownBy(() -> sql.program("p", Map.of("least", "many")))
        .hasMessage("the parameter 'least' is a whole number; found 'many'");
    assertThatThrownBy(() -> sql.program("p", Map.of("most", "1")))
        .hasMessageContaining("no parameter 'most'; expected one of [least]");
    String weak = text.replace(" AT snapshot-isolation", "").replace(" AT serializable", "");
    assertThat(failures(program(weak), IsolationLevel.READ_COMMITTED)).isEmpty();
    String blind = weak.replace(":stock - :n", "stock - :n");
    assertThat(failures(program(blind), IsolationLevel.READ_COMMITTED))
        .contains("final.reads: more was sold than there was");
  }

  /** The examples in SQL and in isotail's language allow equally many histories at each level. */
  @ParameterizedTest
  @EnumSource(
      value = IsolationLevel.class,
      mode = EnumSource.Mode.EXCLUDE,
      names = "STRICT_SERIALIZABLE")
  void examplesAreTheSameInSqlAndInTheLanguageOfPrograms(IsolationLevel level) {
    for (String example : List.of("small-bank", "courseware")) {
      Program sql = program(Examples.text(example + ".sql"));
      Program text = ProgramText.parse(example, Examples.text(example), Map.of());
      assertThat(histories(sql, level)).as(example).isEqualTo(histories(text, level));
      assertThat(failures(sql, level)).as(example).isEqualTo(failures(text, level));
    }
  }

  private static long histories(Program program, IsolationLevel level) {
    Exploration exploration = Exploration.of(program, level);
    exploration.run(history -> true, () -> true);
    return exploration.histories();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "SELECT stock INTO :n FROM item WHERE stock = 1; | column 8: several rows may be found for",
        "SELECT n INTO :n FROM line WHERE cart = 'a'; | a value for each of [cart, item] in WHERE",
        "SELECT n INTO :n FROM line WHERE cart = item AND item = 'c'; | several rows may be found",
        "SELECT stock INTO :n FROM item WHERE id = 1 OR id = 2; | several rows may be found",
        "SELECT * INTO :n FROM item WHERE id = 1; | expected one for each column, and no *",
        "SELECT stock INTO :n, :m FROM item WHERE id = 1; | found 2 locals for what is selected",
        "SELECT stock INTO n FROM item WHERE id = 1; | found 'n'; expected a local, as :name",
        "SELECT stock FROM item, line; | found a join; expected one table",
        "SELECT stock FROM public.item; | found a schema's name",
        "SELECT stock FROM nothing; | there is no table 'nothing'; expected one of [item, line]",
        "SELECT price FROM item; | there is no column 'price' in item; expected one of id, name,",
        "SELECT x.stock FROM item i; | found 'x.'; expected i",
        "SELECT item.stock FROM item i; | found 'item.'; expected i",
        "SELECT stock + 1 INTO :n FROM item WHERE id = 1; | found '+'; expected 'FROM'",
        "SELECT lower(name) FROM item; | found the function lower; expected COUNT, SUM, MIN, MAX",
        "SELECT SUM(name) FROM item; | found sum of a text; expected whole numbers",
        "SELECT COUNT(DISTINCT name) FROM item; | found an order or a choice of rows",
        "SELECT COALESCE(COALESCE(stock, 1), 2) FROM item; | found COALESCE in COALESCE",
        "SELECT COALESCE(name, 1) FROM item; | found a whole number; expected a text",
        "SELECT stock FROM item WHERE id; | found a whole number; expected true or false",
        "SELECT stock FROM item WHERE name > 'a'; | the order of texts is the database's own",
        "SELECT stock FROM item WHERE name = 1; | found a text beside a whole number",
        "SELECT stock FROM item WHERE stock IS NULL; | a column is never NULL",
        "SELECT stock FROM item WHERE id = ?; | found '?'; expected a parameter with a name, as :item",
        "SELECT stock FROM item WHERE id = $1; | found '$'; expected a parameter with a name",
        "SELECT stock FROM item WHERE id = '1'::int; | found a cast; expected a value of the column",
        "SELECT stock FROM item WHERE id = now(); | found the function now here; expected COALESCE",
        "SELECT stock FROM item WHERE id = 1.5; | found a number that is not whole",
        "SELECT stock FROM item WHERE id = 99999999999999999999; | is too large; expected at most",
        "SELECT stock FROM item WHERE id = :i; | ':i' has no value here; expected one of []",
        "SELECT stock FROM item WHERE id IN (SELECT 1); | found a subquery",
        "SELECT stock FROM item WHERE id = (SELECT 1); | found a subquery",
        "SELECT stock FROM item WHERE a = b = c; | there is no column 'a'",
        "SELECT stock FROM item WHERE TRUE = TRUE = TRUE; | found '='; expected ';'",
        "SELECT stock FROM item WHERE name = 'a\"b'; | found a text with a double quote in it",
        "SELECT stock FROM item WHERE name = 'a; | a text that does not end on its line",
        "INSERT INTO item VALUES (1, 'pen', 5); | found 3 values; expected one for each of",
        "INSERT INTO item VALUES (1, 'pen', 5, TRUE, 1); | found more values than columns",
        "INSERT INTO item (id) VALUES (1); | found values for [id]; expected a value for each of",
        "INSERT INTO item (id, id) VALUES (1, 1); | the column 'id' stands there twice",
        "INSERT INTO item VALUES ('x', 'pen', 5, TRUE); | found a text; expected a whole number",
        "INSERT INTO item VALUES (1, NULL, 5, TRUE); | found NULL; expected a value",
        "INSERT INTO item VALUES (stock, 'a', 5, TRUE); | found 'stock'; expected a value, or a",
        "INSERT INTO item SELECT 1; | found a subquery",
        "UPDATE item SET id = 2 WHERE id = 1; | 'id' is of the primary key, which names the row",
        "UPDATE item SET stock = 1, stock = 2; | the column 'stock' is set twice",
        "UPDATE item SET stock = 'a'; | found a text; expected a whole number",
        "UPDATE item SET price = 1; | there is no column 'price' in item",
        "DELETE item; | found 'item'; expected 'FROM'",
        "SET n = 1; | found 'n'; expected a local, as :name",
        "SET :n = 1; SET :n = 'a'; | ':n' is a whole number; expected a value of that type, found a text",
        "IF TRUE THEN SET :n = 1; ELSE SET :n = 'a'; END IF; | in one branch, and a text in the other",
        "IF 1 THEN ROLLBACK; END IF; | found a whole number; expected true or false",
        "IF TRUE THEN ROLLBACK; | found 'commit' behind ROLLBACK, which ends the transaction; expected ELSE,",
        "IF TRUE THEN SET :n = 1; | found 'commit'; expected SELECT, INSERT, UPDATE, DELETE, SET, IF,",
        "ROLLBACK; SET :n = 1; | found 'set' behind ROLLBACK, which ends the transaction; expected COMMIT",
        "IF TRUE THEN ROLLBACK; ELSE ROLLBACK; END IF; SET :n = 1; | behind ROLLBACK",
        "ASSERT 1 = 1, \"no\"; | expected a text in single quotes",
        "TRUNCATE item; | found 'truncate'; expected SELECT, INSERT, UPDATE, DELETE, SET, IF,",
        "SELECT \"a b\" FROM item; | found \"a b\"; expected a column",
        "SELECT stock FROM item WHERE id = 1 ` ; | '`' has no meaning here",
      })
  void whatIsNoStatementIsRefusedWithItsPlace(String statements, String message) {
    assertThatThrownBy(() -> failing("\n" + statements))
        .isInstanceOf(SourceError.class)
        .hasMessageContaining(message.strip())
        .hasMessageStartingWith("line 7, column ");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "nonsense | line 1, column 1: found 'nonsense'; expected CREATE TABLE, INSERT, PARAMETER,",
        "CREATE INDEX i; | line 1, column 8: found 'index'; expected 'TABLE'",
        "CREATE TABLE t (a INT); | column 14: the table 't' has no primary key",
        "CREATE TABLE t (a INT PRIMARY KEY); CREATE TABLE t (a INT PRIMARY KEY); | is a table 't'",
        "CREATE TABLE t (a INT PRIMARY KEY, a INT); | column 36: there is a column 'a' already",
        "CREATE TABLE t (a INT PRIMARY KEY, b INT PRIMARY KEY); | there is a primary key already",
        "CREATE TABLE t (a INT, PRIMARY KEY (b)); | column 37: found 'b'; expected each of the",
        "CREATE TABLE t (a INT, PRIMARY KEY (a, a)); | column 40: found 'a'; expected each of the",
        "CREATE TABLE t (a NUMERIC PRIMARY KEY); | found 'numeric'; expected a type: BIGINT, BOOLEAN",
        "CREATE TABLE t (a VARCHAR(x) PRIMARY KEY); | found 'x'; expected a length",
        "CREATE TABLE t (a INT PRIMARY KEY REFERENCES u); | found a constraint that an exploration",
        "CREATE TABLE t (a INT PRIMARY KEY DEFAULT 1); | found a default; expected a value for each",
        "CREATE TABLE t (a INT NOT NULL AUTO_INCREMENT); | found 'auto_increment'; expected NOT NULL,",
        "CREATE TABLE select (a INT PRIMARY KEY); | column 14: found a subquery",
        "CREATE TABLE from (a INT PRIMARY KEY); | found 'from'; expected the name of a table",
        "PARAMETER a = 1; PARAMETER a = 2; | there is a parameter 'a' already",
        "PARAMETER a = b; | found 'b'; expected a value, or a parameter or local: :b",
        "PARAMETER a = 1; SESSION s BEGIN START TRANSACTION; SET :a = 2; COMMIT; END; | keeps its",
        "TRANSACTION t() BEGIN COMMIT; TRANSACTION t() BEGIN COMMIT; | a transaction 't' already",
        "TRANSACTION t(a INT, a INT) BEGIN COMMIT; | column 22: there is a parameter 'a' already",
        "TRANSACTION t(a) BEGIN COMMIT; | column 16: found ')'; expected a type",
        "TRANSACTION t() AT nonsense BEGIN COMMIT; | column 20: isolation level 'nonsense' is unknown",
        "TRANSACTION t() AT strict-serializable BEGIN COMMIT; | column 20: strict-serializable cannot",
        "TRANSACTION t() BEGIN WITH x; COMMIT; | found a common table expression",
        "TRANSACTION t() BEGIN | found the end of the text; expected SELECT, INSERT,",
        "SESSION s BEGIN END; | line 1, column 9: the session has no transaction",
        "SESSION s BEGIN CALL t(); END; | there is no transaction 't'; expected one of []",
        "SESSION s BEGIN SELECT 1; END; | found a subquery",
        "SESSION s BEGIN ROLLBACK; END; | found 'rollback'; expected CALL, START TRANSACTION, ASSERT",
        "TRANSACTION t(a INT) BEGIN COMMIT; SESSION s BEGIN CALL t(); END; | another number of",
        "TRANSACTION t(a INT) BEGIN COMMIT; SESSION s BEGIN CALL t(1, 2); END; | another number of",
        "TRANSACTION t(a INT) BEGIN COMMIT; SESSION s BEGIN CALL t('x'); END; | found a text; expected",
        "/* no end | line 1, column 1: a comment that does not end",
        "CREATE TABLE t (a INT PRIMARY KEY); INSERT INTO t VALUES (1), (1); | two rows of 't' have one primary key: a = 1",
        "CREATE TABLE t (a INT PRIMARY KEY); INSERT INTO t VALUES (1), (0 + 1); SESSION s BEGIN START TRANSACTION; COMMIT; END; | there is a row t[1] already",
        "CREATE TABLE t (a INT PRIMARY KEY); | column 36: a program without a session; expected SESSION name BEGIN",
        "FINAL BEGIN END; FINAL BEGIN END; | column 18: there is a FINAL already",
        "TRANSACTION final() BEGIN COMMIT; | column 13: 'final' is the final transaction",
        "PARAMETER a = 1; SESSION s BEGIN START TRANSACTION; SET :m = 1; ASSERT :m + 1 IS NULL; COMMIT; END; | column 72: found an expression; expected IS NULL of a local",
      })
  void whatIsNoProgramIsRefusedWithItsPlace(String text, String message) {
    assertThatThrownBy(() -> program(text))
        .isInstanceOf(SourceError.class)
        .hasMessageContaining(message.strip());
  }

  /** Each is refused where a statement of SQL can have it, and says what is supported instead. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "join | SELECT stock FROM item JOIN line",
        "inner | SELECT stock FROM item INNER JOIN line",
        "left | SELECT stock FROM item i LEFT JOIN line",
        "right | SELECT stock FROM item RIGHT JOIN line",
        "full | SELECT stock FROM item FULL JOIN line",
        "cross | SELECT stock FROM item CROSS JOIN line",
        "natural | SELECT stock FROM item NATURAL JOIN line",
        "order | SELECT stock FROM item WHERE id > 1 ORDER BY id",
        "limit | SELECT stock FROM item LIMIT 1",
        "offset | SELECT stock FROM item OFFSET 1",
        "fetch | SELECT stock FROM item FETCH FIRST 1 ROWS ONLY",
        "distinct | SELECT DISTINCT stock FROM item",
        "for | SELECT stock FROM item WHERE id = 1 FOR UPDATE",
        "lock | SELECT stock FROM item WHERE id = 1 LOCK IN SHARE MODE",
        "group | SELECT COUNT(*) FROM item GROUP BY name",
        "having | SELECT COUNT(*) FROM item HAVING TRUE",
        "union | SELECT stock FROM item UNION SELECT n FROM line",
        "intersect | SELECT stock FROM item INTERSECT SELECT n FROM line",
        "except | SELECT stock FROM item EXCEPT SELECT n FROM line",
        "default | INSERT INTO item VALUES (DEFAULT, 'a', 1, TRUE)",
        "null | UPDATE item SET stock = NULL",
        "select | UPDATE item SET stock = (SELECT n FROM line)",
        "with | WITH a AS (SELECT 1) SELECT stock FROM item",
        "exists | SELECT stock FROM item WHERE EXISTS (SELECT 1)",
        "case | UPDATE item SET stock = CASE WHEN TRUE THEN 1 END",
        "like | SELECT stock FROM item WHERE name LIKE 'a%'",
        "ilike | SELECT stock FROM item WHERE name ILIKE 'a%'",
        "any | SELECT stock FROM item WHERE id = ANY (1)",
        "returning | DELETE FROM item WHERE id = 1 RETURNING stock",
        "on | INSERT INTO item VALUES (1, 'a', 1, TRUE) ON CONFLICT DO NOTHING",
        "while | WHILE TRUE DO",
        "loop | LOOP",
        "savepoint | SAVEPOINT a",
      })
  void clausesThatAnExplorationDoesNotHaveAreRefused(String word, String statement) {
    String begin = SCHEMA + "SESSION s BEGIN START TRANSACTION;\n";
    assertThatThrownBy(() -> program(begin + statement + "; COMMIT; END;"))
        .isInstanceOf(SourceError.class)
        .hasMessageStartingWith("line 7, column ")
        .hasMessageContaining("found " + Refused.WORDS.get(word));
    int column = statement.toLowerCase(Locale.ROOT).indexOf(word) + 1;
    assertThatThrownBy(() -> program(begin + statement + "; COMMIT; END;"))
        .hasMessageContaining("column " + column + ":");
  }

  @ParameterizedTest
  @ValueSource(strings = {"'a' || TRUE", "1 || 2", "TRUE || 'a'"})
  void textsAreJoinedWithTextsAndNumbersOnly(String joined) {
    assertThatThrownBy(() -> failing("ASSERT " + joined + " = 'b';"))
        .hasMessageContaining("expected texts and whole numbers, one text at least");
  }

  @Test
  void whatGoesWrongInARunIsSaidWithItsPlaceInSql() {
    assertThatThrownBy(
            () -> failing("\nSELECT stock INTO :n FROM item WHERE id = 9;\nSET :m = :n + 1;"))
        .hasMessageContaining("found no value where one is needed");
    SqlProgram sql =
        SqlProgram.compile(
            SCHEMA
                + "SESSION s BEGIN START TRANSACTION;\n"
                + "  SELECT stock INTO :n FROM item WHERE id = 2;\n"
                + "  SET :m = 1 / :n;\nCOMMIT; END;");
    assertThatThrownBy(
            () -> {
              try {
                failures(sql.program("p", Map.of()), IsolationLevel.CAUSAL);
              } catch (SourceError e) {
                throw sql.located(e);
              }
            })
        .hasMessage("line 8, column 3: division by zero");
  }

  @Test
  void whatStandsInEachOtherHasALimit() {
    String expressions = "where 41 expressions stand in each other; expected at most 40 of them";
    assertThatThrownBy(() -> failing("ASSERT " + "(".repeat(9_000) + "1" + ";"))
        .hasMessageContaining(expressions);
    assertThatThrownBy(() -> failing("ASSERT " + "NOT ".repeat(9_000) + "TRUE;"))
        .hasMessageContaining("found 'not' " + expressions);
    assertThatThrownBy(() -> failing("IF TRUE THEN ".repeat(9_000)))
        .hasMessageContaining(
            "found 'if' where 41 choices stand in each other; expected at most 40");
    assertThatThrownBy(() -> failing("ASSERT " + "COALESCE(".repeat(9_000)))
        .hasMessageContaining(expressions);
  }

  /** Where bought is rolled back, what comes behind it has assigned nothing. */
  @Test
  void aLocalBehindARollbackIsNullWhereThatIsTaken() {
    String text =
        """
        CREATE TABLE t (id INT PRIMARY KEY, n INT);
        INSERT INTO t VALUES (1, 0);
        TRANSACTION buy(id INT) BEGIN
          SELECT n INTO :n FROM t WHERE id = :id;
          IF :n = 0 THEN ROLLBACK; END IF;
          SET :y = :n;
        COMMIT;
        SESSION s BEGIN
          CALL buy(1);
          START TRANSACTION;
            ASSERT :y IS NULL;
            UPDATE t SET n = COALESCE(:y, 7) WHERE id = 1;
          COMMIT;
          CALL buy(1);
          ASSERT :y = 7;
        END;
        """;
    Program program = SqlProgram.compile("\uFEFF" + text).program("p", Map.of());
    assertThat(AssertionVerdict.of(program, IsolationLevel.SERIALIZABLE, () -> true).hold())
        .isTrue();
  }

  @Test
  void aParameterTakesWhatItsTypeTakes() {
    SqlProgram program =
        SqlProgram.compile(
            """
            PARAMETER item = '7';
            PARAMETER n = -9223372036854775808;
            CREATE TABLE t (id INT PRIMARY KEY, item TEXT, n BIGINT);
            INSERT INTO t VALUES (1, :item, :n);
            SESSION s BEGIN START TRANSACTION; SELECT * FROM t; COMMIT; END;
            """);
    assertThat(program.program("p", Map.of("item", "8")).initial().get("t[1]"))
        .hasToString("(id=1, item=8, n=-9223372036854775808)");
    assertThatThrownBy(() -> program.program("p", Map.of("n", "three")))
        .hasMessage("the parameter 'n' is a whole number; found 'three'");
  }
}
