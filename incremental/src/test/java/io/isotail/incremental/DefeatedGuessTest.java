package io.isotail.incremental;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.level.Verdict;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.SessionInfo;
import io.isotail.incremental.record.TransactionRecord;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Histories built to defeat the guess: writers that read nothing, so that nothing orders them;
 * times that contradict the order in which they really committed; readers that tie several keys
 * together. Their verdict is known by construction, since they are too long for the naive checker.
 */
final class DefeatedGuessTest {
  private static final int HISTORIES = 60;
  private static final List<IsolationLevel> LEVELS =
      List.of(
          IsolationLevel.PREFIX, IsolationLevel.SNAPSHOT_ISOLATION, IsolationLevel.SERIALIZABLE);

  /** Serial by the order of the list; every transaction in a session of its own. */
  private static List<Operations> serial(Random random, int transactions, int keys) {
    long[] latest = new long[keys];
    List<Operations> all = new ArrayList<>();
    for (int t = 1; t <= transactions; t++) {
      Operations.Builder ops = new Operations.Builder();
      boolean writes = random.nextInt(3) > 0;
      int first = random.nextInt(keys);
      for (int key : new int[] {first, (first + 1 + random.nextInt(keys - 1)) % keys}) {
        if (writes) {
          ops.write(key, t);
          latest[key] = t;
        } else if (latest[key] == 0) {
          ops.readInitial(key);
        } else {
          ops.read(key, latest[key]);
        }
      }
      all.add(ops.build());
    }
    return all;
  }

  private static TransactionRecord record(int session, Operations ops, long endNs) {
    return new TransactionRecord(
        SessionInfo.ofFile(session, "s" + session),
        0,
        0,
        0,
        Outcome.COMMITTED,
        null,
        TransactionRecord.NO_TIME,
        endNs,
        "c" + session,
        ops);
  }

  /** In any order, with times from the last to the first or at random. */
  private static List<TransactionRecord> misleading(List<Operations> serial, Random random) {
    boolean backwards = random.nextBoolean();
    List<TransactionRecord> all = new ArrayList<>();
    for (int i = 0; i < serial.size(); i++) {
      long endNs = backwards ? serial.size() - i : random.nextInt(1_000);
      all.add(record(i, serial.get(i), endNs));
    }
    Collections.shuffle(all, random);
    return all;
  }

  @Test
  void whatIsSerializableIsNeverReportedAndNearlyAlwaysDecided() {
    int undecided = 0;
    for (long seed = 1; seed <= HISTORIES; seed++) {
      Random random = new Random(seed);
      List<Operations> serial = serial(random, 40 + random.nextInt(160), 2 + random.nextInt(8));
      CheckRun run =
          CheckRun.of(
              CheckerConfig.forFile("h", IsolationLevel.SERIALIZABLE), misleading(serial, random));
      assertThat(run.anomalies).as("seed %d", seed).isEmpty();
      for (IsolationLevel level : LEVELS) {
        assertThat(run.report.verdicts().get(level)).isNotEqualTo(Verdict.FAIL);
        undecided += run.report.verdicts().get(level) == Verdict.UNDECIDED ? 1 : 0;
      }
    }
    System.out.printf("%d of %d verdicts undecided%n", undecided, HISTORIES * LEVELS.size());
    assertThat(undecided).isLessThan(HISTORIES * LEVELS.size() / 4);
  }

  @Test
  void aViolationAmongThemIsNeverPassed() {
    int found = 0;
    for (long seed = 1; seed <= HISTORIES; seed++) {
      Random random = new Random(seed);
      int keys = 2 + random.nextInt(8);
      List<Operations> serial = serial(random, 40 + random.nextInt(100), keys);
      // A long fork on keys of its own, whose writers tie it to the others.
      int n = serial.size();
      serial.add(new Operations.Builder().write(keys, n).write(0, n + 1_000).build());
      serial.add(new Operations.Builder().write(keys + 1, n).write(1, n + 2_000).build());
      serial.add(new Operations.Builder().read(keys, n).readInitial(keys + 1).build());
      serial.add(new Operations.Builder().read(keys + 1, n).readInitial(keys).build());
      CheckRun run =
          CheckRun.of(
              CheckerConfig.forFile("h", IsolationLevel.SERIALIZABLE), misleading(serial, random));
      for (IsolationLevel level : LEVELS) {
        assertThat(run.report.verdicts().get(level)).as("seed %d", seed).isNotEqualTo(Verdict.PASS);
      }
      found += run.anomalies.isEmpty() ? 0 : 1;
    }
    assertThat(found).isGreaterThan(HISTORIES / 2);
  }
}
