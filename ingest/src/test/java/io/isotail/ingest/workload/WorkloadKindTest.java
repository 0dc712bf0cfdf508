package io.isotail.ingest.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.isotail.ingest.workload.TransactionPlan.Step;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What each workload's transactions look like. */
final class WorkloadKindTest {
  private static final int KEYS = 10;
  private static final int PLANS = 5_000;
  private static final long SEED = 42;

  @ParameterizedTest
  @EnumSource
  void drawsTheSameForTheSameSeedAndComesToEveryKey(WorkloadKind kind) {
    List<TransactionPlan> plans = plans(kind, 0.3);
    assertThat(plans(kind, 0.3)).isEqualTo(plans);
    Set<Integer> keys = new HashSet<>();
    for (TransactionPlan plan : plans) {
      assertThat(plan.steps()).isNotEmpty();
      plan.steps().forEach(step -> keys(step).forEach(keys::add));
    }
    assertThat(keys).hasSize(KEYS).allMatch(key -> key >= 0 && key < KEYS);
  }

  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.EXCLUDE,
      names = {"GENERAL", "LIST_APPEND"})
  void readsWhatItOverwrites(WorkloadKind kind) {
    for (TransactionPlan plan : plans(kind, 0)) {
      Set<Integer> read = new HashSet<>();
      for (Step step : plan.steps()) {
        assertThat(!step.write() || read.contains(step.key())).as("%s", plan).isTrue();
        keys(step).forEach(read::add);
      }
    }
  }

  @Test
  void miniTransactionsHaveNoMoreThanTwoReadsAndTwoWrites() {
    Set<List<Boolean>> shapes = new HashSet<>();
    for (TransactionPlan plan : plans(WorkloadKind.MINI, 0.5)) {
      long writes = plan.steps().stream().filter(Step::write).count();
      assertThat(writes).isLessThanOrEqualTo(2);
      assertThat(plan.steps().size() - writes).isBetween(1L, 2L);
      shapes.add(plan.steps().stream().map(Step::write).toList());
    }
    assertThat(shapes)
        .containsExactlyInAnyOrder(
            List.of(false),
            List.of(false, false),
            List.of(false, true),
            List.of(false, false, true),
            List.of(false, true, false, true),
            List.of(false, false, true, true));
  }

  @Test
  void lightweightTransactionsComeToOneRegister() {
    Set<List<Boolean>> shapes = new HashSet<>();
    for (TransactionPlan plan : plans(WorkloadKind.LIGHTWEIGHT, 0.5)) {
      assertThat(plan.steps().stream().map(Step::key).distinct()).hasSize(1);
      shapes.add(plan.steps().stream().map(Step::write).toList());
    }
    assertThat(shapes).containsExactlyInAnyOrder(List.of(false), List.of(false, true));
  }

  @Test
  void generalTransactionsAreAsLongAsAskedFor() {
    for (TransactionPlan plan : plans(WorkloadKind.GENERAL, 0.2)) {
      assertThat(plan.steps()).hasSize(6);
    }
  }

  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.EXCLUDE,
      names = {"NAMED", "READ_MODIFY_WRITE"})
  void asManyOnlyReadAsAskedFor(WorkloadKind kind) {
    for (double share : new double[] {0, 0.25, 1}) {
      long readers =
          plans(kind, share).stream()
              .filter(plan -> plan.steps().stream().noneMatch(Step::write))
              .count();
      assertThat(readers / (double) PLANS).isBetween(share - 0.05, share + 0.05);
    }
  }

  @Test
  void distributionsAreAsSteepAsTheySay() {
    assertThat(shareOfFirst(2, KeyDistribution.ofLabel("uniform"))).isBetween(0.18, 0.22);
    assertThat(shareOfFirst(2, KeyDistribution.ofLabel("hot-spot"))).isBetween(0.78, 0.82);
    assertThat(shareOfFirst(1, KeyDistribution.ofLabel("exponential"))).isBetween(0.47, 0.53);
    assertThat(shareOfFirst(1, KeyDistribution.ofLabel("zipf"))).isBetween(0.31, 0.37);
  }

  @Test
  void unknownNamesAreToldWhatThereIs() {
    assertThatThrownBy(() -> WorkloadKind.ofLabel("bank"))
        .hasMessageContaining("'bank'")
        .hasMessageContaining("mini, general");
    assertThatThrownBy(() -> KeyDistribution.ofLabel("gauss")).hasMessageContaining("hot-spot");
    for (WorkloadKind kind : EnumSet.allOf(WorkloadKind.class)) {
      assertThat(WorkloadKind.ofLabel(kind.label())).isEqualTo(kind);
    }
  }

  private static IntStream keys(Step step) {
    return IntStream.range(step.key(), step.key() + step.count());
  }

  @Test
  void groupsAreReadAsAWhole() {
    Set<List<Integer>> groups = new HashSet<>();
    for (TransactionPlan plan : plans(WorkloadKind.PREDICATE_INSERT, 0.5)) {
      Step read = plan.steps().get(0);
      assertThat(read.action()).isEqualTo(TransactionPlan.Action.READ_RANGE);
      groups.add(keys(read).boxed().toList());
    }
    assertThat(groups)
        .containsExactlyInAnyOrder(List.of(0, 1, 2, 3), List.of(4, 5, 6, 7), List.of(8, 9));
  }

  @Test
  void listsAreComeToInOneOrderByAtMostFourOperations() {
    Set<Integer> lengths = new HashSet<>();
    boolean readBehindAppend = false;
    for (TransactionPlan plan : plans(WorkloadKind.LIST_APPEND, 0.2)) {
      lengths.add(plan.steps().size());
      for (int i = 1; i < plan.steps().size(); i++) {
        Step before = plan.steps().get(i - 1);
        Step step = plan.steps().get(i);
        assertThat(step.key()).isGreaterThanOrEqualTo(before.key());
        readBehindAppend |= before.write() && !step.write() && before.key() == step.key();
      }
    }
    assertThat(lengths).containsExactlyInAnyOrder(1, 2, 3, 4);
    assertThat(readBehindAppend).isTrue();
  }

  private static double shareOfFirst(int first, KeyDistribution distribution) {
    SplittableRandom random = new SplittableRandom(SEED);
    KeyDistribution.Keys keys = distribution.over(KEYS);
    int hits = 0;
    for (int i = 0; i < 4 * PLANS; i++) {
      hits += keys.next(random) < first ? 1 : 0;
    }
    return hits / (4.0 * PLANS);
  }

  private static List<TransactionPlan> plans(WorkloadKind kind, double readShare) {
    SplittableRandom random = new SplittableRandom(SEED);
    TransactionMix mix = kind.over(KeyDistribution.ofLabel("exponential").over(KEYS), readShare, 6);
    List<TransactionPlan> plans = new ArrayList<>();
    for (int i = 0; i < PLANS; i++) {
      plans.add(mix.next(random));
    }
    return plans;
  }
}
