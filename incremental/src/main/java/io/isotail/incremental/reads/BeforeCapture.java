package io.isotail.incremental.reads;

import io.isotail.incremental.record.Hello;
import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.SessionInfo;
import io.isotail.incremental.record.VersionKind;
import io.isotail.incremental.snapshot.StateReader;
import io.isotail.incremental.snapshot.StateWriter;
import io.isotail.incremental.window.Transaction;
import it.unimi.dsi.fastutil.ints.Int2ObjectLinkedOpenHashMap;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * Which versions that name their writers were written before capture began; a read of one returns
 * the initial version.
 *
 * <p>Each database of the history has an {@linkplain IdHorizon horizon} H of its own, which is told
 * by hellos and sessions. So whoever wrote a version of a lower id is not captured, needs no
 * waiting for, and comes before all captured transactions: its version of a row is older than
 * theirs, because a row's versions follow each other in time. Taking all those writers together as
 * the initial transaction keeps every order that has them first. Two such versions of one key are
 * both the initial one: an anomaly among their writers is missed, and none is made up.
 *
 * <p><b>Versions in between.</b> A writer with an id from H on may have ended before capture began
 * too, and before another writer of the same row with an id below H did; a replica that lags shows
 * the row as it was before. Such a version is not initial, and nobody stands for its writer either:
 * it is not known to come after the initial version. Not so where its id is at least one that a
 * captured transaction wrote under, or beyond all that had ended where a proxy asked, be it a
 * replica that lags; see {@link #mayStandFor}.
 *
 * <p><b>A horizon that sinks.</b> A hello may come late, with a lower id. What was taken for
 * initial may then have been written after, or by, a transaction of that proxy. So whatever lowers
 * or ends the horizon after it was used is a {@linkplain #revocations revocation}: the window must
 * be forgotten, before anything else is delivered.
 */
public final class BeforeCapture {
  /** Databases whose horizons are known; of further ones nothing is before capture. */
  private static final int MOST_DATABASES = 1_000;

  private final VersionTable versions;
  private final Int2ObjectLinkedOpenHashMap<IdHorizon> horizons =
      new Int2ObjectLinkedOpenHashMap<>();

  /** Nothing is known of any proxy. */
  public BeforeCapture(VersionTable versions) {
    this.versions = versions;
    horizons.put(0, new IdHorizon());
  }

  /**
   * A proxy starts.
   *
   * @param database number of the database that it tells of
   */
  public void hello(Hello hello, int database) {
    IdHorizon horizon = horizonOrNew(database);
    if (horizon != null) {
      horizon.begins(hello.proxy(), hello.oldestRunning());
      horizon.endsLaterFrom(hello.nextId());
    }
  }

  /**
   * A record of a transaction that a proxy captured has arrived.
   *
   * @param database number of its database
   */
  public void captured(SessionInfo session, int database) {
    String proxy = session.proxy();
    long oldest = session.oldestRunning();
    boolean tells = proxy != null && oldest > 0;
    IdHorizon horizon = tells ? horizonOrNew(database) : horizons.get(database);
    if (horizon == null) {
      return;
    }
    if (proxy != null && tells && !horizon.knows(proxy, oldest)) {
      horizon.begins(proxy, oldest);
    }
    horizon.captured(proxy);
  }

  private @Nullable IdHorizon horizonOrNew(int database) {
    IdHorizon horizon = horizons.get(database);
    if (horizon == null && horizons.size() < MOST_DATABASES) {
      horizon = new IdHorizon();
      horizons.put(database, horizon);
    }
    return horizon;
  }

  /**
   * A captured transaction has arrived whole: the ids that it wrote under, whatever its outcome.
   */
  public void arrived(Transaction transaction) {
    Operations ops = transaction.operations;
    IdHorizon horizon = horizons.get(ops.database());
    if (horizon == null || horizon.isOff() || !ops.anyNamesWriters()) {
      return;
    }
    for (int i = 0; i < ops.size() && !horizon.isOff(); i++) {
      if (ops.kind(i) == OperationKind.WRITE
          && ops.versionKind(i) == VersionKind.KNOWN
          && ops.namesWriters(i)) {
        horizon.written(ops.plainVersion(i));
      }
    }
  }

  /** Whether operation {@code i} has a version of before capture. */
  public boolean covers(Operations ops, int i) {
    IdHorizon horizon = horizons.get(ops.database());
    return horizon != null && horizon.covers(ops.plainVersion(i));
  }

  /**
   * Whether a transaction may stand for the writer of the version of operation {@code i} if nobody
   * captured wrote it: either none of before capture is taken for initial, or this one is known to
   * be later.
   */
  boolean mayStandFor(Operations ops, int i) {
    IdHorizon horizon = horizons.get(ops.database());
    return horizon == null || horizon.mayStandFor(ops.plainVersion(i));
  }

  /**
   * Whether the ids of all transactions since capture began fit into 32 bits, so that each version
   * from the horizon on has one writer at most among all transactions that there ever were.
   *
   * @param ops operations of the database that is asked about
   */
  boolean idsAreUnique(Operations ops) {
    IdHorizon horizon = horizons.get(ops.database());
    return horizon != null && horizon.idsAreUnique();
  }

  /**
   * Marks the reads of a committed transaction, about to be processed, that returned a version of
   * before capture. What it wrote itself before is left to the read-consistency axioms.
   */
  public void mark(Transaction reader) {
    Operations ops = reader.operations;
    IdHorizon horizon = horizons.get(ops.database());
    if (horizon == null || !ops.anyNamesWriters()) {
      return;
    }
    BitSet found = null;
    for (int i = 0; i < ops.size(); i++) {
      if (ops.kind(i) == OperationKind.READ
          && !ops.undone(i)
          && ops.versionKind(i) == VersionKind.KNOWN
          && ops.namesWriters(i)
          && horizon.covers(ops.plainVersion(i))
          && !reader.isWrittenBefore(i)
          && !versions.hasWriter(ops.key(i), ops.version(i))) {
        found = found == null ? new BitSet() : found;
        found.set(i);
      }
    }
    if (found != null) {
      reader.changed();
      reader.operations = ops.withInitial(found);
      horizon.use();
    }
  }

  /** How often the versions that were taken for initial were no longer certain to be. */
  public long revocations() {
    long sum = 0;
    for (IdHorizon horizon : horizons.values()) {
      sum += horizon.revocations();
    }
    return sum;
  }

  /** Saves the horizon of each database. */
  public void save(StateWriter out) {
    out.count(horizons.size());
    for (var each : horizons.int2ObjectEntrySet()) {
      out.number(each.getIntKey());
      each.getValue().save(out);
    }
  }

  /** Takes back what {@link #save} saved. */
  public void load(StateReader in) {
    horizons.clear();
    for (int n = in.count(); n > 0; n--) {
      int database = in.smallNumber();
      IdHorizon horizon = new IdHorizon();
      horizon.load(in);
      horizons.put(database, horizon);
    }
  }
}
