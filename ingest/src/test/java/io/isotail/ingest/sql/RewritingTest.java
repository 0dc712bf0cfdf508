package io.isotail.ingest.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Which hidden columns queries get, as a table: in braces what is put into the text, where {@code
 * a.k=1} is {@code , "a"."k" AS isotail_h1}, {@code 't} a cast to text, {@code C} its collation,
 * and {@code rows(…)} an array with an array of texts for each row. Behind it which rows are told,
 * with {@code []} for an array, {@code ''} for texts and {@code !} for locked ones; {@code none}
 * where no row proves absence; {@code more} where other observed tables are read; {@code -} for a
 * statement that is sent as it is.
 */
class RewritingTest {
  private final StatementAnalyzer analyzer =
      new StatementAnalyzer(
          ObservedTables.parse("acc(k; xmin), pair(a, b; xmin), uniq(k; xmin), old(k; v)"),
          Set.of("my_pure"),
          PostgresSql.DIALECT,
          Identities.ofHistory("test"));

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "SELECT v{acc.k=1, acc.xmin=2} FROM acc WHERE k = ? | acc none",
        "SELECT v{acc.k=1, acc.xmin=2} -- from\\n FROM acc; | acc",
        "SELECT *{a.k=1, a.xmin=2}FROM acc a | acc",
        "SELECT a.v AS \"from\"{a.k=1, a.xmin=2, p.a=3, p.b=4, p.xmin=5} FROM acc a JOIN pair p ON p.a = a.k FOR UPDATE OF p | acc pair!",
        "SELECT v{a.k=1, a.xmin=2} FROM (acc a LEFT JOIN other o ON true) | acc",
        "SELECT v{acc.k=1, acc.xmin=2} FROM acc WHERE v = (SELECT max(v) FROM uniq) | acc more",
        "SELECT sum(v) OVER (PARTITION BY w), rank() OVER w{acc.k=1, acc.xmin=2} FROM acc WINDOW w AS (ORDER BY v) | acc",
        "SELECT count(*) FILTER (WHERE v > 0) OVER (){acc.k=1, acc.xmin=2} FROM acc | acc",
        "SELECT v IS DISTINCT FROM 1{acc.k=1, acc.xmin=2} FROM acc | acc",
        "SELECT DISTINCT ON (v) v{acc.k=1, acc.xmin=2} FROM acc | acc",
        "SELECT (SELECT max(acc.v)) FROM acc | -",
        "SELECT v FROM acc ORDER BY (SELECT max(acc.v)) | -",
        "SELECT my_pure(v) FROM acc | -",
        "SELECT v{acc.k=1, acc.xmin=2} FROM acc WHERE my_pure(v) | acc",
        "SELECT FROM acc | -",
        "SELECT DISTINCT FROM acc | -",
        "SELECT v INTO x FROM acc | -",
        "SELECT isotail_h1 FROM acc | -",
        "SELECT v FROM old | -",
        "SELECT o.v{acc.k=1, acc.xmin=2} FROM old o, acc | acc more",
      })
  void rowByRow(String sql, String told) {
    check(sql, told);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "SELECT sum(v){rows(acc.k't, acc.xmin't)=1} FROM acc WHERE k = ? | acc[] none",
        "SELECT count(*), max(v){rows(acc.k't, acc.xmin't)=1} FROM acc WHERE k IN (1, 2) AND v > 0 | acc[]",
        "SELECT pg_catalog.count(DISTINCT v){rows(acc.k't, acc.xmin't)=1} FROM acc WHERE k = ? | acc[] none",
        "SELECT count(*){rows(pair.a't, pair.b't, pair.xmin't)=1} FROM pair WHERE a = ? AND b IN (?, ?) | pair[]",
        "SELECT count(*){rows(pair.a't, pair.b't, pair.xmin't)=1} FROM pair WHERE (b, a) IN ((1, 2), (3, 4)) | pair[] none",
        "SELECT count(*){rows(a.k't, a.xmin't)=1, rows(u.k't, u.xmin't)=2} FROM acc a JOIN uniq u ON u.k = a.v WHERE a.k = 1 | acc[] uniq[]",
        "SELECT count(*){rows(a.k't, a.xmin't)=1, rows(u.k't, u.xmin't)=2} FROM acc a LEFT JOIN uniq u ON u.k = a.v WHERE a.k = 1 | acc[] uniq[]",
        "SELECT w, count(*){rows(acc.k't, acc.xmin't)=1} FROM acc WHERE k IN (?, ?) GROUP BY w HAVING count(*) > 1 | acc[]",
        "SELECT 1{rows(acc.k't, acc.xmin't)=1} FROM acc WHERE k = 1 HAVING true | acc[] none",
        "SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY v){rows(acc.k't, acc.xmin't)=1} FROM acc WHERE k = 1 | acc[] none",
        "SELECT sum(count(*)) OVER (){rows(acc.k't, acc.xmin't)=1} FROM acc WHERE k = 1 | acc[] none",
        "SELECT sum(v), (SELECT max(acc.v)){rows(acc.k't, acc.xmin't)=1} FROM acc WHERE k = 1 | acc[] none",
        "SELECT count(*) FROM acc | -",
        "SELECT count(*) FROM acc WHERE k > 1 | -",
        "SELECT count(*) FROM acc WHERE k IN (SELECT v FROM uniq) | -",
        "SELECT count(*) FROM acc WHERE k NOT IN (1, 2) | -",
        "SELECT count(*) FROM acc WHERE k = 1 OR v = 2 | -",
        "SELECT count(*) FROM acc WHERE k = v | -",
        "SELECT count(*) FROM pair WHERE a = 1 | -",
        "SELECT count(*) FROM acc a JOIN uniq u ON u.k = a.k | -",
        "SELECT count(*) FROM acc a JOIN uniq u ON u.v = a.v WHERE a.k = 1 | -",
        "SELECT count(*) FROM acc a LEFT JOIN uniq u ON u.k = a.v AND a.k = 1 | -",
        "SELECT count(*) FROM acc a RIGHT JOIN uniq u ON a.k = 1 AND u.k = 2 | -",
        "SELECT count(*) FROM acc a, other WHERE a.k = 1 | -",
        "SELECT count(*) FROM acc a, acc b WHERE a.k = b.k | -",
        "SELECT count(*) FROM acc WHERE k = 1 GROUP BY ROLLUP (v) | -",
        "SELECT count(DISTINCT k), rank(1) WITHIN GROUP (ORDER BY v) FROM acc | -",
        "SELECT rank(1) WITHIN GROUP (ORDER BY v) FROM acc WHERE k = 1 | -",
      })
  void aggregates(String sql, String told) {
    check(sql, told);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "SELECT s.v{s.h1=3, s.h2=4} FROM (SELECT v{acc.k=1, acc.xmin=2} FROM acc WHERE v > 1 LIMIT 10) s WHERE s.v < 5 | acc",
        "SELECT x.v{x.h1=3, x.h2=4, u.k=5, u.xmin=6} FROM (SELECT v{acc.k=1, acc.xmin=2} FROM acc) AS x(v) JOIN uniq u ON u.v = x.v | acc uniq",
        "SELECT v{h1=3, h2=4} FROM (SELECT v{acc.k=1, acc.xmin=2} FROM acc) | acc",
        "SELECT * FROM (SELECT v{acc.k=1, acc.xmin=2} FROM acc) s | acc",
        "SELECT *{u.k=3, u.xmin=4} FROM uniq u, (SELECT v{acc.k=1, acc.xmin=2} FROM acc) s | acc uniq",
        "SELECT u.v, s.*{u.k=3, u.xmin=4} FROM (SELECT *{acc.k=1, acc.xmin=2} FROM acc) s, uniq u | acc uniq",
        "SELECT * FROM (SELECT * FROM (SELECT v{acc.k=1, acc.xmin=2} FROM acc) s) t | acc",
        "SELECT t.v{t.h3=5, t.h4=6} FROM (SELECT s.v{s.h1=3, s.h2=4} FROM (SELECT v{acc.k=1, acc.xmin=2} FROM acc) s) t FOR UPDATE | acc!",
        "SELECT s.v{x.k=3, x.xmin=4, s.h1=5, s.h2=6} FROM uniq x LEFT JOIN LATERAL (SELECT v{acc.k=1, acc.xmin=2} FROM acc WHERE acc.k = x.v LIMIT 1) s ON true, old | uniq acc more",
        "SELECT s.c, v{s.h1=2, uniq.k=3, uniq.xmin=4} FROM (SELECT count(*) AS c{rows(acc.k't, acc.xmin't)=1} FROM acc WHERE k = ?) s, uniq | acc[] uniq",
        "SELECT count(*){rows(s.h1't, s.h2't)=3} FROM (SELECT 1{acc.k=1, acc.xmin=2} FROM acc WHERE v > 1 LIMIT 10) s | acc[]",
        "SELECT count(*){rows(s.h1't, s.h2't)=3, rows(u.k't, u.xmin't)=4} FROM (SELECT v{acc.k=1, acc.xmin=2} FROM acc LIMIT ?) s JOIN uniq u ON u.k = s.v | acc[] uniq[]",
        "SELECT count(*) FROM (SELECT 1 FROM acc) s | -",
        "SELECT count(*) FROM (SELECT v FROM acc LIMIT 20000) s | -",
        "SELECT max(c) FROM (SELECT count(*) AS c FROM acc WHERE k = 1) s | -",
        "SELECT *{u.k=3, u.xmin=4} FROM (SELECT v FROM acc) s, uniq u | uniq more",
        "SELECT s.*, u.v{u.k=3, u.xmin=4} FROM (SELECT v FROM acc) s, uniq u | uniq more",
        "SELECT *{u.k=3, u.xmin=4} FROM uniq u NATURAL JOIN (SELECT v FROM acc) s | uniq more",
        "SELECT s.v{u.k=3, u.xmin=4} FROM uniq u FULL JOIN (SELECT v FROM acc) s ON s.v = u.v | uniq more",
        "SELECT *{u.k=3, u.xmin=4} FROM uniq u JOIN (SELECT v FROM acc) s USING (v) | uniq more",
        "SELECT u.v{u.k=3, u.xmin=4, s.h1=5, s.h2=6} FROM uniq u JOIN (SELECT v{acc.k=1, acc.xmin=2} FROM acc) s USING (v) | uniq acc",
        "SELECT *, 1 FROM (SELECT v FROM acc) s | -",
        "SELECT s FROM (SELECT v FROM acc) s | -",
        "SELECT row_to_json(s) FROM (SELECT v FROM acc) s | -",
        "SELECT count(s.*) OVER () FROM (SELECT v FROM acc) s | -",
        "SELECT (s).v FROM (SELECT v FROM acc) s | -",
        "SELECT s.v FROM (SELECT v FROM acc) s WHERE EXISTS (SELECT 1 FROM old WHERE old.v::text = s::text) | -",
        "SELECT s.v FROM (SELECT * FROM acc) s(a, b, c, d) | -",
        "SELECT s.v FROM (SELECT v, k FROM acc) s(a, b, c) | -",
        "SELECT s.a{s.h1=3, s.h2=4} FROM (SELECT v, k{acc.k=1, acc.xmin=2} FROM acc) s(a, b) | acc",
        "SELECT s.v FROM (SELECT DISTINCT v FROM acc) s | -",
        "SELECT s.v FROM (WITH acc AS (SELECT 1) SELECT v FROM acc) s | -",
        "SELECT v FROM (VALUES (1)) s(v), (acc CROSS JOIN uniq) AS j | -",
      })
  void subqueries(String sql, String told) {
    check(sql, told);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "WITH c AS (SELECT v{acc.k=1, acc.xmin=2} FROM acc WHERE v > ?) SELECT v{c.h1=3, c.h2=4} FROM c WHERE v < ? | acc",
        "WITH c(x) AS MATERIALIZED (SELECT v{acc.k=1, acc.xmin=2} FROM acc), d(y, z) AS (SELECT x, 1{c.h1=3, c.h2=4} FROM c) SELECT e.y{u.k=5, u.xmin=6, e.h3=7, e.h4=8} FROM uniq u JOIN d e ON e.y = u.k | uniq acc",
        "WITH c AS (SELECT v{acc.k=1, acc.xmin=2} FROM acc) SELECT * FROM c | acc",
        "WITH c AS (SELECT v{acc.k=1, acc.xmin=2} FROM acc LIMIT 3) SELECT count(*){rows(c.h1't, c.h2't)=3} FROM c | acc[]",
        "WITH c AS (SELECT v FROM acc) SELECT u.v{u.k=1, u.xmin=2} FROM uniq u WHERE u.v IN (SELECT v FROM c) | uniq more",
        "WITH c AS (SELECT v{acc.k=1, acc.xmin=2} FROM acc) SELECT u.v{u.k=3, u.xmin=4, c.h1=5, c.h2=6} FROM uniq u, c FOR UPDATE | uniq! acc",
        "WITH c AS (SELECT v{acc.k=1, acc.xmin=2} FROM acc FOR SHARE) SELECT u.v{u.k=3, u.xmin=4, c.h1=5, c.h2=6} FROM uniq u, c | uniq acc!",
        "WITH c AS (SELECT 1) SELECT v{acc.k=1, acc.xmin=2} FROM acc WHERE k = ? | acc none",
        "WITH c AS (VALUES (1)) SELECT v{acc.k=1, acc.xmin=2} FROM acc | acc",
        "WITH c AS (SELECT v FROM acc) SELECT a.v FROM c a, c b | -",
        "WITH c AS (SELECT v FROM acc) SELECT c FROM c | -",
        "WITH c AS (SELECT v FROM acc) SELECT x FROM c x | -",
        "WITH c(a, b) AS (SELECT v FROM acc) SELECT a FROM c | -",
        "WITH c AS (SELECT v FROM acc), d AS (SELECT v FROM c) SELECT d.v{u.k=1, u.xmin=2} FROM uniq u, d WHERE EXISTS (SELECT 1 FROM c) | uniq more",
        "WITH c AS (SELECT v FROM d), d AS (SELECT v FROM acc) SELECT v{u.k=1, u.xmin=2} FROM uniq u, c | uniq more",
        "WITH RECURSIVE c AS (SELECT v FROM acc) SELECT c.v{u.k=1, u.xmin=2} FROM c, uniq u | uniq more",
        "WITH acc AS (SELECT 1 AS v) SELECT v FROM acc, uniq | -",
        "WITH c AS (DELETE FROM acc RETURNING v) SELECT c.v FROM c, uniq | -",
      })
  void commonTables(String sql, String told) {
    check(sql, told);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "SELECT v{acc.k't=1, acc.xmin't=2, NULL't=3, NULL't=4, NULL't=5} FROM acc UNION ALL (SELECT n{NULL't=1, NULL't=2, pair.a't=3, pair.b't=4, pair.xmin't=5} FROM pair LIMIT 3) ORDER BY 1 | acc'' pair''",
        "SELECT 1{NULL't=1, NULL't=2} UNION ALL SELECT count(*){NULL't=1, NULL't=2} FROM uniq UNION ALL SELECT v{acc.k't=1, acc.xmin't=2} FROM acc | acc'' more",
        "SELECT max(v){rows(acc.k't, acc.xmin't)=1, NULL't=2, NULL't=3} FROM acc WHERE k = 1 UNION ALL SELECT v{NULL't[]=1, uniq.k't=2, uniq.xmin't=3} FROM uniq | acc[] uniq''",
        "SELECT s.v{s.h1=5, s.h2=6, s.h3=7, s.h4=8} FROM (SELECT v{acc.k't=1, acc.xmin't=2, NULL't=3, NULL't=4} FROM acc UNION ALL SELECT v{NULL't=1, NULL't=2, uniq.k't=3, uniq.xmin't=4} FROM uniq) s | acc'' uniq''",
        "SELECT v FROM acc UNION SELECT v FROM uniq | -",
        "SELECT v FROM acc UNION ALL SELECT v FROM uniq EXCEPT SELECT 1 | -",
        "SELECT v FROM acc UNION ALL VALUES (1) | -",
        "SELECT v FROM acc UNION ALL TABLE uniq | -",
        "SELECT v INTO x FROM acc UNION ALL SELECT v FROM uniq | -",
        "(SELECT v{acc.k=1, acc.xmin=2} FROM acc ORDER BY v) LIMIT 1 | acc",
      })
  void unions(String sql, String told) {
    check(sql, told);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "SELECT DISTINCT k, v{acc.k't C=1, acc.xmin't C=2} FROM acc ORDER BY k | acc''",
        "SELECT DISTINCT a.*{a.k't C=1, a.xmin't C=2} FROM acc a JOIN other o ON o.v = a.v | acc''",
        "SELECT DISTINCT *{a.k't C=1, a.xmin't C=2, u.k't C=3, u.xmin't C=4} FROM acc a, uniq u | acc'' uniq''",
        "SELECT DISTINCT p.a, u.k, p.b{p.a't C=1, p.b't C=2, p.xmin't C=3, u.k't C=4, u.xmin't C=5} FROM pair p, uniq u | pair'' uniq''",
        "SELECT DISTINCT a.k{a.k't C=3, a.xmin't C=4} FROM acc a LEFT JOIN (SELECT v FROM uniq) s ON true | acc'' more",
        "SELECT DISTINCT k FROM acc a, uniq u | -",
        "SELECT DISTINCT a FROM pair | -",
        "SELECT DISTINCT k + 1 FROM acc | -",
        "SELECT DISTINCT * FROM acc NATURAL JOIN uniq | -",
        "SELECT k, count(*){acc.k't=1, max(acc.xmin't C)=2} FROM acc GROUP BY k | acc''",
        "SELECT a.k, sum(p.n){a.k't=1, max(a.xmin't C)=2} FROM acc a LEFT JOIN pair p ON p.a = a.k GROUP BY a.k, a.v | acc'' more",
        "SELECT a.k, sum(p.n){a.k't=1, max(a.xmin't C)=2, rows(p.a't, p.b't, p.xmin't)=3} FROM acc a JOIN pair p ON p.a = a.k AND p.b = ? WHERE a.k IN (1, 2) GROUP BY a.k | acc'' pair[]",
        "SELECT k, count(*) FROM acc GROUP BY 1 | -",
        "SELECT k, count(*) FROM acc JOIN other USING (k) GROUP BY k | -",
        "SELECT DISTINCT k, count(*) FROM acc GROUP BY k | -",
      })
  void keysInDistinctAndGroupBy(String sql, String told) {
    check(sql, told);
  }

  /** Here every observed table has three columns. */
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "SELECT v{acc.k=1, acc.xmin=2} FROM acc ORDER BY 1 | acc",
        "SELECT v{acc.k=1, acc.xmin=2} FROM acc ORDER BY ? | acc",
        "SELECT v{acc.k=1, acc.xmin=2} FROM acc ORDER BY 1 + 5, +2, '2'::text, (7, 8) | acc",
        "SELECT v, w{acc.k=1, acc.xmin=2} FROM acc ORDER BY 2 DESC NULLS LAST, (1) | acc",
        "SELECT v, w{acc.k=1, acc.xmin=2} FROM acc ORDER BY -(-2) | acc",
        "SELECT rank() OVER (ORDER BY 9){acc.k=1, acc.xmin=2} FROM acc WINDOW w AS (ORDER BY 8) | acc",
        "SELECT v FROM acc ORDER BY 2 | -",
        "SELECT v FROM acc ORDER BY 1, ((2)) DESC | -",
        "SELECT v FROM acc ORDER BY -(-2) | -",
        "SELECT v FROM acc ORDER BY 0 | -",
        "SELECT v FROM acc ORDER BY -1 | -",
        "SELECT v FROM acc ORDER BY 0x2 | -",
        "SELECT v FROM acc ORDER BY 00000000000000000000002 | -",
        "SELECT v FROM acc ORDER BY 99999999999999999999999 | -",
        "SELECT DISTINCT ON (1) v{acc.k=1, acc.xmin=2} FROM acc | acc",
        "SELECT DISTINCT ON (v, 2) v FROM acc | -",
        "SELECT DISTINCT k FROM acc ORDER BY 2 | -",
        "SELECT v, max(w){rows(acc.k't, acc.xmin't)=1} FROM acc WHERE k = 1 GROUP BY 1 | acc[]",
        "SELECT max(w) FROM acc WHERE k = 1 GROUP BY 2 | -",
        "SELECT v FROM acc WHERE k = 1 GROUP BY (1, (2)) | -",
        "SELECT max(w) FROM acc WHERE k = 1 GROUP BY DISTINCT 2 | -",
        "SELECT v FROM acc ORDER BY 2 USING > | -",
        "SELECT v FROM acc ORDER BY 2 FOR UPDATE | -",
        "WITH c AS (SELECT 1) (SELECT v FROM acc) ORDER BY 2 | -",
        "SELECT v FROM acc ORDER BY '2' | -",
        "SELECT v FROM acc ORDER BY 1e999999999 | -",
        "SELECT v FROM acc WHERE k = 1 GROUP BY ((1, 2), 1) | -",
        "SELECT *{acc.k=1, acc.xmin=2} FROM acc ORDER BY 3 | acc",
        "SELECT * FROM acc ORDER BY 4 | -",
        "SELECT o.*, a.*, 1{a.k=1, a.xmin=2} FROM acc a, other o ORDER BY 5 | acc",
        "SELECT o.*, a.*, 1 FROM acc a, other o ORDER BY 6 | -",
        "SELECT *{a.k=1, a.xmin=2, u.k=3, u.xmin=4} FROM acc a JOIN uniq u USING (k) ORDER BY 5 | acc uniq",
        "SELECT * FROM acc a JOIN uniq u USING (k) ORDER BY 6 | -",
        "SELECT *{a.k=1, a.xmin=2, u.k=3, u.xmin=4} FROM acc a NATURAL JOIN uniq u ORDER BY 3 | acc uniq",
        "SELECT * FROM acc a NATURAL JOIN uniq u ORDER BY 4 | -",
        "SELECT * FROM (SELECT v, w{acc.k=1, acc.xmin=2} FROM acc ORDER BY 2) s ORDER BY 2 | acc",
        "SELECT * FROM (SELECT v, w FROM acc ORDER BY 3) s | -",
        "SELECT * FROM (SELECT v, w FROM acc) s ORDER BY 3 | -",
        "SELECT s.*{u.k=1, u.xmin=2} FROM uniq u, (SELECT DISTINCT v, w FROM acc) s ORDER BY 2 | uniq more",
        "SELECT s.* FROM uniq u, (SELECT DISTINCT v, w FROM acc) s ORDER BY 3 | -",
        "SELECT s.* FROM uniq u, (WITH acc AS (SELECT 1) SELECT * FROM acc) s ORDER BY 2 | -",
        "WITH c AS (SELECT *, v{acc.k=1, acc.xmin=2} FROM acc) SELECT * FROM c ORDER BY 4 | acc",
        "WITH c AS (SELECT *, v FROM acc) SELECT * FROM c ORDER BY 5 | -",
        "SELECT v{acc.k't=1, acc.xmin't=2} FROM acc UNION ALL SELECT 1{NULL't=1, NULL't=2} ORDER BY 1 | acc''",
        "SELECT v FROM acc UNION ALL SELECT v FROM uniq ORDER BY 2 | -",
        "SELECT v FROM acc UNION ALL (SELECT 1 ORDER BY 2) | -",
        "SELECT v FROM acc UNION ALL ((SELECT 1) ORDER BY 2) | -",
        "(SELECT v FROM acc) ORDER BY 2 | -",
        "(SELECT v, w{acc.k=1, acc.xmin=2} FROM acc) ORDER BY 2 | acc",
      })
  void positions(String sql, String told) {
    check(sql, told);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "WITH c AS (SELECT v FROM uniq) UPDATE acc SET v = c.v FROM c WHERE acc.k = ? RETURNING acc.v | , acc.k AS h1, acc.xmin AS h2",
        "WITH c AS (SELECT 1 AS v) DELETE FROM acc USING c WHERE acc.v = c.v | RETURNING acc.k AS h1, acc.xmin AS h2",
        "WITH c AS (SELECT 1 AS v) INSERT INTO acc SELECT v FROM c | RETURNING acc.k AS h1, acc.xmin AS h2",
        "WITH c AS (DELETE FROM uniq RETURNING v) INSERT INTO acc SELECT v FROM c |",
        "WITH acc AS (SELECT 1) UPDATE acc SET v = 1 |",
      })
  void writesAfterCommonTables(String sql, String added) {
    Rewriting rewriting = analyzer.of(sql, Placeholders.QUESTION_MARKS).rewriting();
    String text = rewriting == null ? sql : rewriting.text();
    assertThat(text).startsWith(sql);
    assertThat(text.substring(sql.length()).replace("\"", "").replace("isotail_", "").strip())
        .isEqualTo(added == null ? "" : added);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "WITH c AS (UPDATE acc a SET v = 1 WHERE k IN (SELECT k FROM acc WHERE w LIMIT 2) RETURNING a.*{a.k=1, a.xmin=2}) SELECT * FROM c ORDER BY v, w | acc",
        "WITH c AS (DELETE FROM acc RETURNING v{acc.k=1, acc.xmin=2}) SELECT v, w + 1{c.h1, c.h2} FROM c | acc",
        "WITH c AS MATERIALIZED (INSERT INTO acc VALUES (1) RETURNING *{acc.k=1, acc.xmin=2}) SELECT x.v{x.h1, x.h2} FROM c AS x | acc",
        "WITH d(a, b) AS (SELECT 1, 2), c AS (UPDATE acc SET v = d.b FROM d WHERE k = d.a RETURNING w{acc.k=1, acc.xmin=2}) SELECT c.* FROM c | acc",
        "WITH c AS (UPDATE acc SET v = 1 RETURNING v) SELECT v FROM c LIMIT 1 | -",
        "WITH c AS (UPDATE acc SET v = 1 RETURNING v) SELECT v FROM c ORDER BY v FETCH FIRST ROW ONLY | -",
        "WITH c AS (UPDATE acc SET v = 1 RETURNING v) SELECT DISTINCT v FROM c | -",
        "WITH c AS (UPDATE acc SET v = 1 RETURNING v) SELECT count(*) FROM c | -",
        "WITH c AS (UPDATE acc SET v = 1 RETURNING v) SELECT v FROM c WHERE v > 0 | -",
        "WITH c AS (UPDATE acc SET v = 1 RETURNING v) SELECT v FROM c, d | -",
        "WITH c AS (UPDATE acc SET v = 1 RETURNING v) SELECT v FROM c JOIN d ON true | -",
        "WITH c AS (UPDATE acc SET v = 1 RETURNING v) SELECT v FROM c UNION ALL SELECT 1 | -",
        "WITH c AS (UPDATE acc SET v = 1 RETURNING v) SELECT *, 1 FROM c | -",
        "WITH c AS (UPDATE acc SET v = 1 RETURNING v) SELECT c FROM c | -",
        "WITH c AS (UPDATE acc SET v = 1 RETURNING v) SELECT x FROM c x | -",
        "WITH c AS (UPDATE acc SET v = 1 RETURNING *) SELECT row_to_json(c.*) FROM c | -",
        "WITH c AS (UPDATE acc SET v = 1 RETURNING *) SELECT c.*::text FROM c | -",
        "WITH c AS (UPDATE acc SET v = 1 RETURNING *) SELECT v FROM c x ORDER BY x.* | -",
        "WITH c AS (UPDATE acc SET v = 1 RETURNING *) SELECT k, v FROM c ORDER BY 3 | -",
        "WITH c AS (UPDATE acc SET v = 1 RETURNING *) SELECT k, v FROM c ORDER BY v, (-1) | -",
        "WITH c AS (UPDATE acc SET v = 1 RETURNING v) SELECT v, (SELECT 1) FROM c | -",
        "WITH c AS (UPDATE acc SET v = 1 RETURNING v) SELECT generate_series(1, v) FROM c | -",
        "WITH c(a) AS (UPDATE acc SET v = 1 RETURNING v) SELECT a FROM c | -",
        "WITH c AS (UPDATE acc SET v = 1) SELECT 1 | -",
        "WITH c AS (UPDATE acc SET k = 1 RETURNING v) SELECT v FROM c | -",
        "WITH d AS (DELETE FROM uniq RETURNING v), c AS (UPDATE acc SET v = 1 RETURNING v) SELECT v FROM c | -",
        "WITH d AS (SELECT 1), c AS (UPDATE acc SET v = 1 RETURNING v) SELECT 1 FROM d | -",
        "WITH RECURSIVE c AS (UPDATE acc SET v = 1 RETURNING v) SELECT v FROM c | -",
      })
  void writesThatAQueryShows(String marked, String told) {
    String sql = marked.replaceAll("\\{[^}]*}", "");
    Rewriting rewriting = analyzer.of(sql, Placeholders.QUESTION_MARKS).rewriting();
    assertThat(rewriting == null ? sql : marked(rewriting)).isEqualTo(marked);
    assertThat(rewriting != null).isEqualTo(!told.equals("-"));
  }

  private void check(String marked, String told) {
    String sql = marked.replace("\\n", "\n");
    Rewriting rewriting =
        analyzer.of(sql.replaceAll("\\{[^}]*}", ""), Placeholders.QUESTION_MARKS).rewriting();
    if (rewriting != null
        && !(rewriting.isBounded(parameter -> 5) && rewriting.keepsPositions(table -> 3))) {
      rewriting = null;
    }
    assertThat(rewriting == null ? sql : marked(rewriting)).isEqualTo(sql);
    assertThat(rewriting == null ? "-" : described(rewriting)).isEqualTo(told);
  }

  private static String marked(Rewriting rewriting) {
    String text = rewriting.text();
    for (Insertion insertion : rewriting.addition().insertions()) {
      assertThat(insertion.text()).startsWith(", ");
      if (!rewriting.isOfWrite()) {
        assertThat(insertion.text()).endsWith(" ");
      }
      String added = insertion.text().substring(2).strip();
      text = text.replace(insertion.text(), "{" + added + "}");
    }
    return text.replace("::pg_catalog.text", "'t")
        .replace(" COLLATE pg_catalog.\"C\"", " C")
        .replace("pg_catalog.max(", "max(")
        .replaceAll("pg_catalog\\.array_agg\\(ARRAY\\[([^]]*)]\\)", "rows($1)")
        .replaceAll(" AS isotail_h(\\d+)", "=$1")
        .replace("isotail_h", "h")
        .replaceAll("\"([a-z]+)\"(?=[.=,'])", "$1");
  }

  private static String described(Rewriting rewriting) {
    Analysis.Query query = (Analysis.Query) rewriting.addition().analysis();
    return query.sources().stream().map(RewritingTest::described).collect(Collectors.joining(" "))
        + (query.predicate() == null ? "" : " none")
        + (query.readsMore() ? " more" : "");
  }

  private static String described(Analysis.Source source) {
    String form =
        switch (source.form()) {
          case COLUMNS -> "";
          case TEXTS -> "''";
          case ARRAY -> "[]";
        };
    return source.table().name() + form + (source.locked() ? "!" : "");
  }

  @Test
  void aPlaceInTheRewrittenTextIsThatInTheApplicationsText() {
    String sql = "SELECT v, nope FROM reg WHERE k = 1 AND x = 2";
    Rewriting rewriting =
        Objects.requireNonNull(
            new StatementAnalyzer(
                    new ObservedTables(
                        List.of(
                            new ObservedTable(
                                null,
                                "reg",
                                List.of(new ObservedTable.Column("k", ColumnType.INTEGER)),
                                new ObservedTable.Column(ObservedTable.XMIN, null)))),
                    Set.of(),
                    PostgresSql.DIALECT,
                    Identities.ofHistory("test"))
                .of(sql, Placeholders.NONE)
                .rewriting());
    String text = rewriting.text();
    for (String word : List.of("SELECT", "nope", "FROM", "x = 2")) {
      assertThat(rewriting.placeWithout(text.indexOf(word)))
          .as("%s in %s", word, text)
          .isEqualTo(sql.indexOf(word));
    }
  }
}
