package io.isotail.incremental.saturation;

import io.isotail.incremental.snapshot.BackReferenceReader;
import io.isotail.incremental.window.GraphReader;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads what {@link RelationWriter} wrote. */
public final class RelationReader {
  final GraphReader graph;

  private final BackReferenceReader<RelationNode> nodes =
      new BackReferenceReader<>(this::newNode, List.of());
  private final BackReferenceReader<CommitEdge> edges =
      new BackReferenceReader<>(() -> CommitEdge.load(this), List.of());
  private final BackReferenceReader<Clock> clocks =
      new BackReferenceReader<>(this::newClock, List.of());
  private final BackReferenceReader<long[]> chunks =
      new BackReferenceReader<>(() -> Clock.loadChunk(this), List.of());
  private final BackReferenceReader<int[]> numbers =
      new BackReferenceReader<>(() -> SlotNumbers.loadChunk(this), List.of());
  private Clock lastClock = Clock.NOTHING_SEEN;

  /** Reads from {@code graph}, which reads the transactions themselves. */
  public RelationReader(GraphReader graph) {
    this.graph = graph;
  }

  /** See {@link RelationWriter#node}. */
  @Nullable RelationNode nodeOrNull() {
    return nodes.refer(graph.in);
  }

  /** A node that must be there. */
  RelationNode node() {
    return graph.in.required(nodeOrNull(), "node of the relation");
  }

  /** See {@link RelationWriter#edge}. */
  @Nullable CommitEdge edgeOrNull() {
    return edges.refer(graph.in);
  }

  /** An edge that must be there. */
  CommitEdge edge() {
    return graph.in.required(edgeOrNull(), "edge");
  }

  /** See {@link RelationWriter#clock}. */
  @Nullable Clock clockOrNull() {
    return graph.in.flag() ? Clock.NOTHING_SEEN : clocks.refer(graph.in);
  }

  /** A clock that must be there. */
  Clock clock() {
    return graph.in.required(clockOrNull(), "clock");
  }

  /** See {@link RelationWriter#chunk}. */
  long @Nullable [] chunkOrNull() {
    return chunks.refer(graph.in);
  }

  /** See {@link RelationWriter#numbers}. */
  int @Nullable [] numbersOrNull() {
    return numbers.refer(graph.in);
  }

  /** See {@link RelationWriter#contents}. */
  void contents() {
    List<CommitEdge> list = new ArrayList<>();
    for (int n = graph.in.count(); n > 0; n--) {
      RelationNode node = node();
      node.enter();
      node.clock = clockOrNull();
      node.position = graph.in.number();
      node.weakerPositions(graph.in.numbers());
      node.before = nodeOrNull();
      node.after = nodeOrNull();
      for (int readers = graph.in.count(); readers > 0; readers--) {
        node.addReader(node());
      }
      node.restoreOut(edges(list));
      node.restoreIn(edges(list));
    }
  }

  private List<CommitEdge> edges(List<CommitEdge> list) {
    list.clear();
    for (CommitEdge edge = edgeOrNull(); edge != null; edge = edgeOrNull()) {
      list.add(edge);
    }
    return list;
  }

  private RelationNode newNode() {
    return new RelationNode(graph.transaction());
  }

  private Clock newClock() {
    lastClock = Clock.load(this, lastClock);
    return lastClock;
  }
}
