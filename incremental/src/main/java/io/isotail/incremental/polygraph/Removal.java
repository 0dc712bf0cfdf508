package io.isotail.incremental.polygraph;

/** Takes transactions, reads and versions out of a level's graph. */
final class Removal {
  private Removal() {}

  /** Takes out a transaction that nobody read from. */
  static void exclude(LevelGraph graph, TransactionNode node) {
    node.leave();
    graph.inWindow.remove(node);
    forgetVersions(node);
    ListReads.forgetShownBy(graph, node, false);
    takeOut(graph, node);
    takeOutWrites(graph, node);
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
  static void takeOutWrites(LevelGraph graph, TransactionNode node) {
    for (VersionSlot slot : node.writes) {
      VersionSlot previous = slot.previous;
      slot.readers.forEach(readEdge -> takeOut(graph, readEdge));
      unlink(slot);
      graph.retired.noteOverwritten(previous);
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

  /** Takes out its reads, and every dependency of its events. */
  static void takeOut(LevelGraph graph, TransactionNode node) {
    for (int i = node.reads.size() - 1; i >= 0; i--) {
      takeOut(graph, node.reads.get(i));
    }
    RealTime realTime = graph.realTime;
    if (realTime != null) {
      realTime.remove(node);
    }
    removeAll(node.begin);
    removeAll(node.commit);
  }

  /** Takes out a read. */
  static void takeOut(LevelGraph graph, ReadEdge readEdge) {
    WantedEdges.disconnect(readEdge);
    readEdge.version.readers.remove(readEdge);
    readEdge.reader.reads.remove(readEdge);
    if (readEdge.shown != null) {
      ListReads.notInForce(readEdge.shown);
    }
    graph.retired.noteOverwritten(readEdge.version);
    if (readEdge.version.writer == null) {
      graph.forgetIfEmpty(readEdge.version.key);
    }
  }

  /** Takes out every dependency of an event. */
  static void removeAll(Event event) {
    for (Dependency out = event.firstOut(); out != null; out = event.firstOut()) {
      out.withdraw();
    }
    for (Dependency in = event.firstIn(); in != null; in = event.firstIn()) {
      in.withdraw();
    }
  }
}
