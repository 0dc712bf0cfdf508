package io.isotail.monitor.status;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;

/** Holds the latest snapshot. Safe for use by many threads. */
public final class StatusBoard {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private volatile MonitorStatus current = MonitorStatus.INITIAL;

  /** The latest snapshot. */
  public MonitorStatus current() {
    return current;
  }

  /** Replaces the snapshot and wakes the threads that wait for it. */
  public void publish(MonitorStatus status) {
    lock.lock();
    try {
      current = status;
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
