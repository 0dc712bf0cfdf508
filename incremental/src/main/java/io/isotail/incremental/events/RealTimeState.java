package io.isotail.incremental.events;

import io.isotail.incremental.state.StateReader;
import io.isotail.incremental.state.StateWriter;
import java.util.List;
import java.util.Map;

/** Saves and loads the time chains of a graph; their dependencies are saved with the others. */
final class RealTimeState {
  private RealTimeState() {}

  /** Saves the chains, and adds their points to the events. */
  static void save(RealTime realTime, List<Event> events, StateWriter out) {
    out.count(realTime.clocks.size());
    for (Map.Entry<String, TimeChain> clock : realTime.clocks.entrySet()) {
      out.text(clock.getKey());
      save(clock.getValue(), events, out);
    }
    out.flag(realTime.across != null);
    if (realTime.across != null) {
      save(realTime.across, events, out);
    }
  }

  private static void save(TimeChain chain, List<Event> events, StateWriter out) {
    saveBegun(chain.origin, out);
    for (TimePoint point : chain.points()) {
      if (point.ended != null) {
        out.flag(true);
        out.count(point.ended.saved);
      }
      saveBegun(point, out);
      events.add(point);
    }
    out.flag(false);
  }

  private static void saveBegun(TimePoint point, StateWriter out) {
    out.count(point.begun.size());
    point.begun.forEach(begun -> out.count(begun.member.saved));
  }

  /** Loads the chains, and adds their points to the events. */
  static void load(RealTime realTime, List<Member> members, List<Event> events, StateReader in) {
    for (int n = in.count(); n > 0; n--) {
      String clock = in.requiredText();
      load(realTime.newClock(clock), members, events, in);
    }
    if (in.flag()) {
      load(realTime.newAcross(), members, events, in);
    }
  }

  private static void load(
      TimeChain chain, List<Member> members, List<Event> events, StateReader in) {
    loadBegun(chain, chain.origin, members, in);
    while (in.flag()) {
      TimePoint point = chain.restore(members.get(in.count()));
      loadBegun(chain, point, members, in);
      events.add(point);
    }
  }

  private static void loadBegun(
      TimeChain chain, TimePoint point, List<Member> members, StateReader in) {
    for (int n = in.count(); n > 0; n--) {
      chain.restoreBegun(point, members.get(in.count()));
    }
  }
}
