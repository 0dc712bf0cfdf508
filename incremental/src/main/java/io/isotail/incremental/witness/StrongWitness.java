package io.isotail.incremental.witness;

import io.isotail.incremental.anomaly.AnomalyKind;
import io.isotail.incremental.anomaly.CycleEdge;
import io.isotail.incremental.anomaly.EdgeKind;
import io.isotail.incremental.events.ListRead;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.window.Txn;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Explains why no order of the versions satisfies a level: the cycles of which one is left whatever
 * the order, as PolySI's interpretation does [1], and the least transactions that they need.
 *
 * <p>[1] Huang et al., Efficient Black-box Checking of Snapshot Isolation in Databases, VLDB 2023,
 * Sec. 5.3.
 */
final class StrongWitness {
  private static final double NS_PER_MS = 1e6;

  private final IsolationLevel level;
  private final List<List<Dependency>> cycles;

  StrongWitness(IsolationLevel level, Proven proven) {
    this.level = level;
    this.cycles = new CapsuleTxns(proven.capsule()).cycles(proven.proof());
  }

  /** The anomaly's name. */
  AnomalyKind kind() {
    if (overwrittenTwice() != null) {
      return AnomalyKind.LOST_UPDATE;
    }
    for (List<Dependency> cycle : cycles) {
      int antiDependencies = 0;
      int reads = 0;
      for (Dependency dependency : cycle) {
        antiDependencies += dependency.kind() == EdgeKind.RW ? 1 : 0;
        reads += dependency.kind() == EdgeKind.WR ? 1 : 0;
      }
      if (antiDependencies == 2 && cycle.size() == 2) {
        return AnomalyKind.WRITE_SKEW;
      }
      if (antiDependencies == 2 && reads == 2 && cycle.size() == 4) {
        return AnomalyKind.LONG_FORK;
      }
    }
    return AnomalyKind.COMMIT_ORDER_CYCLE;
  }

  /** Why one of two comes first that overwrote the version which both had read, or null. */
  private @Nullable Dependency overwrittenTwice() {
    for (List<Dependency> cycle : cycles) {
      for (Dependency dependency : cycle) {
        if (dependency.kind() == EdgeKind.RW
            && dependency.first().writes(dependency.key())
            && level != IsolationLevel.PREFIX
            && Classifier.readKeyFrom(dependency.later(), dependency.key(), dependency.source())
                >= 0) {
          return dependency;
        }
      }
    }
    return null;
  }

  /** The first cycle. */
  List<CycleEdge> cycle() {
    List<CycleEdge> edges = new ArrayList<>();
    for (Dependency dependency : cycles.get(0)) {
      edges.add(
          new CycleEdge(
              dependency.first().name(),
              dependency.later().name(),
              dependency.kind(),
              dependency.kind() == EdgeKind.SO || dependency.kind() == EdgeKind.RT
                  ? null
                  : Names.key(dependency.later(), dependency.key()),
              because(dependency)));
    }
    return edges;
  }

  /** What went wrong, case by case where either order of two writers fails. */
  String explanation() {
    Dependency lost = overwrittenTwice();
    return lost == null
        ? cases()
        : "%s and %s both read %s and both overwrote it, so one update was lost. %s"
            .formatted(
                lost.first().name(),
                lost.later().name(),
                read(lost.first(), lost, lost.source()),
                cases());
  }

  private String cases() {
    if (cycles.size() == 1) {
      return "No order of commits is " + level + ": " + circle(cycles.get(0)) + ".";
    }
    StringBuilder text = new StringBuilder("No order of commits is " + level + ". ");
    for (List<Dependency> cycle : cycles) {
      text.append(text.charAt(text.length() - 2) == '.' ? "" : " ");
      String assumed = assumptions(cycle);
      text.append(assumed.isEmpty() ? "Always " : "If " + assumed + ", ");
      text.append(circle(cycle)).append(". ");
    }
    return text.toString().trim();
  }

  private static String assumptions(List<Dependency> cycle) {
    Set<String> assumed = new LinkedHashSet<>();
    for (Dependency dependency : cycle) {
      if (!dependency.isAssumed()) {
        continue;
      }
      assumed.add(
          "%s commits before %s"
              .formatted(dependency.earlierWriter().name(), dependency.later().name()));
    }
    return String.join(" and ", assumed);
  }

  private static String circle(List<Dependency> cycle) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < cycle.size(); i++) {
      Dependency dependency = cycle.get(i);
      text.append(i == 0 ? "" : i == cycle.size() - 1 ? ", and " : ", ");
      text.append(dependency.first().name()).append(" comes before ");
      text.append(dependency.later().name()).append(" because ").append(because(dependency));
    }
    return text.toString();
  }

  private static String because(Dependency dependency) {
    Txn first = dependency.first();
    Txn later = dependency.later();
    switch (dependency.kind()) {
      case SO:
        return "they ran in this order in session " + later.session.info.name();
      case RT:
        return ended(first, later);
      case WR:
        return "%s read %s from it".formatted(later.name(), read(later, dependency, first));
      case RW:
        return "it read %s, which %s overwrote"
            .formatted(read(first, dependency, dependency.source()), later.name());
      default:
        return overwrote(dependency);
    }
  }

  private static String overwrote(Dependency dependency) {
    if (dependency.shownBy().isEmpty()) {
      return "both wrote " + Names.key(dependency.later(), dependency.key());
    }
    ListRead list = dependency.shownBy().get(0);
    return "%s read a list of %s that shows it"
        .formatted(list.reader().name(), Names.key(list.reader(), list.key()));
  }

  private static String ended(Txn first, Txn later) {
    double apartMs = ((double) later.times.beginNs() - first.times.endNs()) / NS_PER_MS;
    String text =
        String.format(Locale.ROOT, "it had ended %.3f ms before %s began", apartMs, later.name());
    String clock = first.times.clock();
    return Objects.equals(clock, later.times.clock())
        ? text + ", by the same clock"
        : "%s, by clocks %s and %s".formatted(text, clock, later.times.clock());
  }

  private static String read(Txn reader, Dependency dependency, Txn writer) {
    int op = Classifier.readKeyFrom(reader, dependency.key(), writer);
    return op < 0 ? Names.key(reader, dependency.key()) : Names.assignment(reader.operations, op);
  }
}
