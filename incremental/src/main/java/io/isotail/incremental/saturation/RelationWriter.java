package io.isotail.incremental.saturation;

import io.isotail.incremental.snapshot.BackReferenceWriter;
import io.isotail.incremental.snapshot.IdentityReferenceWriter;
import io.isotail.incremental.window.GraphWriter;
import io.isotail.incremental.window.Transaction;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes what the weak levels keep of transactions: nodes, edges and clocks, each once, and what
 * clocks share once too.
 */
public final class RelationWriter {
  final GraphWriter graph;

  private final IdentityReferenceWriter<RelationNode> nodes =
      new IdentityReferenceWriter<>(List.of());
  private final IdentityReferenceWriter<CommitEdge> edges =
      new IdentityReferenceWriter<>(List.of());
  private final BackReferenceWriter<Clock> clocks = new BackReferenceWriter<>();
  private final BackReferenceWriter<long[]> chunks = new BackReferenceWriter<>();
  private final BackReferenceWriter<int[]> numbers = new BackReferenceWriter<>();
  private Clock lastClock = Clock.NOTHING_SEEN;

  /** Writes to {@code graph}, which writes the transactions themselves. */
  public RelationWriter(GraphWriter graph) {
    this.graph = graph;
  }

  /** A node, or null. */
  void node(@Nullable RelationNode node) {
    if (nodes.refer(graph.out, node) && node != null) {
      graph.transaction(node.transaction);
    }
  }

  /** An edge, or null. */
  void edge(@Nullable CommitEdge edge) {
    if (edges.refer(graph.out, edge) && edge != null) {
      edge.save(this);
    }
  }

  /** A clock, which several transactions may share, or null. */
  void clock(@Nullable Clock clock) {
    graph.out.flag(clock == Clock.NOTHING_SEEN);
    if (clock != Clock.NOTHING_SEEN && clocks.refer(graph.out, clock) && clock != null) {
      clock.save(this, lastClock);
      lastClock = clock;
    }
  }

  /** A chunk of a clock, which several clocks may share, or null. */
  void chunk(long @Nullable [] chunk) {
    if (chunks.refer(graph.out, chunk) && chunk != null) {
      graph.out.numbers(chunk);
    }
  }

  /** A chunk of a clock's numbers, which several clocks may share, or null. */
  void numbers(int @Nullable [] chunk) {
    if (numbers.refer(graph.out, chunk) && chunk != null) {
      graph.out.numbers(chunk);
    }
  }

  /** The nodes of those transactions that are part of the relation, with what they hold. */
  void contents(Iterable<Transaction> window) {
    List<RelationNode> present = new ArrayList<>();
    for (Transaction t : window) {
      RelationNode node = RelationNode.of(t);
      if (node != null) {
        present.add(node);
      }
    }
    graph.out.count(present.size());
    present.forEach(this::content);
  }

  private void content(RelationNode node) {
    node(node);
    clock(node.clock);
    graph.out.number(node.position);
    graph.out.numbers(node.weakerPositions);
    node(node.before);
    node(node.after);
    graph.out.count(node.readerCount());
    for (int i = 0; i < node.readerCount(); i++) {
      node(node.reader(i));
    }
    for (CommitEdge edge = node.firstOut(); edge != null; edge = edge.nextOut()) {
      edge(edge);
    }
    edge(null);
    for (CommitEdge edge = node.firstIn(); edge != null; edge = edge.nextIn()) {
      edge(edge);
    }
    edge(null);
  }
}
