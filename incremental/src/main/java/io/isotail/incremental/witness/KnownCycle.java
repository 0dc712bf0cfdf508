package io.isotail.incremental.witness;

import io.isotail.incremental.anomaly.CapsuleTransaction;
import io.isotail.incremental.anomaly.EdgeKind;
import io.isotail.incremental.anomaly.Proof;
import io.isotail.incremental.level.Observed;
import io.isotail.incremental.polygraph.Dependency;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.window.Transaction;
import it.unimi.dsi.fastutil.objects.Reference2IntOpenHashMap;
import it.unimi.dsi.fastutil.objects.Reference2ObjectOpenHashMap;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A cycle of which nothing was chosen or supposed: it is its own proof, whatever its length, and is
 * looked up edge by edge. So one that has more transactions than {@link Capsule#MAX_TRANSACTIONS}
 * needs no search and no reduction; the time is in proportion to its length.
 *
 * <p>What it leaves alone, and the bound of {@link Capsule} still holds for: cycles that rest on
 * what lists show, or on a choice of which only one case is possible.
 */
final class KnownCycle {
  /** Edges of the cycle, and of what they rest on. */
  static final int MOST_EDGES = 4_000_000;

  private final List<Part> cycle = new ArrayList<>();
  private final Map<Transaction, BitSet> needed = new Reference2ObjectOpenHashMap<>();
  private int edges;
  private boolean broken;

  /**
   * An edge between transactions that have no places yet.
   *
   * @param reader whose operation shows it, or null
   * @param read its operation in the whole transaction
   * @param source the writer of what a rw read; null for the initial version, and for others
   */
  private record Part(
      Transaction from,
      Transaction to,
      EdgeKind kind,
      long key,
      @Nullable Transaction reader,
      int read,
      @Nullable Transaction source,
      List<Part> because) {}

  private KnownCycle() {}

  /** The proof of a cycle up to {@code causal}, not confirmed yet; null if it is none. */
  static @Nullable Proven ofSteps(List<Step> steps, PathFinder paths) {
    KnownCycle known = new KnownCycle();
    for (Step step : steps) {
      known.add(known.part(step, paths));
    }
    return known.proven();
  }

  /** The proof of a cycle from {@code prefix} on, not confirmed yet; null if it is none. */
  static @Nullable Proven ofDependencies(List<Dependency> dependencies) {
    KnownCycle known = new KnownCycle();
    for (Dependency dependency : dependencies) {
      known.add(known.part(dependency));
    }
    return known.proven();
  }

  /** Finds how one transaction happens before another. */
  @FunctionalInterface
  interface PathFinder {
    /** A path over so and wr; null if none is kept. */
    @Nullable List<Step> path(Transaction from, Transaction to);
  }

  private void add(@Nullable Part part) {
    broken |= part == null || ++edges > MOST_EDGES;
    if (part != null && !broken) {
      cycle.add(part);
    }
  }

  private @Nullable Part part(Step step, PathFinder paths) {
    return switch (step.kind()) {
      case SO -> plain(step.from(), step.to(), EdgeKind.SO);
      case WR -> read(step.from(), step.to(), TransactionReads.readFrom(step.to(), step.from(), 0));
      default -> broken ? null : inferred(step, paths);
    };
  }

  /** t2 comes before t1, since t3 read a key from t1 and had observed t2, which wrote it too. */
  private @Nullable Part inferred(Step step, PathFinder paths) {
    Transaction t2 = step.from();
    Transaction t1 = step.to();
    Transaction t3 = step.reader();
    if (t3 == null || !needLastWrite(t2, step.key())) {
      return null;
    }
    int after = 0;
    Observed observed = step.level().observed();
    List<Step> path = List.of(Step.plain(t2, t3, EdgeKind.SO));
    if (observed == Observed.READ_FROM_BEFORE || t2.session != t3.session) {
      path = List.of(Step.plain(t2, t3, EdgeKind.WR));
      if (observed == Observed.READ_FROM_BEFORE) {
        after = TransactionReads.readFrom(t3, t2, 0) + 1;
      } else if (observed != Observed.SESSION_OR_READ_FROM) {
        path = paths.path(t2, t3);
      }
    }
    List<Part> because = new ArrayList<>();
    for (Step each : path == null ? List.<Step>of() : path) {
      Part part = each.kind() == EdgeKind.CO ? null : part(each, paths);
      broken |= part == null || ++edges > MOST_EDGES;
      if (part != null) {
        because.add(part);
      }
    }
    int read = TransactionReads.readOf(t3, step.key(), t1, after);
    if (because.isEmpty() || !needRead(t3, read, t1)) {
      return null;
    }
    return new Part(t2, t1, EdgeKind.CO, step.key(), t3, read, null, because);
  }

  private @Nullable Part part(Dependency dependency) {
    Transaction first = dependency.first();
    Transaction later = dependency.later();
    if (dependency.isAssumed()) {
      return null;
    }
    return switch (dependency.kind()) {
      case SO, RT -> plain(first, later, dependency.kind());
      case WR -> read(first, later, TransactionReads.readOf(later, dependency.key(), first, 0));
      case WW -> followed(first, later);
      case RW -> missed(dependency, first, later);
      case CO -> null;
    };
  }

  /** What one transaction read was overwritten by another. */
  private @Nullable Part missed(Dependency dependency, Transaction reader, Transaction later) {
    Transaction source = dependency.source();
    int read = TransactionReads.readOf(reader, dependency.key(), source, 0);
    if (!needRead(reader, read, source) || !needLastWrite(later, dependency.key())) {
      return null;
    }
    // Beside outsiders it counts only if the overwriter has read the same version.
    needRead(later, TransactionReads.readOf(later, dependency.key(), source, 0), source);
    if (source == Transaction.OUTSIDER) {
      return new Part(
          reader, later, EdgeKind.RW, dependency.key(), reader, read, source, List.of());
    }
    if (source == Transaction.INITIAL) {
      return new Part(reader, later, EdgeKind.RW, dependency.key(), reader, read, null, List.of());
    }
    Part because = followed(source, later);
    return because == null
        ? null
        : new Part(
            reader, later, EdgeKind.RW, dependency.key(), reader, read, source, List.of(because));
  }

  /** Why a writer is known to come before another one: its session, or a read. */
  private @Nullable Part followed(Transaction first, Transaction later) {
    return first.session == later.session && first.comesBefore(later)
        ? plain(first, later, EdgeKind.SO)
        : read(first, later, TransactionReads.readFrom(later, first, 0));
  }

  private Part plain(Transaction from, Transaction to, EdgeKind kind) {
    need(from);
    need(to);
    return new Part(from, to, kind, 0, null, Proof.NONE, null, List.of());
  }

  private @Nullable Part read(Transaction writer, Transaction reader, int read) {
    return needRead(reader, read, writer)
        ? new Part(
            writer, reader, EdgeKind.WR, reader.operations.key(read), reader, read, null, List.of())
        : null;
  }

  /** Whether a read, and the write that it returned, are there; they are needed then. */
  private boolean needRead(Transaction reader, int read, Transaction writer) {
    if (read < 0) {
      return false;
    }
    need(reader).set(read);
    if (writer == Transaction.INITIAL || writer == Transaction.OUTSIDER) {
      return true;
    }
    Operations ops = reader.operations;
    for (int i = writer.operations.size() - 1; i >= 0; i--) {
      if (TransactionReads.isWriteOf(writer.operations, i, ops.key(read), ops.version(read))) {
        need(writer).set(i);
        return true;
      }
    }
    return false;
  }

  private boolean needLastWrite(Transaction writer, long key) {
    int index = writer == Transaction.INITIAL ? -1 : writer.writeIndex(key);
    if (index >= 0) {
      need(writer).set(writer.finalWrite(index));
    }
    return index >= 0;
  }

  private BitSet need(Transaction t) {
    return t == Transaction.INITIAL ? new BitSet() : needed.computeIfAbsent(t, k -> new BitSet());
  }

  private @Nullable Proven proven() {
    if (broken || cycle.isEmpty()) {
      return null;
    }
    List<Transaction> inOrder = new ArrayList<>(needed.keySet());
    inOrder.sort(
        Comparator.comparingLong(Transaction::placeInLog).thenComparing(Transaction::name));
    Reference2IntOpenHashMap<Transaction> places = new Reference2IntOpenHashMap<>(inOrder.size());
    places.put(Transaction.INITIAL, Proof.INITIAL);
    places.put(Transaction.OUTSIDER, Proof.NONE);
    List<CapsuleTransaction> capsule = new ArrayList<>(inOrder.size());
    for (Transaction t : inOrder) {
      places.put(t, capsule.size());
      capsule.add(Capsule.cut(t, t.operations.only(need(t))));
    }
    return new Proven(capsule, new Proof.Cycle(edges(cycle, places)));
  }

  private List<Proof.Edge> edges(List<Part> parts, Reference2IntOpenHashMap<Transaction> places) {
    List<Proof.Edge> made = new ArrayList<>(parts.size());
    for (Part part : parts) {
      Transaction reader = part.reader;
      Transaction source = part.source;
      int initial = part.kind == EdgeKind.RW ? Proof.INITIAL : Proof.NONE;
      made.add(
          new Proof.Edge(
              places.getInt(part.from),
              places.getInt(part.to),
              part.kind,
              part.key,
              reader == null ? Proof.NONE : places.getInt(reader),
              reader == null ? Proof.NONE : need(reader).get(0, part.read).cardinality(),
              source == null ? initial : places.getInt(source),
              edges(part.because, places)));
    }
    return made;
  }
}
