package io.isotail.incremental.polygraph;

import io.isotail.incremental.certificate.Excerpt;
import io.isotail.incremental.certificate.Numbers;
import io.isotail.incremental.certificate.Placed;
import io.isotail.incremental.window.SessionState;
import io.isotail.incremental.window.Transaction;
import it.unimi.dsi.fastutil.objects.Reference2ObjectOpenHashMap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Makes a graph of transactions that a certificate has numbers for, and reads the order off a
 * graph. Since all that follows agrees with the numbers, no edge has to be searched for.
 */
final class NumberedGraph {
  private final Polygraph polygraph;
  private final EventGraph graph;

  /** Whether what comes earlier comes before all others, named or not. */
  private final boolean isPart;

  private final Map<Placed, TransactionNode> nodes = new Reference2ObjectOpenHashMap<>();

  private NumberedGraph(Polygraph polygraph, boolean isPart) {
    this.polygraph = polygraph;
    this.graph = polygraph.graph;
    this.isPart = isPart;
  }

  /** An event with its number. */
  private record NumberedEvent(long number, Event event) {}

  /**
   * Fills an empty graph; what comes earlier counts as having left.
   *
   * @param isPart whether that comes before all others without question, named or not; else all is
   *     named that there is
   */
  static void fill(Polygraph empty, Excerpt excerpt, boolean isPart) {
    new NumberedGraph(empty, isPart).fill(excerpt);
  }

  private void fill(Excerpt excerpt) {
    List<NumberedEvent> events = new ArrayList<>();
    for (Placed placed : excerpt.earlier()) {
      TransactionNode node = node(placed, events);
      node.fixed = isPart;
      polygraph.takeRetired(node);
    }
    for (Placed placed : excerpt.later()) {
      node(placed, events);
    }
    events.sort(Comparator.comparingLong(NumberedEvent::number));
    events.forEach(each -> graph.order.append(each.event));
    addVersions(excerpt);
    for (Placed placed : excerpt.later()) {
      TransactionNode node = nodeOf(placed);
      polygraph.takeInWindow(node);
      placed.forEachRead((key, writer) -> addRead(node, key, writer));
      placed.forEachReplaced((key, writer) -> addReplaced(node, key, writer));
    }
    addSessionOrder(events);
    for (KeyVersions key : graph.keys.values()) {
      for (VersionSlot slot = key; slot != null; slot = slot.next) {
        graph.edges.connect(slot);
      }
    }
    graph.enterAll();
    graph.notes.followed = false;
  }

  /**
   * Of those that have left too; one that was promoted late may be out of order. One that left
   * while there was a graph, which kept it for its versions alone, may stand behind the next of its
   * session: that one follows the last that commits before it begins.
   */
  private void addSessionOrder(List<NumberedEvent> ascending) {
    Map<SessionState, TransactionNode> latest = new Reference2ObjectOpenHashMap<>();
    for (NumberedEvent each : ascending) {
      TransactionNode node = each.event.owner();
      TransactionNode before = latest.get(node.transaction.session);
      boolean inOrder = before == null || before.isEarlierThan(node);
      if (inOrder && each.event == node.begin) {
        graph.edges.wantInSession(node, before, null);
      }
      if (inOrder && each.event == node.commit) {
        latest.put(node.transaction.session, node);
      }
    }
  }

  private TransactionNode node(Placed placed, List<NumberedEvent> events) {
    TransactionNode node = graph.newNode(placed.transaction);
    node.hint = placed.commit();
    nodes.put(placed, node);
    events.add(new NumberedEvent(placed.begin(), node.begin));
    if (node.commit != node.begin) {
      events.add(new NumberedEvent(placed.commit(), node.commit));
    }
    return node;
  }

  private TransactionNode nodeOf(Placed placed) {
    TransactionNode node = nodes.get(placed);
    if (node == null) {
      throw new IllegalArgumentException(placed + " is not part of the excerpt");
    }
    return node;
  }

  private void addVersions(Excerpt excerpt) {
    List<Placed> byCommit = new ArrayList<>(excerpt.earlier());
    byCommit.addAll(excerpt.later());
    byCommit.sort(Comparator.comparingLong(Placed::commit));
    List<VersionSlot> slots = new ArrayList<>();
    for (Placed placed : byCommit) {
      TransactionNode node = nodeOf(placed);
      placed.forEachWrite(key -> slots.add(new VersionSlot(graph.versions(key), node)));
      node.writes = slots.toArray(node.writes);
      slots.clear();
      for (VersionSlot slot : node.writes) {
        slot.key.insert(slot, slot.key.last());
      }
    }
  }

  private void addReplaced(TransactionNode node, long key, @Nullable Transaction writer) {
    VersionSlot version = versionRead(key, writer);
    if (version != null) {
      ReadEdge replaced = ReadEdge.replaced(node, version);
      replaced.link();
      graph.edges.wantRead(replaced);
    }
  }

  private void addRead(TransactionNode node, long key, @Nullable Transaction writer) {
    VersionSlot version = versionRead(key, writer);
    if (version != null) {
      ReadEdge read = new ReadEdge(node, version);
      read.link();
      graph.edges.wantRead(read);
    }
  }

  private @Nullable VersionSlot versionRead(long key, @Nullable Transaction writer) {
    TransactionNode source = writer == null ? null : graph.nodeOf(writer);
    VersionSlot version = writer == null ? graph.versions(key) : null;
    if (source != null) {
      version = version(source, key);
    } else if (version == null && isPart) {
      version = lastThatLeft(key);
    }
    return version;
  }

  /** Stands for a version that is no part of the excerpt: all of its own come later. */
  private VersionSlot lastThatLeft(long key) {
    VersionSlot version = graph.versions(key).last();
    while (version.writer != null && !version.writer.retired) {
      version = Objects.requireNonNull(version.previous);
    }
    return version;
  }

  private static @Nullable VersionSlot version(TransactionNode writer, long key) {
    int low = 0;
    int high = writer.writes.length - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      long found = writer.writes[middle].key.id;
      if (found == key) {
        return writer.writes[middle];
      }
      low = found < key ? middle + 1 : low;
      high = found < key ? high : middle - 1;
    }
    return null;
  }

  /**
   * The transactions of the window in the order of a graph, twice where begin and commit are told
   * apart.
   */
  static List<Transaction> order(Polygraph polygraph) {
    List<Transaction> order = new ArrayList<>();
    for (Event event : events(polygraph)) {
      if (!event.owner().retired) {
        order.add(event.owner().transaction);
      }
    }
    return order;
  }

  /** Numbers that agree with the order of a graph: of what has left first, as it did. */
  static List<Numbers> numbers(Polygraph polygraph) {
    List<Event> events = events(polygraph);
    long[] numbers = new long[events.size()];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = wish(events.get(i));
    }
    Arrays.sort(numbers);
    Map<Event, Long> numberOf = new Reference2ObjectOpenHashMap<>();
    long last = Long.MIN_VALUE;
    for (int i = 0; i < numbers.length; i++) {
      last = Math.max(last + 1, numbers[i]);
      numberOf.put(events.get(i), last);
    }
    List<Numbers> all = new ArrayList<>();
    for (TransactionNode node : polygraph.kept()) {
      all.add(numbers(node, numberOf));
    }
    for (Event event : events) {
      TransactionNode node = event.owner();
      if (event == node.commit && !node.retired) {
        all.add(numbers(node, numberOf));
      }
    }
    return all;
  }

  private static Numbers numbers(TransactionNode node, Map<Event, Long> numberOf) {
    return new Numbers(
        node.transaction,
        node.retired,
        readsAll(node),
        Objects.requireNonNull(numberOf.get(node.begin)),
        Objects.requireNonNull(numberOf.get(node.commit)));
  }

  private static boolean readsAll(TransactionNode node) {
    for (ReadEdge read = node.firstRead; read != null; read = read.nextOfReader) {
      if (read.isRead() && node.transaction.leavesOutReadsOf(read.version.key.id)) {
        return true;
      }
    }
    return false;
  }

  private static long wish(Event event) {
    TransactionNode node = event.owner();
    return event == node.commit ? node.hint : node.hint - 1;
  }

  /** The numbers of what has left and is kept, oldest first. */
  static List<Numbers> keptNumbers(Polygraph polygraph) {
    return numbers(polygraph).stream().filter(Numbers::kept).toList();
  }

  /** The begins and commits, in the order of the graph. */
  private static List<Event> events(Polygraph polygraph) {
    List<Event> events = new ArrayList<>();
    for (Event at = polygraph.graph.order.last(); at != null; at = at.listedBefore()) {
      if (at.node != null) {
        events.add(at);
      }
    }
    Collections.reverse(events);
    return events;
  }
}
