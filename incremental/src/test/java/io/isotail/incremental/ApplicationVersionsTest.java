package io.isotail.incremental;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.config.Tuning;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Origin;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.SessionInfo;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.incremental.verdict.Marker;
import io.isotail.incremental.verdict.Moment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A version of an application that was not seen before is marked once. */
final class ApplicationVersionsTest {
  private static final CheckerConfig CONFIG =
      CheckerConfig.forFile("h", IsolationLevel.SERIALIZABLE);

  private final CheckRun run = new CheckRun(CONFIG);
  private long sequence;

  private void ran(String version) {
    accept(run.checker, version);
  }

  private void accept(Checker checker, String version) {
    checker.accept(
        sequence,
        1_000 + sequence,
        new TransactionRecord(
            SessionInfo.ofFile(sequence, "s" + sequence),
            0,
            0,
            0,
            Outcome.COMMITTED,
            null,
            TransactionRecord.NO_TIME,
            TransactionRecord.NO_TIME,
            null,
            new Operations.Builder().write(1, sequence + 1).build(),
            Origin.of(null, null, null, version)));
    sequence++;
  }

  private List<String> marked() {
    return run.checker.markers().stream().map(Marker::text).toList();
  }

  @Test
  void theFirstVersionSeenIsNoChange() {
    ran(null);
    ran("shop 1.41");
    ran("shop 1.41");
    ran("billing 2.0");
    assertThat(marked()).isEmpty();
  }

  @Test
  void aRollingDeployIsMarkedAtItsFirstTransaction() {
    ran("shop 1.41");
    ran("billing 1.42");
    ran("shop 1.42");
    for (int i = 0; i < 20; i++) {
      ran(i % 3 == 0 ? "shop 1.41" : "shop 1.42");
    }
    ran("billing 1.43");
    assertThat(run.checker.markers())
        .containsExactly(
            new Marker(new Moment(2, 1_002), "shop 1.42"),
            new Marker(new Moment(23, 1_023), "billing 1.43"));
  }

  @Test
  void aRestoredCheckerMarksNothingAgain() {
    ran("shop 1.41");
    ran("shop 1.42");
    List<byte[]> chunks = new ArrayList<>();
    run.checker.save(chunks::add);
    Checker restored =
        Checker.restore(CONFIG, new CheckRun(CONFIG), Tuning.DEFAULT, chunks.iterator()::next);
    accept(restored, "shop 1.41");
    accept(restored, "shop 1.42");
    accept(restored, "shop 1.43");
    assertThat(restored.markers())
        .extracting(Marker::text)
        .containsExactly("shop 1.42", "shop 1.43");
  }

  /** A name that is a number for each process fills the memory of no monitor. */
  @Test
  void asManyNamesAndVersionsAsThereAreAreBounded() {
    for (int i = 0; i < 2_000; i++) {
      ran("shop" + i + " 1.0");
      ran("shop 1." + i);
    }
    assertThat(marked()).hasSize(19).last().isEqualTo("shop 1.19");
  }

  @Test
  void aCheckerInTheSamePlaceMarksNothingAgain() {
    ran("shop 1.41");
    ran("shop 1.42");
    Checker next = new Checker(CONFIG, new CheckRun(CONFIG));
    next.keepMarkersOf(run.checker);
    accept(next, "shop 1.41");
    accept(next, "shop 1.42");
    accept(next, "shop 1.43");
    assertThat(next.markers()).extracting(Marker::text).containsExactly("shop 1.42", "shop 1.43");
  }
}
