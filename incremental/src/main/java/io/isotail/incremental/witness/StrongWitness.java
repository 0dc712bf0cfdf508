package io.isotail.incremental.witness;

import io.isotail.incremental.anomaly.CapsuleTransaction;
import io.isotail.incremental.events.Conflict;
import io.isotail.incremental.events.Dependency;
import io.isotail.incremental.events.ListRead;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.window.Txn;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Proves that no order of the versions satisfies a level: the least transactions that the cycles
 * need of which one is left whatever the order, as PolySI's interpretation has them [1].
 *
 * <p>[1] Huang et al., Efficient Black-box Checking of Snapshot Isolation in Databases, VLDB 2023,
 * Sec. 5.3.
 */
final class StrongWitness {
  private final IsolationLevel level;
  private final long clockUncertaintyNs;
  private final List<List<Dependency>> cycles;

  StrongWitness(IsolationLevel level, long clockUncertaintyNs, Conflict conflict) {
    this.level = level;
    this.clockUncertaintyNs = clockUncertaintyNs;
    this.cycles = conflict.cycles();
  }

  /** The least transactions that violate the level by themselves; empty if none were found. */
  List<CapsuleTransaction> capsule() {
    Set<Txn> needed = new LinkedHashSet<>();
    LongOpenHashSet keys = new LongOpenHashSet();
    LongOpenHashSet listed = new LongOpenHashSet();
    for (List<Dependency> cycle : cycles) {
      for (Dependency dependency : cycle) {
        needed.add(dependency.first());
        needed.add(dependency.later());
        if (dependency.source() != Txn.INITIAL) {
          needed.add(dependency.source());
        }
        for (ListRead list : dependency.shownBy()) {
          needed.add(list.reader());
          addWritersRead(list.reader(), list.key(), needed);
          keys.add(list.key());
          listed.add(list.key());
        }
        keys.add(dependency.key());
        addWhatOrders(dependency, keys);
      }
    }
    if (needed.size() > Capsule.MAX_TRANSACTIONS) {
      return List.of();
    }
    List<CapsuleTransaction> all = new ArrayList<>();
    for (Txn txn : needed) {
      all.add(
          new CapsuleTransaction(
              txn.name(),
              txn.session.info,
              txn.arrival,
              txn.number,
              Outcome.COMMITTED,
              txn.ranAt,
              txn.offset,
              txn.times,
              about(txn, keys, listed)));
    }
    all.sort(
        Comparator.comparingLong(CapsuleTransaction::position)
            .thenComparing(CapsuleTransaction::name));
    return new CapsuleReducer(new StrongJudge(level, clockUncertaintyNs)).reduce(all);
  }

  /** A list counts only with the writer of the version that was read, the last one of the list. */
  private static void addWritersRead(Txn reader, long key, Set<Txn> needed) {
    for (int i = 0; i < reader.readOperations.length; i++) {
      Txn writer = reader.readWriters[i];
      if (reader.operations.key(reader.readOperations[i]) == key
          && writer != null
          && writer != Txn.INITIAL
          && writer.operations.size() > 0) {
        needed.add(writer);
      }
    }
  }

  /** Of two writers whose order is known, the later one may read from the earlier. */
  private static void addWhatOrders(Dependency dependency, LongOpenHashSet keys) {
    Txn first = dependency.earlierWriter();
    Txn later = dependency.later();
    int read = Classifier.readFrom(later, first);
    if (read >= 0 && first != Txn.INITIAL) {
      keys.add(later.operations.key(read));
    }
  }

  /**
   * Its decided reads from others, its list reads, and its last writes, of these keys; of those
   * that are listed, all writes.
   */
  private static Operations about(Txn txn, LongOpenHashSet keys, LongOpenHashSet listed) {
    Operations ops = txn.operations;
    BitSet selected = new BitSet();
    for (int read : txn.readOperations) {
      selected.set(read, keys.contains(ops.key(read)));
    }
    for (int i = 0; i < txn.writeCount(); i++) {
      selected.set(txn.finalWrite(i), keys.contains(txn.writeKey(i)));
    }
    for (int i = 0; i < ops.size(); i++) {
      if (ops.kind(i) == OperationKind.WRITE && listed.contains(ops.key(i)) && !ops.undone(i)) {
        selected.set(i);
      }
      int read = keys.contains(ops.key(i)) ? txn.listRead(i) : i;
      if (read > i) {
        selected.set(i, read + 1);
        i = read;
      }
    }
    return ops.only(selected);
  }
}
