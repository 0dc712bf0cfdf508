package io.isotail.incremental.reads;

import io.isotail.incremental.snapshot.StateReader;
import io.isotail.incremental.snapshot.StateWriter;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which ids of one database are of before capture began.
 *
 * <p><b>The horizon</b> H is the least id that all proxies tell. Every transaction with a lower id
 * had ended before any captured transaction began. Once a transaction comes from a proxy that tells
 * none, nothing is known of who was captured when, and nothing is before capture.
 *
 * <p><b>32 bits.</b> A version holds the low 32 bits of an id, so ids are compared by how far after
 * H each was given out next: {@code (x - H) mod 2^32}. From {@code room} on that is so far that it
 * cannot have happened yet, and x is of before H: room is 2^31, or less where the low bits wrap
 * sooner, so that ids which were frozen long ago count too. All of this ends for good when a
 * captured write or a hello shows an id half the room or more after H. The rest of the room, at
 * least 2^29 ids, is for what the database may do between two such signs. With less room than 2^30
 * nothing is before capture from the start. The ids 1 and 2, which name nobody, are below every
 * other. Ids are compared within one database cluster and its physical replicas.
 */
final class IdHorizon {
  private static final int MAX_PROXIES = 10_000;
  private static final long IDS = 1L << Integer.SIZE;
  private static final long MOST_ROOM = IDS / 2;
  private static final long LEAST_ROOM = IDS / 4;
  private static final long NONE = 0;

  private final Set<String> proxies = new LinkedHashSet<>();
  private long horizon = NONE;
  private boolean off;
  private boolean used;
  private long revocations;

  /**
   * The least id, of 64 bits, from which on all transactions are known to end after those of before
   * capture had ended, and the greatest id that was seen.
   */
  private long leastWritten = Long.MAX_VALUE;

  private long latest;

  /** A proxy begins, and tells the least id of a transaction that runs; 0 or less for none. */
  void begins(String proxy, long oldestRunning) {
    if (off) {
      return;
    }
    if (oldestRunning <= 0) {
      end();
      return;
    }
    proxies.add(proxy);
    if (proxies.size() > MAX_PROXIES) {
      Iterator<String> oldest = proxies.iterator();
      oldest.next();
      oldest.remove();
    }
    latest = Math.max(latest, oldestRunning);
    if (horizon == NONE || oldestRunning < horizon) {
      horizon = oldestRunning;
      revoke();
    }
    if (room() < LEAST_ROOM) {
      end();
    }
    endIfSpent();
  }

  /**
   * Each transaction with this id, or a higher one, ends after all those of before capture had
   * ended; 0 or less if no such id is known. Its version of a row is later than theirs, because who
   * writes a row locks it until its end.
   */
  void endsLaterFrom(long id) {
    if (!off && id > 0) {
      leastWritten = Math.min(leastWritten, id);
      latest = Math.max(latest, id - 1);
      endIfSpent();
    }
  }

  /** Whether nothing new is told by a proxy that has begun so. */
  boolean knows(String proxy, long oldestRunning) {
    return off || (proxies.contains(proxy) && oldestRunning >= horizon);
  }

  /** Whether nothing is before capture, for good. */
  boolean isOff() {
    return off;
  }

  /** A record of a transaction that a proxy captured has arrived. */
  void captured(@Nullable String proxy) {
    if (!off && (proxy == null || !proxies.contains(proxy))) {
      end();
    }
  }

  /** A captured transaction wrote under an id. */
  void written(long version) {
    long id = horizon + distance(version);
    leastWritten = Math.min(leastWritten, id);
    latest = Math.max(latest, id);
    endIfSpent();
  }

  /** Whether the id is one of before capture. */
  boolean covers(long version) {
    return horizon != NONE
        && isId(version)
        && distance(version) >= room()
        && horizon + distance(version) - IDS > 0;
  }

  /** See {@link BeforeCapture#mayStandFor}. */
  boolean mayStandFor(long version) {
    return off
        || (isId(version)
            && distance(version) < room()
            && horizon + distance(version) >= leastWritten);
  }

  /** See {@link BeforeCapture#idsAreUnique}. */
  boolean idsAreUnique() {
    return horizon != NONE && latest < IDS;
  }

  /** A version was taken for one of before capture. */
  void use() {
    used = true;
  }

  /** How often the versions that were taken for initial were no longer certain to be. */
  long revocations() {
    return revocations;
  }

  /** From here on nothing is before capture. */
  private void end() {
    off = true;
    horizon = NONE;
    proxies.clear();
    revoke();
  }

  private static boolean isId(long version) {
    return version > 0 && version < IDS;
  }

  /** How many ids after the horizon this one is given out next. */
  private long distance(long version) {
    return Integer.toUnsignedLong((int) (version - horizon));
  }

  private long room() {
    return Math.min(MOST_ROOM, IDS - Integer.toUnsignedLong((int) horizon));
  }

  private void endIfSpent() {
    if (!off && latest - horizon >= room() / 2) {
      end();
    }
  }

  private void revoke() {
    revocations += used ? 1 : 0;
    used = false;
  }

  /** Saves the horizon and the proxies that it holds for, the first one first. */
  void save(StateWriter out) {
    out.count(proxies.size());
    proxies.forEach(out::text);
    out.number(horizon);
    out.flag(off);
    out.flag(used);
    out.number(revocations);
    out.number(leastWritten);
    out.number(latest);
  }

  /** Takes back what {@link #save} saved. */
  void load(StateReader in) {
    for (int n = in.count(); n > 0; n--) {
      proxies.add(in.requiredText());
    }
    horizon = in.number();
    off = in.flag();
    used = in.flag();
    revocations = in.number();
    leastWritten = in.number();
    latest = in.number();
  }
}
