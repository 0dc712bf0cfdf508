package io.isotail.ingest.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class CommentedSqlTest {
  private static final String TAGS =
      "/*action='show',route='%2Forders%2F{id}',traceparent='00-aa-bb-01'*/"
          .replace("{id}", "%7Bid");

  @Test
  void theCommentStandsAtTheEndOrAtTheStart() {
    CommentedSql end = CommentedSql.of("SELECT 1 " + TAGS + " ;\n");
    assertThat(end.statement()).isEqualTo("SELECT 1 ");
    assertThat(end.comment()).startsWith("action='show',route=");
    assertThat(end.around("SELECT 2 ")).isEqualTo("SELECT 2 " + TAGS + " ;\n");
    CommentedSql start = CommentedSql.of(TAGS + "SELECT 1");
    assertThat(start.statement()).isEqualTo("SELECT 1");
    assertThat(start.comment()).isEqualTo(end.comment());
    assertThat(start.around("SELECT 2")).isEqualTo(TAGS + "SELECT 2");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT 1",
        "SELECT 1 /* a note */",
        "/*+ IndexScan(t) */ SELECT 1",
        "SELECT '/*a='",
        "SELECT 1 /* outer /*a='b'*/ */",
        "SELECT $$ /*a='b'*/ $$",
        "SELECT 1 /*a='it''s'*/",
        "SELECT 1 /*a='\\'b'*/",
        "SELECT 1 /**/",
        "*/",
        "/*",
        "/*/",
        ""
      })
  void otherTextsAreLeftAsTheyAre(String text) {
    CommentedSql sql = CommentedSql.of(text);
    assertThat(sql.statement()).isEqualTo(text);
    assertThat(sql.comment()).isNull();
  }

  @Test
  void longCommentsAndManyKeysAreLeft() {
    assertThat(CommentedSql.of("SELECT 1 /*a='" + "x".repeat(2_100) + "'*/").comment()).isNull();
    String keys = "k='v',".repeat(16);
    assertThat(CommentedSql.of("SELECT 1 /*" + keys + "k='v'*/").comment()).isNull();
    assertThat(
            CommentedSql.of("SELECT 1 /*" + keys.substring(0, keys.length() - 1) + "*/").comment())
        .isNotNull();
  }

  /** A trace id for each request must not cost an analysis for each request. */
  @Test
  void textsThatDifferInTheirCommentAreOneStatement() {
    StatementAnalyzer analyzer =
        new StatementAnalyzer(
            ObservedTables.parse("reg(k bigint; v bigint)"),
            Set.of(),
            PostgresSql.DIALECT,
            Identities.ofHistory("test"));
    List<AnalyzedSql> analyzed =
        List.of(1, 2, 3).stream()
            .map(i -> "SELECT v FROM reg WHERE k = ?/*traceparent='00-" + i + "'*/")
            .map(
                text -> analyzer.of(CommentedSql.of(text).statement(), Placeholders.QUESTION_MARKS))
            .toList();
    assertThat(analyzed).allMatch(each -> each == analyzed.get(0));
    assertThat(analyzed.get(0).fingerprint()).doesNotContain("traceparent");
  }
}
