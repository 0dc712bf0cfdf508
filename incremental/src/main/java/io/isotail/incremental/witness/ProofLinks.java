package io.isotail.incremental.witness;

import io.isotail.incremental.anomaly.EdgeKind;
import io.isotail.incremental.anomaly.Proof;
import io.isotail.incremental.anomaly.Proof.Edge;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The edges of a proof as links, which are what sentences are made from. */
final class ProofLinks {
  private final CapsuleFacts facts;

  /** Of proofs about the capsule that {@code facts} are of. */
  ProofLinks(CapsuleFacts facts) {
    this.facts = facts;
  }

  /** The links of these edges, in the same order. */
  List<Link> of(List<Edge> edges) {
    return edges.stream().map(this::link).toList();
  }

  /** The cycles of a proof from {@code prefix} on; that of the most likely case comes first. */
  List<List<Link>> cycles(Proof proof) {
    List<Proof.Cycle> inOrder = new ArrayList<>();
    addLikelyFirst(proof, inOrder);
    return inOrder.stream().distinct().map(cycle -> of(fromEarliest(cycle))).toList();
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
      boolean first = facts.committedFirst(split.a(), split.b());
      addLikelyFirst(first ? split.ifFirst() : split.ifSecond(), cycles);
      addLikelyFirst(first ? split.ifSecond() : split.ifFirst(), cycles);
    } else if (proof instanceof Proof.Cycle cycle) {
      cycles.add(cycle);
    }
  }

  private Link link(Edge edge) {
    if (edge.kind() == EdgeKind.SO || edge.kind() == EdgeKind.RT) {
      return Link.plain(edge.from(), edge.to(), edge.kind());
    }
    boolean toOverwrites = edge.kind() == EdgeKind.WW || edge.kind() == EdgeKind.RW;
    boolean behindFrom = edge.kind() == EdgeKind.WW && edge.source() == Proof.NONE;
    return new Link(
        edge.from(),
        edge.to(),
        edge.kind(),
        edge.key(),
        behindFrom ? edge.from() : edge.source(),
        edge.reader(),
        read(edge),
        facts.write(toOverwrites ? edge.to() : edge.from(), edge.key()),
        edge.isAssumed() || edge.because().stream().anyMatch(Edge::isAssumed));
  }

  /** A read that implies an edge is told by the first one of the same version. */
  private int read(Edge edge) {
    return switch (edge.kind()) {
      case CO -> {
        int first = facts.readFrom(edge.reader(), edge.key(), edge.to());
        // The judge finds a writer by a version that it overwrote later; no read is told of that.
        yield first == Link.NONE ? edge.operation() : first;
      }
      case WW -> Link.NONE;
      default -> edge.operation();
    };
  }
}
