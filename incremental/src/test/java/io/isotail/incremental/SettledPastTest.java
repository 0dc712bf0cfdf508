package io.isotail.incremental;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.incremental.anomaly.CapsuleTransaction;
import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.config.Tuning;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.level.Verdict;
import io.isotail.incremental.naive.NaiveChecker;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.SessionInfo;
import io.isotail.incremental.record.TransactionRecord;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The first contradiction has only what came shortly before it saturated; what that misses is made
 * up for as soon as it may matter.
 */
final class SettledPastTest {
  private static final int PAIRS = 1_000;
  private static final int EVERYTHING = Integer.MAX_VALUE;
  private static final long MINE = 1L << 40;
  private static final int HISTORIES = Math.max(35, Seeds.HISTORIES / 20);

  private final List<TransactionRecord> history = new ArrayList<>();
  private final Map<Long, Long> sequences = new HashMap<>();

  /** Each pair of writers implies an edge. */
  @ParameterizedTest
  @EnumSource(
      value = IsolationLevel.class,
      names = {"CAUSAL", "SERIALIZABLE"})
  void whatCameLongBeforeTheFirstContradictionGetsNoEdges(IsolationLevel strongest) {
    add(-1, ops().write(MINE, 1));
    add(-2, ops().write(MINE, 2).write(MINE + 1, 1));
    if (strongest == IsolationLevel.SERIALIZABLE) {
      // The log has the two in the wrong order.
      add(-3, ops().read(MINE + 1, 1).read(MINE, 1));
    }
    addPairs();
    add(-4, ops().write(MINE + 2, 1));
    add(-5, ops().read(MINE + 2, 1).write(MINE + 2, 2));
    if (strongest == IsolationLevel.SERIALIZABLE) {
      add(-6, ops().read(MINE + 2, 1).write(MINE + 2, 3));
    } else {
      add(-6, ops().read(MINE + 2, 2).read(MINE + 2, 1));
    }
    assertThat(edges(strongest, 12)).isBetween(1L, 12L);
    assertThat(edges(strongest, EVERYTHING)).isGreaterThan(PAIRS);
  }

  private long edges(IsolationLevel strongest, int lookBack) {
    CheckRun run = run(CheckerConfig.forFile("h", strongest), lookBack, history.size() - 1);
    assertThat(run.report.edgesInferred()).isZero();
    run.accept(0, history.get(history.size() - 1));
    return run.report.edgesInferred();
  }

  /** Of each the second transaction has seen the version after the one that it reads. */
  @ParameterizedTest
  @ValueSource(strings = {"both settled", "one settled", "initial settled"})
  void aReadOfWhatIsSettledIsHeldAgainstWhatWasSeen(String kind) {
    add(-1, ops().write(MINE, 1));
    add(-2, ops().read(MINE, 1).write(MINE, 2).write(MINE + 1, 1));
    addPairs();
    addContradiction();
    if (kind.equals("one settled")) {
      add(-5, ops().read(MINE, 2).write(MINE, 3).write(MINE + 2, 1));
      add(-6, ops().read(MINE + 2, 1));
      add(-6, ops().read(MINE, 2));
    } else {
      add(-6, ops().read(MINE + 1, 1));
      add(-6, kind.equals("both settled") ? ops().read(MINE, 1) : ops().readInitial(MINE));
    }
    for (IsolationLevel level : List.of(IsolationLevel.CAUSAL, IsolationLevel.READ_ATOMIC)) {
      List<List<String>> told = new ArrayList<>();
      for (int lookBack : new int[] {0, 1, 30, EVERYTHING}) {
        CheckRun run = run(CheckerConfig.forFile("h", level), lookBack, history.size());
        assertThat(run.report.verdicts().get(level))
            .isEqualTo(level == IsolationLevel.CAUSAL ? Verdict.FAIL : Verdict.PASS);
        told.add(told(run));
      }
      assertThat(told).containsOnly(told.get(0));
    }
  }

  /** What is read was written by a settled one, and overwritten by one that is not. */
  @Test
  void aReadOfTheInitialVersionIsHeldAgainstASettledWriterThatOnesAfterItHide() {
    add(-1, ops().write(MINE, 1).write(MINE + 1, 1));
    addPairs();
    add(20, ops().write(MINE + 9, 1));
    add(21, ops().write(MINE + 9, 2).write(MINE + 10, 1));
    add(22, ops().read(MINE + 10, 1).read(MINE + 9, 1));
    add(30, ops().write(MINE, 2));
    add(-6, ops().read(MINE + 1, 1).readInitial(MINE));
    for (IsolationLevel level : List.of(IsolationLevel.CAUSAL, IsolationLevel.READ_ATOMIC)) {
      for (int lookBack : new int[] {0, 1, 30, EVERYTHING}) {
        CheckRun run = run(CheckerConfig.forFile("h", level), lookBack, history.size());
        assertThat(run.report.verdicts().get(level))
            .as("%s, looking back %d", level, lookBack)
            .isEqualTo(Verdict.FAIL);
      }
    }
  }

  /** A reader that has not seen the later version may read the earlier one. */
  @Test
  void aLateReadOfWhatIsSettledHasNoMoreSaturated() {
    add(-1, ops().write(MINE, 1));
    addPairs();
    addContradiction();
    add(-2, ops().read(MINE, 1).write(MINE, 2));
    CheckerConfig config = CheckerConfig.forFile("h", IsolationLevel.CAUSAL);
    CheckRun run = run(config, 12, history.size());
    long before = run.report.edgesInferred();
    int fed = history.size();
    add(-6, ops().read(MINE, 1));
    run.accept(0, history.get(fed));
    assertThat(run.report.edgesInferred()).isEqualTo(before);
    add(-6, ops().read(MINE, 2));
    add(-6, ops().read(MINE, 1));
    run.accept(0, history.get(fed + 1)).accept(0, history.get(fed + 2));
    assertThat(run.report.edgesInferred()).isGreaterThan(PAIRS);
    assertThat(run.report.verdicts().get(IsolationLevel.CAUSAL)).isEqualTo(Verdict.FAIL);
  }

  @Test
  void howFarItLooksBackChangesNothing() {
    int failed = 0;
    int more = 0;
    for (long seed : RandomHistory.seeds(Seeds.FRESH, HISTORIES)) {
      IsolationLevel[] levels = IsolationLevel.values();
      IsolationLevel strongest = levels[(int) (seed % levels.length)];
      boolean weaker = strongest.atLeast(IsolationLevel.weakestStrong()) && seed % 3 > 0;
      int count = 60 + (int) (seed % 400);
      List<TransactionRecord> records = LaggingHistory.of(seed, count, weaker);
      int window = seed % 3 == 0 ? count : 20 + (int) (seed * 31 % count);
      CheckerConfig config = CheckerConfig.forFile("h", strongest).withWindow(window);
      if (weaker) {
        config =
            config.withPromises(
                Map.of(
                    "rc", IsolationLevel.READ_COMMITTED,
                    "ra", IsolationLevel.READ_ATOMIC,
                    "ca", IsolationLevel.CAUSAL));
      }
      CheckRun all = new CheckRun(config, tuning(seed).lookingBack(EVERYTHING));
      List<CheckRun> runs = new ArrayList<>();
      for (int lookBack : new int[] {0, 1 + (int) (seed % 3), 5 + (int) (seed % 40)}) {
        runs.add(new CheckRun(config, tuning(seed).lookingBack(lookBack)));
      }
      for (TransactionRecord record : records) {
        all.accept(0, record);
        for (CheckRun run : runs) {
          run.accept(0, record);
          assertThat(run.report.verdicts())
              .as("seed %d, window %d%n%s", seed, window, RandomHistory.describe(records))
              .isEqualTo(all.report.verdicts());
        }
      }
      for (CheckRun run : runs) {
        // Of several cycles that show one violation another one may be told.
        assertThat(levels(run)).as("seed %d, window %d", seed, window).isEqualTo(levels(all));
        assertThat(run.report.occurrences()).isEqualTo(all.report.occurrences());
        more += run.report.edgesInferred() < all.report.edgesInferred() ? 1 : 0;
      }
      if (window == count && !weaker && strongest.isWeak() && count < 120) {
        boolean holds = NaiveChecker.satisfies(CheckRun.inputs(records), strongest, true);
        assertThat(all.report.verdicts().get(strongest))
            .as("seed %d", seed)
            .isEqualTo(holds ? Verdict.PASS : Verdict.FAIL);
      }
      failed += all.anomalies.isEmpty() ? 0 : 1;
    }
    assertThat(failed).isBetween(1, HISTORIES - 1);
    assertThat(more).isPositive();
  }

  private static Tuning tuning(long seed) {
    return seed % 2 == 0
        ? Tuning.DEFAULT
        : new Tuning(4_000, 30, 0, 0, 8, 8, 2, 200_000, 1_000_000, 32_768, 0, 0);
  }

  private CheckRun run(CheckerConfig config, int lookBack, int count) {
    CheckRun run = new CheckRun(config, Tuning.DEFAULT.lookingBack(lookBack));
    history.subList(0, count).forEach(record -> run.accept(0, record));
    return run;
  }

  private static Operations.Builder ops() {
    return new Operations.Builder();
  }

  /** Pairs of writers of a key, the first of which the reader of the second has seen. */
  private void addPairs() {
    for (int i = 0; i < PAIRS; i++) {
      add(10, ops().write(2 * i, 1).write(2 * i + 1, 1));
      add(11, ops().write(2 * i, 2));
      add(12, ops().read(2 * i + 1, 1).read(2 * i, 2));
    }
  }

  /** Two writers that come in the wrong order. */
  private void addContradiction() {
    add(20, ops().write(MINE + 9, 1));
    add(21, ops().write(MINE + 9, 2));
    add(22, ops().read(MINE + 9, 2));
    add(22, ops().read(MINE + 9, 1));
  }

  private void add(long session, Operations.Builder ops) {
    long sequence = sequences.merge(session, 1L, Long::sum) - 1;
    history.add(
        new TransactionRecord(
            SessionInfo.ofFile(100 + session, "s" + session),
            sequence,
            sequence,
            0,
            Outcome.COMMITTED,
            null,
            TransactionRecord.NO_TIME,
            TransactionRecord.NO_TIME,
            null,
            ops.build()));
  }

  /** The levels that were violated, in the order in which that was told. */
  private static List<IsolationLevel> levels(CheckRun run) {
    return run.anomalies.stream().map(Anomaly::level).toList();
  }

  private static List<String> told(CheckRun run) {
    return run.anomalies.stream().map(SettledPastTest::told).toList();
  }

  private static String told(Anomaly anomaly) {
    return anomaly.level()
        + " "
        + anomaly.kind()
        + anomaly.capsule().stream().map(CapsuleTransaction::name).sorted().toList();
  }
}
