package io.isotail.incremental.polygraph;

import org.jspecify.annotations.Nullable;

/** Takes transactions, reads and versions out of a level's graph. */
final class Removal {
  private final EventGraph graph;
  private final @Nullable RealTime realTime;

  Removal(EventGraph graph, @Nullable RealTime realTime) {
    this.graph = graph;
    this.realTime = realTime;
  }

  /** Takes out a transaction that nobody read from. */
  void exclude(TransactionNode node) {
    graph.forget(node);
    graph.inWindow.remove(node);
    forgetVersions(node);
    ListReads.forgetShownBy(graph, node, false);
    takeOut(node);
    takeOutWrites(node);
  }

  /** Lists show nothing more of its versions. */
  static void forgetVersions(TransactionNode node) {
    for (VersionSlot slot : node.writes) {
      if (slot.key.lists != null) {
        slot.key.lists.removeWriter(slot);
      }
    }
  }

  /** Takes out the versions that it wrote. */
  void takeOutWrites(TransactionNode node) {
    for (VersionSlot slot : node.writes) {
      VersionSlot previous = slot.previous;
      slot.readers().forEach(readEdge -> graph.takeOut(readEdge));
      unlink(slot);
      graph.notes.noteOverwritten(previous);
      if (previous != null) {
        graph.edges.connect(previous);
      }
      graph.forgetIfEmpty(slot.key);
    }
  }

  private static void unlink(VersionSlot slot) {
    VersionSlot previous = slot.previous;
    if (previous != null) {
      WantedEdges.disconnect(previous);
    }
    WantedEdges.disconnect(slot);
    slot.key.remove(slot);
  }

  /** Takes out its reads, its times and its place in the session. */
  void takeOut(TransactionNode node) {
    for (ReadEdge read = node.firstRead; read != null; read = node.firstRead) {
      graph.takeOut(read);
    }
    if (realTime != null) {
      realTime.remove(node);
    }
    graph.leaveSession(node);
    graph.order.remove(node);
  }
}
