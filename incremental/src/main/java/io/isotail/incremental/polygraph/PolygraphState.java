package io.isotail.incremental.polygraph;

import static io.isotail.incremental.polygraph.GraphNumbers.NONE;
import static io.isotail.incremental.polygraph.GraphNumbers.number;
import static io.isotail.incremental.polygraph.GraphNumbers.numbered;

import io.isotail.incremental.snapshot.StateReader;
import io.isotail.incremental.snapshot.StateWriter;
import io.isotail.incremental.window.GraphReader;
import io.isotail.incremental.window.GraphWriter;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Saves and loads a level's graph: first the transactions, then the rest, which mentions nothing
 * outside of the graph: the places of their events, the versions of each key in their order, and
 * who read which. All edges follow from that.
 *
 * <p>What is mentioned carries its number itself, so that nothing is looked up. The time goes into
 * reaching for things that lie anywhere in memory: what the others imply is left out and found
 * again when the graph is loaded, see {@link ReadEdgeState}.
 */
final class PolygraphState {
  private final EventGraph graph;
  private final RetiredTransactions retired;
  private final @Nullable RealTime realTime;

  PolygraphState(EventGraph graph, RetiredTransactions retired, @Nullable RealTime realTime) {
    this.graph = graph;
    this.retired = retired;
    this.realTime = realTime;
  }

  /** Saves the transactions, and what is small. */
  void saveHead(GraphWriter to) {
    StateWriter out = to.out;
    graph.order.save(out);
    out.flag(graph.notes.followed);
    out.flag(graph.notes.incomplete);
    if (realTime != null) {
      RealTimeState.saveClocks(realTime, out);
    }
    out.count(retired.all.size());
    out.count(graph.inWindow.size());
    int number = 0;
    long before = 0;
    List<TransactionNode> nodes = nodes();
    for (TransactionNode node : nodes) {
      node.saved = number++;
    }
    for (TransactionNode node : nodes) {
      if (node.retired) {
        to.left(node.transaction);
      } else {
        to.transaction(node.transaction);
      }
      out.number(node.hint - before);
      before = node.hint;
      out.number(node.transaction.number - node.run);
      out.number(node.before == null ? 0 : node.saved - node.before.saved);
    }
  }

  void loadHead(GraphReader from) {
    StateReader in = from.in;
    graph.order.load(in);
    graph.notes.followed = in.flag();
    graph.notes.incomplete = in.flag();
    if (realTime != null) {
      RealTimeState.loadClocks(realTime, in);
    }
    int kept = in.count();
    int inWindow = in.count();
    long hint = 0;
    IntArrayList before = new IntArrayList();
    for (long n = (long) kept + inWindow; n > 0; n--) {
      TransactionNode node = graph.newNode(n > inWindow ? from.left() : from.transaction());
      hint += in.number();
      node.hint = hint;
      node.run = node.transaction.number - in.number();
      before.add(in.smallNumber());
      node.writes = new VersionSlot[node.transaction.writeCount()];
      graph.take(node);
      if (n > inWindow) {
        retired.add(node);
      } else {
        graph.inWindow.add(node);
      }
    }
    List<TransactionNode> nodes = nodes();
    for (int i = 0; i < nodes.size(); i++) {
      if (before.getInt(i) != 0) {
        nodes.get(i).follow(nodes.get(i - before.getInt(i)), EdgeState.ENTERED);
      }
    }
  }

  /** Saves the rest, which may be done for several graphs at the same time. */
  void saveBody(StateWriter out) {
    List<TransactionNode> nodes = nodes();
    List<Event> events = events(nodes);
    KeyVersions[] keys = keys();
    saveVersions(keys, out);
    retired.saveLatest(out);
    List<ListAdjacency> shown = saveShown(keys, out);
    if (realTime != null) {
      RealTimeState.save(realTime, events, out);
    }
    savePositions(events, out);
    boolean listed = !shown.isEmpty() || ReadEdgeState.anyElement(nodes);
    out.flag(listed);
    if (listed) {
      saveEnds(nodes, out);
      ReadEdgeState.saveWithLists(nodes, keys, out);
    } else {
      ReadEdgeState.save(nodes, out);
    }
  }

  void loadBody(StateReader in) {
    List<TransactionNode> nodes = nodes();
    List<Event> events = events(nodes);
    List<KeyVersions> keys = loadVersions(nodes, in);
    retired.loadLatest(nodes, in);
    List<ListAdjacency> shown = loadShown(keys, in);
    graph.keysWithLists = (int) keys.stream().filter(key -> key.lists != null).count();
    if (realTime != null) {
      RealTimeState.load(realTime, nodes, events, in);
    }
    loadPositions(events, in);
    if (in.flag()) {
      loadEnds(nodes, shown, in);
      ReadEdgeState.loadWithLists(nodes, keys, shown, in);
    } else {
      ReadEdgeState.load(nodes, keys, in);
    }
  }

  private List<TransactionNode> nodes() {
    List<TransactionNode> nodes = new ArrayList<>(retired.all.size() + graph.inWindow.size());
    retired.all.forEach(nodes::add);
    graph.inWindow.forEach(nodes::add);
    return nodes;
  }

  private static List<Event> events(List<TransactionNode> nodes) {
    List<Event> events = new ArrayList<>(2 * nodes.size());
    for (TransactionNode node : nodes) {
      events.add(node.begin);
      if (node.commit != node.begin) {
        events.add(node.commit);
      }
    }
    return events;
  }

  /** In ascending order: how a map happens to lie in memory is no part of the state. */
  private KeyVersions[] keys() {
    long[] ascending = graph.keys.keySet().toLongArray();
    Arrays.sort(ascending);
    KeyVersions[] keys = new KeyVersions[ascending.length];
    Arrays.setAll(keys, i -> graph.keys.get(ascending[i]));
    return keys;
  }

  private static void saveVersions(KeyVersions[] keys, StateWriter out) {
    out.count(keys.length);
    int number = 0;
    for (KeyVersions key : keys) {
      key.saved = number++;
      saveVersions(key, out);
    }
  }

  private static void saveVersions(KeyVersions key, StateWriter out) {
    out.number(key.id);
    out.count(key.size());
    for (VersionSlot slot = key.next; slot != null; slot = slot.next) {
      out.number(number(slot.writer));
    }
  }

  private List<KeyVersions> loadVersions(List<TransactionNode> nodes, StateReader in) {
    List<KeyVersions> keys = new ArrayList<>();
    for (int n = in.count(); n > 0; n--) {
      KeyVersions key = new KeyVersions(in.number());
      for (int slots = in.count(); slots > 0; slots--) {
        TransactionNode writer = in.required(numbered(nodes, in), "writer of key " + key.id);
        VersionSlot slot = new VersionSlot(key, writer);
        key.insert(slot, key.last());
        writer.writes[writer.transaction.writeIndex(key.id)] = slot;
      }
      graph.keys.put(key.id, key);
      keys.add(key);
    }
    return keys;
  }

  private static List<ListAdjacency> saveShown(KeyVersions[] keys, StateWriter out) {
    List<ListAdjacency> shown = new ArrayList<>();
    for (KeyVersions key : keys) {
      if (key.lists != null) {
        shown.addAll(key.lists.all);
      }
    }
    out.count(shown.size());
    int number = 0;
    for (ListAdjacency each : shown) {
      each.saved = number++;
      out.count(each.key.saved);
      out.number(each.before == null ? NONE : each.before.saved);
      out.flag(each.initial);
      out.number(each.earlier);
      out.number(each.later);
      out.flag(each.enforced);
    }
    return shown;
  }

  private static List<ListAdjacency> loadShown(List<KeyVersions> keys, StateReader in) {
    List<ListAdjacency> shown = new ArrayList<>();
    for (int n = in.count(); n > 0; n--) {
      KeyVersions key = keys.get(in.count());
      KeyLists lists = key.lists == null ? new KeyLists(key) : key.lists;
      key.lists = lists;
      ListAdjacency before = numbered(shown, in);
      ListAdjacency each = lists.next(before, in.flag(), in.number(), in.number());
      each.enforced = in.flag();
      shown.add(each);
    }
    return shown;
  }

  /** Where the list reads of each transaction end. */
  private static void saveEnds(List<TransactionNode> nodes, StateWriter out) {
    for (TransactionNode node : nodes) {
      out.count(node.shows.size());
      for (ListAdjacency end : node.shows) {
        out.count(end.saved);
      }
    }
  }

  private static void loadEnds(
      List<TransactionNode> nodes, List<ListAdjacency> shown, StateReader in) {
    for (TransactionNode node : nodes) {
      for (int n = in.count(); n > 0; n--) {
        ListAdjacency end = shown.get(in.count());
        end.ends(node);
        node.addShown(end);
      }
    }
  }

  private static void savePositions(List<Event> events, StateWriter out) {
    long before = 0;
    for (Event event : events) {
      out.number(event.position - before);
      before = event.position;
    }
  }

  private void loadPositions(List<Event> events, StateReader in) {
    long position = 0;
    for (Event event : events) {
      position += in.number();
      event.position = position;
    }
    graph.order.restore(events);
  }
}
