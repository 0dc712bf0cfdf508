package io.isotail.incremental.witness;

import io.isotail.incremental.anomaly.CapsuleTransaction;
import io.isotail.incremental.anomaly.EdgeKind;
import io.isotail.incremental.anomaly.Proof;
import io.isotail.incremental.anomaly.Proof.Edge;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.polygraph.ListRead;
import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.VersionKind;
import io.isotail.incremental.saturation.RelationNode;
import io.isotail.incremental.window.SessionState;
import io.isotail.incremental.window.Transaction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The transactions of a proven capsule as the sentences see them: with the operations that the
 * capsule has, so that nothing can be cited which is not in it.
 */
final class CapsuleTransactions {
  private final List<CapsuleTransaction> capsule;
  private final Transaction[] txns;

  CapsuleTransactions(List<CapsuleTransaction> capsule) {
    this.capsule = capsule;
    this.txns = new Transaction[capsule.size()];
    Map<Long, SessionState> sessions = new HashMap<>();
    for (int i = 0; i < txns.length; i++) {
      CapsuleTransaction t = capsule.get(i);
      txns[i] =
          new Transaction(
              sessions.computeIfAbsent(t.session().id(), id -> new SessionState(t.session())),
              t.transaction(),
              t.position(),
              t.offset(),
              t.outcome(),
              t.ranAt(),
              IsolationLevel.STRICT_SERIALIZABLE,
              t.times(),
              t.operations(),
              false,
              0,
              0);
      txns[i].state = Transaction.State.DELIVERED;
    }
    linkSessions();
    for (Transaction txn : txns) {
      resolve(txn);
    }
  }

  private void linkSessions() {
    Map<Long, TreeMap<Long, Transaction>> bySession = new HashMap<>();
    for (int i = 0; i < txns.length; i++) {
      bySession
          .computeIfAbsent(capsule.get(i).session().id(), id -> new TreeMap<>())
          .put(capsule.get(i).position(), txns[i]);
    }
    for (TreeMap<Long, Transaction> session : bySession.values()) {
      Transaction before = null;
      for (Transaction txn : session.values()) {
        txn.soPrev = before;
        if (before != null) {
          before.soNext = txn;
          RelationNode.in(txn).follow(RelationNode.in(before));
        }
        before = txn;
      }
    }
  }

  private void resolve(Transaction txn) {
    Operations ops = txn.operations;
    int[] reads = new int[ops.size()];
    List<Transaction> writers = new ArrayList<>();
    for (int i = 0; i < ops.size(); i++) {
      Transaction writer =
          ops.kind(i) == OperationKind.READ && !ops.undone(i) ? writer(txn, i) : null;
      if (writer != null) {
        reads[writers.size()] = i;
        writers.add(writer);
        if (writer != Transaction.INITIAL) {
          RelationNode.in(writer).addReader(RelationNode.in(txn));
        }
      }
    }
    txn.readOperations = Arrays.copyOf(reads, writers.size());
    txn.readWriters = writers.toArray(new Transaction[0]);
  }

  /** The other transaction that left the version that was read, or null. */
  private @Nullable Transaction writer(Transaction reader, int read) {
    Operations ops = reader.operations;
    long key = ops.key(read);
    for (int i = 0; i < read; i++) {
      boolean write = ops.kind(i) == OperationKind.WRITE || ops.kind(i) == OperationKind.DELETE;
      if (write && ops.key(i) == key && !ops.undone(i)) {
        return null;
      }
    }
    if (ops.versionKind(read) == VersionKind.INITIAL) {
      return Transaction.INITIAL;
    }
    for (Transaction other : txns) {
      int index = other == reader ? -1 : other.writeIndex(key);
      if (index >= 0
          && other.operations.versionKind(other.finalWrite(index)) == VersionKind.KNOWN
          && other.operations.version(other.finalWrite(index)) == ops.version(read)) {
        return other;
      }
    }
    return null;
  }

  private Transaction txn(int place) {
    return place < 0 ? Transaction.INITIAL : txns[place];
  }

  /** The steps of a cycle of a level up to {@code causal}. */
  List<Step> steps(Proof.Cycle cycle) {
    List<Step> steps = new ArrayList<>();
    for (Edge edge : cycle.edges()) {
      boolean inferred = edge.kind() == EdgeKind.CO;
      steps.add(
          new Step(
              txn(edge.from()),
              txn(edge.to()),
              edge.kind(),
              edge.key(),
              inferred ? txn(edge.reader()) : null,
              inferred ? weakest(edge) : IsolationLevel.READ_COMMITTED));
    }
    return steps;
  }

  /** The weakest level that takes what the reader had observed for observed. */
  private static IsolationLevel weakest(Edge inferred) {
    if (inferred.because().size() > 1) {
      return IsolationLevel.CAUSAL;
    }
    Edge only = inferred.because().get(0);
    return only.kind() == EdgeKind.WR && only.operation() < inferred.operation()
        ? IsolationLevel.READ_COMMITTED
        : IsolationLevel.READ_ATOMIC;
  }

  /** The cycles of a proof from {@code prefix} on; that of the most likely case comes first. */
  List<List<Dependency>> cycles(Proof proof) {
    List<Proof.Cycle> inOrder = new ArrayList<>();
    addLikelyFirst(proof, inOrder);
    return inOrder.stream()
        .distinct()
        .map(cycle -> fromEarliest(cycle).stream().map(this::dependency).toList())
        .toList();
  }

  /** Begins with the transaction whose record came first. */
  private static List<Edge> fromEarliest(Proof.Cycle cycle) {
    List<Edge> edges = new ArrayList<>(cycle.edges());
    int start = 0;
    for (int i = 1; i < edges.size(); i++) {
      start = edges.get(i).from() < edges.get(start).from() ? i : start;
    }
    Collections.rotate(edges, -start);
    return edges;
  }

  private void addLikelyFirst(Proof proof, List<Proof.Cycle> cycles) {
    if (proof instanceof Proof.Split split) {
      boolean first = committedFirst(txn(split.a()), txn(split.b()));
      addLikelyFirst(first ? split.ifFirst() : split.ifSecond(), cycles);
      addLikelyFirst(first ? split.ifSecond() : split.ifFirst(), cycles);
    } else if (proof instanceof Proof.Cycle cycle) {
      cycles.add(cycle);
    }
  }

  /** As far as their clocks tell, or else by the place of their records in the log. */
  private static boolean committedFirst(Transaction a, Transaction b) {
    boolean told = a.times.hasEnd() && b.times.hasEnd() && a.times.endNs() != b.times.endNs();
    return told ? a.times.endNs() < b.times.endNs() : a.comesBefore(b);
  }

  private Dependency dependency(Edge edge) {
    List<ListRead> shownBy = new ArrayList<>(2);
    addShownBy(edge, shownBy);
    edge.because().forEach(each -> addShownBy(each, shownBy));
    boolean writersOrdered = edge.kind() == EdgeKind.RW || edge.kind() == EdgeKind.WW;
    Transaction source = edge.source() >= 0 ? txn(edge.source()) : Transaction.INITIAL;
    return new Dependency(
        txn(edge.from()),
        txn(edge.to()),
        edge.kind(),
        edge.key(),
        source,
        !writersOrdered
            ? Transaction.INITIAL
            : edge.source() == Proof.NONE ? txn(edge.from()) : source,
        edge.isAssumed() || edge.because().stream().anyMatch(Edge::isAssumed),
        List.copyOf(shownBy));
  }

  private void addShownBy(Edge edge, List<ListRead> shownBy) {
    if (edge.kind() == EdgeKind.WW && !edge.isAssumed()) {
      shownBy.add(new ListRead(txn(edge.reader()), edge.key()));
    }
  }
}
