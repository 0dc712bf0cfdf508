package io.isotail.incremental.window;

import io.isotail.incremental.anomaly.UndecidedReason;
import io.isotail.incremental.state.StateReader;
import io.isotail.incremental.state.StateWriter;
import java.util.EnumMap;
import java.util.Map;

/** Counters of one checker; each only grows. */
public final class Counters {
  public long sessions;
  public long transactions;
  public long aborted;
  public long unknown;
  public long operations;
  public long reads;
  public long readsDecided;
  public long occurrences;
  public long edgesInferred;
  public long edgesDropped;
  public long truncated;
  public long duplicateRecords;

  /** Lost records that gap records announced. */
  public long lostAnnounced;

  /** Lost records seen by the holes in the sessions' sequence numbers. */
  public long lostHoles;

  public long badRecords;
  public long silentProxies;
  private final long[] undecided = new long[UndecidedReason.values().length];

  /** Records known to be lost: a loss is usually both announced and seen as a hole. */
  public long lostRecords() {
    return Math.max(lostAnnounced, lostHoles);
  }

  /** Something could not be decided. */
  public void undecided(UndecidedReason reason) {
    undecided[reason.ordinal()]++;
  }

  /** Whether anything could not be decided. */
  public boolean anyUndecided() {
    for (long count : undecided) {
      if (count > 0) {
        return true;
      }
    }
    return false;
  }

  /** Counts of the reasons that occurred. */
  public Map<UndecidedReason, Long> undecided() {
    Map<UndecidedReason, Long> counts = new EnumMap<>(UndecidedReason.class);
    for (UndecidedReason reason : UndecidedReason.values()) {
      if (undecided[reason.ordinal()] > 0) {
        counts.put(reason, undecided[reason.ordinal()]);
      }
    }
    return counts;
  }

  /** Saves every counter. */
  public void save(StateWriter out) {
    out.number(sessions);
    out.number(transactions);
    out.number(aborted);
    out.number(unknown);
    out.number(operations);
    out.number(reads);
    out.number(readsDecided);
    out.number(occurrences);
    out.number(edgesInferred);
    out.number(edgesDropped);
    out.number(truncated);
    out.number(duplicateRecords);
    out.number(lostAnnounced);
    out.number(lostHoles);
    out.number(badRecords);
    out.number(silentProxies);
    Map<UndecidedReason, Long> counts = undecided();
    out.count(counts.size());
    counts.forEach(
        (reason, count) -> {
          out.constant(reason);
          out.number(count);
        });
  }

  /** Takes back what {@link #save} saved. */
  public void load(StateReader in) {
    sessions = in.number();
    transactions = in.number();
    aborted = in.number();
    unknown = in.number();
    operations = in.number();
    reads = in.number();
    readsDecided = in.number();
    occurrences = in.number();
    edgesInferred = in.number();
    edgesDropped = in.number();
    truncated = in.number();
    duplicateRecords = in.number();
    lostAnnounced = in.number();
    lostHoles = in.number();
    badRecords = in.number();
    silentProxies = in.number();
    int reasons = in.count();
    for (int i = 0; i < reasons; i++) {
      undecided[in.constant(UndecidedReason.class).ordinal()] = in.number();
    }
  }
}
