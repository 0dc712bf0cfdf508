package io.isotail.incremental.events;

import static io.isotail.incremental.events.LevelGraphState.NONE;
import static io.isotail.incremental.events.LevelGraphState.number;
import static io.isotail.incremental.events.LevelGraphState.numbered;

import io.isotail.incremental.anomaly.EdgeKind;
import io.isotail.incremental.state.StateReader;
import io.isotail.incremental.state.StateWriter;
import it.unimi.dsi.fastutil.objects.Reference2ObjectOpenHashMap;
import it.unimi.dsi.fastutil.objects.ReferenceOpenHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Saves and loads who read which version, and which dependencies follow from that and from the
 * order of the versions.
 *
 * <p>Without list reads only the first has to be told: a reader and a writer have one dependency
 * for each version, and readers stand in the order in which they were added.
 */
final class ReadingState {
  private ReadingState() {}

  static void save(List<Member> members, StateWriter out) {
    for (Member member : members) {
      saveReads(member, out);
    }
  }

  private static void saveReads(Member member, StateWriter out) {
    out.count(member.reads.size());
    for (Reading reading : member.reads) {
      saveVersion(reading, out);
    }
  }

  static void load(List<Member> members, List<KeyVersions> keys, StateReader in) {
    Map<VersionSlot, Reading> byVersion = new Reference2ObjectOpenHashMap<>();
    for (Member member : members) {
      byVersion.clear();
      for (int n = in.count(); n > 0; n--) {
        Reading reading = new Reading(member, loadVersion(keys, members, in), null);
        member.reads.add(reading);
        reading.version.readers.add(reading);
        byVersion.put(reading.version, reading);
      }
      for (Dependency d = member.begin.firstOut; d != null; d = d.nextOut) {
        if (d.kind == EdgeKind.RW && d.key != null) {
          VersionSlot version = d.source == null ? d.key.initial : d.source.slotOf(d.key.key);
          in.required(byVersion.get(version), "read of key " + d.key()).toNext = d;
        }
      }
      for (Dependency d = member.commit.firstOut; d != null; d = d.nextOut) {
        if (d.kind == EdgeKind.WW) {
          in.required(member.slotOf(d.key()), "version of key " + d.key()).ww = d;
        }
      }
    }
  }

  static void saveWithLists(
      List<Member> members, KeyVersions[] keys, List<Succession> shown, StateWriter out) {
    for (Member member : members) {
      for (VersionSlot slot : member.writes) {
        out.number(number(slot.ww));
      }
      out.count(member.reads.size());
      for (Reading reading : member.reads) {
        saveVersion(reading, out);
        out.number(number(reading.toNext));
        out.number(reading.shown == null ? NONE : reading.shown.saved);
      }
    }
    for (Succession each : shown) {
      out.number(number(each.ww));
    }
    for (KeyVersions key : keys) {
      for (VersionSlot slot = key.initial; slot != null; slot = slot.next) {
        out.count(slot.readers.size());
        for (Reading reading : slot.readers) {
          out.count(reading.reader.saved);
        }
      }
    }
  }

  static void loadWithLists(
      List<Member> members,
      List<KeyVersions> keys,
      List<Succession> shown,
      List<Dependency> dependencies,
      StateReader in) {
    for (Member member : members) {
      for (VersionSlot slot : member.writes) {
        slot.ww = numbered(dependencies, in);
      }
      for (int n = in.count(); n > 0; n--) {
        VersionSlot version = loadVersion(keys, members, in);
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

  private static void saveVersion(Reading reading, StateWriter out) {
    out.count(reading.version.key.saved);
    out.number(number(reading.version.writer));
  }

  private static VersionSlot loadVersion(
      List<KeyVersions> keys, List<Member> members, StateReader in) {
    KeyVersions key = keys.get(in.count());
    Member writer = numbered(members, in);
    return writer == null
        ? key.initial
        : in.required(writer.slotOf(key.key), "version of key " + key.key);
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
}
