package io.isotail.monitor.pipeline;

import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.record.Control;
import io.isotail.monitor.config.Shedding;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * While checking is behind, lets histories be checked up to a weaker level, as each is configured,
 * and to all of them again when it has kept up for a time.
 *
 * <p>It says so in the log of the history, and the checker follows when it reads that: so every
 * reader of the log decides alike, and the change comes into force only after what lies before it
 * is checked. Owned by the pipeline's thread.
 */
final class LoadShedding {
  private static final Logger log = LoggerFactory.getLogger(LoadShedding.class);

  /** With less lag than this checking keeps up. */
  private static final double KEEPS_UP_SECONDS = 1;

  private static final long RETRY_NS = TimeUnit.SECONDS.toNanos(5);
  private static final long UNDER_WAY = Long.MAX_VALUE;

  private final Map<String, Request> requests = new HashMap<>();
  private long behindNs;

  /** What was last asked for a history; the offset is of its record. */
  private record Request(long atNs, AtomicLong offset) {}

  /** Begins without lag. */
  LoadShedding(long nowNs) {
    behindNs = nowNs;
  }

  /** Compares the lag with what each history allows. */
  void tick(long nowNs, double lagSeconds, Collection<Shard> shards, ControlLog control) {
    if (lagSeconds >= KEEPS_UP_SECONDS) {
      behindNs = nowNs;
    }
    for (Shard shard : shards) {
      for (HistoryWorker worker : shard.replaying() ? List.<HistoryWorker>of() : shard.workers()) {
        consider(worker, shard, nowNs, lagSeconds, control);
      }
    }
  }

  private void consider(
      HistoryWorker worker, Shard shard, long nowNs, double lagSeconds, ControlLog control) {
    Shedding shedding = worker.config().shedding();
    IsolationLevel to = shedding.to();
    if (to == null || worker.failure() != null || isUnderWay(worker, shard, nowNs)) {
      return;
    }
    IsolationLevel strongest = worker.config().strongest();
    boolean sheds = !worker.checked().atLeast(strongest);
    long keptUpMs = TimeUnit.NANOSECONDS.toMillis(nowNs - behindNs);
    if (!sheds && lagSeconds * 1e3 >= shedding.afterMs()) {
      log.warn(
          "history {}: {} s behind; from the end of the log on only levels up to {} are checked",
          worker.history(),
          Math.round(lagSeconds),
          to.label());
      ask(worker.history(), shard.partition(), to, nowNs, control);
    } else if (sheds && keptUpMs >= shedding.recoverMs()) {
      log.info(
          "history {}: kept up for {} s; levels up to {} are checked again",
          worker.history(),
          keptUpMs / 1_000,
          strongest.label());
      ask(worker.history(), shard.partition(), strongest, nowNs, control);
    }
  }

  /** Whether what was asked has not been read yet. */
  private boolean isUnderWay(HistoryWorker worker, Shard shard, long nowNs) {
    Request request = requests.get(worker.history());
    if (request == null) {
      return false;
    }
    long offset = request.offset().get();
    return offset == ControlLog.NOT_WRITTEN
        ? nowNs - request.atNs() < RETRY_NS
        : shard.position() <= offset;
  }

  private void ask(
      String history, int partition, IsolationLevel level, long nowNs, ControlLog control) {
    Request request = new Request(nowNs, new AtomicLong(UNDER_WAY));
    requests.put(history, request);
    control.write(
        partition,
        history,
        new Control(Map.of(Control.LEVEL, level.label())),
        request.offset()::set);
  }
}
