package io.isotail.incremental.events;

import io.isotail.incremental.anomaly.EdgeKind;
import io.isotail.incremental.state.StateReader;
import io.isotail.incremental.state.StateWriter;
import io.isotail.incremental.window.GraphReader;
import io.isotail.incremental.window.GraphWriter;
import it.unimi.dsi.fastutil.objects.ReferenceOpenHashSet;
import java.util.ArrayList;
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

  /** Their order is part of the form. */
  private static final EdgeKind[] KINDS = EdgeKind.values();

  private LevelGraphState() {}

  static void save(LevelGraph graph, GraphWriter to) {
    StateWriter out = to.out;
    graph.order.save(out);
    graph.hints.save(out);
    out.flag(graph.past.followed);
    out.flag(graph.past.incomplete);
    out.number(graph.unordered);
    List<Member> members = saveMembers(graph, to);
    KeyVersions[] keys = graph.keys.values().toArray(new KeyVersions[0]);
    saveVersions(keys, out);
    List<Succession> shown = saveShown(keys, out);
    List<Event> events = events(members);
    if (graph.realTime != null) {
      RealTimeState.save(graph.realTime, events, out);
    }
    saveDependencies(events, out);
    for (Member member : members) {
      for (VersionSlot slot : member.writes) {
        out.number(number(slot.ww));
      }
      out.count(member.reads.size());
      for (Reading reading : member.reads) {
        out.count(reading.version.key.saved);
        out.number(number(reading.version.writer));
        out.number(number(reading.toNext));
        out.number(reading.shown == null ? NONE : reading.shown.saved);
      }
    }
    for (Succession each : shown) {
      out.number(number(each.ww));
    }
    for (KeyVersions key : keys) {
      for (VersionSlot slot = key.initial; slot != null; slot = slot.next) {
        saveReaders(slot, out);
      }
    }
  }

  private static List<Member> saveMembers(LevelGraph graph, GraphWriter to) {
    List<Member> members = new ArrayList<>(graph.past.retired.size() + graph.inWindow.size());
    graph.past.retired.forEach(members::add);
    graph.inWindow.forEach(members::add);
    to.out.count(graph.past.retired.size());
    to.out.count(members.size());
    int number = 0;
    long before = 0;
    for (Member member : members) {
      member.saved = number++;
      to.transaction(member.txn);
      to.out.number(member.hint - before);
      before = member.hint;
    }
    return members;
  }

  private static void saveVersions(KeyVersions[] keys, StateWriter out) {
    out.count(keys.length);
    int number = 0;
    for (KeyVersions key : keys) {
      key.saved = number++;
      out.number(key.key);
      out.count(key.size());
      for (VersionSlot slot = key.initial.next; slot != null; slot = slot.next) {
        out.number(number(slot.writer));
      }
    }
  }

  private static List<Succession> saveShown(KeyVersions[] keys, StateWriter out) {
    List<Succession> shown = new ArrayList<>();
    for (KeyVersions key : keys) {
      KeyLists lists = key.lists;
      out.count(lists == null ? 0 : lists.all.size());
      if (lists == null) {
        continue;
      }
      for (Succession each : lists.all) {
        each.saved = shown.size();
        shown.add(each);
        out.count(each.shownBy.saved);
        out.flag(each.initial);
        out.number(each.earlier);
        out.number(each.later);
        out.flag(each.enforced);
      }
    }
    return shown;
  }

  private static void saveReaders(VersionSlot slot, StateWriter out) {
    out.count(slot.readers.size());
    for (Reading reading : slot.readers) {
      out.count(reading.reader.saved);
    }
  }

  private static void saveDependencies(List<Event> events, StateWriter out) {
    int number = 0;
    for (Event event : events) {
      event.saved = number++;
      out.number(event.position);
    }
    number = 0;
    for (Event event : events) {
      for (Dependency d = event.firstOut; d != null; d = d.nextOut) {
        d.saved = number++;
        out.octet(d.kind.ordinal() + 1);
        out.number((long) d.to.saved - event.saved);
        out.number(d.key == null ? NONE : d.key.saved);
        out.number(number(d.source));
      }
      out.octet(0);
    }
    for (Event event : events) {
      for (Dependency d = event.firstIn; d != null; d = d.nextIn) {
        out.count(d.saved + 1);
      }
      out.count(0);
    }
  }

  private static int number(@Nullable Member member) {
    return member == null ? NONE : member.saved;
  }

  private static int number(@Nullable Dependency dependency) {
    return dependency == null || !dependency.entered ? NONE : dependency.saved;
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
    List<Member> members = loadMembers(graph, from);
    List<KeyVersions> keys = loadVersions(graph, members, in);
    List<Succession> shown = loadShown(keys, members, in);
    List<Event> events = events(members);
    if (graph.realTime != null) {
      RealTimeState.load(graph.realTime, members, events, in);
    }
    List<Dependency> dependencies = loadDependencies(events, keys, members, in);
    if (graph.realTime != null) {
      graph.realTime.relink();
    }
    for (Member member : members) {
      for (VersionSlot slot : member.writes) {
        slot.ww = numbered(dependencies, in);
      }
      for (int n = in.count(); n > 0; n--) {
        KeyVersions key = keys.get(in.count());
        Member writer = numbered(members, in);
        VersionSlot version =
            writer == null
                ? key.initial
                : in.required(writer.slotOf(key.key), "version of key " + key.key);
        Dependency toNext = numbered(dependencies, in);
        Succession inForce = numbered(shown, in);
        Reading reading = new Reading(member, version, inForce);
        reading.toNext = toNext;
        if (inForce != null) {
          inForce.inForce = reading;
        }
        member.reads.add(reading);
      }
    }
    for (Succession each : shown) {
      each.ww = numbered(dependencies, in);
    }
    for (KeyVersions key : keys) {
      for (VersionSlot slot = key.initial; slot != null; slot = slot.next) {
        loadReaders(slot, members, in);
      }
    }
  }

  private static List<Member> loadMembers(LevelGraph graph, GraphReader from) {
    int retired = from.in.count();
    List<Member> members = new ArrayList<>();
    long hint = 0;
    for (int n = from.in.count(); n > 0; n--) {
      Member member = graph.newMember(from.transaction());
      hint += from.in.number();
      member.hint = hint;
      member.enter();
      if (members.size() < retired) {
        graph.past.add(member);
      } else {
        graph.inWindow.add(member);
      }
      members.add(member);
    }
    return members;
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

  private static <T> @Nullable T numbered(List<T> all, StateReader in) {
    int number = in.smallNumber();
    return number < 0 ? null : all.get(number);
  }
}
