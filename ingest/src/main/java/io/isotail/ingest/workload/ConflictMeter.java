package io.isotail.ingest.workload;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Counts pairs of transactions that were under way at the same time and came to the same register,
 * at least one of them to write it. Where there is none a database had nothing to isolate.
 * Thread-safe; costs a few steps for each session and operation.
 */
public final class ConflictMeter {
  private final Session[] sessions;
  private long pairs;

  /** What a session has under way. */
  private static final class Session {
    /** Whether it writes the register. */
    final Map<Integer, Boolean> touched = new HashMap<>();

    /** Number of the transaction; the first is 1, so that 0 stands for none. */
    long transaction = 1;

    /** Of each session, the transaction with which this one was counted, or 0. */
    final long[] counted;

    Session(int sessions) {
      this.counted = new long[sessions];
    }
  }

  /**
   * A meter that has counted nothing.
   *
   * @param sessions how many there are, numbered from 0
   */
  public ConflictMeter(int sessions) {
    this.sessions = new Session[sessions];
    for (int i = 0; i < sessions; i++) {
      this.sessions[i] = new Session(sessions);
    }
  }

  /** A session is about to read or write a register. */
  public synchronized void touch(int session, int key, boolean write) {
    Session own = sessions[session];
    own.touched.merge(key, write, Boolean::logicalOr);
    for (int i = 0; i < sessions.length; i++) {
      Session other = sessions[i];
      Boolean writes = i == session ? null : other.touched.get(key);
      if (writes != null && (write || writes) && own.counted[i] != other.transaction) {
        own.counted[i] = other.transaction;
        other.counted[session] = own.transaction;
        pairs++;
      }
    }
  }

  /** What a session had under way has ended, and it begins something else. */
  public synchronized void end(int session) {
    Session own = sessions[session];
    own.touched.clear();
    own.transaction++;
    Arrays.fill(own.counted, 0);
  }

  /** Pairs so far. */
  public synchronized long pairs() {
    return pairs;
  }
}
