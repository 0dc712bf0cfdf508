package io.isotail.monitor.pipeline;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * When which partition's state is saved. Checking stands still meanwhile, so it is one at a time,
 * and after each as long a rest that saving takes a third of a percent of the time. A state that
 * has waited for {@link #MOST_INTERVALS} intervals is saved even so: the log must still hold what
 * came after it.
 */
final class Checkpoints {
  /** After this many intervals a state is saved, however long the last one took. */
  static final int MOST_INTERVALS = 30;

  private static final int LEAST_REST = 299;

  private final long intervalNs;
  private final Map<Integer, Long> savedNs = new HashMap<>();
  private long restUntilNs;

  /**
   * Nothing was saved yet.
   *
   * @param intervalMs least time between two states of a partition, in ms
   */
  Checkpoints(int intervalMs, long nowNs) {
    this.intervalNs = TimeUnit.MILLISECONDS.toNanos(intervalMs);
    this.restUntilNs = nowNs;
  }

  /** A partition was taken over: its state is as good as saved. */
  void begin(int partition, long nowNs) {
    savedNs.put(partition, nowNs);
  }

  /** The one whose state is due and was saved longest ago, or null. */
  @Nullable Shard due(Collection<Shard> shards, long nowNs) {
    Shard oldest = null;
    long oldestAgeNs = 0;
    for (Shard shard : shards) {
      long ageNs = nowNs - savedNs.computeIfAbsent(shard.partition(), p -> nowNs);
      boolean due =
          ageNs >= intervalNs
              && (nowNs - restUntilNs >= 0 || ageNs >= MOST_INTERVALS * intervalNs)
              && !shard.replaying()
              && shard.position() > shard.stateOffset();
      if (due && (oldest == null || ageNs > oldestAgeNs)) {
        oldest = shard;
        oldestAgeNs = ageNs;
      }
    }
    return oldest;
  }

  /**
   * A state was saved.
   *
   * @param tookNs for how long checking stood still
   */
  void saved(int partition, long tookNs, long nowNs) {
    savedNs.put(partition, nowNs);
    restUntilNs = nowNs + LEAST_REST * tookNs;
  }
}
