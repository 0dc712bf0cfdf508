package io.isotail.incremental.events;

import io.isotail.incremental.state.StateReader;
import io.isotail.incremental.state.StateWriter;
import java.util.ArrayList;
import java.util.List;

/** Saves and loads the time chains of a graph; their dependencies are saved with the others. */
final class RealTimeState {
  private RealTimeState() {}

  /** Saves which clocks there are, and what is known of those that have left. */
  static void saveClocks(RealTime realTime, StateWriter out) {
    out.count(realTime.clocks.size());
    realTime.clocks.keySet().forEach(out::text);
    out.flag(realTime.across != null);
    realTime.left.save(out);
  }

  static void loadClocks(RealTime realTime, StateReader in) {
    for (int n = in.count(); n > 0; n--) {
      realTime.newClock(in.requiredText());
    }
    if (in.flag()) {
      realTime.newAcross();
    }
    realTime.left.load(in);
  }

  /** Saves the chains of the clocks, and adds their points to the events. */
  static void save(RealTime realTime, List<Event> events, StateWriter out) {
    for (TimeChain chain : chains(realTime)) {
      save(chain, events, out);
    }
  }

  private static List<TimeChain> chains(RealTime realTime) {
    List<TimeChain> chains = new ArrayList<>(realTime.clocks.values());
    if (realTime.across != null) {
      chains.add(realTime.across);
    }
    return chains;
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
    for (TimeChain chain : chains(realTime)) {
      load(chain, members, events, in);
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
