package io.isotail.incremental.polygraph;

import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.record.Times;
import io.isotail.incremental.snapshot.StateReader;
import io.isotail.incremental.snapshot.StateWriter;
import it.unimi.dsi.fastutil.objects.Object2LongLinkedOpenHashMap;
import it.unimi.dsi.fastutil.objects.Object2LongMap;

/**
 * When the last of the transactions that have left the graph began, by each clock. One that is
 * added later and ended before that came before it in real time, and nothing tells the graph.
 */
final class LatestBegins {
  /** Clocks that are told apart; beyond it the one that came first is lumped with others. */
  private static final int MOST_CLOCKS = 65_536;

  private final Object2LongLinkedOpenHashMap<String> byClock = new Object2LongLinkedOpenHashMap<>();
  private long ofOtherClocks = Long.MIN_VALUE;
  private long ofAll = Long.MIN_VALUE;

  /** A transaction has left. */
  void note(Times times) {
    String clock = times.clock();
    if (clock == null || !times.orderable()) {
      return;
    }
    ofAll = Math.max(ofAll, times.beginNs());
    byClock.mergeLong(clock, times.beginNs(), Math::max);
    if (byClock.size() > MOST_CLOCKS) {
      ofOtherClocks = Math.max(ofOtherClocks, byClock.removeFirstLong());
    }
  }

  /** Whether one with these times may have ended before one that has left began. */
  boolean mayFollow(Times times, long uncertaintyNs) {
    if (!times.hasEnd()) {
      return false;
    }
    long sameClock = byClock.getOrDefault((Object) times.clock(), ofOtherClocks);
    boolean compared = uncertaintyNs != CheckerConfig.NEVER_COMPARED;
    return times.endNs() < sameClock
        || (compared && times.endNs() < Times.less(ofAll, uncertaintyNs));
  }

  void save(StateWriter out) {
    out.number(ofAll);
    out.number(ofOtherClocks);
    out.count(byClock.size());
    for (Object2LongMap.Entry<String> each : byClock.object2LongEntrySet()) {
      out.text(each.getKey());
      out.number(each.getLongValue());
    }
  }

  void load(StateReader in) {
    ofAll = in.number();
    ofOtherClocks = in.number();
    for (int n = in.count(); n > 0; n--) {
      byClock.put(in.requiredText(), in.number());
    }
  }
}
