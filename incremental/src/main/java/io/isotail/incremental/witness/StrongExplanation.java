package io.isotail.incremental.witness;

import io.isotail.incremental.anomaly.AnomalyKind;
import io.isotail.incremental.anomaly.EdgeKind;
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
  private final CapsuleFacts facts;
  private final LinkText text;

  /** The cycles of the proof. */
  private final List<List<Link>> cases;

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
    this.facts = new CapsuleFacts(proven.capsule());
    this.text = new LinkText(facts);
    this.cases = new ProofLinks(facts).cycles(proven.proof());
    List<Link> found = proven.isLong() ? cases.get(0) : shortest(clockUncertaintyNs);
    this.cycle = found == null ? List.of() : fromReader(found);
    this.whole = whole(conflict);
    this.shape = found == null ? ofCase(cases.get(0)) : CycleShape.of(facts, cycle, whole);
    this.kind = CycleNames.kind(shape);
  }

  /** The shortest cycle in the most plausible order of the commits, or null. */
  private @Nullable List<Link> shortest(long clockUncertaintyNs) {
    CapsuleGraph graph = new CapsuleGraph(facts, level, clockUncertaintyNs);
    int[] order = new CommitGuess(facts, graph).order(level);
    return new CycleSearch(facts.size(), graph.links(order), level).shortest();
  }

  /** Name, sentence and cycle. */
  Explanation explanation() {
    return new Explanation(
        kind, CycleNames.adya(shape), sentence(), cycle.stream().map(text::strongEdge).toList());
  }

  /** What went wrong, and why no other order of the commits helps. */
  private String sentence() {
    if (cycle.isEmpty()) {
      return "No order of commits is %s: %s.".formatted(level, text.arrows(cases.get(0)));
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

  private static CycleShape ofCase(List<Link> cycle) {
    List<EdgeKind> kinds = cycle.stream().map(Link::kind).toList();
    long keys = cycle.stream().mapToLong(Link::key).distinct().count();
    return new CycleShape(kinds, (int) keys, false, false, false, CycleShape.isListed(cycle));
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
        return "%s read two versions of one key: "
            .formatted(reader)
            .concat(
                first.assumed()
                    ? "%s, and %s of %s".formatted(text.read(first), text.written(first), writer)
                    : "%s, which %s overwrote with %s, and that too"
                        .formatted(text.read(first), writer, text.written(first)));
      case STALE_READ,
      FRACTURED_READ,
      NON_MONOTONIC_READ,
      SESSION_GUARANTEE_VIOLATION,
      CAUSALITY_VIOLATION,
      READ_SKEW:
        return "%s read %s although %s %s: %s"
            .formatted(
                reader, text.read(first), writer, text.overwritten(first), text.clauses(rest));
      case BLIND_LOST_UPDATE:
        return unseen(first, rest);
      case LONG_FORK:
        return "%s and %s saw two writes in opposite orders: %s"
            .formatted(reader, text.name(secondReader()), text.clauses(cycle));
      case READ_ONLY_ANOMALY:
        return "No order of commits explains what %s saw, which only read: %s"
            .formatted(readOnlyName(), text.clauses(cycle));
      case INCOMPATIBLE_ORDER:
        return text.contradiction(cycle);
      default:
        return "Each comes before the next, in a circle: " + text.clauses(cycle);
    }
  }

  /** The transaction with the rw overwrote what comes after a version that it had not seen. */
  private String unseen(Link first, List<Link> rest) {
    String writer = text.name(first.to());
    if (rest.size() == 1) {
      Link overwriting = rest.get(0);
      String missed =
          first.assumed()
              ? text.notLater(first)
              : "%s, which %s overwrote".formatted(text.read(first), writer);
      String unseen =
          overwriting.assumed()
              ? text.clause(overwriting) + ", which it had not seen"
              : "%s overwrote %s of %s without having seen it"
                  .formatted(text.name(first.from()), text.earlierVersion(overwriting), writer);
      return "%s: it had read %s".formatted(unseen, missed);
    }
    return "%s, and wrote what comes later: %s".formatted(text.clause(first), text.clauses(rest));
  }

  /** Whether both of two transactions read the version that both overwrote. */
  private boolean readSame() {
    Link first = cycle.get(0);
    return shape.bothUpdated() && facts.readFrom(first.to(), first.key(), first.earlier()) >= 0;
  }

  private String readOnlyName() {
    for (Link link : cycle) {
      Transaction reader = whole.get(text.name(link.from()));
      if (reader != null && reader.writeCount() == 0) {
        return reader.name();
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
    Set<Assumption> assumed = assumptions(cycle);
    if (assumed.isEmpty() || (kind == AnomalyKind.LOST_UPDATE && readSame())) {
      return "";
    }
    List<List<Link>> others = new ArrayList<>();
    for (List<Link> each : cases) {
      if (!assumptions(each).containsAll(assumed) && !isTold(each)) {
        others.add(each);
      }
    }
    StringBuilder words = new StringBuilder(others.isEmpty() ? "" : " Other orders fail too.");
    for (List<Link> each : others.subList(0, Math.min(MOST_CASES, others.size()))) {
      Set<Assumption> assumptions = assumptions(each);
      words.append(assumptions.isEmpty() ? " Always: " : " If ");
      words.append(String.join(" and ", assumptions.stream().map(this::words).toList()));
      words.append(assumptions.isEmpty() ? "" : ": ").append(text.arrows(each)).append('.');
    }
    int more = others.size() - MOST_CASES;
    if (more > 0) {
      words.append(" The proof has %d more %s.".formatted(more, more == 1 ? "case" : "cases"));
    }
    return words.toString();
  }

  /** Whether a case is the cycle that is told. */
  private boolean isTold(List<Link> other) {
    return other.size() == cycle.size()
        && other.stream().allMatch(link -> cycle.stream().anyMatch(each -> isAlike(link, each)));
  }

  private static boolean isAlike(Link a, Link b) {
    return a.kind() == b.kind() && a.from() == b.from() && a.to() == b.to();
  }

  /** That one commits before another, which nobody saw. */
  private record Assumption(int first, int later) {}

  private String words(Assumption assumption) {
    return text.name(assumption.first) + " commits before " + text.name(assumption.later);
  }

  private static Set<Assumption> assumptions(List<Link> cycle) {
    Set<Assumption> assumed = new LinkedHashSet<>();
    for (Link link : cycle) {
      if (link.assumed()) {
        assumed.add(new Assumption(link.earlier(), link.to()));
      }
    }
    return assumed;
  }
}
