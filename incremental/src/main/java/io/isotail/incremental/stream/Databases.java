package io.isotail.incremental.stream;

import io.isotail.incremental.record.SessionInfo;
import io.isotail.incremental.snapshot.StateReader;
import io.isotail.incremental.snapshot.StateWriter;
import it.unimi.dsi.fastutil.HashCommon;
import it.unimi.dsi.fastutil.longs.Long2IntLinkedOpenHashMap;

/**
 * The databases that the history has records of, by number. A history has one database as a rule;
 * it has another one once that was replaced, or was restored, under its name. Rows and ids of two
 * databases have nothing to do with each other, whichever of them a record is of and in whatever
 * order records arrive.
 *
 * <p>The first database is 0. Sessions that do not tell theirs are taken to be in it as long as no
 * other one is known, and to be each in one of its own from then on: it may be any of them.
 *
 * <p>Bound: {@value #MOST} databases; the one that came first is forgotten, and is another one if
 * it comes back.
 */
final class Databases {
  private static final int MOST = 1_000;
  private static final int NONE = -1;

  /** From here on up are the numbers of sessions that do not tell their database. */
  private static final int NOT_TOLD = 1 << 30;

  private final Long2IntLinkedOpenHashMap numbers = new Long2IntLinkedOpenHashMap();
  private int next;

  Databases() {
    numbers.defaultReturnValue(NONE);
  }

  /** Number of the database of a session. */
  int of(SessionInfo session) {
    return session.database() == SessionInfo.NO_DATABASE && next > 1
        ? NOT_TOLD | ((int) HashCommon.murmurHash3(session.id()) & (NOT_TOLD - 1))
        : of(session.database());
  }

  /** Number of the database of a proxy that begins. */
  int of(long database) {
    if (database == SessionInfo.NO_DATABASE) {
      return 0;
    }
    int known = numbers.get(database);
    if (known != NONE) {
      return known;
    }
    if (numbers.size() == MOST) {
      numbers.removeFirstInt();
    }
    numbers.put(database, next);
    return next++;
  }

  /** How many there were. */
  int count() {
    return next;
  }

  void save(StateWriter out) {
    out.number(next);
    out.count(numbers.size());
    for (var each : numbers.long2IntEntrySet()) {
      out.number(each.getLongKey());
      out.number(each.getIntValue());
    }
  }

  void load(StateReader in) {
    next = in.smallNumber();
    for (int n = in.count(); n > 0; n--) {
      numbers.put(in.number(), in.smallNumber());
    }
  }
}
