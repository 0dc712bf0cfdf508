package io.isotail.incremental.judge;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.Seeds;
import io.isotail.incremental.anomaly.CapsuleTransaction;
import io.isotail.incremental.anomaly.EdgeKind;
import io.isotail.incremental.anomaly.Proof;
import io.isotail.incremental.anomaly.Proof.Edge;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.naive.NaiveChecker;
import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Times;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** The judge against the naive checker, which shares nothing with it, and against false proofs. */
final class JudgeTest {
  private static final int HISTORIES = Seeds.HISTORIES;
  private static final long FIRST_SEED = Seeds.FIRST;

  @Test
  void verdictsEqualTheDefinitionsAtEveryLevel() {
    IsolationLevel[] levels = IsolationLevel.values();
    int[] violated = new int[levels.length];
    int splits = 0;
    for (long seed = FIRST_SEED; seed < FIRST_SEED + HISTORIES; seed++) {
      List<CapsuleTransaction> capsule = Capsules.random(seed);
      long uncertaintyNs = Capsules.uncertaintyNs(seed);
      for (IsolationLevel level : levels) {
        boolean expected =
            !NaiveChecker.satisfies(Capsules.inputs(capsule), level, false, uncertaintyNs);
        Judge judge = new Judge(level, uncertaintyNs);
        Judgement judgement = judge.judge(capsule);
        String message = "seed %d, %s%n%s".formatted(seed, level, Capsules.describe(capsule));
        assertThat(judgement)
            .as(message)
            .isInstanceOf(expected ? Judgement.Violated.class : Judgement.Accepted.class);
        assertThat(judge.triesAll(capsule)).as(message).contains(expected);
        violated[level.ordinal()] += expected ? 1 : 0;
        splits +=
            judgement instanceof Judgement.Violated v && v.proof() instanceof Proof.Split ? 1 : 0;
      }
    }
    System.out.printf(
        "seeds %d to %d: %s of %d histories violate %s; %d proofs have cases%n",
        FIRST_SEED,
        FIRST_SEED + HISTORIES - 1,
        Arrays.toString(violated),
        HISTORIES,
        Arrays.toString(levels),
        splits);
    for (int count : violated) {
      assertThat(count).isBetween(HISTORIES / 20, HISTORIES * 19 / 20);
    }
    assertThat(splits).isGreaterThan(HISTORIES / 50);
  }

  /** Every way to spoil a proof that leaves it without meaning. */
  @Test
  void aProofThatWasTamperedWithIsRejected() {
    int[] spoiled = new int[7];
    for (long seed = FIRST_SEED; seed < FIRST_SEED + HISTORIES; seed++) {
      List<CapsuleTransaction> capsule = Capsules.random(seed);
      for (IsolationLevel level : IsolationLevel.values()) {
        Judge judge = new Judge(level, Capsules.uncertaintyNs(seed));
        if (!(judge.judge(capsule) instanceof Judgement.Violated violated)
            || violated.proof() instanceof Proof.BadRead) {
          continue;
        }
        Proof proof = violated.proof();
        String message =
            "seed %d, %s, %s%n%s".formatted(seed, level, proof, Capsules.describe(capsule));
        assertThat(judge.confirms(capsule, proof)).as(message).isTrue();
        if (proof instanceof Proof.Split split) {
          spoiled[0] += 2;
          assertThat(judge.confirms(capsule, split.ifFirst())).as("first " + message).isFalse();
          assertThat(judge.confirms(capsule, split.ifSecond())).as("second " + message).isFalse();
          Proof turned =
              new Proof.Split(split.a(), split.b(), split.key(), split.ifSecond(), split.ifFirst());
          assertThat(judge.confirms(capsule, turned)).as("turned " + message).isFalse();
          Proof elsewhere =
              new Proof.Split(split.a(), split.b(), 4_711, split.ifFirst(), split.ifSecond());
          assertThat(judge.confirms(capsule, elsewhere)).as("key " + message).isFalse();
        }
        List<UnaryOperator<Edge>> spoilers =
            List.of(
                e -> with(e, e.to(), e.from(), e.kind(), e.key(), e.source(), e.because()),
                e -> with(e, e.from(), e.to(), e.kind(), e.key() + 4_711, e.source(), e.because()),
                e -> with(e, e.from(), e.to(), e.kind(), e.key(), e.source() + 1, e.because()),
                e -> with(e, e.from(), e.to(), other(e.kind()), e.key(), e.source(), e.because()),
                e -> with(e, e.from(), e.to(), e.kind(), e.key(), e.source(), List.of()));
        for (int s = 0; s < spoilers.size(); s++) {
          for (Proof.Cycle cycle : proof.cycles()) {
            for (int i = 0; i < cycle.edges().size(); i++) {
              Edge edge = cycle.edges().get(i);
              if (!isSpoiled(s, edge) || (s == 3 && isElement(capsule, edge))) {
                continue;
              }
              List<Edge> edges = new ArrayList<>(cycle.edges());
              edges.set(i, spoilers.get(s).apply(edge));
              Proof changed = replaced(proof, cycle, new Proof.Cycle(edges));
              spoiled[1 + s]++;
              assertThat(judge.confirms(capsule, changed))
                  .as("spoiler %d, edge %d, %s", s, i, message)
                  .isFalse();
            }
          }
        }
        for (Edge edge : edges(proof)) {
          if (edge.kind() == EdgeKind.RT) {
            spoiled[6]++;
            assertThat(judge.confirms(endingLater(capsule, edge), proof)).as(message).isFalse();
          }
        }
      }
    }
    System.out.println(
        "proofs spoiled by a missing case, a turned edge, a key, a source, a kind, a missing reason,"
            + " a time: "
            + Arrays.toString(spoiled));
    for (int count : spoiled) {
      assertThat(count).isGreaterThan(HISTORIES / 100);
    }
  }

  /** Whatever edges are put together: what the judge confirms, the definitions forbid. */
  @Test
  void noProofOfAHistoryThatHoldsIsConfirmed() {
    int confirmed = 0;
    int tried = 0;
    for (long seed = FIRST_SEED; seed < FIRST_SEED + HISTORIES; seed++) {
      List<CapsuleTransaction> capsule = Capsules.random(seed);
      List<CapsuleTransaction> less = new ArrayList<>(capsule);
      CapsuleTransaction last = less.remove(less.size() - 1);
      List<List<CapsuleTransaction>> others = List.of(less, Capsules.withoutReads(capsule, last));
      long uncertaintyNs = Capsules.uncertaintyNs(seed);
      for (IsolationLevel level : IsolationLevel.values()) {
        if (!(new Judge(level, uncertaintyNs).judge(capsule) instanceof Judgement.Violated found)) {
          continue;
        }
        for (List<CapsuleTransaction> other : others) {
          for (IsolationLevel asked : IsolationLevel.values()) {
            tried++;
            if (new Judge(asked, uncertaintyNs).confirms(other, found.proof())) {
              confirmed++;
              assertThat(
                      NaiveChecker.satisfies(Capsules.inputs(other), asked, false, uncertaintyNs))
                  .as("seed %d, %s of %s%n%s", seed, asked, found.proof(), Capsules.describe(other))
                  .isFalse();
            }
          }
        }
      }
    }
    System.out.printf("%d of %d proofs hold of another history or level too%n", confirmed, tried);
    assertThat(confirmed).isBetween(1, tried - 1);
  }

  private static boolean isSpoiled(int spoiler, Edge edge) {
    return switch (spoiler) {
      case 1 -> edge.kind() != EdgeKind.SO && edge.kind() != EdgeKind.RT;
      case 2 -> edge.kind() == EdgeKind.RW;
      case 4 -> !edge.because().isEmpty();
      default -> true;
    };
  }

  /** An element of a list shows both from whom it was read and what stands before the next one. */
  private static boolean isElement(List<CapsuleTransaction> capsule, Edge edge) {
    return edge.operation() >= 0
        && capsule.get(edge.reader()).operations().kind(edge.operation()) == OperationKind.LISTED;
  }

  private static EdgeKind other(EdgeKind kind) {
    return switch (kind) {
      case RW -> EdgeKind.WR;
      case WR -> EdgeKind.WW;
      default -> EdgeKind.RW;
    };
  }

  private static Edge with(
      Edge e, int from, int to, EdgeKind kind, long key, int source, List<Edge> because) {
    return new Edge(from, to, kind, key, e.reader(), e.operation(), source, because);
  }

  private static Proof replaced(Proof proof, Proof.Cycle cycle, Proof.Cycle other) {
    if (proof instanceof Proof.Split split) {
      return new Proof.Split(
          split.a(),
          split.b(),
          split.key(),
          replaced(split.ifFirst(), cycle, other),
          replaced(split.ifSecond(), cycle, other));
    }
    return proof.equals(cycle) ? other : proof;
  }

  private static List<Edge> edges(Proof proof) {
    return proof.cycles().stream().flatMap(cycle -> cycle.edges().stream()).toList();
  }

  private static List<CapsuleTransaction> endingLater(List<CapsuleTransaction> capsule, Edge edge) {
    List<CapsuleTransaction> changed = new ArrayList<>(capsule);
    CapsuleTransaction t = capsule.get(edge.from());
    long endNs = capsule.get(edge.to()).times().beginNs();
    changed.set(
        edge.from(),
        Capsules.with(t, new Times(t.times().beginNs(), endNs, t.times().clock()), t.operations()));
    return changed;
  }
}
