package io.isotail.incremental.polygraph;

import io.isotail.incremental.snapshot.StateReader;
import io.isotail.incremental.snapshot.StateWriter;
import java.util.ArrayList;
import java.util.List;

/** Saves and loads the time chains of a graph; the edges follow from them. */
final class RealTimeState {
  private RealTimeState() {}

  /** Saves which clocks there are, and what is known of those that have left. */
  static void saveClocks(RealTime realTime, StateWriter out) {
    out.count(realTime.clocks.size());
    realTime.clocks.keySet().forEach(out::text);
    out.flag(realTime.across != null);
  }

  static void loadClocks(RealTime realTime, StateReader in) {
    for (int n = in.count(); n > 0; n--) {
      realTime.newClock(in.requiredText());
    }
    if (in.flag()) {
      realTime.newAcross();
    }
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
    for (TimePoint point = chain.origin.next; point != null; point = point.next) {
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
    point.begun.forEach(begun -> out.count(begun.node.saved));
  }

  /** Loads the chains, and adds their points to the events. */
  static void load(
      RealTime realTime, List<TransactionNode> nodes, List<Event> events, StateReader in) {
    for (TimeChain chain : chains(realTime)) {
      load(chain, nodes, events, in);
    }
  }

  private static void load(
      TimeChain chain, List<TransactionNode> nodes, List<Event> events, StateReader in) {
    loadBegun(chain, chain.origin, nodes, in);
    while (in.flag()) {
      TimePoint point = chain.restore(nodes.get(in.count()));
      loadBegun(chain, point, nodes, in);
      events.add(point);
    }
  }

  private static void loadBegun(
      TimeChain chain, TimePoint point, List<TransactionNode> nodes, StateReader in) {
    for (int n = in.count(); n > 0; n--) {
      chain.restoreBegun(point, nodes.get(in.count()));
    }
  }
}
