package io.isotail.incremental.polygraph;

import static io.isotail.incremental.polygraph.GraphNumbers.NONE;
import static io.isotail.incremental.polygraph.GraphNumbers.number;
import static io.isotail.incremental.polygraph.GraphNumbers.numbered;

import io.isotail.incremental.anomaly.EdgeKind;
import io.isotail.incremental.snapshot.StateReader;
import io.isotail.incremental.snapshot.StateWriter;
import it.unimi.dsi.fastutil.objects.Reference2ObjectOpenHashMap;
import java.util.List;
import java.util.Map;

/**
 * Saves and loads which transaction read which version, and which dependencies follow from that and
 * from the order of the versions.
 *
 * <p>Without list reads only the first has to be told: a reader and a writer have one dependency
 * for each version, and readers stand in the order in which they were added.
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
    Map<VersionSlot, ReadEdge> byVersion = new Reference2ObjectOpenHashMap<>();
    for (TransactionNode node : nodes) {
      byVersion.clear();
      for (int n = in.count(); n > 0; n--) {
        ReadEdge readEdge = new ReadEdge(node, loadVersion(keys, nodes, in), null);
        node.reads.add(readEdge);
        readEdge.version.addReader(readEdge);
        byVersion.put(readEdge.version, readEdge);
      }
      for (Dependency d = node.begin.firstOut(); d != null; d = d.nextOut()) {
        if (d.kind == EdgeKind.RW && d.key != null) {
          VersionSlot version = d.source == null ? d.key : d.source.slotOf(d.key.id);
          in.required(byVersion.get(version), "read of key " + d.key()).toNext = d;
        }
      }
      for (Dependency d = node.commit.firstOut(); d != null; d = d.nextOut()) {
        if (d.kind == EdgeKind.WW) {
          in.required(node.slotOf(d.key()), "version of key " + d.key()).ww = d;
        }
      }
    }
  }

  static void saveWithLists(
      List<TransactionNode> nodes, KeyVersions[] keys, List<ListAdjacency> shown, StateWriter out) {
    for (TransactionNode node : nodes) {
      for (VersionSlot slot : node.writes) {
        out.number(number(slot.ww));
      }
      out.count(node.reads.size());
      for (ReadEdge readEdge : node.reads) {
        saveVersion(readEdge, out);
        out.number(number(readEdge.toNext));
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
      for (VersionSlot slot : node.writes) {
        slot.ww = numbered(dependencies, in);
      }
      for (int n = in.count(); n > 0; n--) {
        VersionSlot version = loadVersion(keys, nodes, in);
        Dependency toNext = numbered(dependencies, in);
        ListAdjacency inForce = numbered(shown, in);
        ReadEdge readEdge = new ReadEdge(node, version, inForce);
        readEdge.toNext = toNext;
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
