package io.isotail.incremental.events;

import io.isotail.incremental.anomaly.EdgeKind;
import io.isotail.incremental.state.StateReader;
import io.isotail.incremental.state.StateWriter;
import io.isotail.incremental.window.GraphReader;
import io.isotail.incremental.window.GraphWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Saves and loads a level's graph: first the transactions, then the rest, which mentions nothing
 * outside of the graph: the places of their events, the versions of each key in their order, who
 * read which, and the dependencies in the order in which they are walked through, so that what is
 * found later is the same.
 *
 * <p>What is mentioned carries its number itself, so that nothing is looked up. The time goes into
 * reaching for things that lie anywhere in memory: what the others imply is left out and found
 * again when the graph is loaded, see {@link ReadingState}.
 */
final class LevelGraphState {
  static final int NONE = -1;

  /** Their order is part of the form. */
  private static final EdgeKind[] KINDS = EdgeKind.values();

  private LevelGraphState() {}

  /** Saves the transactions, and what is small. */
  static void saveHead(LevelGraph graph, GraphWriter to) {
    StateWriter out = to.out;
    graph.order.save(out);
    graph.hints.save(out);
    out.flag(graph.past.followed);
    out.flag(graph.past.incomplete);
    out.number(graph.unordered);
    if (graph.realTime != null) {
      RealTimeState.saveClocks(graph.realTime, out);
    }
    out.count(graph.past.retired.size());
    out.count(graph.inWindow.size());
    int number = 0;
    long before = 0;
    for (Member member : members(graph)) {
      member.saved = number++;
      to.transaction(member.txn);
      out.number(member.hint - before);
      before = member.hint;
    }
  }

  static void loadHead(LevelGraph graph, GraphReader from) {
    StateReader in = from.in;
    graph.order.load(in);
    graph.hints.load(in);
    graph.past.followed = in.flag();
    graph.past.incomplete = in.flag();
    graph.unordered = in.number();
    if (graph.realTime != null) {
      RealTimeState.loadClocks(graph.realTime, in);
    }
    int retired = in.count();
    int inWindow = in.count();
    long hint = 0;
    for (long n = (long) retired + inWindow; n > 0; n--) {
      Member member = graph.newMember(from.transaction());
      hint += in.number();
      member.hint = hint;
      member.enter();
      if (n > inWindow) {
        graph.past.add(member);
      } else {
        graph.inWindow.add(member);
      }
    }
  }

  /** Saves the rest, which may be done for several graphs at the same time. */
  static void saveBody(LevelGraph graph, StateWriter out) {
    List<Member> members = members(graph);
    List<Event> events = events(members);
    KeyVersions[] keys = keys(graph);
    saveVersions(keys, out);
    graph.past.saveLatest(out);
    List<Succession> shown = saveShown(keys, out);
    if (graph.realTime != null) {
      RealTimeState.save(graph.realTime, events, out);
    }
    saveDependencies(events, out);
    if (shown.isEmpty()) {
      ReadingState.save(members, out);
    } else {
      ReadingState.saveWithLists(members, keys, shown, out);
    }
  }

  static void loadBody(LevelGraph graph, StateReader in) {
    List<Member> members = members(graph);
    List<Event> events = events(members);
    List<KeyVersions> keys = loadVersions(graph, members, in);
    graph.past.loadLatest(members, in);
    List<Succession> shown = loadShown(keys, members, in);
    if (graph.realTime != null) {
      RealTimeState.load(graph.realTime, members, events, in);
    }
    List<Dependency> dependencies = loadDependencies(events, keys, members, in);
    if (graph.realTime != null) {
      graph.realTime.relink();
    }
    if (shown.isEmpty()) {
      ReadingState.load(members, keys, in);
    } else {
      ReadingState.loadWithLists(members, keys, shown, dependencies, in);
    }
  }

  private static List<Member> members(LevelGraph graph) {
    List<Member> members = new ArrayList<>(graph.past.retired.size() + graph.inWindow.size());
    graph.past.retired.forEach(members::add);
    graph.inWindow.forEach(members::add);
    return members;
  }

  private static List<Event> events(List<Member> members) {
    List<Event> events = new ArrayList<>(2 * members.size());
    for (Member member : members) {
      events.add(member.begin);
      if (member.commit != member.begin) {
        events.add(member.commit);
      }
    }
    return events;
  }

  /** In ascending order: how a map happens to lie in memory is no part of the state. */
  private static KeyVersions[] keys(LevelGraph graph) {
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
    out.number(key.key);
    out.count(key.size());
    for (VersionSlot slot = key.initial.next; slot != null; slot = slot.next) {
      out.number(number(slot.writer));
    }
  }

  private static List<KeyVersions> loadVersions(
      LevelGraph graph, List<Member> members, StateReader in) {
    List<KeyVersions> keys = new ArrayList<>();
    for (int n = in.count(); n > 0; n--) {
      KeyVersions key = new KeyVersions(in.number());
      for (int slots = in.count(); slots > 0; slots--) {
        Member writer = in.required(numbered(members, in), "writer of key " + key.key);
        VersionSlot slot = new VersionSlot(key, writer);
        key.insert(slot, key.last());
        writer.writes[writer.txn.writeIndex(key.key)] = slot;
      }
      graph.keys.put(key.key, key);
      keys.add(key);
    }
    return keys;
  }

  private static List<Succession> saveShown(KeyVersions[] keys, StateWriter out) {
    List<Succession> shown = new ArrayList<>();
    for (KeyVersions key : keys) {
      if (key.lists != null) {
        shown.addAll(key.lists.all);
      }
    }
    out.count(shown.size());
    int number = 0;
    for (Succession each : shown) {
      each.saved = number++;
      out.count(each.key.saved);
      out.count(each.shownBy.saved);
      out.flag(each.initial);
      out.number(each.earlier);
      out.number(each.later);
      out.flag(each.enforced);
    }
    return shown;
  }

  private static List<Succession> loadShown(
      List<KeyVersions> keys, List<Member> members, StateReader in) {
    List<Succession> shown = new ArrayList<>();
    for (int n = in.count(); n > 0; n--) {
      KeyVersions key = keys.get(in.count());
      Succession each =
          new Succession(members.get(in.count()), key, in.flag(), in.number(), in.number());
      each.enforced = in.flag();
      KeyLists lists = key.lists == null ? new KeyLists(key) : key.lists;
      key.lists = lists;
      lists.add(each);
      each.shownBy.addShown(each);
      shown.add(each);
    }
    return shown;
  }

  private static void saveDependencies(List<Event> events, StateWriter out) {
    int number = 0;
    for (Event event : events) {
      event.saved = number++;
      out.number(event.position);
    }
    number = 0;
    for (Event event : events) {
      number = saveOut(event, number, out);
    }
    for (Event event : events) {
      saveIn(event, out);
    }
  }

  /** Returns the next number of a dependency. */
  private static int saveOut(Event event, int from, StateWriter out) {
    int number = from;
    for (Dependency d = event.firstOut; d != null; d = d.nextOut) {
      d.saved = number++;
      out.octet(d.kind.ordinal() + 1);
      out.number((long) d.to.saved - event.saved);
      out.number(d.key == null ? NONE : d.key.saved);
      out.number(number(d.source));
    }
    out.octet(0);
    return number;
  }

  private static void saveIn(Event event, StateWriter out) {
    for (Dependency d = event.firstIn; d != null; d = d.nextIn) {
      out.count(d.saved + 1);
    }
    out.count(0);
  }

  private static List<Dependency> loadDependencies(
      List<Event> events, List<KeyVersions> keys, List<Member> members, StateReader in) {
    for (Event event : events) {
      event.position = in.number();
    }
    List<Dependency> all = new ArrayList<>();
    for (int i = 0; i < events.size(); i++) {
      Event event = events.get(i);
      Dependency last = null;
      for (int kind = in.octet(); kind > 0; kind = in.octet()) {
        Event to = events.get(i + in.smallNumber());
        KeyVersions key = numbered(keys, in);
        Dependency d = new Dependency(event, to, KINDS[kind - 1], key, numbered(members, in));
        d.entered = true;
        d.previousOut = last;
        if (last == null) {
          event.firstOut = d;
        } else {
          last.nextOut = d;
        }
        last = d;
        all.add(d);
      }
    }
    for (Event event : events) {
      Dependency last = null;
      for (int number = in.count(); number > 0; number = in.count()) {
        Dependency d = all.get(number - 1);
        d.previousIn = last;
        if (last == null) {
          event.firstIn = d;
        } else {
          last.nextIn = d;
        }
        last = d;
      }
    }
    return all;
  }

  static int number(@Nullable Member member) {
    return member == null ? NONE : member.saved;
  }

  static int number(@Nullable Dependency dependency) {
    return dependency == null || !dependency.entered ? NONE : dependency.saved;
  }

  /** The one with the number that was saved, or null. */
  static <T> @Nullable T numbered(List<T> all, StateReader in) {
    int number = in.smallNumber();
    return number < 0 ? null : all.get(number);
  }
}
