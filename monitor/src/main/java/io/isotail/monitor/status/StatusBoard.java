package io.isotail.monitor.status;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Holds the latest snapshot. Safe for use by many threads. */
public final class StatusBoard {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private volatile MonitorStatus current = MonitorStatus.INITIAL;

  /** The latest snapshot. */
  public MonitorStatus current() {
    return current;
  }

  /**
   * Replaces the snapshot, its lag apart, and wakes the threads that wait for it.
   *
   * @param status with any lag
   */
  public void publish(MonitorStatus status) {
    lock.lock();
    try {
      current = status.with(current.lag());
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Replaces the lag, which is measured apart from the rest: also while a check takes long.
   *
   * @param lag null for unknown
   */
  public void measured(@Nullable Lag lag) {
    lock.lock();
    try {
      current = current.with(lag);
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits until a snapshot satisfies {@code condition}.
   *
   * @return whether one did within {@code timeout}
   */
  public boolean await(Predicate<MonitorStatus> condition, Duration timeout)
      throws InterruptedException {
    long leftNs = timeout.toNanos();
    lock.lock();
    try {
      while (!condition.test(current)) {
        if (leftNs <= 0) {
          return false;
        }
        leftNs = changed.awaitNanos(leftNs);
      }
      return true;
    } finally {
      lock.unlock();
    }
  }
}
