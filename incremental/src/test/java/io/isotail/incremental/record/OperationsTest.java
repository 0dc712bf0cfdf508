package io.isotail.incremental.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Some of a transaction's operations, compared with those that a builder collects one by one. */
final class OperationsTest {
  private static final int RUNS = 3_000;

  @Test
  void someOfTheOperationsAreWhatABuilderCollects() {
    for (int seed = 0; seed < RUNS; seed++) {
      Random random = new Random(seed);
      Operations all = operations(random, random.nextInt(10));
      BitSet selected = new BitSet();
      for (int i = 0; i < all.size(); i++) {
        selected.set(i, random.nextInt(3) > 0);
      }
      // A whole selection is the whole, with statements that none of the operations use.
      if (selected.cardinality() == all.size()) {
        assertThat(all.only(selected)).isSameAs(all);
        continue;
      }
      Operations.Builder expected = new Operations.Builder();
      selected.stream().forEach(i -> expected.addOne(all, i));
      assertThat(all.only(selected)).as("seed %d", seed).isEqualTo(expected.build());
    }
  }

  private static Operations operations(Random random, int n) {
    Operations.Builder all = new Operations.Builder();
    OperationKind[] kinds = OperationKind.values();
    VersionKind[] versionKinds = VersionKind.values();
    for (int i = 0; i < n; i++) {
      if (random.nextBoolean()) {
        boolean none = random.nextInt(3) == 0;
        all.statement(
            none ? null : new Statement("t" + random.nextInt(3), "f" + random.nextInt(2)));
      }
      all.add(
          kinds[random.nextInt(kinds.length)],
          random.nextInt(3),
          versionKinds[random.nextInt(versionKinds.length)],
          random.nextInt(4));
      if (random.nextInt(3) == 0) {
        all.names(random.nextBoolean() ? "k" : null, random.nextBoolean() ? "v" : null);
      }
      OperationKind last = all.kindOfLast();
      boolean changes = last == OperationKind.WRITE || last == OperationKind.DELETE;
      if (changes && random.nextInt(3) == 0) {
        all.replaces(random.nextInt(4));
      }
      if (random.nextInt(5) == 0) {
        all.undoFrom(all.size() - 1);
      }
    }
    return all.build();
  }
}
