package io.isotail.monitor.explore;

import static io.isotail.monitor.explore.witness.ExploredAnomaly.read;
import static io.isotail.monitor.explore.witness.ExploredAnomaly.transaction;
import static io.isotail.monitor.explore.witness.ExploredAnomaly.write;
import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.explore.MemoryBounds;
import io.isotail.monitor.explore.witness.AnswersText;
import io.isotail.monitor.explore.witness.ExploredAnomaly;
import io.isotail.monitor.explore.witness.WitnessProgram;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The limits within which levels are asked of an anomaly. */
final class WitnessRunTest {
  private static final long LIMIT_NS = Duration.ofMinutes(10).toNanos();

  @TempDir private Path folder;

  /** Raising the transaction a excludes it; but then there are other anomalies. */
  private WitnessProgram searchedTwice() throws Exception {
    String level = "read-committed";
    return WitnessProgram.of(
        ExploredAnomaly.anomaly(
            folder,
            List.of(
                transaction("a", 1, level, read(1, null), write(1, 10)),
                transaction("b", 2, level, write(2, 11), write(1, 11)),
                transaction("c", 3, level, read(2, 11), read(1, 10)))));
  }

  private String said(long searchNs) throws Exception {
    AtomicLong nowNs = new AtomicLong();
    LevelRun.Limits limits =
        new LevelRun.Limits(LIMIT_NS, Long.MAX_VALUE, 1, MemoryBounds.DEFAULT, false);
    WitnessProgram witness = searchedTwice();
    return AnswersText.of(
        witness, WitnessRun.answers(witness, limits, () -> nowNs.getAndAdd(searchNs)));
  }

  @Test
  void allSearchesShareOneLimitOfTime() throws Exception {
    assertThat(said(LIMIT_NS / 3)).contains("Raising only a/1 to serializable is not enough");
    assertThat(said(LIMIT_NS * 2 / 3))
        .contains("Whether raising only a/1 is enough was not found out in time.");
  }
}
