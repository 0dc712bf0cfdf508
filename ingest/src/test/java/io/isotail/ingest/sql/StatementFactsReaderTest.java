package io.isotail.ingest.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.forecast.StatementFacts;
import io.isotail.incremental.forecast.StatementFacts.Lock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StatementFactsReaderTest {
  private static StatementFacts of(String sql) {
    return StatementFactsReader.read(sql);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          SELECT v FROM t WHERE id = ?                                  | NONE
          SELECT v FROM t WHERE id = ? FOR UPDATE                       | EXCLUSIVE
          SELECT v FROM t WHERE id = ? FOR NO KEY UPDATE                | EXCLUSIVE
          SELECT v FROM t WHERE id = ? FOR UPDATE SKIP LOCKED           | EXCLUSIVE
          SELECT v FROM t, u WHERE t.id = u.id FOR UPDATE OF t          | EXCLUSIVE
          SELECT v FROM t WHERE id = ? FOR SHARE                        | SHARED
          SELECT v FROM t WHERE id = ? FOR KEY SHARE                    | NONE
          SELECT v FROM t WHERE id = ? LOCK IN SHARE MODE               | SHARED
          """)
  void locks(String sql, Lock lock) {
    assertThat(of(sql).lock()).isEqualTo(lock);
  }

  @Test
  void assignments() {
    assertThat(of("UPDATE t SET a = ?, b = b + ? WHERE id = ?").sets())
        .containsExactlyInAnyOrder("a", "b");
    assertThat(of("UPDATE t SET a = a + ?, b = coalesce(b, ?) - ? WHERE id = ?").relative())
        .isTrue();
    assertThat(of("UPDATE t SET a = a + ?, b = ? WHERE id = ?").relative()).isFalse();
    assertThat(of("UPDATE t SET (a, b) = (?, ?) WHERE id = ?").sets())
        .containsExactlyInAnyOrder("a", "b");
    assertThat(of("UPDATE t SET \"Amount\" = ? WHERE id = ?").sets()).containsExactly("Amount");
    assertThat(of("UPDATE t SET a = CASE WHEN b = ? THEN ? ELSE a END WHERE id = ?").sets())
        .containsExactly("a");
    assertThat(of("INSERT INTO t VALUES (?, ?)").setsAll()).isTrue();
    assertThat(of("INSERT INTO t VALUES (?, ?) RETURNING id").inserts()).isTrue();
    assertThat(of("INSERT INTO t VALUES (?) ON CONFLICT DO NOTHING").inserts()).isFalse();
    assertThat(of("INSERT INTO t VALUES (?) ON CONFLICT (id) DO UPDATE SET a = ?").setsAll())
        .isTrue();
    assertThat(of("DELETE FROM t WHERE id = ?").setsAll()).isTrue();
    assertThat(of("UPDATE t SET a = ? WHERE id = ?").setsAll()).isFalse();
  }

  @Test
  void conditions() {
    StatementFacts checked = of("UPDATE t SET a = ? WHERE t.id = ? AND version = ? AND n >= ?");
    assertThat(checked.guards()).containsExactlyInAnyOrder("id", "version");
    assertThat(checked.rechecks()).containsExactly("n");
    assertThat(of("UPDATE t SET a = ? WHERE id = ? OR version = ?").guards()).isEmpty();
    assertThat(of("UPDATE t SET a = ? WHERE (\"id\" = ? AND \"version\" = ?)").guards())
        .containsExactlyInAnyOrder("id", "version");
    assertThat(of("UPDATE t SET a = ? WHERE id = ? AND state = ?::order_state").guards())
        .containsExactlyInAnyOrder("id", "state");
    assertThat(of("UPDATE t SET f = a IS DISTINCT FROM b, version = ? WHERE id = ?").sets())
        .containsExactlyInAnyOrder("f", "version");
    assertThat(of("UPDATE t SET a = (SELECT a FROM u WHERE k = ?) - ? WHERE id = ?").relative())
        .isFalse();
    assertThat(of("UPDATE t SET a = ? WHERE id = ? AND (x = ? OR y = ?)").guards())
        .containsExactly("id");
    assertThat(of("UPDATE t SET a = ? WHERE id = ? AND open").guards())
        .containsExactlyInAnyOrder("id", "open");
    assertThat(of("UPDATE t SET a = ? WHERE id = ? AND NOT used").rechecks())
        .containsExactly("used");
    assertThat(of("UPDATE t SET a = ? WHERE id IN (?, ?)").guards()).isEmpty();
    assertThat(of("UPDATE t SET a = ? WHERE id = ? RETURNING a, version").guards())
        .containsExactly("id");
  }

  @Test
  void columnsThatAreShown() {
    assertThat(of("SELECT * FROM t WHERE id = ?").readsAll()).isTrue();
    assertThat(of("SELECT t.* FROM t WHERE id = ?").readsAll()).isTrue();
    assertThat(of("SELECT a, t.* FROM t WHERE id = ?").readsAll()).isTrue();
    assertThat(of("SELECT count(*) FROM t WHERE open").readsAll()).isFalse();
    assertThat(of("SELECT a * b FROM t").readsAll()).isFalse();
    assertThat(of("SELECT a FROM t WHERE b = ?").reads()).contains("a", "b");
  }

  @Test
  void tablesThatAreLookedAt() {
    assertThat(of("SELECT count(*) FROM shop.items i JOIN \"Stock\" s ON s.id = i.id").scanned())
        .containsExactlyInAnyOrder("items", "Stock");
    assertThat(of("SELECT 1 FROM ONLY a x, b AS y, c WHERE x.k = y.k").scanned())
        .containsExactlyInAnyOrder("a", "b", "c");
    assertThat(of("WITH w AS (SELECT k FROM a) SELECT 1 FROM w").scanned()).contains("a");
    assertThat(of("SELECT * FROM generate_series(?, ?)").scanned()).isEmpty();
    assertThat(of("SELECT pg_advisory_xact_lock(?)").scanned()).isEmpty();
    assertThat(of("UPDATE t SET a = ? FROM u WHERE u.id = ?").scanned()).isEmpty();
  }

  @Test
  void whatMayMatterUnseen() {
    assertThat(of("LOCK TABLE t IN EXCLUSIVE MODE").unclear()).isTrue();
    assertThat(of("CALL place_order(?)").unclear()).isTrue();
    assertThat(of("SELECT v FROM t FOR UPDATE").unclear()).isTrue();
    assertThat(of("WITH w AS (DELETE FROM t RETURNING k) SELECT 1 FROM w").unclear()).isTrue();
    assertThat(of("SELECT count(*) FROM t").unclear()).isFalse();
    assertThat(of("SET LOCAL lock_timeout = ?").unclear()).isFalse();
  }

  @Test
  void whatIsNotUnderstoodIsEveryColumn() {
    assertThat(of("SELECT 'open")).isEqualTo(StatementFacts.NONE);
    assertThat(of("SELECT 1; SELECT 2")).isEqualTo(StatementFacts.NONE);
    assertThat(of("")).isNotNull();
  }
}
