package io.isotail.monitor.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.monitor.config.MonitorConfig;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** When states are saved; time is an argument. */
final class CheckpointsTest {
  private static final int INTERVAL_MS = 1_000;
  private static final MonitorConfig CONFIG = MonitorConfig.of(Map.of());

  private final Checkpoints checkpoints = new Checkpoints(INTERVAL_MS, 0);
  private final Shard first = shard(0);
  private final Shard second = shard(1);
  private final List<Shard> both = List.of(first, second);

  private static Shard shard(int partition) {
    Shard shard =
        new Shard(
            partition,
            0,
            CheckpointMetadata.none(2),
            CONFIG::history,
            id -> false,
            (id, times) -> {});
    shard.advance(1);
    return shard;
  }

  private static long ms(long ms) {
    return TimeUnit.MILLISECONDS.toNanos(ms);
  }

  private void beginBoth() {
    checkpoints.begin(0, 0);
    checkpoints.begin(1, ms(1));
  }

  @Test
  void eachIsDueAfterAnIntervalTheOldestFirst() {
    beginBoth();
    assertThat(checkpoints.due(both, ms(999))).isNull();
    assertThat(checkpoints.due(both, ms(1_001))).isSameAs(first);
    checkpoints.saved(0, 0, ms(1_001));
    assertThat(checkpoints.due(both, ms(1_001))).isSameAs(second);
    checkpoints.saved(1, 0, ms(1_001));
    assertThat(checkpoints.due(both, ms(2_000))).isNull();
    assertThat(checkpoints.due(both, ms(2_001))).isNotNull();
  }

  @Test
  void nothingIsDueThatHasNotMoved() {
    Shard idle =
        new Shard(
            0, 5, CheckpointMetadata.none(2), CONFIG::history, id -> false, (id, times) -> {});
    checkpoints.begin(0, 0);
    assertThat(checkpoints.due(List.of(idle), ms(10_000))).isNull();
  }

  @Test
  void savingTakesAThirdOfAPercentOfTheTime() {
    beginBoth();
    checkpoints.saved(0, ms(30), ms(1_030));
    assertThat(checkpoints.due(both, ms(1_030 + 299 * 30 - 1))).isNull();
    assertThat(checkpoints.due(both, ms(1_030 + 299 * 30))).isSameAs(second);
  }

  @Test
  void whatIsVeryLateIsSavedEvenSo() {
    beginBoth();
    checkpoints.saved(0, ms(500), ms(1_500));
    assertThat(checkpoints.due(both, ms(30_000))).isNull();
    assertThat(checkpoints.due(both, ms(30_001))).isSameAs(second);
    checkpoints.saved(1, ms(500), ms(30_501));
    assertThat(checkpoints.due(both, ms(31_499))).isNull();
    assertThat(checkpoints.due(both, ms(31_500))).isSameAs(first);
  }
}
