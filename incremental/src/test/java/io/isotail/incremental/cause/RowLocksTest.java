package io.isotail.incremental.cause;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class RowLocksTest {
  private static String locks(String... queries) {
    return RowLocks.of(
        Stream.of(queries).map(text -> new CausePart("pets", text, null, null)).toList());
  }

  @Test
  void aPlainQueryGetsTheClause() {
    assertThat(
            locks(
                "SELECT n FROM pets WHERE id = ?",
                "SELECT m FROM pets p JOIN types t ON t.id = p.type"))
        .isEqualTo(
            "add FOR UPDATE to `SELECT n FROM pets WHERE id = ?` and `SELECT m FROM pets p JOIN types t ON t.id = p.type`");
  }

  @Test
  void underAnOuterJoinOnlyTheFirstTableCanBeLocked() {
    String join = "select p.id from pets p left join types t on t.id = p.type where p.id = ?";
    assertThat(locks(join)).isEqualTo("add FOR UPDATE OF p to `" + join + "`");
    assertThat(RowLocks.clause("select 1 from app.pets left join t on true", "app.pets"))
        .isEqualTo("FOR UPDATE OF pets");
    assertThat(RowLocks.clause("select 1 from Pets left join t on true", "pets"))
        .isEqualTo("FOR UPDATE OF Pets");
    assertThat(locks("select p.id from owners o left join pets p on p.owner = o.id"))
        .isEqualTo(
            "lock the rows of pets by a query of its own (SELECT … FOR UPDATE) before `select p.id from owners o left join pets p on p.owner = o.id`, which cannot lock those");
  }

  @Test
  void whatMakesOneRowOfManyLocksNone() {
    for (String text :
        List.of(
            "SELECT count(*) FROM pets WHERE owner = ?",
            "SELECT owner FROM pets GROUP BY owner",
            "SELECT DISTINCT owner FROM pets",
            "SELECT 1 FROM pets UNION SELECT 2 FROM pets",
            "SELECT EXISTS (SELECT 1 FROM pets)",
            "SELECT json_agg(id) FROM pets",
            "SELECT stddev(n) FROM pets",
            "SELECT row_number() OVER w FROM pets WINDOW w AS (ORDER BY id)",
            "WITH x AS (SELECT * FROM pets) SELECT * FROM x",
            "VALUES (?)")) {
      assertThat(RowLocks.clause(text, "pets")).as(text).isNull();
    }
    assertThat(locks("SELECT n FROM pets", "SELECT sum(n) FROM pets"))
        .isEqualTo(
            "add FOR UPDATE to `SELECT n FROM pets`, and lock the rows of pets by a query of its own (SELECT … FOR UPDATE) before `SELECT sum(n) FROM pets`, which cannot lock those");
  }
}
