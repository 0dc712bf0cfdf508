package io.isotail.incremental.polygraph;

import static io.isotail.incremental.polygraph.GraphNumbers.NONE;
import static io.isotail.incremental.polygraph.GraphNumbers.number;
import static io.isotail.incremental.polygraph.GraphNumbers.numbered;

import io.isotail.incremental.snapshot.StateReader;
import io.isotail.incremental.snapshot.StateWriter;
import java.util.List;

/**
 * Saves and loads which transaction read which version. The dependencies that this implies are not
 * saved. Without list reads the readers of a version stand in the order in which they were added.
 */
final class ReadEdgeState {
  private ReadEdgeState() {}

  static void save(List<TransactionNode> nodes, StateWriter out) {
    for (TransactionNode node : nodes) {
      saveReads(node, out);
    }
  }

  private static void saveReads(TransactionNode node, StateWriter out) {
    out.count(node.reads.size());
    for (ReadEdge readEdge : node.reads) {
      saveVersion(readEdge, out);
    }
  }

  static void load(List<TransactionNode> nodes, List<KeyVersions> keys, StateReader in) {
    for (TransactionNode node : nodes) {
      for (int n = in.count(); n > 0; n--) {
        ReadEdge readEdge = new ReadEdge(node, loadVersion(keys, nodes, in), null);
        node.reads.add(readEdge);
        readEdge.version.addReader(readEdge);
      }
    }
    keys.forEach(ReadEdgeState::enterImplied);
  }

  /** Between two records all that is implied is part of the graph. */
  private static void enterImplied(KeyVersions key) {
    for (VersionSlot slot = key; slot != null; slot = slot.next) {
      VersionSlot next = slot.next;
      slot.overwritten = entered(slot.writer != null && next != null);
      for (ReadEdge read : slot.readers()) {
        read.from = entered(slot.writer != null && read.shown == null);
        read.behind = entered(next != null && next.writer != read.reader);
      }
    }
  }

  private static EdgeState entered(boolean implied) {
    return implied ? EdgeState.ENTERED : EdgeState.ABSENT;
  }

  static void saveWithLists(
      List<TransactionNode> nodes, KeyVersions[] keys, List<ListAdjacency> shown, StateWriter out) {
    for (TransactionNode node : nodes) {
      out.count(node.reads.size());
      for (ReadEdge readEdge : node.reads) {
        saveVersion(readEdge, out);
        out.number(readEdge.shown == null ? NONE : readEdge.shown.saved);
      }
    }
    for (ListAdjacency each : shown) {
      out.number(number(each.ww));
    }
    for (KeyVersions key : keys) {
      for (VersionSlot slot = key; slot != null; slot = slot.next) {
        out.count(slot.readers().size());
        for (ReadEdge readEdge : slot.readers()) {
          out.count(readEdge.reader.saved);
          out.count(readEdge.place);
        }
      }
    }
  }

  static void loadWithLists(
      List<TransactionNode> nodes,
      List<KeyVersions> keys,
      List<ListAdjacency> shown,
      List<Dependency> dependencies,
      StateReader in) {
    for (TransactionNode node : nodes) {
      for (int n = in.count(); n > 0; n--) {
        VersionSlot version = loadVersion(keys, nodes, in);
        ListAdjacency inForce = numbered(shown, in);
        ReadEdge readEdge = new ReadEdge(node, version, inForce);
        if (inForce != null) {
          inForce.inForce = readEdge;
        }
        node.reads.add(readEdge);
      }
    }
    for (ListAdjacency each : shown) {
      each.ww = numbered(dependencies, in);
    }
    for (KeyVersions key : keys) {
      for (VersionSlot slot = key; slot != null; slot = slot.next) {
        loadReaders(slot, nodes, in);
      }
      enterImplied(key);
    }
  }

  private static void saveVersion(ReadEdge readEdge, StateWriter out) {
    out.count(readEdge.version.key.saved);
    out.number(number(readEdge.version.writer));
  }

  private static VersionSlot loadVersion(
      List<KeyVersions> keys, List<TransactionNode> nodes, StateReader in) {
    KeyVersions key = keys.get(in.count());
    TransactionNode writer = numbered(nodes, in);
    return writer == null ? key : in.required(writer.slotOf(key.id), "version of key " + key.id);
  }

  private static void loadReaders(VersionSlot slot, List<TransactionNode> nodes, StateReader in) {
    for (int n = in.count(); n > 0; n--) {
      TransactionNode reader = nodes.get(in.count());
      slot.addReader(reader.reads.get(in.count()));
    }
  }
}
