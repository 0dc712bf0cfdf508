package io.isotail.incremental.witness;

import io.isotail.incremental.anomaly.CapsuleTransaction;
import io.isotail.incremental.anomaly.EdgeKind;
import io.isotail.incremental.anomaly.Proof;
import io.isotail.incremental.anomaly.Proof.Edge;
import io.isotail.incremental.judge.Judge;
import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.VersionKind;
import it.unimi.dsi.fastutil.longs.Long2IntMap;
import it.unimi.dsi.fastutil.longs.Long2IntOpenHashMap;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import it.unimi.dsi.fastutil.longs.LongSet;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The transactions and operations of a capsule on which a proof rests. */
final class ProofOperations {
  private final List<CapsuleTransaction> capsule;

  /** Of each transaction what is needed of it; null if it is not. */
  private final Judge judge;

  private final @Nullable BitSet[] needed;

  private ProofOperations(List<CapsuleTransaction> capsule, Judge judge) {
    this.capsule = capsule;
    this.judge = judge;
    this.needed = new BitSet[capsule.size()];
  }

  /** The capsule cut to what the proof names, and what the judge asks for beside it. */
  static List<CapsuleTransaction> of(List<CapsuleTransaction> capsule, Proof proof, Judge judge) {
    ProofOperations operations = new ProofOperations(capsule, judge);
    operations.add(proof);
    List<CapsuleTransaction> cut = new ArrayList<>();
    ListedKeys listed = new ListedKeys();
    for (int t = 0; t < capsule.size(); t++) {
      BitSet selected = operations.needed[t];
      if (selected != null) {
        listed.add(capsule.get(t).operations(), selected);
      }
    }
    for (int t = 0; t < capsule.size(); t++) {
      BitSet selected = operations.needed[t];
      if (selected != null) {
        CapsuleTransaction whole = capsule.get(t);
        cut.add(whole.with(listed.select(whole.operations(), selected)));
      }
    }
    return cut;
  }

  private void add(Proof proof) {
    if (proof instanceof Proof.Split split) {
      addLastWrite(split.a(), split.key());
      addLastWrite(split.b(), split.key());
      add(split.ifFirst());
      add(split.ifSecond());
    } else if (proof instanceof Proof.BadRead bad) {
      addBadRead(bad);
    } else {
      proof.cycles().forEach(cycle -> cycle.edges().forEach(this::add));
    }
  }

  private void addBadRead(Proof.BadRead bad) {
    Operations ops = ops(bad.reader());
    need(bad.reader()).set(bad.operation());
    for (int i = 0; i < bad.operation() && ops.listEnd(bad.operation()) > bad.operation(); i++) {
      // What is wrong with a list may be what the transaction had read before.
      if (ops.shows(i) && ops.key(i) == ops.key(bad.operation())) {
        need(bad.reader()).set(i);
      }
    }
    if (bad.ownWrite() >= 0) {
      need(bad.reader()).set(bad.ownWrite());
    }
    addWrites(bad.writer(), ops(bad.reader()).key(bad.operation()));
  }

  private void add(Edge edge) {
    for (int t : new int[] {edge.from(), edge.to(), edge.source(), edge.reader()}) {
      if (t >= 0) {
        need(t);
      }
    }
    if (edge.kind() != EdgeKind.SO && edge.kind() != EdgeKind.RT) {
      addLastWrite(edge.kind() == EdgeKind.RW ? Proof.NONE : edge.from(), edge.key());
      addLastWrite(edge.kind() == EdgeKind.WR ? Proof.NONE : edge.to(), edge.key());
      addLastWrite(edge.source(), edge.key());
    }
    if (edge.operation() >= 0) {
      need(edge.reader()).set(edge.operation());
      if (ops(edge.reader()).kind(edge.operation()) == OperationKind.LISTED
          && edge.kind() == EdgeKind.WW) {
        addList(edge);
      }
    }
    if (edge.kind() == EdgeKind.RW
        && (edge.source() == Proof.NONE
            || judge.asksForOverwritten(ops(edge.reader()), edge.operation()))) {
      addOverwritten(edge);
    }
    edge.because().forEach(this::add);
  }

  /** The overwriter's own reads of what was read. */
  private void addOverwritten(Edge edge) {
    Operations reader = ops(edge.reader());
    Operations overwriter = ops(edge.to());
    int read = edge.operation();
    for (int i = 0; i < overwriter.size(); i++) {
      if (overwriter.kind(i) == OperationKind.READ
          && overwriter.key(i) == edge.key()
          && overwriter.versionKind(i) == reader.versionKind(read)
          && (reader.versionKind(read) == VersionKind.INITIAL
              || overwriter.version(i) == reader.version(read))
          && !overwriter.undone(i)) {
        need(edge.to()).set(i);
      }
    }
  }

  /** A list counts as a whole, and only with the writer of the version that was read. */
  private void addList(Edge edge) {
    Operations ops = ops(edge.reader());
    int first = edge.operation();
    while (first > 0 && ops.listedBefore(first - 1)) {
      first--;
    }
    int read = edge.operation();
    while (ops.listedBefore(read)) {
      read++;
    }
    need(edge.reader()).set(first, read + 1);
    addWrites(edge.from(), edge.key());
    addWrites(edge.to(), edge.key());
    addWrites(edge.source(), edge.key());
    LongSet elements = new LongOpenHashSet();
    for (int i = first; i < read; i++) {
      elements.add(ops.version(i));
    }
    addWriters(edge.key(), elements, ops.version(read));
  }

  /**
   * Who wrote the last version of a list, and all who wrote an element of it that several did: with
   * one of them left out, the element would be the other one's.
   */
  private void addWriters(long key, LongSet elements, long last) {
    Long2IntMap writers = new Long2IntOpenHashMap();
    writers.defaultReturnValue(Proof.NONE);
    for (int t = 0; t < capsule.size(); t++) {
      for (int i = 0; i < ops(t).size(); i++) {
        if (ops(t).installs(i) && ops(t).key(i) == key) {
          long version = ops(t).version(i);
          int before = elements.contains(version) ? writers.putIfAbsent(version, t) : Proof.NONE;
          if (version == last || (before != Proof.NONE && before != t)) {
            addWrites(before, key);
            addWrites(t, key);
          }
        }
      }
    }
  }

  private void addWrites(int t, long key) {
    for (int i = 0; t >= 0 && i < ops(t).size(); i++) {
      if (writes(ops(t), i, key)) {
        need(t).set(i);
      }
    }
  }

  private void addLastWrite(int t, long key) {
    for (int i = t < 0 ? -1 : ops(t).size() - 1; i >= 0; i--) {
      if (writes(ops(t), i, key) && !ops(t).undone(i)) {
        need(t).set(i);
        return;
      }
    }
  }

  private static boolean writes(Operations ops, int i, long key) {
    return (ops.kind(i) == OperationKind.WRITE || ops.kind(i) == OperationKind.DELETE)
        && ops.key(i) == key;
  }

  private Operations ops(int t) {
    return capsule.get(t).operations();
  }

  private BitSet need(int t) {
    BitSet operations = needed[t];
    if (operations == null) {
      operations = new BitSet();
      needed[t] = operations;
    }
    return operations;
  }
}
