package io.isotail.incremental;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.anomaly.UndecidedReason;
import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.record.Operations;
import org.junit.jupiter.api.Test;

/**
 * A transaction turns out to have written a key that it must not have, and is left out. Nothing
 * follows from who has read what it wrote.
 */
class ExcludedWriterTest extends WritersByName {
  private static final long BEFORE = 500;

  private CheckRun run;
  private int sessions;

  private void committed(Operations.Builder ops) {
    committed(run, ++sessions, 0, ops);
  }

  /** The writer of 1001 overwrites what its rival has read, as a reader of key 8 shows later. */
  private void excluded() {
    committed(ops().read(8, BEFORE).write(7, 1001).write(70, 1001));
    committed(ops().read(8, BEFORE).write(8, 1002));
  }

  private void begin() {
    run = start(CheckerConfig.forLive("h"), 1000);
  }

  @Test
  void its_reader_comes_before_no_later_writer() {
    begin();
    committed(ops().write(70, 1005).write(71, 1005));
    committed(ops().write(90, 1006));
    excluded();
    committed(ops().read(70, 1001).read(71, 1005));
    beat(run);
    committed(ops().read(8, 1001));
    beat(run);
    committed(ops().read(71, BEFORE).read(90, 1006));
    beat(run);
    assertThat(run.report.undecided()).doesNotContainKey(UndecidedReason.WEAKER_WRITER);
    assertThat(run.report.transactions()).isEqualTo(7);
  }

  @Test
  void its_reader_contradicts_nobody() {
    begin();
    committed(ops().write(91, 1004));
    committed(ops().write(70, 1005).write(71, 1005));
    excluded();
    committed(ops().read(70, 1001).write(72, 1007));
    beat(run);
    committed(ops().read(8, 1001));
    beat(run);
    committed(ops().read(91, BEFORE).read(71, 1005).read(72, BEFORE));
    beat(run);
    assertThat(run.report.undecided()).doesNotContainKey(UndecidedReason.WEAKER_WRITER);
    assertThat(run.report.transactions()).isEqualTo(7);
  }
}
