package io.isotail.incremental.judge;

import io.isotail.incremental.anomaly.EdgeKind;
import io.isotail.incremental.anomaly.Proof;
import io.isotail.incremental.anomaly.Proof.Edge;
import io.isotail.incremental.level.IsolationLevel;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Checks a proof edge by edge: that each split is of two committed writers of one key, that each
 * edge follows from the definitions, given what the splits above it assume, and that each case ends
 * in a bad read or a cycle of the level's relation.
 *
 * <p>The commits of two transactions come one after the other, in one order for all keys. So to
 * assume first that the one is the earlier, then that the other is, leaves nothing out.
 */
final class ProofCheck {
  private final Facts facts;
  private final IsolationLevel level;
  private final boolean strong;

  /** What the splits above assume: a pair of writers, the earlier one first. */
  private final Set<Long> assumed = new HashSet<>();

  private int leaves;

  ProofCheck(Facts facts, IsolationLevel level) {
    this.facts = facts;
    this.level = level;
    this.strong = level.atLeast(IsolationLevel.PREFIX);
  }

  /** Whether the proof holds. */
  boolean holds(Proof proof) {
    return holds(proof, 0);
  }

  private boolean holds(Proof proof, int depth) {
    if (depth > Judge.MOST_SPLITS_DEEP) {
      return false;
    }
    if (proof instanceof Proof.Split split) {
      return strong
          && split.a() != split.b()
          && facts.writes(split.a(), split.key())
          && facts.writes(split.b(), split.key())
          && holds(split.ifFirst(), split.a(), split.b(), depth + 1)
          && holds(split.ifSecond(), split.b(), split.a(), depth + 1);
    }
    if (++leaves > Judge.MOST_LEAVES) {
      return false;
    }
    if (proof instanceof Proof.BadRead bad) {
      return facts.isBad(bad.reader(), bad.operation());
    }
    return proof instanceof Proof.Cycle cycle && isCycle(cycle.edges());
  }

  private boolean holds(Proof inCase, int earlier, int later, int depth) {
    boolean added = assumed.add(pair(earlier, later));
    boolean holds = holds(inCase, depth);
    if (added) {
      assumed.remove(pair(earlier, later));
    }
    return holds;
  }

  private static long pair(int earlier, int later) {
    return (long) earlier << Integer.SIZE | later;
  }

  private boolean isCycle(List<Edge> edges) {
    for (int i = 0; i < edges.size(); i++) {
      Edge edge = edges.get(i);
      Edge next = edges.get((i + 1) % edges.size());
      boolean chained =
          edge.to() == next.from()
              && !(Events.landsOnCommit(level, edge.kind())
                  && Events.leavesBegin(level, next.kind()));
      if (!chained || !follows(edge)) {
        return false;
      }
    }
    return !edges.isEmpty();
  }

  /** Whether an edge follows from the definitions of the level. */
  private boolean follows(Edge edge) {
    if (edge.from() == edge.to()) {
      return false;
    }
    return switch (edge.kind()) {
      case SO -> follows(edge.from(), edge.to());
      case RT ->
          level == IsolationLevel.STRICT_SERIALIZABLE && facts.realTime(edge.from(), edge.to());
      case WR -> isRead(edge);
      case WW -> strong ? overwrites(edge) : isListed(edge);
      case RW -> strong && isOverwritten(edge);
      case CO -> !strong && isObserved(edge);
    };
  }

  /** Session order; the initial transaction precedes all. */
  private boolean follows(int from, int to) {
    return from == Proof.INITIAL ? !strong && facts.isCommitted(to) : facts.sessionOrder(from, to);
  }

  private boolean isRead(Edge edge) {
    return edge.from() >= 0
        && edge.reader() == edge.to()
        && reads(edge.to(), edge.operation(), edge.key(), edge.from());
  }

  private boolean reads(int reader, int operation, long key, int writer) {
    Facts.Read read = facts.isCommitted(reader) ? facts.readAt(reader, operation) : null;
    return read != null && read.key() == key && read.writer() == writer;
  }

  private boolean readsVersion(int reader, int operation, long key, int writer) {
    Facts.Read read = facts.isCommitted(reader) ? facts.readAt(reader, operation) : null;
    return reads(reader, operation, key, writer) && read != null && read.ofVersion();
  }

  /** Whether the other writer was not observed by an element of the same list. */
  private boolean isBefore(Edge inferred) {
    Facts.Read read = facts.readAt(inferred.reader(), inferred.operation());
    Edge last = inferred.because().get(inferred.because().size() - 1);
    return read != null && last.operation() < read.begin();
  }

  private boolean overwrites(Edge edge) {
    boolean bothWrote =
        facts.writes(edge.from(), edge.key()) && facts.writes(edge.to(), edge.key());
    if (edge.isAssumed()) {
      return bothWrote && assumed.contains(pair(edge.from(), edge.to()));
    }
    if (!bothWrote || edge.source() == Proof.NONE) {
      return bothWrote && isShown(edge, edge.from(), edge.to());
    }
    return isShown(edge, edge.source(), edge.from()) && sourcePrecedes(edge);
  }

  /** Whether a transaction that observes all elements of a list at once shows the order. */
  private boolean isListed(Edge edge) {
    return edge.source() == Proof.NONE
        && facts.isCommitted(edge.reader())
        && facts.observesAt(edge.reader(), level).atLeast(IsolationLevel.READ_ATOMIC)
        && isShown(edge, edge.from(), edge.to(), facts.listed);
  }

  private boolean isShown(Edge edge, int earlier, int later) {
    return isShown(edge, earlier, later, facts.shown);
  }

  private static boolean isShown(Edge edge, int earlier, int later, List<Facts.Shown> among) {
    for (Facts.Shown shown : among) {
      if (shown.reader() == edge.reader()
          && shown.operation() == edge.operation()
          && shown.key() == edge.key()
          && shown.earlier() == earlier
          && shown.later() == later) {
        return true;
      }
    }
    return false;
  }

  private boolean isOverwritten(Edge edge) {
    if (edge.reader() != edge.from() || !facts.isCommitted(edge.from())) {
      return false;
    }
    if (edge.source() == Proof.NONE) {
      Facts.Read read = facts.readOfOutsiderAt(edge.from(), edge.operation());
      return level.atLeast(IsolationLevel.SERIALIZABLE)
          && read != null
          && read.key() == edge.key()
          && facts.overwritesOutsider(edge.to(), read);
    }
    Facts.Read read = facts.readAt(edge.from(), edge.operation());
    return read != null
        && read.ofVersion()
        && read.key() == edge.key()
        && read.writer() == edge.source()
        && facts.writes(edge.to(), edge.key())
        && facts.precedesOverwriter(read, edge.to(), level)
        && sourcePrecedes(edge);
  }

  private boolean sourcePrecedes(Edge edge) {
    return edge.source() == Proof.INITIAL
        || (edge.source() >= 0
            && edge.source() != edge.to()
            && isPath(edge.because(), edge.source(), edge.to()));
  }

  /** Whether each of these orders the commits of its two ends, one after the other. */
  private boolean isPath(List<Edge> path, int from, int to) {
    int at = from;
    for (Edge edge : path) {
      boolean ordersCommits = edge.kind() != EdgeKind.RW && edge.kind() != EdgeKind.CO;
      if (edge.from() != at || !ordersCommits || !follows(edge)) {
        return false;
      }
      at = edge.to();
    }
    return at == to && !path.isEmpty();
  }

  /** Whether {@code reader} had observed {@code from} in the sense of the level. */
  private boolean isObserved(Edge edge) {
    int observed = edge.from();
    List<Edge> path = edge.because();
    if (observed == edge.reader()
        || !readsVersion(edge.reader(), edge.operation(), edge.key(), edge.to())
        || !facts.writes(observed, edge.key())
        || !isPath(path, observed, edge.reader())) {
      return false;
    }
    IsolationLevel observes = facts.observesAt(edge.reader(), level);
    return observes(observes, edge)
        && (observes != IsolationLevel.READ_COMMITTED || isBefore(edge));
  }

  /** Whether the path by which the reader of an inferred edge observed the other writer counts. */
  static boolean observes(IsolationLevel level, Edge inferred) {
    List<Edge> path = inferred.because();
    Edge last = path.get(path.size() - 1);
    return switch (level) {
      case READ_COMMITTED ->
          path.size() == 1 && last.kind() == EdgeKind.WR && last.operation() < inferred.operation();
      case READ_ATOMIC -> path.size() == 1;
      case CAUSAL -> true;
      default -> throw new IllegalStateException(level + " infers no edges");
    };
  }
}
