package io.isotail.incremental;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.incremental.anomaly.AnomalyKind;
import io.isotail.incremental.anomaly.CapsuleTransaction;
import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.judge.Judge;
import io.isotail.incremental.judge.Judgement;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.level.Verdict;
import io.isotail.incremental.naive.NaiveChecker;
import io.isotail.incremental.record.TransactionRecord;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Alarms and passes on random histories of lists, against what may have happened: no alarm if any
 * of it is allowed, and no pass if none is. Where elements are told apart the verdict is that of
 * the definitions, and so are those of the judge.
 *
 * <p>{@code deploy/verify --campaign trust} runs more of them.
 */
final class ListTrustTest {
  private static final int HISTORIES = Seeds.HISTORIES;
  private static final long FIRST_SEED = Seeds.FIRST;
  private static final IsolationLevel STRONGEST = IsolationLevel.SERIALIZABLE;
  private static final CheckerConfig FILE = CheckerConfig.forFile("h", STRONGEST);

  private final Map<Verdict, Long> verdicts = new EnumMap<>(Verdict.class);
  private final Map<AnomalyKind, Long> kinds = new EnumMap<>(AnomalyKind.class);
  private long transactions;

  private static String message(long seed, List<TransactionRecord> history, Object more) {
    return "seed %d%n%s%n%s".formatted(seed, RandomHistory.describe(history), more);
  }

  private static boolean allowed(
      List<List<NaiveChecker.Input>> worlds, IsolationLevel level, boolean closed) {
    return worlds.stream().anyMatch(world -> NaiveChecker.satisfies(world, level, closed));
  }

  @Test
  void noAlarmIsFalseAndNoPassUnearned() {
    long ambiguous = 0;
    for (long seed : RandomHistory.seeds(FIRST_SEED, HISTORIES)) {
      List<TransactionRecord> history = ListHistory.of(seed);
      List<List<NaiveChecker.Input>> worlds = ListWorlds.of(history);
      if (worlds.isEmpty()) {
        continue;
      }
      ambiguous += worlds.size() > 1 ? 1 : 0;
      boolean closed = seed % 4 != 0;
      CheckerConfig config = FILE.withClosed(closed).withUniqueVersions(seed % 5 != 0);
      List<TransactionRecord> arrival =
          seed % 2 == 0 ? history : RandomHistory.shuffled(history, seed);
      CheckRun run = CheckRun.of(config, seed, arrival);
      count(run);
      for (IsolationLevel level : IsolationLevel.values()) {
        Verdict verdict = run.report.verdicts().get(level);
        if (verdict == null || level == IsolationLevel.STRICT_SERIALIZABLE) {
          continue;
        }
        String message = level + " " + message(seed, arrival, run.anomalies);
        boolean allowed = allowed(worlds, level, closed);
        assertThat(verdict).as(message).isNotEqualTo(allowed ? Verdict.FAIL : Verdict.PASS);
        if (worlds.size() == 1 && closed && config.uniqueVersions()) {
          assertThat(verdict).as(message).isNotEqualTo(Verdict.UNDECIDED);
        }
      }
      if (worlds.size() == 1) {
        AgainstNaiveTest.checkProofs(run, seed, arrival, -1);
      }
    }
    System.out.printf(
        "seeds %d to %d: %d transactions of lists, verdicts %s, %d ambiguous histories, %s%n",
        FIRST_SEED, FIRST_SEED + HISTORIES - 1, transactions, verdicts, ambiguous, kinds);
    assertThat(verdicts.get(Verdict.PASS)).isGreaterThan(HISTORIES);
    assertThat(verdicts.get(Verdict.FAIL)).isGreaterThan(HISTORIES);
    assertThat(ambiguous).isGreaterThan(HISTORIES / 40);
    assertThat(kinds)
        .containsKeys(
            AnomalyKind.THIN_AIR_READ,
            AnomalyKind.ABORTED_READ,
            AnomalyKind.FUTURE_READ,
            AnomalyKind.INTERMEDIATE_READ,
            AnomalyKind.NOT_MY_OWN_WRITE,
            AnomalyKind.NOT_MY_LAST_WRITE,
            AnomalyKind.DUPLICATE_ELEMENT,
            AnomalyKind.INCOMPATIBLE_ORDER,
            AnomalyKind.CAUSALITY_VIOLATION);
  }

  private void count(CheckRun run) {
    transactions += run.report.transactions();
    run.report.verdicts().values().forEach(verdict -> verdicts.merge(verdict, 1L, Long::sum));
    for (Anomaly anomaly : run.anomalies) {
      kinds.merge(anomaly.kind(), 1L, Long::sum);
    }
  }

  @Test
  void aWindowRaisesNoFalseAlarmAndPassesNothingElse() {
    for (long seed : RandomHistory.seeds(FIRST_SEED, HISTORIES)) {
      List<TransactionRecord> history = RandomHistory.shuffled(ListHistory.of(seed), seed);
      if (ListWorlds.of(history).size() != 1) {
        continue;
      }
      CheckRun run = new CheckRun(FILE.withWindow(2 + (int) (seed % 4)), seed);
      Cuts cuts = Cuts.of(run, history, new Cuts(history, -1));
      AgainstNaiveTest.checkProofs(run, seed, history, -1);
      for (IsolationLevel level : IsolationLevel.values()) {
        if (level.atLeast(IsolationLevel.STRICT_SERIALIZABLE)) {
          continue;
        }
        boolean expected = NaiveChecker.satisfies(CheckRun.inputs(history), level, true);
        cuts.justify(run, level, expected, level + " " + message(seed, history, run.anomalies));
      }
    }
  }

  @Test
  void theJudgeAndItsSecondOpinionFollowTheDefinitions() {
    for (long seed : RandomHistory.seeds(FIRST_SEED, HISTORIES / 4)) {
      List<TransactionRecord> history = ListHistory.of(seed);
      List<List<NaiveChecker.Input>> worlds = ListWorlds.of(history);
      if (worlds.isEmpty()) {
        continue;
      }
      List<CapsuleTransaction> capsule = new ArrayList<>();
      for (TransactionRecord t : history) {
        capsule.add(CapsuleTransaction.of(t, 2L * capsule.size()));
      }
      for (IsolationLevel level : IsolationLevel.values()) {
        if (level.atLeast(IsolationLevel.STRICT_SERIALIZABLE)) {
          continue;
        }
        Judge judge = new Judge(level, CheckerConfig.NEVER_COMPARED);
        boolean violated = !allowed(worlds, level, false);
        boolean proven = judge.judge(capsule) instanceof Judgement.Violated;
        String message = level + " " + message(seed, history, "");
        if (worlds.size() == 1 || !violated) {
          assertThat(proven).as(message).isEqualTo(violated);
          assertThat(judge.triesAll(capsule)).as(message).contains(violated);
        }
      }
    }
  }
}
