package io.isotail.monitor.partition;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.monitor.config.MonitorConfig;
import io.isotail.monitor.publish.CheckpointMetadata;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** When states are saved; time is an argument. */
final class CheckpointsTest {
  private static final int INTERVAL_MS = 1_000;
  private static final MonitorConfig CONFIG = MonitorConfig.of(Map.of());

  private final Checkpoints checkpoints = new Checkpoints(INTERVAL_MS, 0);
  private final PartitionTask first = task(0);
  private final PartitionTask second = task(1);
  private final List<PartitionTask> both = List.of(first, second);

  private static PartitionTask task(int partition) {
    PartitionTask task =
        new PartitionTask(
            partition,
            0,
            CheckpointMetadata.none(2),
            CONFIG::history,
            id -> false,
            (id, times) -> {});
    task.advance(1);
    return task;
  }

  private static long ms(long ms) {
    return TimeUnit.MILLISECONDS.toNanos(ms);
  }

  private void beginBoth() {
    checkpoints.saved(0, 0, 0, 0);
    checkpoints.saved(1, 0, 0, ms(1));
  }

  private void saved(PartitionTask task, long tookMs, long nowMs) {
    checkpoints.saved(task.partition(), ms(tookMs), 0, ms(nowMs));
  }

  @Test
  void eachIsDueAfterAnIntervalTheOldestFirst() {
    beginBoth();
    assertThat(checkpoints.stateDue(both, ms(999))).isNull();
    assertThat(checkpoints.stateDue(both, ms(1_001))).isSameAs(first);
    saved(first, 0, 1_001);
    assertThat(checkpoints.stateDue(both, ms(1_001))).isSameAs(second);
    saved(second, 0, 1_001);
    assertThat(checkpoints.stateDue(both, ms(2_000))).isNull();
    assertThat(checkpoints.stateDue(both, ms(2_001))).isNotNull();
  }

  @Test
  void nothingIsDueThatHasNotMoved() {
    PartitionTask idle =
        new PartitionTask(
            0, 5, CheckpointMetadata.none(2), CONFIG::history, id -> false, (id, times) -> {});
    checkpoints.begin(0, 0);
    assertThat(checkpoints.stateDue(List.of(idle), ms(10_000))).isNull();
  }

  @Test
  void savingTakesAThirdOfAPercentOfTheTime() {
    beginBoth();
    saved(first, 30, 1_030);
    assertThat(checkpoints.stateDue(both, ms(1_030 + 299 * 30 - 1))).isNull();
    assertThat(checkpoints.stateDue(both, ms(1_030 + 299 * 30))).isSameAs(second);
  }

  @Test
  void writingTakesATwentiethOfAnotherThreadsTime() {
    beginBoth();
    checkpoints.saved(0, ms(1), ms(1_000), ms(2_000));
    assertThat(checkpoints.stateDue(both, ms(2_000 + 19 * 1_000 - 1))).isNull();
    assertThat(checkpoints.stateDue(both, ms(2_000 + 19 * 1_000))).isSameAs(second);
  }

  @Test
  void whatIsVeryLateIsSavedEvenSoButNotAllAtOnce() {
    beginBoth();
    saved(first, 5_000, 6_000);
    assertThat(checkpoints.stateDue(both, ms(60_000))).isNull();
    assertThat(checkpoints.stateDue(both, ms(60_001))).isSameAs(second);
    saved(second, 5_000, 65_500);
    assertThat(checkpoints.stateDue(both, ms(66_499))).as("within an interval").isNull();
    assertThat(checkpoints.stateDue(both, ms(66_500))).isSameAs(first);
  }

  @Test
  void oneThatCouldNotBeSavedIsTriedAgainAfterAnIntervalHoweverLongItTookToFail() {
    beginBoth();
    checkpoints.failed(ms(15_000));
    assertThat(checkpoints.stateDue(both, ms(15_999))).isNull();
    assertThat(checkpoints.stateDue(both, ms(16_000))).isSameAs(first);
  }

  @Test
  void oneThatWasCutBackIsCommittedTogetherWithItsStateAndAtOnce() {
    beginBoth();
    second.cutBack(0);
    assertThat(Checkpoints.due(both, null, true)).containsExactly(first);
    assertThat(checkpoints.stateDue(both, ms(2))).isSameAs(second);
    assertThat(Checkpoints.due(both, second, false)).containsExactly(second);
  }

  @Test
  void oneThatIsIdleButNotSavedKeepsNobodyBack() {
    first.attempt(first.committed().withPublished(first.position(), -1, 7), null);
    first.succeeded();
    beginBoth();
    PartitionTask due = checkpoints.stateDue(both, ms(1_001));
    assertThat(due).as("all of it is published, but not saved").isSameAs(first);
    assertThat(Checkpoints.due(both, due, false)).containsExactly(first);
    assertThat(Checkpoints.due(both, null, false)).isEmpty();
    assertThat(Checkpoints.due(both, null, true)).containsExactly(second);
    saved(first, 0, 1_001);
    first.attempt(first.committed(), first.save());
    first.succeeded();
    assertThat(checkpoints.stateDue(both, ms(3_000))).isSameAs(second);
  }
}
