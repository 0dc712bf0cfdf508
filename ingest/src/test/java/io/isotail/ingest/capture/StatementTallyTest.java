package io.isotail.ingest.capture;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.record.CaptureCounts;
import io.isotail.incremental.record.NotCaptured;
import io.isotail.incremental.record.NotCaptured.Kind;
import io.isotail.ingest.sql.Analysis;
import io.isotail.ingest.sql.Identities;
import io.isotail.ingest.sql.ObservedTables;
import io.isotail.ingest.sql.Placeholders;
import io.isotail.ingest.sql.PostgresSql;
import io.isotail.ingest.sql.StatementAnalyzer;
import io.isotail.ingest.sql.Uninterpreted;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class StatementTallyTest {
  private static final Analysis UNREAD = new Analysis.Unread(Uninterpreted.AGGREGATE);
  private final StatementTally tally = new StatementTally("shop", true);
  private final StatementAnalyzer analyzer =
      new StatementAnalyzer(
          ObservedTables.parse("reg(k; v)"),
          Set.of(),
          PostgresSql.DIALECT,
          Identities.ofHistory("test"));

  private StatementTally.Kind send(String sql) {
    var analyzed = analyzer.of(sql, Placeholders.NONE);
    return tally.sent(analyzed.fingerprint(), analyzed.analysis());
  }

  private CaptureCounts untold() {
    return tally.untold(50);
  }

  @Test
  void statementsAreToldApartByWhatTheyAre() {
    send("SELECT k, v FROM reg WHERE k = 1");
    send("SELECT k FROM reg WHERE k > 7 GROUP BY k");
    send("SELECT k FROM reg WHERE k > 8 GROUP BY k");
    send("TRUNCATE reg");
    send("INSERT INTO log VALUES (1)");
    CaptureCounts counts = untold();
    assertThat(counts.service()).isEqualTo("shop");
    assertThat(counts.captured()).isEqualTo(1);
    assertThat(counts.notCaptured())
        .extracting(NotCaptured::kind, NotCaptured::reason, NotCaptured::statements)
        .containsExactlyInAnyOrder(
            org.assertj.core.groups.Tuple.tuple(Kind.UNREAD, "aggregate", 2L),
            org.assertj.core.groups.Tuple.tuple(Kind.OPAQUE, "utility", 1L),
            org.assertj.core.groups.Tuple.tuple(Kind.OUTSIDE, "not-observed", 1L));
    assertThat(counts.notCaptured())
        .allSatisfy(one -> assertThat(one.fingerprint()).doesNotContain("7"));
  }

  @Test
  void allThatWasCountedOnlyGrows() {
    assertThat(tally.totals()).isEqualTo(StatementTotals.NONE);
    send("SELECT k, v FROM reg WHERE k = 1");
    send("SELECT k FROM reg GROUP BY k");
    send("SELECT k FROM reg WHERE k > 1 GROUP BY k");
    send("TRUNCATE reg");
    StatementTotals before =
        new StatementTotals(
            1, Map.of(Kind.UNREAD, 2L, Kind.OPAQUE, 1L), Map.of("aggregate", 2L, "utility", 1L));
    assertThat(tally.totals()).isEqualTo(before);
    untold();
    tally.told();
    assertThat(tally.totals()).as("of what was told too").isEqualTo(before);
    tally.rowMissed("a", CaptureStats.Event.LATE_ROW, true, null);
    assertThat(tally.totals().captured()).as("taken back").isEqualTo(1);
    assertThat(tally.totals().kinds()).containsEntry(Kind.UNREAD, 3L);
    send("SELECT k, v FROM reg WHERE k = 1");
    send("SELECT k, v FROM reg WHERE k = 2");
    assertThat(tally.totals().captured()).isEqualTo(2);
  }

  @Test
  void whatNamesNoTableIsNotCounted() {
    for (String sql :
        List.of(
            "SELECT 1",
            "SELECT nextval('s')",
            "SHOW search_path",
            "SELECT * FROM generate_series(1, 3)",
            "SELECT relname FROM pg_catalog.pg_class",
            "SELECT table_name FROM information_schema.tables",
            "BEGIN",
            "CREATE TABLE t (k int)")) {
      assertThat(send(sql)).as(sql).isNull();
    }
    assertThat(untold()).isNull();
  }

  @Test
  void eachRowIsAReadAndAStatementWithoutRowsIsOne() {
    send("SELECT k FROM reg GROUP BY k");
    StatementTally.Kind kind = send("SELECT k FROM reg GROUP BY k");
    kind.row();
    kind.row();
    assertThat(untold().notCaptured())
        .singleElement()
        .satisfies(one -> assertThat(one.reads()).isEqualTo(4));
  }

  @Test
  void aStatementWhoseFirstRowTellsNothingIsNoneThatWasCaptured() {
    send("SELECT k, v FROM reg");
    StatementTally.Kind kind =
        tally.rowMissed("a", CaptureStats.Event.ROW_WITHOUT_KEY_OR_VERSION, true, null);
    tally.rowMissed("a", CaptureStats.Event.ROW_WITHOUT_KEY_OR_VERSION, true, kind);
    CaptureCounts counts = untold();
    assertThat(counts.captured()).isZero();
    assertThat(counts.notCaptured())
        .containsExactly(new NotCaptured("a", Kind.UNREAD, "row-without-key-or-version", 1, 2));
    tally.told();
    send("SELECT k, v FROM reg");
    tally.rowMissed("b", CaptureStats.Event.LATE_ROW, false, null);
    assertThat(untold().captured()).isEqualTo(1);
    assertThat(untold().notCaptured())
        .containsExactly(new NotCaptured("b", Kind.PARTLY, "late-row", 1, 1));
    tally.told();
    tally.rowMissed("c", CaptureStats.Event.LATE_ROW, true, null);
    assertThat(untold().captured()).isZero();
    tally.told();
    send("SELECT k, v FROM reg");
    assertThat(untold()).as("made up for the one told too much").isNull();
  }

  @Test
  void readsOfTablesThatTheOperatorLeftOutAreNoneThatAreMissing() {
    StatementTally chosen = new StatementTally("shop", false);
    chosen.sent("SELECT * FROM other", new Analysis.Harmless());
    tally.sent("SELECT * FROM other", new Analysis.Harmless());
    assertThat(chosen.untold(50).notCaptured().get(0).reads()).isZero();
    assertThat(untold().notCaptured().get(0).reads()).isEqualTo(1);
  }

  @Test
  void countsAreToldUntilTheyAreOnTheStreamAndThenOnce() {
    tally.sent("a", UNREAD);
    assertThat(untold()).isEqualTo(untold());
    tally.sent("a", UNREAD);
    assertThat(untold().notCaptured().get(0).statements()).isEqualTo(2);
    tally.sent("a", UNREAD);
    tally.told();
    assertThat(untold().notCaptured().get(0).statements()).isEqualTo(1);
    tally.told();
    assertThat(untold()).isNull();
  }

  @Test
  void theGreatestCountsAreToldFirstAndTheOthersLater() {
    for (int i = 0; i < 5; i++) {
      for (int n = 0; n <= i; n++) {
        tally.sent("text " + i, UNREAD);
      }
    }
    assertThat(tally.untold(2).notCaptured())
        .extracting(NotCaptured::fingerprint)
        .containsExactly("text 4", "text 3");
    tally.told();
    assertThat(tally.untold(2).notCaptured())
        .extracting(NotCaptured::fingerprint)
        .containsExactly("text 2", "text 1");
  }

  @Test
  void tooManyTextsAreCountedTogether() {
    for (int i = 0; i < 2 * StatementTally.MAX_KINDS; i++) {
      tally.sent("text " + i, UNREAD);
    }
    List<NotCaptured> all = tally.untold(Integer.MAX_VALUE).notCaptured();
    assertThat(all).hasSize(StatementTally.MAX_KINDS + 1);
    assertThat(all.get(0))
        .isEqualTo(
            new NotCaptured(
                "", Kind.UNREAD, "aggregate", StatementTally.MAX_KINDS, StatementTally.MAX_KINDS));
  }
}
