package io.isotail.incremental.witness;

import io.isotail.incremental.anomaly.AnomalyKind;
import io.isotail.incremental.anomaly.EdgeKind;
import io.isotail.incremental.anomaly.OperationText;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.window.Transaction;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a violation of a level up to {@code causal} is called and how it is told.
 *
 * <p>An inferred step says that t2 must commit before t1, since t3 read a key from t1 and had
 * observed t2, which writes it too. If t1 committed first all the same, t3 missed t2: a cycle of
 * one rw from t3 to t2, and of what lets t3 observe t2. A cycle of steps has at least one that the
 * commits contradict; that one is told, and gives the name.
 */
final class WeakExplanation {
  private final IsolationLevel strongest;
  private final List<Step> cycle;

  /** Null if the cycle has no inferred step. */
  private final @Nullable Step told;

  /** How t3 of the step that is told observed t2. */
  private final List<Step> observed;

  private final CycleShape shape;
  private final AnomalyKind kind;

  /**
   * The explanation of a cycle.
   *
   * @param level the weakest that it violates
   * @param strongest strongest level up to {@code causal} whose order is kept
   */
  WeakExplanation(List<Step> cycle, IsolationLevel level, IsolationLevel strongest) {
    this.strongest = strongest;
    this.cycle = cycle;
    this.told = contradicted(cycle, level);
    this.observed = told == null ? List.of() : observed(told);
    this.shape = told == null ? ofCausalityCycle() : ofMissed(told);
    this.kind = CycleNames.kind(shape);
  }

  /** The anomaly's name. */
  AnomalyKind kind() {
    return kind;
  }

  /** Adya's name for it. */
  @Nullable String adya() {
    return CycleNames.adya(shape);
  }

  /** The inferred step that is told, or null. */
  @Nullable Step told() {
    return told;
  }

  /** What went wrong, and why the other order of the commits does not help. */
  String sentence() {
    if (told == null) {
      return causalityCycle();
    }
    StringBuilder text =
        new StringBuilder(
            kind == AnomalyKind.NON_REPEATABLE_READS ? repeatedRead(told) : missed(told));
    boolean first = true;
    for (Step step : cycle) {
      if (step.kind() == EdgeKind.CO && !step.equals(told)) {
        text.append(
            first
                ? " If %s commits before %s instead: "
                    .formatted(told.from().name(), told.to().name())
                : "; ");
        text.append(Explanation.because(step));
        first = false;
      }
    }
    return text.append(first ? "" : ".").toString();
  }

  /** The inferred step that the commits contradict; of several one that needs the level. */
  private static @Nullable Step contradicted(List<Step> cycle, IsolationLevel level) {
    Step best = null;
    int bestRank = Integer.MAX_VALUE;
    for (Step step : cycle) {
      if (step.kind() == EdgeKind.CO) {
        int rank =
            (commitsBefore(step.to(), step.from()) ? 0 : 2) + (step.level() == level ? 0 : 1);
        if (rank < bestRank) {
          best = step;
          bestRank = rank;
        }
      }
    }
    return best;
  }

  /** By the ends that the clients saw, else by the order of the log. */
  private static boolean commitsBefore(Transaction a, Transaction b) {
    if (a == Transaction.INITIAL || b == Transaction.INITIAL) {
      return a == Transaction.INITIAL;
    }
    if (a.times.hasEnd() && b.times.hasEnd() && a.times.endNs() != b.times.endNs()) {
      return a.times.endNs() < b.times.endNs();
    }
    return a.comesBefore(b);
  }

  /** From t2 to t3: a read if there is one, else session order, else the shortest path. */
  private List<Step> observed(Step missed) {
    Transaction t2 = missed.from();
    Transaction t3 = missed.reader();
    if (t3 == null) {
      return List.of();
    }
    if (Classifier.readFrom(t3, t2) >= 0) {
      return List.of(new Step(t2, t3, EdgeKind.WR, 0, null, missed.level()));
    }
    if (t2.session == t3.session) {
      return List.of(new Step(t2, t3, EdgeKind.SO, 0, null, missed.level()));
    }
    List<Step> path = PathSearch.causal(t2, t3, strongest);
    return path == null ? List.of() : path;
  }

  private CycleShape ofCausalityCycle() {
    List<EdgeKind> kinds = cycle.stream().map(Step::kind).toList();
    return new CycleShape(kinds, kinds.size(), false, false, false);
  }

  private CycleShape ofMissed(Step missed) {
    Transaction t3 = missed.reader();
    List<EdgeKind> kinds = new ArrayList<>();
    kinds.add(EdgeKind.RW);
    Set<Long> keys = new HashSet<>(Set.of(missed.key()));
    for (Step step : observed) {
      kinds.add(step.kind());
      if (step.kind() == EdgeKind.WR && !bothReadFrom(missed)) {
        int read = Classifier.readFrom(step.to(), step.from());
        keys.add(step.to().operations.key(read));
      }
    }
    boolean newFirst = t3 != null && readNewFirst(t3, missed);
    return new CycleShape(kinds, keys.size(), false, false, newFirst);
  }

  /** Whether t3 read the key from t1 and from t2. */
  private static boolean bothReadFrom(Step missed) {
    Transaction t3 = missed.reader();
    return t3 != null && Classifier.readKeyFrom(t3, missed.key(), missed.from()) >= 0;
  }

  /** Whether t3 read from t2 before it read the key from t1. */
  private static boolean readNewFirst(Transaction t3, Step missed) {
    boolean seen = false;
    for (int i = 0; i < t3.readOperations.length; i++) {
      boolean old =
          t3.readWriters[i] == missed.to()
              && t3.operations.key(t3.readOperations[i]) == missed.key();
      if (seen && old) {
        return true;
      }
      seen |= t3.readWriters[i] == missed.from();
    }
    return false;
  }

  private String missed(Step step) {
    Transaction t2 = step.from();
    Transaction t3 = step.reader();
    if (t3 == null) {
      return Explanation.because(step);
    }
    String read =
        "%s read %s from %s"
            .formatted(
                t3.name(),
                Explanation.readOfKey(t3, step.key(), step.to()),
                Explanation.source(step.to()));
    String overwritten = " had overwritten it with " + Explanation.writeOfKey(t2, step.key());
    return switch (kind) {
      case SESSION_GUARANTEE_VIOLATION ->
          "%s although %s, earlier in the same session,%s.".formatted(read, t2.name(), overwritten);
      case FRACTURED_READ, NON_MONOTONIC_READ ->
          "%s although %s, from which it also read %s,%s."
              .formatted(read, t2.name(), Explanation.readName(t3, t2), overwritten);
      default ->
          "%s although %s, which %s,%s."
              .formatted(read, t2.name(), observedThrough(t3), overwritten);
    };
  }

  /** How t3 came to know of t2: the first read on the way from one to the other. */
  private String observedThrough(Transaction t3) {
    for (Step step : observed) {
      if (step.kind() == EdgeKind.WR) {
        String read = Explanation.readName(step.to(), step.from());
        return step.to() == t3
            ? "it had already observed through " + read
            : "it had already observed through %s, which read %s".formatted(step.to().name(), read);
      }
    }
    return "happens before it";
  }

  private static String repeatedRead(Step edge) {
    Transaction reader = edge.reader();
    if (reader == null) {
      return Explanation.because(edge);
    }
    Operations ops = reader.operations;
    int a = Classifier.readKeyFrom(reader, edge.key(), edge.to());
    int b = Classifier.readKeyFrom(reader, edge.key(), edge.from());
    Transaction first = a < b ? edge.to() : edge.from();
    Transaction second = a < b ? edge.from() : edge.to();
    return "%s read %s twice and got two versions: first %s from %s, then %s from %s."
        .formatted(
            reader.name(),
            OperationText.key(ops, a),
            OperationText.version(ops, Math.min(a, b)),
            Explanation.source(first),
            OperationText.version(ops, Math.max(a, b)),
            Explanation.source(second));
  }

  private String causalityCycle() {
    StringBuilder text = new StringBuilder("Each of these happened before the next, in a circle: ");
    for (int i = 0; i < cycle.size(); i++) {
      Step step = cycle.get(i);
      text.append(i == 0 ? "" : ", ");
      text.append(step.from().name()).append(" before ").append(step.to().name());
      text.append(" (").append(Explanation.because(step)).append(')');
    }
    return text.append('.').toString();
  }
}
