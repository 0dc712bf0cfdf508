package io.isotail.incremental.judge;

import io.isotail.incremental.anomaly.Proof;
import io.isotail.incremental.level.IsolationLevel;
import java.util.HashMap;
import java.util.Map;

/**
 * An order of the begins and commits of a capsule's transactions, which shows that they satisfy a
 * level: {@code 2t} stands for the begin of transaction {@code t}, {@code 2t + 1} for its commit.
 *
 * <p>It is checked by running it on an idealised database: a transaction reads all that it reads
 * from others as it begins, and its writes appear as it commits; every read returns what the last
 * commit left. Under snapshot isolation no two transactions that write the same key are under way
 * together; from serializable on nothing comes between a begin and its commit.
 */
final class Schedule {
  private final Facts facts;
  private final IsolationLevel level;
  private final boolean[] begun;
  private final boolean[] committed;
  private final Map<Long, Integer> latest = new HashMap<>();

  private Schedule(Facts facts, IsolationLevel level) {
    this.facts = facts;
    this.level = level;
    this.begun = new boolean[facts.n];
    this.committed = new boolean[facts.n];
  }

  /** Whether the events are those of all committed transactions, and run as the level asks. */
  static boolean runs(int[] events, Facts facts, IsolationLevel level) {
    return new Schedule(facts, level).runs(events);
  }

  private boolean runs(int[] events) {
    if (facts.badRead() != null) {
      return false;
    }
    int last = -1;
    for (int event : events) {
      int t = event >> 1;
      boolean commits = (event & 1) == 1;
      boolean atOnce = !Events.areTwo(level) && commits && last != event - 1;
      if (!facts.isCommitted(t) || atOnce || !(commits ? commit(t) : begin(t))) {
        return false;
      }
      last = event;
    }
    for (int t = 0; t < facts.n; t++) {
      if (committed[t] != facts.isCommitted(t)) {
        return false;
      }
    }
    return true;
  }

  private boolean begin(int t) {
    if (begun[t]) {
      return false;
    }
    begun[t] = true;
    for (Facts.Read read : facts.reads.get(t)) {
      if (!isThere(read)) {
        return false;
      }
    }
    for (Facts.Read read : facts.ofOutsiders) {
      for (int other = 0; other < facts.n && read.reader() == t; other++) {
        boolean serializable = level.atLeast(IsolationLevel.SERIALIZABLE);
        if (serializable && committed[other] && facts.overwritesOutsider(other, read)) {
          return false;
        }
      }
    }
    for (int other = 0; other < facts.n; other++) {
      boolean waits =
          facts.sessionOrder(other, t)
              || (level == IsolationLevel.STRICT_SERIALIZABLE && facts.realTime(other, t))
              || (level == IsolationLevel.SNAPSHOT_ISOLATION
                  && other != t
                  && begun[other]
                  && !facts.commonKeys(other, t).isEmpty());
      if (waits && !committed[other]) {
        return false;
      }
    }
    return true;
  }

  private boolean isThere(Facts.Read read) {
    return read.ofVersion()
        ? latest.getOrDefault(read.key(), Proof.INITIAL) == read.writer() || mayBeHidden(read)
        : committed[read.writer()];
  }

  /** Whether an outsider may have written the version back that was read, over all later ones. */
  private boolean mayBeHidden(Facts.Read read) {
    boolean written = read.writer() == Proof.INITIAL || committed[read.writer()];
    for (int t = 0; t < facts.n && written; t++) {
      boolean later = t != read.writer() && t != read.reader() && committed[t];
      written = !(later && facts.writes(t, read.key()) && facts.precedesOverwriter(read, t, level));
    }
    return written;
  }

  /** Its versions succeed what lists show them to succeed, and no other version stands there. */
  private boolean commit(int t) {
    if (!begun[t] || committed[t]) {
      return false;
    }
    committed[t] = true;
    for (Facts.Shown shown : facts.shown) {
      boolean overwrites =
          facts.writes(t, shown.key())
              && latest.getOrDefault(shown.key(), Proof.INITIAL) == shown.earlier();
      if (overwrites != (shown.later() == t)) {
        return false;
      }
    }
    for (long key : facts.written(t)) {
      latest.put(key, t);
    }
    return true;
  }
}
