package io.isotail.incremental.changes;

import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.incremental.record.VersionKind;
import io.isotail.incremental.snapshot.StateReader;
import io.isotail.incremental.snapshot.StateWriter;
import it.unimi.dsi.fastutil.ints.IntLinkedOpenHashSet;
import it.unimi.dsi.fastutil.longs.Long2IntOpenHashMap;
import it.unimi.dsi.fastutil.longs.Long2LongOpenHashMap;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import it.unimi.dsi.fastutil.objects.Object2IntOpenHashMap;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What a captured transaction, or the last part of one, tells of the transaction of the log that it
 * is, where rows show the ids that they were written under.
 *
 * <p>It is the one of the log whose id is among those that it has shown, or that has removed a row
 * of the very version which it has removed. It may have shown ids of its parts alone; then it is
 * one that has changed all the rows that it names, and has a lower id.
 */
final class Claim {
  /** Instead of a statement's place: there is none. */
  private static final int NONE = -1;

  /** The ids that it has written under, as versions. */
  final IntLinkedOpenHashSet ids = new IntLinkedOpenHashSet();

  /** The rows that it has written or removed. */
  final LongOpenHashSet rows = new LongOpenHashSet();

  /** Of those that it has left, the ids that they show, as of a {@link LoggedRow}. */
  final Long2LongOpenHashMap shown = new Long2LongOpenHashMap();

  /** Of the rows that it has removed for good, the ids that they showed, as versions. */
  final Long2LongOpenHashMap removed = new Long2LongOpenHashMap();

  /** Whether it may have changed other rows, too. */
  final boolean any;

  /** Whether the transaction was handed on, without what the log may tell of it later. */
  boolean handedOn;

  /** Whether the server has told its id. */
  final boolean exact;

  /**
   * A claim.
   *
   * @param told its id as the server has told it, as a version; 0 if it has not
   * @param ofParts id that an earlier part has shown; 0 for none
   */
  Claim(TransactionRecord transaction, int told, int ofParts) {
    Operations ops = transaction.operations();
    exact = told != 0;
    if (exact) {
      ids.add(told);
    } else if (ofParts != 0) {
      ids.add(ofParts);
    }
    boolean others = transaction.chunk() > 0;
    Object2IntOpenHashMap<@Nullable String> opaque = new Object2IntOpenHashMap<>();
    opaque.defaultReturnValue(NONE);
    Long2IntOpenHashMap named = new Long2IntOpenHashMap();
    Long2IntOpenHashMap unnamed = new Long2IntOpenHashMap();
    unnamed.defaultReturnValue(NONE);
    for (int i = 0; i < ops.size(); i++) {
      OperationKind kind = ops.kind(i);
      if (kind == OperationKind.OPAQUE) {
        others |= !ops.undone(i);
        if (!ops.undone(i)) {
          removed.clear(); // It may have written these rows again.
        }
        opaque.put(ops.statement(i).table(), i);
      } else if (kind == OperationKind.WRITE || kind == OperationKind.DELETE) {
        if (isNamed(ops, i) && !exact) {
          ids.add((int) ops.version(i));
        }
        if (!ops.undone(i)) {
          rows.add(ops.key(i));
          removed.remove(ops.key(i));
          (isNamed(ops, i) ? named : unnamed).put(ops.key(i), i);
          boolean certain = !exact && transaction.outcome() == Outcome.COMMITTED;
          if (certain && kind == OperationKind.DELETE && isRead(ops, i - 1, ops.key(i))) {
            removed.put(ops.key(i), ops.version(i - 1));
          }
        }
      }
    }
    any = others;
    int anyTable = opaque.getInt(null);
    named.forEach(
        (key, place) -> {
          int any = Math.max(anyTable, opaque.getInt(ops.statement(place).table()));
          int behind = Math.max(any, unnamed.get(key));
          shown.put(
              key, behind < place ? ops.version(place) : LoggedRow.uncertain(ops.version(place)));
        });
  }

  private Claim(boolean any, boolean exact) {
    this.any = any;
    this.exact = exact;
  }

  void save(StateWriter out) {
    out.flag(any);
    out.flag(exact);
    out.flag(handedOn);
    out.count(ids.size());
    ids.forEach(out::number);
    long[] all = rows.toLongArray();
    Arrays.sort(all);
    out.numbers(all);
    long[] keys = shown.keySet().toLongArray();
    Arrays.sort(keys);
    out.numbers(keys);
    for (long key : keys) {
      out.number(shown.get(key));
    }
    long[] gone = removed.keySet().toLongArray();
    Arrays.sort(gone);
    out.numbers(gone);
    for (long key : gone) {
      out.number(removed.get(key));
    }
  }

  static Claim load(StateReader in) {
    Claim claim = new Claim(in.flag(), in.flag());
    claim.handedOn = in.flag();
    for (int n = in.count(); n > 0; n--) {
      claim.ids.add((int) in.number());
    }
    for (long row : in.numbers()) {
      claim.rows.add(row);
    }
    for (long key : in.numbers()) {
      claim.shown.put(key, in.number());
    }
    for (long key : in.numbers()) {
      claim.removed.put(key, in.number());
    }
    return claim;
  }

  /** Whether an operation is a write that tells the id that it was done under. */
  static boolean isNamed(Operations ops, int i) {
    return ops.kind(i) == OperationKind.WRITE
        && ops.versionKind(i) == VersionKind.KNOWN
        && ops.namesWriters(i);
  }

  /** Whether an operation is a read of a row that tells which version it was. */
  private static boolean isRead(Operations ops, int i, long key) {
    return i >= 0
        && ops.kind(i) == OperationKind.READ
        && ops.key(i) == key
        && ops.readsKnown(i)
        && ops.namesWriters(i);
  }

  /** Whether it may be any transaction of the log. */
  boolean isAny() {
    return any && ids.isEmpty();
  }

  boolean isEmpty() {
    return !any && ids.isEmpty() && rows.isEmpty();
  }

  /** Whether it may be a transaction of the log whose id it has not shown. */
  boolean mayBe(LoggedTransaction logged) {
    if (exact) {
      return false;
    }
    for (int id : ids) {
      if (id - (int) logged.writer < 0) {
        return false; // A part begins after its transaction.
      }
    }
    if (any) {
      return true;
    }
    for (long row : rows) {
      if (logged.rows.containsKey(row)) {
        return true; // Of the others the log perhaps does not tell.
      }
    }
    return false;
  }
}
