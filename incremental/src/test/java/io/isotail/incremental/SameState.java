package io.isotail.incremental;

import io.isotail.incremental.record.Operations;
import io.isotail.incremental.window.Transaction;
import it.unimi.dsi.fastutil.ints.IntArrayFIFOQueue;
import it.unimi.dsi.fastutil.objects.ReferenceLinkedOpenHashSet;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;

/**
 * Whether two checkers have the same state, down to every field: the same values, in the same
 * order, and the same things shared.
 */
final class SameState {
  /** What is no state. Every entry needs a reason. */
  private static final Map<String, String> IGNORED =
      Map.ofEntries(
          Map.entry("AnomalyReporter.listener", "belongs to whoever runs the checker"),
          Map.entry("Saturator.reads", "room to work in, loaded for each transaction"),
          Map.entry("Saturator.places", "room to work in, cleared before use"),
          Map.entry("Saturator.earliest", "room to work in, cleared before use"),
          Map.entry("Saturator.probing", "false between two transactions"),
          Map.entry("Saturator.disagrees", "set before use"),
          Map.entry("Saturator.staleInitial", "set before use"),
          Map.entry("SlotNumbers.spare", "room to work in, until the clock is built"),
          Map.entry("KeyWriters.firstPlace", "places are compared with one another"),
          Map.entry("KeyWriters.head", "writers are compared from there on"),
          Map.entry("KeyWriters.tail", "writers are compared up to there"),
          Map.entry("LoggedRows.places", "follows from the statements and tables"),
          Map.entry("Window.states", "of the transactions, which are compared"),
          Map.entry("Window.changed", "of the transactions, which are compared"),
          Map.entry("WriterIndex.scratch", "room to work in, cleared before use"),
          Map.entry("WriterIndex.guesses", "room to work in"),
          Map.entry("WriterIndex.prefetched", "never read"),
          Map.entry("Checker.taker", "a method of the checker"),
          Map.entry("Checker.latestCut", "of a snapshot that is written"),
          Map.entry("VersionMap.cut", "of a snapshot that is written"),
          Map.entry("VersionTable.prefetched", "never read"),
          Map.entry("VersionTable.oldest", "room to work in"),
          Map.entry("Horizon.confirmed", "follows from the live proxies, which are compared"),
          Map.entry("InferredEdges.now", "set before use"),
          Map.entry("InferredEdges.subject", "null between two transactions"),
          Map.entry("InferredEdges.known", "negative between two transactions"),
          Map.entry("SettledPast.needed", "set before use"),
          Map.entry("InferredEdges.anyViolation", "false between two transactions"),
          Map.entry("InferredEdges.staleKeys", "of the transaction before, cleared before use"),
          Map.entry("DeliveryOrder.stale", "empty between two searches"),
          Map.entry("DeliveryOrder.open", "empty between two searches"),
          Map.entry("Event.via", "of a search that is over"),
          Map.entry("Node.mark", "of a search that is over; the next one draws a greater number"),
          Map.entry("Numbered.saved", "of a snapshot that is written"),
          Map.entry("RelationNode.inByPlace", "follows from the edges, which are compared"),
          Map.entry("SessionState.clock", "an equal text serves as well"),
          Map.entry("VersionSlot.label", "ascends along the versions, which are compared"),
          Map.entry("LevelGraph.gaps", "shortcuts; without them the same is found"),
          Map.entry("RetiredTransactions.dropped", "empty between two transactions"),
          Map.entry("WantedEdges.wanted", "empty between two transactions"),
          Map.entry("Dependency.dead", "of one that is not in the graph"),
          Map.entry("Dependency.shown", "null once nobody writes between two listed versions"),
          Map.entry("Dependency.shownBy", "of a conflict that has been told"),
          Map.entry("Dependency.assumed", "of a conflict that has been told"),
          Map.entry("Dependency.forced", "counts only during a search"),
          Map.entry("ReadResolver.lastOwnWrite", "room to work in, cleared before use"),
          Map.entry("ReadResolver.readOperations", "room to work in"),
          Map.entry("ReadResolver.readWriters", "room to work in"),
          Map.entry("ReadResolver.listedVersions", "room to work in, cleared before use"),
          Map.entry("VersionTable.lists", "shortcuts; without them the same is found"),
          Map.entry("ReadResolver.unclearLists", "room to work in, cleared before use"),
          Map.entry("ReadResolver.decided", "set before use"),
          Map.entry("ReadResolver.lists", "room to work in, set before use"),
          Map.entry("VectorClocks.unread", "room to work in"),
          Map.entry("VectorClocks.incomplete", "set before use"),
          Map.entry("TopologicalOrder.forward", "room to work in, cleared before use"),
          Map.entry("TopologicalOrder.backward", "room to work in, cleared before use"),
          Map.entry("TopologicalOrder.stack", "empty between two searches"),
          Map.entry("TopologicalOrder.byPosition", "a function"),
          Map.entry("TopologicalOrder.positions", "room to work in"),
          Map.entry("TopologicalOrder.found", "set before use"),
          Map.entry("TopologicalOrder.target", "set before use"),
          Map.entry("TopologicalOrder.mark", "set before use"),
          Map.entry("TopologicalOrder.lowest", "set before use"),
          Map.entry("TopologicalOrder.highest", "set before use"),
          Map.entry("TopologicalList.forward", "room to work in, cleared before use"),
          Map.entry("TopologicalList.backward", "room to work in, cleared before use"),
          Map.entry("TopologicalList.current", "set before use"),
          Map.entry("TopologicalList.byPosition", "a function"),
          Map.entry("LabelledList.crowd", "empty between two insertions"),
          Map.entry("Polygraph.legalPlace", "set before use"),
          Map.entry("EventGraph.nodes", "of the transactions, which are compared in their order"),
          Map.entry("Fitting.room", "set before use"),
          Map.entry("Fitting.behind", "set before use"),
          Map.entry("Fitting.reads", "empty between two transactions"),
          Map.entry("Fitting.seen", "set before use"),
          Map.entry("Swaps.looked", "0 between two transactions"),
          Map.entry("Placed.row", "lies where there is room"),
          Map.entry("PlacedList.rows", "of what is in the list, which is compared"),
          Map.entry("Retention.dropped", "empty between two transactions"),
          Map.entry("LevelGraph.loaded", "empty once its transactions are there"),
          Map.entry("TransactionNode.fixed", "false but in a graph for one search"),
          Map.entry("TimedNumbers.largest", "those of what has left are below the floor"),
          Map.entry("TimedNumbers.before", "those of what has left are below the floor"),
          Map.entry("TimedNumbers.timesNs", "of the transactions, which are compared"),
          Map.entry("TimedNumbers.placed", "lie where there is room"),
          Map.entry("TimedNumbers.first", "lie where there is room"),
          Map.entry("TimedNumbers.end", "lie where there is room"),
          Map.entry(
              "Placed.read",
              "versions count who read them; nothing follows from those that are gone"),
          Map.entry("PlacedVersion.lastRead", "what is below the floor bounds nothing"),
          Map.entry("EventOrder.followed", "set before use"),
          Map.entry("EventOrder.sought", "null between two searches"),
          Map.entry(
              "Transaction.writes",
              "follow from the operations, and places from the writers of the keys; both are compared"),
          Map.entry(
              "Transaction.mark", "of a search that is over; the next one draws a greater number"));

  /** Fields that have been compared, and whether they ever held more than at the start. */
  private static final Map<String, Boolean> FILLED = new TreeMap<>();

  private static final Map<Class<?>, List<Named>> FIELDS = new HashMap<>();

  private record Named(Field field, String name) {}

  private record Pair(Object a, Object b, String path) {}

  private final ArrayDeque<Pair> open = new ArrayDeque<>();
  private final IdentityHashMap<Object, Object> partner = new IdentityHashMap<>();
  private final IdentityHashMap<Object, Object> partnerOfB = new IdentityHashMap<>();
  private String difference;

  private SameState() {}

  /** The first difference, or null. */
  static String difference(Object a, Object b) {
    SameState search = new SameState();
    search.compare(a, b, a.getClass().getSimpleName());
    while (search.difference == null && !search.open.isEmpty()) {
      Pair pair = search.open.remove();
      search.look(pair.a, pair.b, pair.path);
    }
    return search.difference;
  }

  private void compare(Object a, Object b, String path) {
    if (a == null || b == null) {
      require(a == b, path, a, b);
    } else if (isValue(a)) {
      require(a.equals(b), path, a, b);
    } else if (isEmptyArray(a) && isEmptyArray(b)) {
      // Which one it is matters only where one means something of its own.
      boolean meaningful = path.contains(".unseen[");
      require(a == b || !meaningful, path, a, b);
    } else if (partner.containsKey(a) || partnerOfB.containsKey(b)) {
      boolean same = partner.get(a) == b && partnerOfB.get(b) == a;
      require(same, path + " (shared)", a, b);
    } else {
      partner.put(a, b);
      partnerOfB.put(b, a);
      open.add(new Pair(a, b, path));
    }
  }

  /** Fields that held nothing in any comparison so far: whether they are saved is not known. */
  static List<String> neverFilled() {
    return FILLED.entrySet().stream().filter(e -> !e.getValue()).map(Map.Entry::getKey).toList();
  }

  private static boolean isFilled(Object value) {
    return !(value == null
        || value.equals(false)
        || (value instanceof Number n && n.longValue() == 0)
        || (value instanceof Collection<?> c && c.isEmpty())
        || (value instanceof Map<?, ?> m && m.isEmpty())
        || isEmptyArray(value));
  }

  private static boolean isEmptyArray(Object o) {
    return o.getClass().isArray() && Array.getLength(o) == 0;
  }

  private static boolean isValue(Object o) {
    return o instanceof String
        || o instanceof Number
        || o instanceof Boolean
        || o instanceof Character
        || o instanceof Enum<?>
        || o instanceof Record
        || o instanceof Operations;
  }

  private void look(Object a, Object b, String path) {
    if (a == b) {
      return; // A constant.
    }
    if (a instanceof Map<?, ?> map && b instanceof Map<?, ?> other) {
      Map<?, ?> mapA = inOrder(map);
      Map<?, ?> mapB = inOrder(other);
      elements(new ArrayList<>(mapA.keySet()), new ArrayList<>(mapB.keySet()), path + ".keys");
      elements(new ArrayList<>(mapA.values()), new ArrayList<>(mapB.values()), path);
    } else if (a instanceof ReferenceLinkedOpenHashSet<?> set) {
      elements(new ArrayList<>(set), new ArrayList<>((Collection<?>) b), path);
    } else if (a instanceof SortedSet<?> set) {
      elements(new ArrayList<>(set), new ArrayList<>((Collection<?>) b), path);
    } else if (a instanceof Set<?> set && b instanceof Set<?> other) {
      require(set.equals(other), path, set, other);
    } else if (a instanceof Collection<?> list && b instanceof Collection<?> other) {
      elements(new ArrayList<>(list), new ArrayList<>(other), path);
    } else if (a.getClass().getSimpleName().equals("LongQueue")) {
      compare(a.toString(), b.toString(), path);
    } else if (a instanceof IntArrayFIFOQueue queue) {
      compare(drained(queue).toString(), drained((IntArrayFIFOQueue) b).toString(), path);
    } else if (a.getClass() != b.getClass()) {
      require(false, path, a.getClass(), b.getClass());
    } else if (a.getClass().isArray()) {
      elements(asList(a), asList(b), path);
    } else if (a.getClass().getName().startsWith("io.isotail.")) {
      fields(a, b, path);
    } else {
      throw new AssertionError("cannot compare a " + a.getClass() + " at " + path);
    }
  }

  private void fields(Object a, Object b, String path) {
    try {
      for (Named field : FIELDS.computeIfAbsent(a.getClass(), SameState::fieldsOf)) {
        Object value = inUse(field.name, field.field.get(a), a);
        if (!FILLED.getOrDefault(field.name, false)) {
          FILLED.put(field.name, isFilled(value));
        }
        Object other = inUse(field.name, field.field.get(b), b);
        compare(value, other, path + "." + field.field.getName());
      }
    } catch (IllegalAccessException e) {
      throw new AssertionError(e);
    }
  }

  private static List<Named> fieldsOf(Class<?> type) {
    List<Named> fields = new ArrayList<>();
    for (Class<?> part = type; part != Object.class; part = part.getSuperclass()) {
      for (Field field : part.getDeclaredFields()) {
        String name = part.getSimpleName() + "." + field.getName();
        if (!Modifier.isStatic(field.getModifiers()) && !IGNORED.containsKey(name)) {
          field.setAccessible(true);
          fields.add(new Named(field, name));
        }
      }
    }
    return fields;
  }

  /** Of what lies where there is room, or by hash, what there is, in order. */
  private static Object inUse(String name, Object value, Object owner)
      throws IllegalAccessException {
    if (name.equals("KeyTable.table")) {
      SortedMap<Long, Object> byKey = new TreeMap<>();
      for (Object writers : (Object[]) value) {
        if (writers != null) {
          byKey.put((Long) valuesOf(writers).get("key"), writers);
        }
      }
      return byKey;
    }
    if (name.equals("TransactionsByKey.byKey")) {
      SortedMap<Object, Object> byKey = new TreeMap<>();
      for (var each : ((Map<?, ?>) value).entrySet()) {
        List<Transaction> all = new ArrayList<>();
        if (each.getValue() instanceof Transaction one) {
          all.add(one);
        } else {
          ((Set<?>) each.getValue()).forEach(t -> all.add((Transaction) t));
        }
        all.sort(
            Comparator.comparingLong((Transaction t) -> t.arrival)
                .thenComparing(Transaction::name));
        byKey.put(each.getKey(), all);
      }
      return byKey;
    }
    return name.startsWith("KeyWriters.") ? ofKey(name, value, valuesOf(owner)) : value;
  }

  /** Of the writers of a key; places count from the first writer that is there. */
  private static Object ofKey(String name, Object value, Map<String, Object> owner)
      throws IllegalAccessException {
    int head = (int) owner.get("head");
    int base = (int) owner.get("firstPlace") + head;
    switch (name) {
      case "KeyWriters.ordered":
        return Math.max(0, (int) value - head);
      case "KeyWriters.bySlot":
        return value == null ? null : bySlot(value, base);
      case "KeyWriters.writers", "KeyWriters.ids", "KeyWriters.unseen":
        List<Object> all = new ArrayList<>();
        for (int i = head; i < (int) owner.get("tail"); i++) {
          Object of = Array.get(value, i);
          boolean places = of instanceof int[] some && some.length > 0;
          all.add(places ? Arrays.stream((int[]) of).map(p -> p - base).toArray() : of);
        }
        return all;
      default:
        return value;
    }
  }

  private static List<String> bySlot(Object index, int base) throws IllegalAccessException {
    Map<String, Object> values = valuesOf(index);
    List<String> all = new ArrayList<>();
    all.add(new TreeMap<>((Map<?, ?>) values.get("indexOfSlot")).toString());
    for (int s = 0; s < (int) values.get("size"); s++) {
      Map<String, Object> writers = valuesOf(Array.get(values.get("all"), s));
      StringBuilder one = new StringBuilder();
      for (String ends : List.of("slots", "firstNumbers", "lastNumbers")) {
        one.append(Array.get(values.get(ends), s)).append(' ');
      }
      one.append((int) Array.get(values.get("lastPlaces"), s) - base);
      for (int i = (int) writers.get("head"); i < (int) writers.get("tail"); i++) {
        one.append(' ').append(Array.get(writers.get("numbers"), i));
        one.append('@').append((int) Array.get(writers.get("places"), i) - base);
      }
      all.add(one.toString());
    }
    return all;
  }

  private static Map<String, Object> valuesOf(Object owner) throws IllegalAccessException {
    Map<String, Object> values = new LinkedHashMap<>();
    for (Field field : owner.getClass().getDeclaredFields()) {
      field.setAccessible(true);
      values.put(field.getName(), field.get(owner));
    }
    return values;
  }

  private void elements(List<?> a, List<?> b, String path) {
    require(a.size() == b.size(), path + ".size", a, b);
    for (int i = 0; i < a.size() && difference == null; i++) {
      compare(a.get(i), b.get(i), path + "[" + i + "]");
    }
  }

  /** Spare room at the end of an array of objects is left out. */
  private static List<Object> asList(Object array) {
    List<Object> list = new ArrayList<>();
    for (int i = 0; i < Array.getLength(array); i++) {
      list.add(Array.get(array, i));
    }
    while (!list.isEmpty() && list.get(list.size() - 1) == null) {
      list.remove(list.size() - 1);
    }
    return list;
  }

  /** Where the order of a map tells nothing, the order of its keys. */
  private static Map<?, ?> inOrder(Map<?, ?> map) {
    boolean linked = map.getClass().getSimpleName().contains("Linked");
    SortedMap<Object, Object> sorted = new TreeMap<>();
    if (!linked) {
      sorted.putAll(map);
    }
    return linked ? map : sorted;
  }

  private static List<Integer> drained(IntArrayFIFOQueue queue) {
    List<Integer> numbers = new ArrayList<>();
    for (int i = queue.size(); i > 0; i--) {
      int number = queue.dequeueInt();
      numbers.add(number);
      queue.enqueue(number);
    }
    return numbers;
  }

  private void require(boolean same, String path, Object a, Object b) {
    if (!same && difference == null) {
      difference = "%s: %s, %s".formatted(path, a, b);
    }
  }
}
