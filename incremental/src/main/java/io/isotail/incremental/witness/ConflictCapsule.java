package io.isotail.incremental.witness;

import io.isotail.incremental.anomaly.CapsuleTransaction;
import io.isotail.incremental.anomaly.EdgeKind;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.polygraph.Conflict;
import io.isotail.incremental.polygraph.Dependency;
import io.isotail.incremental.polygraph.ListRead;
import io.isotail.incremental.polygraph.Overwriting;
import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.window.Transaction;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import java.util.BitSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The transactions that the cycles of a conflict rest on, cut to the keys that they are about. */
final class ConflictCapsule {
  private final IsolationLevel level;
  private final Set<Transaction> needed = new LinkedHashSet<>();
  private final LongOpenHashSet keys = new LongOpenHashSet();

  /** Keys of which versions by outsiders were read. */
  private final LongOpenHashSet outsiders = new LongOpenHashSet();

  private final LongOpenHashSet listed = new LongOpenHashSet();
  private final Set<ListRead> lists = new HashSet<>();

  private ConflictCapsule(IsolationLevel level) {
    this.level = level;
  }

  /** What may prove the conflict; empty if that takes too many transactions. */
  static List<CapsuleTransaction> of(Conflict conflict, IsolationLevel level) {
    ConflictCapsule capsule = new ConflictCapsule(level);
    conflict.cycles().forEach(cycle -> cycle.forEach(capsule::add));
    return capsule.needed.size() > Capsule.MAX_TRANSACTIONS ? List.of() : capsule.cut();
  }

  private void add(Dependency dependency) {
    needed.add(dependency.first());
    needed.add(dependency.later());
    if (dependency.source() != Transaction.INITIAL && dependency.source() != Transaction.OUTSIDER) {
      needed.add(dependency.source());
    }
    if (dependency.source() == Transaction.OUTSIDER) {
      outsiders.add(dependency.key());
    }
    if (dependency.kind() == EdgeKind.RW && level.atLeast(IsolationLevel.SERIALIZABLE)) {
      needed.addAll(Overwriting.writersBack(dependency, level));
    }
    for (ListRead list : dependency.shownBy()) {
      needed.add(list.reader());
      addWritersRead(list.reader(), list.key());
      keys.add(list.key());
      listed.add(list.key());
      lists.add(list);
    }
    keys.add(dependency.key());
    addWhatOrders(dependency);
  }

  private List<CapsuleTransaction> cut() {
    Map<Transaction, BitSet> selected = new LinkedHashMap<>();
    ListedKeys whole = new ListedKeys();
    for (Transaction transaction : needed) {
      BitSet about = about(transaction);
      selected.put(transaction, about);
      whole.add(transaction.operations, about);
    }
    Map<Transaction, Operations> kept = new LinkedHashMap<>();
    selected.forEach(
        (transaction, about) -> kept.put(transaction, whole.select(transaction.operations, about)));
    return Capsule.cut(kept);
  }

  /** A list counts only with the writer of the version that was read, the last one of the list. */
  private void addWritersRead(Transaction reader, long key) {
    for (int i = 0; i < reader.readOperations.length; i++) {
      Transaction writer = reader.readWriters[i];
      if (reader.operations.key(reader.readOperations[i]) == key
          && reader.readsVersion(i)
          && writer != null
          && writer != Transaction.INITIAL
          && writer.operations.size() > 0) {
        needed.add(writer);
      }
    }
  }

  /**
   * Of two writers whose order is known, the later one may read from the earlier, or replace it.
   */
  private void addWhatOrders(Dependency dependency) {
    Transaction first = dependency.earlierWriter();
    Transaction later = dependency.later();
    int read = TransactionReads.readFrom(later, first, 0);
    if (read >= 0 && first != Transaction.INITIAL) {
      keys.add(later.operations.key(read));
    }
    for (int i = 0; later.anyReplaced() && i < later.writeCount(); i++) {
      if (later.replaced(i) == first) {
        keys.add(later.writeKey(i));
      }
    }
  }

  /**
   * Its decided reads from others, its list reads of which all is known, and its last writes, of
   * these keys; of those that are listed, all writes.
   */
  private BitSet about(Transaction transaction) {
    Operations ops = transaction.operations;
    BitSet selected = new BitSet();
    for (int read : transaction.readOperations) {
      selected.set(read, keys.contains(ops.key(read)));
    }
    for (int i = 0; i < ops.size(); i++) {
      if (outsiders.contains(ops.key(i)) && ops.readsKnown(i)) {
        selected.set(i);
      }
    }
    for (int i = 0; i < transaction.writeCount(); i++) {
      boolean counts = keys.contains(transaction.writeKey(i));
      selected.set(transaction.finalWrite(i), counts);
      if (counts && transaction.replaced(i) != null) {
        selected.set(transaction.firstWrite(transaction.writeKey(i)));
      }
    }
    for (int i = 0; i < ops.size(); i++) {
      if (ops.kind(i) == OperationKind.WRITE && listed.contains(ops.key(i)) && !ops.undone(i)) {
        selected.set(i);
      }
      int read = endOfList(transaction, i);
      if (read > i) {
        selected.set(i, read + 1);
        i = read;
      }
    }
    leaveOutListsInDoubt(transaction, selected);
    return selected;
  }

  /** A list is shown whole, and who else may have appended an element of it is not shown. */
  private static void leaveOutListsInDoubt(Transaction transaction, BitSet selected) {
    Operations ops = transaction.operations;
    for (int i = 0; i < ops.size(); i++) {
      int read = ops.kind(i) == OperationKind.LISTED ? ops.listEnd(i) : i;
      if (read > i && ListRead.isInDoubt(transaction, read)) {
        selected.clear(i, read + 1);
      }
      i = read;
    }
  }

  private int endOfList(Transaction transaction, int i) {
    long key = transaction.operations.key(i);
    if (lists.contains(new ListRead(transaction, key))) {
      return ListRead.endOfAny(transaction, i);
    }
    return keys.contains(key) ? ListRead.endOf(transaction, i) : i;
  }
}
