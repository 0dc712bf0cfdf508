package io.isotail.incremental.events;

import static java.util.Comparator.comparingInt;

import io.isotail.incremental.anomaly.EdgeKind;
import io.isotail.incremental.state.StateReader;
import io.isotail.incremental.state.StateWriter;
import io.isotail.incremental.window.GraphReader;
import io.isotail.incremental.window.GraphWriter;
import it.unimi.dsi.fastutil.objects.Reference2IntOpenHashMap;
import it.unimi.dsi.fastutil.objects.ReferenceOpenHashSet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Saves and loads a level's graph: the transactions with the places of their events, the versions
 * of each key in their order, who read which, and the dependencies in the order in which they are
 * walked through, so that what is found later is the same.
 */
final class LevelGraphState {
  private static final int NONE = -1;

  private LevelGraphState() {}

  static void save(LevelGraph graph, GraphWriter to) {
    StateWriter out = to.out;
    graph.order.save(out);
    graph.hints.save(out);
    out.flag(graph.past.followed);
    out.flag(graph.past.incomplete);
    out.number(graph.unordered);
    out.count(graph.past.retired.size());
    List<Member> members = new ArrayList<>();
    graph.past.retired.forEach(members::add);
    graph.inWindow.forEach(members::add);
    Reference2IntOpenHashMap<Member> numbers = new Reference2IntOpenHashMap<>();
    numbers.defaultReturnValue(NONE);
    out.count(members.size());
    for (Member member : members) {
      numbers.put(member, numbers.size());
      to.transaction(member.txn);
      out.number(member.hint);
    }
    long[] keys = graph.keys.keySet().toLongArray();
    Arrays.sort(keys);
    out.count(keys.length);
    for (long key : keys) {
      List<VersionSlot> slots = graph.keys.get(key).inOrder();
      out.number(key);
      out.count(slots.size());
      slots.forEach(slot -> out.count(numbers.getInt(slot.writer)));
    }
    Reference2IntOpenHashMap<Succession> shown = saveShown(graph, keys, numbers, out);
    List<Event> events = events(members);
    if (graph.realTime != null) {
      RealTimeState.save(graph.realTime, numbers, events, out);
    }
    Reference2IntOpenHashMap<Dependency> dependencies = saveDependencies(events, numbers, out);
    for (Member member : members) {
      for (VersionSlot slot : member.writes) {
        out.number(slot.ww == null ? NONE : dependencies.getInt(slot.ww));
      }
      out.count(member.reads.size());
      for (Reading reading : member.reads) {
        Member writer = reading.version.writer;
        out.number(reading.version.key.key);
        out.number(writer == null ? NONE : numbers.getInt(writer));
        out.number(reading.toNext == null ? NONE : dependencies.getInt(reading.toNext));
        out.number(reading.shown == null ? NONE : shown.getInt(reading.shown));
      }
    }
    for (Succession each : shown.keySet().stream().sorted(comparingInt(shown::getInt)).toList()) {
      out.number(each.ww == null ? NONE : dependencies.getInt(each.ww));
    }
    for (long key : keys) {
      saveReaders(graph.keys.get(key).initial, numbers, out);
      for (VersionSlot slot : graph.keys.get(key).inOrder()) {
        saveReaders(slot, numbers, out);
      }
    }
  }

  private static Reference2IntOpenHashMap<Succession> saveShown(
      LevelGraph graph, long[] keys, Reference2IntOpenHashMap<Member> numbers, StateWriter out) {
    Reference2IntOpenHashMap<Succession> shown = new Reference2IntOpenHashMap<>();
    shown.defaultReturnValue(NONE);
    for (long key : keys) {
      KeyLists lists = graph.keys.get(key).lists;
      out.count(lists == null ? 0 : lists.all.size());
      if (lists == null) {
        continue;
      }
      for (Succession each : lists.all) {
        shown.put(each, shown.size());
        out.count(numbers.getInt(each.shownBy));
        out.flag(each.initial);
        out.number(each.earlier);
        out.number(each.later);
        out.flag(each.enforced);
      }
    }
    return shown;
  }

  private static void saveReaders(
      VersionSlot slot, Reference2IntOpenHashMap<Member> numbers, StateWriter out) {
    out.count(slot.readers.size());
    for (Reading reading : slot.readers) {
      out.count(numbers.getInt(reading.reader));
    }
  }

  private static Reference2IntOpenHashMap<Dependency> saveDependencies(
      List<Event> events, Reference2IntOpenHashMap<Member> numbers, StateWriter out) {
    Reference2IntOpenHashMap<Event> places = new Reference2IntOpenHashMap<>();
    for (Event event : events) {
      places.put(event, places.size());
      out.number(event.position);
    }
    Reference2IntOpenHashMap<Dependency> saved = new Reference2IntOpenHashMap<>();
    saved.defaultReturnValue(NONE);
    for (Event event : events) {
      List<Dependency> leaving = new ArrayList<>();
      for (Dependency d = event.firstOut; d != null; d = d.nextOut) {
        leaving.add(d);
      }
      out.count(leaving.size());
      for (Dependency d : leaving) {
        saved.put(d, saved.size());
        out.count(places.getInt(d.to));
        out.constant(d.kind);
        out.number(d.key);
        out.number(d.source == null ? NONE : numbers.getInt(d.source));
      }
    }
    for (Event event : events) {
      List<Dependency> coming = new ArrayList<>();
      for (Dependency d = event.firstIn; d != null; d = d.nextIn) {
        coming.add(d);
      }
      out.count(coming.size());
      coming.forEach(d -> out.count(saved.getInt(d)));
    }
    return saved;
  }

  private static List<Event> events(List<Member> members) {
    List<Event> events = new ArrayList<>();
    for (Member member : members) {
      events.add(member.begin);
      if (member.commit != member.begin) {
        events.add(member.commit);
      }
    }
    return events;
  }

  static void load(LevelGraph graph, GraphReader from) {
    StateReader in = from.in;
    graph.order.load(in);
    graph.hints.load(in);
    graph.past.followed = in.flag();
    graph.past.incomplete = in.flag();
    graph.unordered = in.number();
    int retired = in.count();
    List<Member> members = new ArrayList<>();
    for (int n = in.count(); n > 0; n--) {
      Member member = graph.newMember(from.transaction());
      member.hint = in.number();
      member.enter();
      if (members.size() < retired) {
        graph.past.add(member);
      } else {
        graph.inWindow.add(member);
      }
      members.add(member);
    }
    List<KeyVersions> keys = new ArrayList<>();
    for (int n = in.count(); n > 0; n--) {
      KeyVersions key = new KeyVersions(in.number());
      for (int slots = in.count(); slots > 0; slots--) {
        Member writer = members.get(in.count());
        VersionSlot slot = new VersionSlot(key, writer);
        key.insert(slot, key.last());
        writer.writes[writer.txn.writeIndex(key.key)] = slot;
      }
      graph.keys.put(key.key, key);
      keys.add(key);
    }
    List<Succession> shown = loadShown(keys, members, in);
    List<Event> events = events(members);
    if (graph.realTime != null) {
      RealTimeState.load(graph.realTime, members, events, in);
    }
    List<Dependency> dependencies = loadDependencies(events, members, in);
    if (graph.realTime != null) {
      graph.realTime.relink();
    }
    for (Member member : members) {
      for (VersionSlot slot : member.writes) {
        slot.ww = dependencyOrNull(dependencies, in);
      }
      for (int n = in.count(); n > 0; n--) {
        long key = in.number();
        int writer = in.smallNumber();
        VersionSlot version = slot(graph, key, writer < 0 ? null : members.get(writer), in);
        Dependency toNext = dependencyOrNull(dependencies, in);
        int succession = in.smallNumber();
        Succession inForce = succession < 0 ? null : shown.get(succession);
        Reading reading = new Reading(member, version, inForce);
        reading.toNext = toNext;
        if (inForce != null) {
          inForce.inForce = reading;
        }
        member.reads.add(reading);
      }
    }
    for (Succession each : shown) {
      each.ww = dependencyOrNull(dependencies, in);
    }
    for (KeyVersions key : keys) {
      loadReaders(key.initial, members, in);
      for (VersionSlot slot : key.inOrder()) {
        loadReaders(slot, members, in);
      }
    }
  }

  private static List<Succession> loadShown(
      List<KeyVersions> keys, List<Member> members, StateReader in) {
    List<Succession> shown = new ArrayList<>();
    for (KeyVersions key : keys) {
      int n = in.count();
      KeyLists lists = n == 0 ? null : new KeyLists(key);
      key.lists = lists;
      for (int i = 0; i < n && lists != null; i++) {
        Succession each =
            new Succession(members.get(in.count()), key, in.flag(), in.number(), in.number());
        each.enforced = in.flag();
        lists.add(each);
        each.shownBy.addShown(each);
        shown.add(each);
      }
    }
    return shown;
  }

  private static void loadReaders(VersionSlot slot, List<Member> members, StateReader in) {
    Set<Reading> known = new ReferenceOpenHashSet<>();
    for (int n = in.count(); n > 0; n--) {
      // Who reads a version may also be listed behind it: its readings stand in this order.
      for (Reading reading : members.get(in.count()).reads) {
        if (reading.version == slot && known.add(reading)) {
          slot.readers.add(reading);
          break;
        }
      }
    }
  }

  private static VersionSlot slot(
      LevelGraph graph, long key, @Nullable Member writer, StateReader in) {
    return writer == null
        ? in.required(graph.keys.get(key), "key " + key).initial
        : in.required(writer.slotOf(key), "version of key " + key);
  }

  private static @Nullable Dependency dependencyOrNull(List<Dependency> all, StateReader in) {
    int number = in.smallNumber();
    return number < 0 ? null : all.get(number);
  }

  private static List<Dependency> loadDependencies(
      List<Event> events, List<Member> members, StateReader in) {
    for (Event event : events) {
      event.position = in.number();
    }
    List<Dependency> all = new ArrayList<>();
    for (Event event : events) {
      Dependency last = null;
      for (int n = in.count(); n > 0; n--) {
        Event to = events.get(in.count());
        EdgeKind kind = in.constant(EdgeKind.class);
        long key = in.number();
        int source = in.smallNumber();
        Dependency d =
            new Dependency(event, to, kind, key, source < 0 ? null : members.get(source));
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
      for (int n = in.count(); n > 0; n--) {
        Dependency d = all.get(in.count());
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
}
