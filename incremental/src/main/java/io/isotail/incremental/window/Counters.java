package io.isotail.incremental.window;

import io.isotail.incremental.snapshot.StateReader;
import io.isotail.incremental.snapshot.StateWriter;

/** Counters of one checker; each only grows. */
public final class Counters {
  public long sessions;
  public long transactions;
  public long aborted;
  public long unknown;
  public long operations;
  public long reads;

  /** Reads whose writer was captured, is the initial one, or wrote before capture began. */
  public long readsDecided;

  /** Those among the decided ones that returned a version of before capture. */
  public long readsBeforeCapture;

  /** Reads, none of them among the decided ones, from transactions that nobody captured. */
  public long readsForeign;

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

  /** Versions of which several transactions say that they replaced them, or several wrote. */
  public long replacedTwice;

  /** Records known to be lost: a loss is usually both announced and seen as a hole. */
  public long lostRecords() {
    return Math.max(lostAnnounced, lostHoles);
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
    out.number(readsBeforeCapture);
    out.number(readsForeign);
    out.number(occurrences);
    out.number(edgesInferred);
    out.number(edgesDropped);
    out.number(truncated);
    out.number(duplicateRecords);
    out.number(lostAnnounced);
    out.number(lostHoles);
    out.number(badRecords);
    out.number(silentProxies);
    out.number(replacedTwice);
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
    readsBeforeCapture = in.number();
    readsForeign = in.number();
    occurrences = in.number();
    edgesInferred = in.number();
    edgesDropped = in.number();
    truncated = in.number();
    duplicateRecords = in.number();
    lostAnnounced = in.number();
    lostHoles = in.number();
    badRecords = in.number();
    silentProxies = in.number();
    replacedTwice = in.number();
  }
}
