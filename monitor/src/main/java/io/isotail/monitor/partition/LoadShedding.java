package io.isotail.monitor.partition;

import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.record.Control;
import io.isotail.monitor.config.Shedding;
import io.isotail.monitor.publish.ControlLog;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntToDoubleFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * While checking cannot keep up, lets histories be checked up to a weaker level, as each is
 * configured, and to all of them again when it has kept up for a time. A backlog that shrinks, as
 * after a restart, is no reason: it will be worked off.
 *
 * <p>It says so in the log of the history, and the checker follows when it reads that: so every
 * reader of the log decides alike, and the change comes into force only after what lies before it
 * is checked. Owned by the pipeline's thread.
 */
public final class LoadShedding {
  private static final Logger log = LoggerFactory.getLogger(LoadShedding.class);

  /** With less lag than this, or than a third of what a history allows, checking keeps up. */
  private static final double KEEPS_UP_MS = 1_000;

  /** Without a look for so long, and not for checking, nobody knows what the lag was. */
  private static final long BLIND_NS = TimeUnit.SECONDS.toNanos(2);

  private static final long RETRY_NS = TimeUnit.SECONDS.toNanos(5);
  private static final long MOST_RETRY_NS = TimeUnit.MINUTES.toNanos(5);
  private static final long UNDER_WAY = Long.MAX_VALUE;

  private final Map<String, Watched> watched = new HashMap<>();
  private long lastNs;
  private long lastBusyNs;

  /** What is known of one history. */
  private static final class Watched {
    /** Since when it keeps up. */
    private long keepsUpNs;

    /** Since when it has been too far behind, with this lag; not while {@code over} is false. */
    private boolean over;

    private long overNs;
    private double overMs;

    /** The offset of what was asked last, or that it is under way or was not written. */
    private final AtomicLong asked = new AtomicLong(0);

    private long askedNs;
    private long retryNs = RETRY_NS;

    private Watched(long nowNs) {
      begin(nowNs);
    }

    /** Forgets what the lag was; what was asked stays asked. */
    private void begin(long nowNs) {
      keepsUpNs = nowNs;
      over = false;
    }
  }

  /** Begins without lag. */
  public LoadShedding(long nowNs) {
    lastNs = nowNs;
  }

  /**
   * Compares the lag with what each history allows; called several times a second, or between two
   * batches of records that take longer to check.
   *
   * @param busyNs how long this process has checked so far
   * @param lagSeconds of a partition
   */
  public void tick(
      long nowNs,
      long busyNs,
      IntToDoubleFunction lagSeconds,
      Collection<PartitionTask> assigned,
      ControlLog control) {
    if (nowNs - lastNs - (busyNs - lastBusyNs) >= BLIND_NS) {
      watched.values().forEach(history -> history.begin(nowNs));
    }
    lastNs = nowNs;
    lastBusyNs = busyNs;
    for (PartitionTask task : assigned) {
      double lagMs = lagSeconds.applyAsDouble(task.partition()) * 1e3;
      for (HistoryWorker worker : task.replaying() ? List.<HistoryWorker>of() : task.workers()) {
        if (worker.failure() == null) {
          consider(worker, task, nowNs, lagMs, control);
        }
      }
    }
  }

  private void consider(
      HistoryWorker worker, PartitionTask task, long nowNs, double lagMs, ControlLog control) {
    Shedding shedding = worker.config().shedding();
    IsolationLevel to = shedding.to();
    if (to == null || !shedding.obey()) {
      watched.remove(worker.history());
      return;
    }
    Watched history = watched.computeIfAbsent(worker.history(), h -> new Watched(nowNs));
    if (lagMs >= Math.max(KEEPS_UP_MS, shedding.afterMs() / 3.0)) {
      history.keepsUpNs = nowNs;
    }
    boolean growing = growing(history, shedding, nowNs, lagMs);
    if (isUnderWay(history, task, nowNs)) {
      return;
    }
    IsolationLevel strongest = worker.config().checker().strongest();
    IsolationLevel checked = worker.checked();
    long keptUpMs = TimeUnit.NANOSECONDS.toMillis(nowNs - history.keepsUpNs);
    if (growing && checked.compareTo(to) > 0) {
      log.warn(
          "history {}: {} s behind and not catching up; asks to check no more than {}",
          worker.history(),
          Math.round(lagMs / 1e3),
          to.label());
      ask(history, worker.history(), task.partition(), to, nowNs, control);
    } else if (!checked.atLeast(strongest) && keptUpMs >= shedding.recoverMs()) {
      log.info(
          "history {}: kept up for {} s; asks to check up to {} again",
          worker.history(),
          keptUpMs / 1_000,
          strongest.label());
      ask(history, worker.history(), task.partition(), strongest, nowNs, control);
    }
  }

  /** Whether it has been too far behind for as long as that, and is as far behind as before. */
  private static boolean growing(Watched history, Shedding shedding, long nowNs, double lagMs) {
    if (lagMs < shedding.afterMs()) {
      history.over = false;
      return false;
    }
    boolean longEnough =
        history.over && nowNs - history.overNs >= TimeUnit.MILLISECONDS.toNanos(shedding.afterMs());
    boolean growing = longEnough && lagMs >= history.overMs;
    if (!history.over || (longEnough && !growing)) {
      history.over = true;
      history.overNs = nowNs;
      history.overMs = lagMs;
    }
    return growing;
  }

  /** Whether what was asked has not been read yet. */
  private static boolean isUnderWay(Watched history, PartitionTask task, long nowNs) {
    long offset = history.asked.get();
    if (offset == ControlLog.NOT_WRITTEN) {
      return nowNs - history.askedNs < history.retryNs;
    }
    return history.askedNs != 0 && task.position() <= offset;
  }

  private static void ask(
      Watched history,
      String name,
      int partition,
      IsolationLevel level,
      long nowNs,
      ControlLog control) {
    boolean again = history.asked.get() == ControlLog.NOT_WRITTEN;
    history.retryNs = again ? Math.min(MOST_RETRY_NS, 2 * history.retryNs) : RETRY_NS;
    history.askedNs = nowNs;
    history.asked.set(UNDER_WAY);
    Control record = new Control(Map.of(Control.LEVEL, level.label()));
    control.write(partition, name, record, history.asked::set);
  }
}
