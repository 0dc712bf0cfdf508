package io.isotail.monitor.partition;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * When which partition is committed, and when its state is saved too. Checking stands still until
 * it is noted what a state consists of, so it is one at a time, and after each as long a rest that
 * this takes a third of a percent of the time, and writing it a twentieth of another thread's. A
 * state that has waited for {@link #MOST_INTERVALS} intervals does not wait for the end of the
 * rest, only for an interval since the one before: the log must still hold what came after it.
 */
public final class Checkpoints {
  /** After this many intervals a state is saved, however long the last one took. */
  static final int MOST_INTERVALS = 60;

  private static final int LEAST_REST = 299;

  private static final int LEAST_REST_OF_WRITER = 19;

  private final long intervalNs;
  private final Map<Integer, Long> savedNs = new HashMap<>();
  private long lastNs;
  private long restUntilNs;
  private long failedUntilNs;

  /**
   * Nothing was saved yet.
   *
   * @param intervalMs least time between two states of a partition, in ms
   */
  public Checkpoints(int intervalMs, long nowNs) {
    this.intervalNs = TimeUnit.MILLISECONDS.toNanos(intervalMs);
    this.lastNs = nowNs - intervalNs;
    this.restUntilNs = nowNs;
    this.failedUntilNs = nowNs;
  }

  /** A partition was taken over. How old its state is nobody knows, so that it is due soon. */
  public void begin(int partition, long nowNs) {
    savedNs.put(partition, nowNs - intervalNs / 2);
  }

  /** The one whose state must be saved, or else is due and was saved longest ago, or null. */
  public @Nullable PartitionTask stateDue(Collection<PartitionTask> assigned, long nowNs) {
    PartitionTask oldest = null;
    long oldestAgeNs = 0;
    for (PartitionTask task : assigned) {
      if (task.mustSave() && nowNs - failedUntilNs >= 0) {
        return task;
      }
      long ageNs = nowNs - savedNs.computeIfAbsent(task.partition(), p -> nowNs);
      boolean due =
          ageNs >= intervalNs
              && (nowNs - restUntilNs >= 0
                  || (ageNs >= MOST_INTERVALS * intervalNs && nowNs - lastNs >= intervalNs))
              && !task.replaying()
              && task.position() > task.stateOffset();
      if (due && (oldest == null || ageNs > oldestAgeNs)) {
        oldest = task;
        oldestAgeNs = ageNs;
      }
    }
    return oldest;
  }

  /**
   * Those to commit now.
   *
   * @param withState whose state is saved, or null
   * @param progress whether it is time to commit what was checked without a finding, and to tell
   *     what there is to tell
   */
  public static List<PartitionTask> due(
      Collection<PartitionTask> assigned, @Nullable PartitionTask withState, boolean progress) {
    List<PartitionTask> due = new ArrayList<>();
    for (PartitionTask task : assigned) {
      boolean advanced = task.position() > task.committed().published();
      boolean wanted = !task.unpublished().isEmpty() || (progress && (advanced || task.hasNews()));
      if (task == withState || (wanted && !task.mustSave())) {
        due.add(task);
      }
    }
    return due;
  }

  /**
   * A partition's state was saved.
   *
   * @param tookNs for how long checking stood still
   * @param writingNs for how long another thread wrote and sent it
   */
  public void saved(int partition, long tookNs, long writingNs, long nowNs) {
    savedNs.put(partition, nowNs);
    lastNs = nowNs;
    restUntilNs = nowNs + Math.max(LEAST_REST * tookNs, LEAST_REST_OF_WRITER * writingNs);
  }

  /** A state could not be saved, which says nothing of how long it takes. */
  public void failed(long nowNs) {
    lastNs = nowNs;
    restUntilNs = nowNs + intervalNs;
    failedUntilNs = nowNs + intervalNs;
  }
}
