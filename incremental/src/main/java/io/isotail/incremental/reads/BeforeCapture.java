package io.isotail.incremental.reads;

import io.isotail.incremental.record.Hello;
import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.VersionKind;
import io.isotail.incremental.snapshot.StateReader;
import io.isotail.incremental.snapshot.StateWriter;
import io.isotail.incremental.window.Transaction;
import java.util.BitSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which versions that name their writers were written before capture began; a read of one returns
 * the initial version.
 *
 * <p><b>The horizon</b> H is the least id that the hellos of all proxies carry. Every transaction
 * with a lower id had ended before any captured transaction began. So whoever wrote a version of a
 * lower id is not captured, needs no waiting for, and comes before all captured transactions: its
 * version of a row is older than theirs, because a row's versions follow each other in time. Taking
 * all those writers together as the initial transaction keeps every order that has them first. Two
 * such versions of one key are both the initial one: an anomaly among their writers is missed, and
 * none is made up. Once a transaction comes from a proxy without such a hello, nothing is known of
 * who was captured when, and nothing is before capture.
 *
 * <p><b>Versions in between.</b> A writer with an id from H on may have ended before capture began
 * too, and before another writer of the same row with an id below H did; a replica that lags shows
 * the row as it was before. Such a version is not initial, and nobody stands for its writer either:
 * it is not known to come after the initial version. An id that is at least one that a captured
 * transaction wrote under was given out after capture had begun; see {@link #mayStandFor}.
 *
 * <p><b>32 bits.</b> A version holds the low 32 bits of an id, so ids are compared by how far after
 * H each was given out next: {@code (x - H) mod 2^32}. From {@code room} on that is so far that it
 * cannot have happened yet, and x is of before H: room is 2^31, or less where the low bits wrap
 * sooner, so that ids which were frozen long ago count too. All of this ends for good when a
 * captured write or a hello shows an id half the room or more after H. The rest of the room, at
 * least 2^29 ids, is for what the database may do between two such signs. With less room than 2^30
 * nothing is before capture from the start. The ids 1 and 2, which name nobody, are below every
 * other. Ids are compared within one database cluster and its physical replicas.
 *
 * <p><b>A horizon that sinks.</b> A hello may come late, with a lower id. What was taken for
 * initial may then have been written after, or by, a transaction of that proxy. So whatever lowers
 * or ends the horizon after it was used is a {@linkplain #revocations revocation}: the window must
 * be forgotten, before anything else is delivered.
 */
public final class BeforeCapture {
  private static final int MAX_PROXIES = 10_000;
  private static final long IDS = 1L << Integer.SIZE;
  private static final long MOST_ROOM = IDS / 2;
  private static final long LEAST_ROOM = IDS / 4;
  private static final long NONE = 0;

  private final VersionTable versions;
  private final Set<String> proxies = new LinkedHashSet<>();
  private long horizon = NONE;
  private boolean off;
  private boolean used;
  private long revocations;

  /** The least and the greatest id, of 64 bits, known to be given out since capture began. */
  private long leastWritten = Long.MAX_VALUE;

  private long latest;

  /** Nothing is known of any proxy. */
  public BeforeCapture(VersionTable versions) {
    this.versions = versions;
  }

  /** A proxy starts. */
  public void hello(Hello hello) {
    if (off) {
      return;
    }
    if (hello.oldestRunning() <= 0) {
      end();
      return;
    }
    proxies.add(hello.proxy());
    if (proxies.size() > MAX_PROXIES) {
      Iterator<String> oldest = proxies.iterator();
      oldest.next();
      oldest.remove();
    }
    latest = Math.max(latest, hello.oldestRunning());
    if (horizon == NONE || hello.oldestRunning() < horizon) {
      horizon = hello.oldestRunning();
      revoke();
    }
    if (room() < LEAST_ROOM) {
      end();
    }
    endIfSpent();
  }

  /** A record of a transaction that a proxy captured has arrived. */
  public void captured(@Nullable String proxy) {
    if (!off && (proxy == null || !proxies.contains(proxy))) {
      end();
    }
  }

  /**
   * A captured transaction has arrived whole: the ids that it wrote under, whatever its outcome.
   */
  public void arrived(Transaction transaction) {
    Operations ops = transaction.operations;
    if (off || !ops.anyNamesWriters()) {
      return;
    }
    for (int i = 0; i < ops.size() && !off; i++) {
      if (ops.kind(i) == OperationKind.WRITE
          && ops.versionKind(i) == VersionKind.KNOWN
          && ops.namesWriters(i)) {
        long id = horizon + distance(ops.version(i));
        leastWritten = Math.min(leastWritten, id);
        latest = Math.max(latest, id);
        endIfSpent();
      }
    }
  }

  /** Whether the id is one of before capture. */
  public boolean covers(long version) {
    return horizon != NONE
        && isId(version)
        && distance(version) >= room()
        && horizon + distance(version) - IDS > 0;
  }

  /**
   * Whether a transaction may stand for the writer of a version that nobody captured wrote: either
   * none of before capture is taken for initial, or this one is known to be later.
   */
  boolean mayStandFor(long version) {
    return off
        || (isId(version)
            && distance(version) < room()
            && horizon + distance(version) >= leastWritten);
  }

  /**
   * Whether the ids of all transactions since capture began fit into 32 bits, so that each version
   * from the horizon on has one writer at most among all transactions that there ever were.
   */
  boolean idsAreUnique() {
    return horizon != NONE && latest < IDS;
  }

  /**
   * Marks the reads of a committed transaction, about to be processed, that returned a version of
   * before capture. What it wrote itself before is left to the read-consistency axioms.
   */
  public void mark(Transaction reader) {
    if (horizon == NONE || !reader.operations.anyNamesWriters()) {
      return;
    }
    Operations ops = reader.operations;
    BitSet found = null;
    for (int i = 0; i < ops.size(); i++) {
      if (ops.kind(i) == OperationKind.READ
          && !ops.undone(i)
          && ops.versionKind(i) == VersionKind.KNOWN
          && ops.namesWriters(i)
          && covers(ops.version(i))
          && !isWrittenBefore(ops, i)
          && !versions.hasWriter(ops.key(i), ops.version(i))) {
        found = found == null ? new BitSet() : found;
        found.set(i);
      }
    }
    if (found != null) {
      reader.operations = ops.withBeforeCapture(found);
      used = true;
    }
  }

  /** How often the versions that were taken for initial were no longer certain to be. */
  public long revocations() {
    return revocations;
  }

  private static boolean isWrittenBefore(Operations ops, int read) {
    for (int i = 0; i < read; i++) {
      if (ops.isWrite(i) && ops.key(i) == ops.key(read)) {
        return true;
      }
    }
    return false;
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

  private void end() {
    off = true;
    horizon = NONE;
    proxies.clear();
    revoke();
  }

  private void revoke() {
    revocations += used ? 1 : 0;
    used = false;
  }

  /** Saves the horizon and the proxies that it holds for, the first one first. */
  public void save(StateWriter out) {
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
  public void load(StateReader in) {
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
