package io.isotail.ingest.generate;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.Seeds;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.level.Verdict;
import io.isotail.incremental.record.Outcome;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Generated histories satisfy their level, and do not satisfy the next stronger one. */
class GeneratedLevelsTest {
  private static final int SMALL_HISTORIES = Math.max(4_000, 2 * Seeds.HISTORIES);
  private static final long FIRST_SEED = Seeds.FIRST;
  private static final int LARGE_HISTORIES = 10;
  private static final Set<IsolationLevel> CHECKED =
      EnumSet.range(IsolationLevel.READ_COMMITTED, IsolationLevel.CAUSAL);

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "STRICT_SERIALIZABLE")
  void smallOnesSatisfyTheDefinitionOfTheirLevel(IsolationLevel level) {
    int violateTheNext = 0;
    for (long seed = FIRST_SEED; seed < FIRST_SEED + SMALL_HISTORIES; seed++) {
      GeneratedHistory history = new GeneratedHistory(small(level, seed));
      DefinitionChecker checker = new DefinitionChecker(history.transactions);
      assertThat(checker.satisfies(level)).as("%s, seed %d%n%s", level, seed, history).isTrue();
      for (Map.Entry<IsolationLevel, Verdict> verdict :
          history.check(new ArrayList<>()).entrySet()) {
        assertThat(verdict.getValue())
            .as("%s at %s, seed %d%n%s", level, verdict.getKey(), seed, history)
            .isEqualTo(checker.satisfies(verdict.getKey()) ? passed(history) : Verdict.FAIL);
      }
      if (level != IsolationLevel.SERIALIZABLE && !checker.satisfies(next(level))) {
        violateTheNext++;
      }
    }
    if (level != IsolationLevel.SERIALIZABLE) {
      assertThat(violateTheNext)
          .as("seeds from %d on", FIRST_SEED)
          .isGreaterThan(SMALL_HISTORIES / 400);
    }
  }

  /**
   * What is said of a level that nothing violates: where nothing committed, nothing was checked.
   */
  private static Verdict passed(GeneratedHistory history) {
    boolean any = history.transactions.stream().anyMatch(t -> t.outcome() == Outcome.COMMITTED);
    return any ? Verdict.PASS : Verdict.NOT_CHECKED;
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "STRICT_SERIALIZABLE")
  void largeOnesAreTakenForTheirLevelByTheChecker(IsolationLevel level) {
    for (long seed = FIRST_SEED; seed < FIRST_SEED + LARGE_HISTORIES; seed++) {
      GenerateConfig config =
          GenerateConfig.defaults(level, seed)
              .with(new GenerateConfig.Traffic(12, 3_000, 0.05, 0.05))
              .with(shape(seed));
      GeneratedHistory history = new GeneratedHistory(config);
      for (IsolationLevel checked : CHECKED) {
        assertThat(history.check(checked, new ArrayList<>()).get(checked))
            .as("%s at %s, %s", level, checked, config)
            .isEqualTo(level.atLeast(checked) ? Verdict.PASS : Verdict.FAIL);
      }
    }
  }

  private static GenerateConfig.Shape shape(long seed) {
    String[] distributions = {"uniform", "zipfian", "hotspot:0.1", "exponential:0.3"};
    return new GenerateConfig.Shape(
        seed % 2 == 0, 8, 20, 0.5, distributions[(int) (seed % distributions.length)]);
  }

  private static GenerateConfig small(IsolationLevel level, long seed) {
    Prng random = new Prng(~seed);
    double odd = random.nextInt(4) == 0 ? 0.15 : 0;
    return GenerateConfig.defaults(level, seed)
        .with(new GenerateConfig.Traffic(2 + random.nextInt(3), 4 + random.nextInt(5), odd, odd))
        .with(
            new GenerateConfig.Shape(
                random.nextInt(3) == 0,
                1 + random.nextInt(4),
                1 + random.nextInt(3),
                0.3 + random.nextInt(5) / 10.0,
                "uniform"))
        .withLag(1 + random.nextInt(5), 1 + random.nextInt(4));
  }

  private static IsolationLevel next(IsolationLevel level) {
    return IsolationLevel.values()[level.ordinal() + 1];
  }
}
