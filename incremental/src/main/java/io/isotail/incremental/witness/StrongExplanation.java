package io.isotail.incremental.witness;

import io.isotail.incremental.anomaly.AnomalyKind;
import io.isotail.incremental.anomaly.CycleEdge;
import io.isotail.incremental.anomaly.EdgeKind;
import io.isotail.incremental.anomaly.OperationText;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.polygraph.Conflict;
import io.isotail.incremental.window.Transaction;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a violation of a level from {@code prefix} on is called and how it is told: the shortest
 * cycle in the most plausible order of the commits first, then why the other orders fail too.
 */
final class StrongExplanation {
  /** Cases that are told; the proof has them all. */
  private static final int MOST_CASES = 3;

  private final IsolationLevel level;
  private final CapsuleGraph graph;
  private final LinkText text;
  private final List<List<Dependency>> cases;

  /** Empty where the capsule alone shows no cycle. */
  private final List<Link> cycle;

  /** The transactions by name, not cut to the operations that matter. */
  private final Map<String, Transaction> whole;

  private final CycleShape shape;
  private final AnomalyKind kind;

  /**
   * The explanation of a conflict.
   *
   * @param proven transactions that violate the level by themselves, and the proof of it
   */
  StrongExplanation(
      IsolationLevel level, long clockUncertaintyNs, Conflict conflict, Proven proven) {
    this.level = level;
    this.graph = new CapsuleGraph(proven.capsule(), level, clockUncertaintyNs);
    this.text = new LinkText(graph);
    this.cases = new CapsuleTransactions(proven.capsule()).cycles(proven.proof());
    int[] order = new CommitGuess(graph).order(level);
    List<Link> found = new CycleSearch(graph.size(), graph.links(order), level).shortest();
    this.cycle = found == null ? List.of() : fromReader(found);
    this.whole = whole(conflict);
    this.shape = found == null ? ofCase(cases.get(0)) : CycleShape.of(graph, cycle, whole);
    this.kind = CycleNames.kind(shape);
  }

  /** The anomaly's name. */
  AnomalyKind kind() {
    return kind;
  }

  /** Adya's name for it, or null where it has none. */
  @Nullable String adya() {
    return CycleNames.adya(shape);
  }

  /** The cycle that is told. */
  List<CycleEdge> cycle() {
    return cycle.stream().map(text::edge).toList();
  }

  /** What went wrong, and why no other order of the commits helps. */
  String sentence() {
    if (cycle.isEmpty()) {
      return "No order of commits is %s: %s.".formatted(level, arrows(cases.get(0)));
    }
    return lead() + "." + otherOrders();
  }

  /**
   * It begins with a rw, with the one before which a transaction saw something if there are two.
   */
  private static List<Link> fromReader(List<Link> cycle) {
    List<Link> turned = new ArrayList<>(cycle);
    for (int i = 0; i < cycle.size(); i++) {
      Link before = cycle.get((i + cycle.size() - 1) % cycle.size());
      if (cycle.get(i).kind() == EdgeKind.RW && before.kind() != EdgeKind.RW) {
        Collections.rotate(turned, -i);
        return turned;
      }
    }
    return turned;
  }

  private static Map<String, Transaction> whole(Conflict conflict) {
    Map<String, Transaction> byName = new HashMap<>();
    for (var each : conflict.cycles()) {
      for (var dependency : each) {
        byName.put(dependency.first().name(), dependency.first());
        byName.put(dependency.later().name(), dependency.later());
      }
    }
    return byName;
  }

  private static CycleShape ofCase(List<Dependency> cycle) {
    List<EdgeKind> kinds = cycle.stream().map(Dependency::kind).toList();
    long keys = cycle.stream().mapToLong(Dependency::key).distinct().count();
    return new CycleShape(kinds, (int) keys, false, false, false);
  }

  private String lead() {
    Link first = cycle.get(0);
    List<Link> rest = cycle.subList(1, cycle.size());
    String reader = text.name(first.from());
    String writer = text.name(first.to());
    switch (kind) {
      case LOST_UPDATE:
        if (readSame()) {
          return "%s and %s both read %s and both overwrote it, so neither saw the other's update"
              .formatted(writer, reader, text.read(first));
        }
        return unseen(first, rest);
      case WRITE_SKEW:
        return "%s, and %s: neither saw what the other wrote"
            .formatted(text.clause(first), text.clause(rest.get(0)));
      case NON_REPEATABLE_READS:
        return "%s read two versions of one key: %s, which %s overwrote with %s, and that too"
            .formatted(reader, text.read(first), writer, text.written(first));
      case STALE_READ,
      FRACTURED_READ,
      NON_MONOTONIC_READ,
      SESSION_GUARANTEE_VIOLATION,
      CAUSALITY_VIOLATION,
      READ_SKEW:
        return "%s read %s although %s had overwritten it with %s: %s"
            .formatted(reader, text.read(first), writer, text.written(first), text.clauses(rest));
      case BLIND_LOST_UPDATE:
        return unseen(first, rest);
      case LONG_FORK:
        return "%s and %s saw two writes in opposite orders: %s"
            .formatted(reader, text.name(secondReader()), text.clauses(cycle));
      case READ_ONLY_ANOMALY:
        return "No order of commits explains what %s saw, which only read: %s"
            .formatted(readOnlyName(), text.clauses(cycle));
      default:
        return "Each comes before the next, in a circle: " + text.clauses(cycle);
    }
  }

  /** The transaction with the rw overwrote what comes after a version that it had not seen. */
  private String unseen(Link first, List<Link> rest) {
    String reader = text.name(first.from());
    String writer = text.name(first.to());
    if (rest.size() == 1) {
      Link overwriting = rest.get(0);
      return "%s overwrote %s of %s without having seen it: it had read %s, which %s overwrote"
          .formatted(reader, text.earlierVersion(overwriting), writer, text.read(first), writer);
    }
    return "%s read %s, which %s overwrote with %s, and then overwrote what came later: %s"
        .formatted(reader, text.read(first), writer, text.written(first), text.clauses(rest));
  }

  /** Whether both of two transactions read the version that both overwrote. */
  private boolean readSame() {
    Link first = cycle.get(0);
    return shape.bothUpdated() && graph.readFrom(first.to(), first.key(), first.source()) >= 0;
  }

  private String readOnlyName() {
    for (Link link : cycle) {
      Transaction txn = whole.get(text.name(link.from()));
      if (txn != null && txn.writeCount() == 0) {
        return txn.name();
      }
    }
    return "";
  }

  private int secondReader() {
    int last = -1;
    for (Link link : cycle) {
      last = link.kind() == EdgeKind.RW ? link.from() : last;
    }
    return last;
  }

  /** Why the other orders of the commits fail; empty if what is told holds in any order. */
  private String otherOrders() {
    Set<Assumption> assumed = assumptions();
    if (assumed.isEmpty() || (kind == AnomalyKind.LOST_UPDATE && readSame())) {
      return "";
    }
    List<List<Dependency>> others = new ArrayList<>();
    for (List<Dependency> each : cases) {
      if (!assumptions(each).containsAll(assumed) && !isTold(each)) {
        others.add(each);
      }
    }
    StringBuilder words = new StringBuilder(others.isEmpty() ? "" : " Other orders fail too.");
    for (List<Dependency> each : others.subList(0, Math.min(MOST_CASES, others.size()))) {
      Set<Assumption> assumptions = assumptions(each);
      words.append(assumptions.isEmpty() ? " Always: " : " If ");
      words.append(String.join(" and ", assumptions.stream().map(Assumption::words).toList()));
      words.append(assumptions.isEmpty() ? "" : ": ").append(arrows(each)).append('.');
    }
    int more = others.size() - MOST_CASES;
    if (more > 0) {
      words.append(" The proof has %d more %s.".formatted(more, more == 1 ? "case" : "cases"));
    }
    return words.toString();
  }

  /** Whether a case is the cycle that is told. */
  private boolean isTold(List<Dependency> other) {
    return other.size() == cycle.size()
        && other.stream()
            .allMatch(
                d ->
                    cycle.stream()
                        .anyMatch(
                            link ->
                                link.kind() == d.kind()
                                    && text.name(link.from()).equals(d.first().name())
                                    && text.name(link.to()).equals(d.later().name())));
  }

  /** That one commits before another, which nobody saw. */
  private record Assumption(String first, String later) {
    String words() {
      return first + " commits before " + later;
    }
  }

  private Set<Assumption> assumptions() {
    Set<Assumption> assumed = new LinkedHashSet<>();
    for (Link link : cycle) {
      if (link.assumed()) {
        int first = link.kind() == EdgeKind.RW ? link.source() : link.from();
        assumed.add(new Assumption(text.name(first), text.name(link.to())));
      }
    }
    return assumed;
  }

  private static Set<Assumption> assumptions(List<Dependency> cycle) {
    Set<Assumption> assumed = new LinkedHashSet<>();
    for (Dependency dependency : cycle) {
      if (dependency.isAssumed()) {
        assumed.add(new Assumption(dependency.earlierWriter().name(), dependency.later().name()));
      }
    }
    return assumed;
  }

  /** The dependencies of a case; several of session order in a row are one. */
  private static String arrows(List<Dependency> cycle) {
    StringBuilder words = new StringBuilder(cycle.get(0).first().name());
    for (int i = 0; i < cycle.size(); i++) {
      Dependency dependency = cycle.get(i);
      boolean inSession = dependency.kind() == EdgeKind.SO;
      if (inSession && i + 1 < cycle.size() && cycle.get(i + 1).kind() == EdgeKind.SO) {
        continue;
      }
      boolean hasKey = !inSession && dependency.kind() != EdgeKind.RT;
      words.append(" -").append(dependency.kind().label());
      words.append(
          hasKey
              ? " " + OperationText.nameOf(dependency.later().operations, dependency.key())
              : "");
      words.append("-> ").append(dependency.later().name());
    }
    return words.toString();
  }
}
