package io.isotail.monitor.render;

import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.incremental.anomaly.CapsuleTransaction;
import io.isotail.incremental.anomaly.CycleEdge;
import io.isotail.incremental.anomaly.EdgeKind;
import io.isotail.incremental.anomaly.OperationText;
import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.VersionKind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The edges of a witness's drawing, whoever draws it: those of the cycle first, in order, then
 * session order and reads inside the capsule, which lead up to it.
 */
final class WitnessEdges {
  private final List<Edge> edges = new ArrayList<>();
  private final Set<String> inCycle = new LinkedHashSet<>();
  private final Set<String> pairs = new HashSet<>();

  private final OperationText words;

  private WitnessEdges(OperationText words) {
    this.words = words;
  }

  /**
   * One edge.
   *
   * @param isCycle whether it is one of the cycle
   */
  record Edge(
      String from,
      String to,
      EdgeKind kind,
      @Nullable String key,
      String because,
      boolean isCycle) {
    /** The kind's colour, dark enough for text on white. */
    String color() {
      return switch (kind) {
        case SO -> "#6b7280";
        case WR -> "#2563eb";
        case WW -> "#c2410c";
        case RW -> "#b91c1c";
        case CO -> "#7c3aed";
        case RT -> "#0f766e";
      };
    }
  }

  static WitnessEdges of(Anomaly anomaly) {
    WitnessEdges found = new WitnessEdges(OperationText.of(anomaly.capsule()));
    for (CycleEdge edge : anomaly.cycle()) {
      found.inCycle.add(edge.from());
      found.inCycle.add(edge.to());
      found.pairs.add(pair(edge.from(), edge.to(), edge.kind()));
      found.edges.add(
          new Edge(edge.from(), edge.to(), edge.kind(), edge.key(), edge.because(), true));
    }
    found.sessionOrder(anomaly.capsule());
    found.reads(anomaly.capsule());
    return found;
  }

  List<Edge> edges() {
    return edges;
  }

  /** How the versions of its operations are written. */
  OperationText words() {
    return words;
  }

  /** Names of the transactions of the cycle, in its order. */
  Set<String> inCycle() {
    return inCycle;
  }

  /** Whether a transaction is what the drawing is about; of a bad read all are. */
  boolean isCentral(String name) {
    return inCycle.isEmpty() || inCycle.contains(name);
  }

  private void sessionOrder(List<CapsuleTransaction> capsule) {
    Map<Long, CapsuleTransaction> last = new HashMap<>();
    for (CapsuleTransaction next : capsule) {
      CapsuleTransaction previous = last.get(next.session().id());
      if (previous != null && previous.position() < next.position()) {
        context(previous.name(), next.name(), EdgeKind.SO, null, "earlier in the same session");
      }
      last.put(next.session().id(), next);
    }
  }

  private void reads(List<CapsuleTransaction> capsule) {
    Map<KeyVersion, String> writers = new HashMap<>();
    for (CapsuleTransaction transaction : capsule) {
      Operations operations = transaction.operations();
      for (int i = 0; i < operations.size(); i++) {
        if (isKnown(operations, i, OperationKind.WRITE)) {
          writers.putIfAbsent(KeyVersion.of(operations, i), transaction.name());
        }
      }
    }
    for (CapsuleTransaction transaction : capsule) {
      Operations operations = transaction.operations();
      for (int i = 0; i < operations.size(); i++) {
        if (!isKnown(operations, i, OperationKind.READ)) {
          continue;
        }
        String writer = writers.get(KeyVersion.of(operations, i));
        if (writer != null && !writer.equals(transaction.name())) {
          String key = Names.shownKey(operations, i);
          String because = "%s read what %s wrote".formatted(transaction.name(), writer);
          context(writer, transaction.name(), EdgeKind.WR, key, because);
        }
      }
    }
  }

  private void context(
      String from, String to, EdgeKind kind, @Nullable String key, String because) {
    if (pairs.add(pair(from, to, kind))) {
      edges.add(new Edge(from, to, kind, key, because, false));
    }
  }

  private static boolean isKnown(Operations operations, int i, OperationKind kind) {
    return operations.kind(i) == kind
        && operations.versionKind(i) == VersionKind.KNOWN
        && !operations.undone(i);
  }

  private static String pair(String from, String to, EdgeKind kind) {
    return from + '\u0000' + to + '\u0000' + kind;
  }

  private record KeyVersion(long key, long version) {
    static KeyVersion of(Operations operations, int i) {
      return new KeyVersion(operations.key(i), operations.version(i));
    }
  }
}
