package io.isotail.monitor.status;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Holds the latest snapshot, and notes when its phase began. Safe for use by many threads. */
public final class StatusBoard {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final LongSupplier clockMs;
  private volatile MonitorStatus current;

  /** Nothing has happened yet. */
  public StatusBoard() {
    this(System::currentTimeMillis);
  }

  /**
   * Nothing has happened yet.
   *
   * @param clockMs wall time in ms since 1970
   */
  public StatusBoard(LongSupplier clockMs) {
    this.clockMs = clockMs;
    this.current = MonitorStatus.INITIAL.with(null, clockMs.getAsLong());
  }

  /** The latest snapshot. */
  public MonitorStatus current() {
    return current;
  }

  /**
   * Replaces the snapshot, its lag apart, and wakes the threads that wait for it.
   *
   * @param status with any lag, and any beginning of its phase
   */
  public void publish(MonitorStatus status) {
    lock.lock();
    try {
      boolean goesOn = status.phase() == current.phase();
      current = status.with(current.lag(), goesOn ? current.phaseSinceMs() : clockMs.getAsLong());
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
      current = current.with(lag, current.phaseSinceMs());
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
