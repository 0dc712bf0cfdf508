package io.isotail.incremental;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.level.Verdict;
import io.isotail.incremental.naive.NaiveChecker;
import io.isotail.incremental.record.StreamRecord;
import io.isotail.incremental.record.TransactionRecord;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Random histories as proxies emit them, whole and damaged. */
final class LiveStreamTest {
  private static final int HISTORIES = Seeds.HISTORIES;
  private static final long FIRST_SEED = Seeds.FIRST;

  /** What was replaced proves something only where versions are declared unique. */
  private static List<TransactionRecord> history(long seed, boolean unique) {
    List<TransactionRecord> history =
        seed % 4 == 1 ? ConcurrentHistory.of(seed) : RandomHistory.of(seed);
    return unique ? ReplacedVersionsIn.of(history, seed) : history;
  }

  @Test
  void anUndamagedStreamIsDecidedWithoutWaitingForItsEnd() {
    for (long seed : RandomHistory.seeds(FIRST_SEED, HISTORIES)) {
      boolean unique = seed % 2 == 0 || seed % 4 == 1;
      List<TransactionRecord> history = history(seed, unique);
      List<StreamRecord> stream = LiveStream.of(RandomHistory.shuffled(history, seed), seed, 0);
      CheckRun run =
          new CheckRun(
              CheckerConfig.forLive("h")
                  .withStrongest(IsolationLevel.STRICT_SERIALIZABLE)
                  .withPromise(IsolationLevel.STRICT_SERIALIZABLE)
                  .withClosed(true)
                  .withUniqueVersions(unique));
      stream.forEach(record -> run.accept(1, record));
      String message =
          "seed %d%n%s%n%s%n%s"
              .formatted(seed, RandomHistory.describe(history), stream, run.anomalies);
      assertThat(run.report.pendingTransactions()).as(message).isZero();
      for (IsolationLevel level : run.report.verdicts().keySet()) {
        boolean expected = NaiveChecker.satisfies(CheckRun.inputs(history), level, true);
        assertThat(run.report.verdicts().get(level))
            .as(message)
            .isEqualTo(StrongLevelsTest.verdict(run, expected, level, history, false));
      }
      AgainstNaiveTest.checkCapsules(run, seed, history);
    }
  }

  @Test
  void damageOnlyTurnsVerdictsIntoUndecided() {
    long decided = 0;
    long reads = 0;
    int alarms = 0;
    int violated = 0;
    for (long seed : RandomHistory.seeds(FIRST_SEED, HISTORIES)) {
      List<TransactionRecord> history = history(seed, seed % 5 != 0);
      List<StreamRecord> stream = LiveStream.of(RandomHistory.shuffled(history, seed), seed, 0.2);
      CheckerConfig config =
          CheckerConfig.forLive("h")
              .withStrongest(IsolationLevel.STRICT_SERIALIZABLE)
              .withPromise(IsolationLevel.STRICT_SERIALIZABLE)
              .withClosed(seed % 2 == 0)
              .withUniqueVersions(true);
      if (seed % 3 == 0) {
        config = config.withWindow(3);
      }
      if (seed % 5 == 0) {
        config = config.withUniqueVersions(false);
      }
      CheckRun run = new CheckRun(config, seed);
      // What was replaced says nothing where the version's writer is damaged.
      List<TransactionRecord> untold = history(seed, false);
      Cuts cuts = new Cuts(untold, -1);
      boolean complete = config.closed() && LiveStream.outcomesKept(history, stream);
      for (StreamRecord record : stream) {
        run.accept(1, record);
        violated += complete ? noUnjustifiedPass(run, cuts.look(run), seed, stream) : 0;
      }
      run.finish();
      for (Anomaly anomaly : run.anomalies) {
        assertThat(NaiveChecker.satisfies(CheckRun.inputs(history), anomaly.level(), true))
            .as(
                "false alarm, seed %d%n%s%n%s%n%s",
                seed, RandomHistory.describe(history), stream, anomaly)
            .isFalse();
      }
      if (complete && seed % 3 != 0) {
        for (IsolationLevel level : run.report.verdicts().keySet()) {
          if (!NaiveChecker.satisfies(CheckRun.inputs(untold), level, true)) {
            assertThat(run.report.verdicts().get(level))
                .as("unjustified pass, seed %d at %s%n%s", seed, level, stream)
                .isNotEqualTo(Verdict.PASS);
            violated++;
          }
        }
      }
      alarms += run.anomalies.size();
      reads += run.report.reads();
      decided += run.report.readsDecided();
    }
    System.out.printf(
        "seeds from %d: %d alarms, none false; %d of %d reads decided%n",
        FIRST_SEED, alarms, decided, reads);
    assertThat(violated).isGreaterThan(HISTORIES / 20);
    assertThat(alarms).isGreaterThan(HISTORIES / 20);
    assertThat((double) decided / reads).isGreaterThan(0.5);
  }

  /** How many levels what is in the window now violates; none of them may pass. */
  private static int noUnjustifiedPass(
      CheckRun run, Map<IsolationLevel, Boolean> violates, long seed, List<StreamRecord> stream) {
    int violated = 0;
    for (IsolationLevel level : violates.keySet()) {
      if (violates.get(level)) {
        assertThat(run.report.verdicts().get(level))
            .as("unjustified pass, seed %d at %s%n%s", seed, level, stream)
            .isNotEqualTo(Verdict.PASS);
        violated++;
      }
    }
    return violated;
  }
}
