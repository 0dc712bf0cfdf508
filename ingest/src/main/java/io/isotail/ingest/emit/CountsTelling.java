package io.isotail.ingest.emit;

import io.isotail.incremental.record.CaptureCounts;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * Which counts the next heartbeat carries: those of one source, and none while the last ones are
 * fresh. Counts are told until a heartbeat with them was acknowledged; one that reached the log all
 * the same is counted twice. Owned by the sender's thread, but for {@link #add} and {@link
 * #acknowledged}.
 */
final class CountsTelling {
  /** With texts of this many statements a heartbeat stays far below what a broker takes. */
  static final int MOST_KINDS = 50;

  /** Readers need not know at once, and texts are long. */
  static final long PAUSE_NS = 1_000_000_000L;

  private final List<CountsSource> sources = new CopyOnWriteArrayList<>();
  private @Nullable CountsSource telling;
  private volatile boolean acknowledged;
  private int turn;
  private long nextNs;
  private boolean began;

  /** Another source of counts. */
  void add(CountsSource source) {
    sources.add(source);
  }

  /** The heartbeat with the last counts was acknowledged. */
  void acknowledged() {
    acknowledged = true;
  }

  /**
   * The counts for a heartbeat; every earlier heartbeat was acknowledged or given up.
   *
   * @param last whether they are told however fresh the last ones are
   */
  @Nullable CaptureCounts next(long nowNs, boolean last) {
    settle();
    if (began && !last && nowNs - nextNs < 0) {
      return null;
    }
    for (int tried = 0; tried < sources.size(); tried++) {
      CountsSource source = sources.get(Math.floorMod(turn++, sources.size()));
      CaptureCounts counts = source.untold(MOST_KINDS);
      if (counts != null) {
        telling = source;
        began = true;
        nextNs = nowNs + PAUSE_NS;
        return counts;
      }
    }
    return null;
  }

  private void settle() {
    if (telling != null && acknowledged) {
      telling.told();
    }
    telling = null;
    acknowledged = false;
  }
}
