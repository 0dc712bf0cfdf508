package io.isotail.incremental.polygraph;

import static io.isotail.incremental.polygraph.GraphNumbers.NONE;
import static io.isotail.incremental.polygraph.GraphNumbers.number;
import static io.isotail.incremental.polygraph.GraphNumbers.numbered;

import io.isotail.incremental.snapshot.StateReader;
import io.isotail.incremental.snapshot.StateWriter;
import java.util.ArrayList;
import java.util.List;

/**
 * Saves and loads which transaction read which version. The dependencies that this implies are not
 * saved. Without list reads the readers of a version stand in the order in which they were added.
 */
final class ReadEdgeState {
  /** In place of what a list shows: a read of an element of which the next one is not known. */
  private static final int ELEMENT = -2;

  private ReadEdgeState() {}

  static void save(List<TransactionNode> nodes, StateWriter out) {
    for (TransactionNode node : nodes) {
      saveReads(node, out);
    }
  }

  private static void saveReads(TransactionNode node, StateWriter out) {
    for (ReadEdge read = node.firstRead; read != null; read = read.nextOfReader) {
      saveVersion(read, out);
    }
    out.count(0);
  }

  static void load(List<TransactionNode> nodes, List<KeyVersions> keys, StateReader in) {
    for (TransactionNode node : nodes) {
      for (int key = in.count(); key > 0; key = in.count()) {
        load(node, key, keys, nodes, in).link();
      }
    }
    keys.forEach(ReadEdgeState::enterImplied);
  }

  private static ReadEdge load(
      TransactionNode node,
      int key,
      List<KeyVersions> keys,
      List<TransactionNode> nodes,
      StateReader in) {
    VersionSlot version = loadVersion(keys.get((key - 1) / 2), nodes, in);
    return key % 2 == 0 ? ReadEdge.replaced(node, version) : new ReadEdge(node, version);
  }

  /** Between two records all that is implied is part of the graph. */
  private static void enterImplied(KeyVersions key) {
    for (VersionSlot slot = key; slot != null; slot = slot.next) {
      VersionSlot next = slot.next;
      slot.overwritten = entered(slot.writer != null && next != null);
      for (ReadEdge read : slot.readers()) {
        read.from = entered(slot.writer != null);
        read.behind = entered(next != null && !read.element && next.writer != read.reader);
      }
    }
  }

  private static EdgeState entered(boolean implied) {
    return implied ? EdgeState.ENTERED : EdgeState.ABSENT;
  }

  /** Whether there are reads of elements of which the next one is not known. */
  static boolean anyElement(List<TransactionNode> nodes) {
    for (TransactionNode node : nodes) {
      for (ReadEdge read = node.firstRead; read != null; read = read.nextOfReader) {
        if (read.element) {
          return true;
        }
      }
    }
    return false;
  }

  static void saveWithLists(List<TransactionNode> nodes, KeyVersions[] keys, StateWriter out) {
    int number = 0;
    for (TransactionNode node : nodes) {
      for (ReadEdge read = node.firstRead; read != null; read = read.nextOfReader) {
        read.saved = number++;
        saveVersion(read, out);
        out.number(read.element ? ELEMENT : read.shown == null ? NONE : read.shown.saved);
      }
      out.count(0);
    }
    for (KeyVersions key : keys) {
      for (VersionSlot slot = key; slot != null; slot = slot.next) {
        out.count(slot.readers().size());
        for (ReadEdge read : slot.readers()) {
          out.count(read.saved);
        }
      }
    }
  }

  static void loadWithLists(
      List<TransactionNode> nodes,
      List<KeyVersions> keys,
      List<ListAdjacency> shown,
      StateReader in) {
    List<ReadEdge> reads = new ArrayList<>();
    for (TransactionNode node : nodes) {
      for (int key = in.count(); key > 0; key = in.count()) {
        ReadEdge alone = load(node, key, keys, nodes, in);
        int listed = in.smallNumber();
        ReadEdge read = alone.replaces ? alone : listed(node, alone.version, shown, listed);
        node.addRead(read);
        reads.add(read);
      }
    }
    for (KeyVersions key : keys) {
      for (VersionSlot slot = key; slot != null; slot = slot.next) {
        for (int n = in.count(); n > 0; n--) {
          slot.addReader(reads.get(in.count()));
        }
      }
      enterImplied(key);
    }
  }

  private static ReadEdge listed(
      TransactionNode node, VersionSlot version, List<ListAdjacency> shown, int number) {
    if (number == ELEMENT) {
      return ReadEdge.ofElement(node, version);
    }
    if (number == NONE) {
      return new ReadEdge(node, version);
    }
    ReadEdge behind = ReadEdge.listedBehind(node, version, shown.get(number));
    shown.get(number).inForce = behind;
    return behind;
  }

  private static void saveVersion(ReadEdge readEdge, StateWriter out) {
    out.count(2 * readEdge.version.key.saved + (readEdge.replaces ? 2 : 1));
    out.number(number(readEdge.version.writer));
  }

  private static VersionSlot loadVersion(
      KeyVersions key, List<TransactionNode> nodes, StateReader in) {
    TransactionNode writer = numbered(nodes, in);
    return writer == null ? key : in.required(writer.slotOf(key.id), "version of key " + key.id);
  }
}
