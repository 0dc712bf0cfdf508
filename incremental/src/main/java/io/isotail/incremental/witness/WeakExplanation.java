package io.isotail.incremental.witness;

import io.isotail.incremental.anomaly.AnomalyKind;
import io.isotail.incremental.anomaly.EdgeKind;
import io.isotail.incremental.anomaly.OperationText;
import io.isotail.incremental.anomaly.Proof;
import io.isotail.incremental.anomaly.Proof.Edge;
import io.isotail.incremental.judge.Judge;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.witness.CapsuleFacts.Reading;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a violation of a level up to {@code causal} is called and how it is told.
 *
 * <p>An inferred link says that t2 must commit before t1, since t3 read a key from t1 and had
 * observed t2, which writes it too. If t1 committed first all the same, t3 missed t2: a cycle of
 * one rw from t3 to t2, and of what lets t3 observe t2. A cycle of the proof has at least one link
 * that the commits contradict; that one is told, and gives the name.
 */
final class WeakExplanation {
  /** With more transactions no order is looked for that the cycle does not show. */
  private static final int MOST_TRANSACTIONS = 64;

  private final CapsuleFacts facts;
  private final LinkText text;
  private final List<Link> cycle;

  /** Null if the cycle has no inferred link. */
  private final @Nullable Link told;

  /** How t3 of the link that is told observed t2. */
  private final List<Link> observed;

  private final CycleShape shape;
  private final AnomalyKind kind;

  /**
   * The explanation of a cycle.
   *
   * @param facts of the capsule that the proof is about
   * @param level the weakest that it violates
   */
  WeakExplanation(CapsuleFacts facts, Proof.Cycle proof, IsolationLevel level) {
    ProofLinks links = new ProofLinks(facts);
    this.facts = facts;
    this.text = new LinkText(facts);
    this.cycle = links.of(proof.edges());
    int best = contradicted(proof.edges(), level);
    this.told = best < 0 ? null : cycle.get(best).assuming(!isContradicted(proof.edges(), best));
    this.observed =
        told == null ? List.of() : observed(told, links.of(proof.edges().get(best).because()));
    this.shape = told == null ? ofCausalityCycle() : ofMissed(told);
    this.kind = CycleNames.kind(shape);
  }

  /** Name, sentence and cycle. */
  Explanation explanation() {
    return new Explanation(
        kind, CycleNames.adya(shape), sentence(), cycle.stream().map(text::weakEdge).toList());
  }

  /** The transaction that missed something, with its read; null if that is not what is told. */
  @Nullable Subject subject() {
    return told == null ? null : Subject.of(facts.transaction(told.reader()), told.read());
  }

  /** What went wrong, and why the other order of the commits does not help. */
  private String sentence() {
    if (kind == AnomalyKind.INCOMPATIBLE_ORDER) {
      return text.contradiction(cycle) + ".";
    }
    if (kind == AnomalyKind.DIRTY_WRITE) {
      return "Each comes before the next, in a circle: " + text.clauses(cycle) + ".";
    }
    if (told == null) {
      return causalityCycle();
    }
    StringBuilder words =
        new StringBuilder(
            kind == AnomalyKind.NON_REPEATABLE_READS ? repeatedRead(told) : missed(told));
    boolean first = true;
    List<Link> others =
        told.assumed()
            ? cycle.stream().filter(each -> isInferred(each) && !isTold(each)).toList()
            : List.of();
    for (Link link : LinkText.told(others)) {
      words.append(
          first
              ? " If %s commits before %s instead: "
                  .formatted(text.name(told.from()), text.name(told.to()))
              : "; ");
      words.append(text.reason(link));
      first = false;
    }
    return words.append(LinkText.more(others, "; and ")).append(first ? "" : ".").toString();
  }

  /**
   * The inferred edge that is known to be contradicted; else one whose read a single server may
   * give, then one that the commits contradict, then one that needs the level; or -1.
   */
  private int contradicted(List<Edge> edges, IsolationLevel level) {
    int best = -1;
    int bestRank = Integer.MAX_VALUE;
    for (int i = 0; i < edges.size(); i++) {
      Edge edge = edges.get(i);
      if (edge.kind() == EdgeKind.CO) {
        int rank =
            (isContradicted(edges, i) ? 0 : 8)
                + (isSmall() && facts.isOnOneServer() && hadSeen(edge) ? 4 : 0)
                + (facts.committedFirst(edge.to(), edge.from()) ? 0 : 2)
                + (Judge.weakestThatInfers(edge) == level ? 0 : 1);
        if (rank < bestRank) {
          best = i;
          bestRank = rank;
        }
      }
    }
    return best;
  }

  /** Whether it is known that the edge leads to what came before. */
  private boolean isContradicted(List<Edge> edges, int inferred) {
    boolean alone = edges.stream().filter(each -> each.kind() == EdgeKind.CO).count() == 1;
    Edge edge = edges.get(inferred);
    return alone || (isSmall() && facts.isKnownBefore(edge.to(), edge.from()));
  }

  private boolean isSmall() {
    return facts.size() <= MOST_TRANSACTIONS;
  }

  /**
   * Whether the reader of an inferred edge had seen the other writer before it read, or the other
   * one had ended before the reader began: then one server would have shown it that version.
   */
  private boolean hadSeen(Edge edge) {
    int reader = edge.reader();
    if (facts.endedBefore(edge.from(), reader)) {
      return true;
    }
    int missed = facts.readFrom(reader, edge.key(), edge.to());
    for (int t = 0; t < facts.size(); t++) {
      boolean before = facts.isSessionOrder(t, reader);
      for (Reading reading : facts.readings(reader)) {
        before |= reading.source() == t && reading.operation() < missed;
      }
      if (before && (t == edge.from() || facts.isKnownBefore(edge.from(), t))) {
        return true;
      }
    }
    return false;
  }

  private static boolean isInferred(Link link) {
    return link.kind() == EdgeKind.CO;
  }

  private boolean isTold(Link link) {
    return told != null && link.assuming(told.assumed()).equals(told);
  }

  /** From t2 to t3: a read if there is one, else session order, else as the proof says. */
  private List<Link> observed(Link missed, List<Link> proven) {
    for (Reading reading : facts.readings(missed.reader())) {
      if (reading.source() == missed.from()) {
        return List.of(facts.read(reading));
      }
    }
    return proven;
  }

  private CycleShape ofCausalityCycle() {
    List<EdgeKind> kinds = cycle.stream().map(Link::kind).toList();
    long keys = cycle.stream().filter(Link::hasKey).mapToLong(Link::key).distinct().count();
    return new CycleShape(kinds, (int) keys, false, false, false, CycleShape.isListed(cycle));
  }

  private CycleShape ofMissed(Link missed) {
    List<EdgeKind> kinds = new ArrayList<>();
    kinds.add(EdgeKind.RW);
    Set<Long> keys = new HashSet<>(Set.of(missed.key()));
    boolean bothRead = facts.readFrom(missed.reader(), missed.key(), missed.from()) >= 0;
    for (Link link : observed) {
      kinds.add(link.kind());
      if (link.kind() == EdgeKind.WR && !bothRead) {
        keys.add(link.key());
      }
    }
    return new CycleShape(kinds, keys.size(), false, false, readNewFirst(missed), false);
  }

  /** Whether t3 read from t2 before it read the key from t1. */
  private boolean readNewFirst(Link missed) {
    boolean seen = false;
    for (Reading reading : facts.readings(missed.reader())) {
      if (seen
          && !reading.element()
          && reading.source() == missed.to()
          && reading.key() == missed.key()) {
        return true;
      }
      seen |= reading.source() == missed.from();
    }
    return false;
  }

  private String missed(Link link) {
    String t2 = text.name(link.from());
    String read =
        "%s read %s%s"
            .formatted(
                text.name(link.reader()),
                text.read(link),
                link.to() == Link.INITIAL ? "" : " from " + text.name(link.to()));
    String overwritten = " " + text.overwritten(link);
    return switch (kind) {
      case SESSION_GUARANTEE_VIOLATION ->
          "%s although %s, earlier in the same session,%s.".formatted(read, t2, overwritten);
      case FRACTURED_READ, NON_MONOTONIC_READ ->
          "%s although %s, from which it also read %s,%s."
              .formatted(read, t2, text.read(observed.get(0)), overwritten);
      default ->
          "%s although %s, which %s,%s."
              .formatted(read, t2, observedThrough(link.reader()), overwritten);
    };
  }

  /** How t3 came to know of t2: the first read on the way from one to the other. */
  private String observedThrough(int t3) {
    for (Link link : observed) {
      if (link.kind() == EdgeKind.WR) {
        String read = text.read(link);
        return link.to() == t3
            ? "it had already observed through " + read
            : "it had already observed through %s, which read %s"
                .formatted(text.name(link.to()), read);
      }
    }
    return "happens before it";
  }

  private String repeatedRead(Link missed) {
    Operations ops = facts.operations(missed.reader());
    int a = facts.firstFrom(missed.reader(), missed.key(), missed.to());
    int b = facts.firstFrom(missed.reader(), missed.key(), missed.from());
    int first = a < b ? missed.to() : missed.from();
    int second = a < b ? missed.from() : missed.to();
    return "%s read %s twice and got two versions: first %s from %s, then %s from %s."
        .formatted(
            text.name(missed.reader()),
            OperationText.key(ops, a),
            facts.text.version(ops, Math.min(a, b)),
            text.source(first),
            facts.text.version(ops, Math.max(a, b)),
            text.source(second));
  }

  private String causalityCycle() {
    StringBuilder words =
        new StringBuilder("Each of these happened before the next, in a circle: ");
    String separator = "";
    for (Link link : LinkText.told(cycle)) {
      words.append(separator);
      words.append(text.name(link.from())).append(" before ").append(text.name(link.to()));
      words.append(" (").append(text.reason(link)).append(')');
      separator = ", ";
    }
    return words.append(LinkText.more(cycle, ", and ")).append('.').toString();
  }
}
