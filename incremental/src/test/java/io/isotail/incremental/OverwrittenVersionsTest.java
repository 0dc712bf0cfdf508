package io.isotail.incremental;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.incremental.anomaly.EdgeKind;
import io.isotail.incremental.anomaly.Proof;
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

/** What it proves that a write knows which version it replaced. */
final class OverwrittenVersionsTest {
  /** The second of a's overwrote the first one's version, says b: it comes between the two. */
  private static final String BETWEEN = "a: wx1 ; a: wx2 wy1 ; b: ry1 wx3<1";

  @Test
  void nobodyStandsBetweenAVersionAndWhatReplacedIt() {
    CheckRun run = check(BETWEEN);
    assertThat(run.report.verdicts())
        .containsEntry(IsolationLevel.CAUSAL, Verdict.PASS)
        .containsEntry(IsolationLevel.PREFIX, Verdict.FAIL);
    assertThat(check("a: wx1 ; a: wx2 wy1 ; b: ry1 wx3").anomalies).isEmpty();
    assertThat(check("a: wx1 ; a: wx2 wy1 ; b: ry1 wx3<2").anomalies).isEmpty();
  }

  @Test
  void theProofNamesTheWriteThatReplacedTheVersion() {
    Anomaly anomaly = check(BETWEEN).anomalies.get(0);
    Proof.Edge shown =
        anomaly.proof().cycles().get(0).edges().stream()
            .filter(edge -> edge.kind() == EdgeKind.WW)
            .findFirst()
            .orElseThrow();
    Operations ops = anomaly.capsule().get(shown.reader()).operations();
    assertThat(ops.replaces(shown.operation())).isTrue();
    assertThat(anomaly.explanation()).contains("the database said what b/1 replaced");
  }

  @Test
  void itIsTheSameInAnyArrivalOrder() {
    Random random = Seeds.random(1);
    List<TransactionRecord> history = Dsl.history(BETWEEN);
    for (int i = 0; i < 20; i++) {
      CheckRun run = CheckRun.of(config(), RandomHistory.shuffled(history, random.nextLong()));
      assertThat(run.report.verdicts()).containsEntry(IsolationLevel.PREFIX, Verdict.FAIL);
    }
  }

  @Test
  void aDeleteReplacesAVersionToo() {
    assertThat(check("a: wx1 ; a: wx2 wy1 ; b: ry1 dx<1").report.verdicts())
        .containsEntry(IsolationLevel.PREFIX, Verdict.FAIL);
    assertThat(check("a: wx1 ; a: wx2 wy1 ; b: ry1 dx<2").anomalies).isEmpty();
  }

  /** The reader overwrote what it had not seen: a lost update, though it read before. */
  @Test
  void whatWasReadBeforeAndNotReplacedWasMissed() {
    CheckRun run = check("a: wx1 ; b: wx2<1 ; c: rx1 wx3<2");
    assertThat(run.report.verdicts())
        .containsEntry(IsolationLevel.PREFIX, Verdict.PASS)
        .containsEntry(IsolationLevel.SNAPSHOT_ISOLATION, Verdict.FAIL);
  }

  @Test
  void aReplacedVersionWasNotRead() {
    // At prefix a write may go over what its snapshot did not show.
    assertThat(check("a: wx1 wy1 ; b: ry0 wx2<1").report.verdicts())
        .containsEntry(IsolationLevel.PREFIX, Verdict.PASS)
        .containsEntry(IsolationLevel.SNAPSHOT_ISOLATION, Verdict.FAIL);
    assertThat(check("a: wx1 ; b: wx2<1").report.reads()).isZero();
  }

  @Test
  void ofSeveralWritesTheFirstThatWasNotUndoneCounts() {
    assertThat(check("a: wx1 ; a: wx2 wy1 ; b: ry1 wx3<2 wx4<1").anomalies).isEmpty();
    TransactionRecord undone = Dsl.history("b: ry1 wx3<1 wz1").get(0);
    Operations.Builder ops = new Operations.Builder();
    ops.addOne(undone.operations(), 0);
    ops.addOne(undone.operations(), 1).undoFrom(1);
    ops.addOne(undone.operations(), 2);
    List<TransactionRecord> history = new ArrayList<>(Dsl.history("a: wx1 ; a: wx2 wy1"));
    history.add(committed(undone, ops.build()));
    assertThat(CheckRun.of(config(), history).anomalies).isEmpty();
  }

  @Test
  void aVersionOfNobodyKnownSaysNothing() {
    assertThat(check("a!: wx1 ; a: wx2 wy1 ; b: ry1 wx3<1").anomalies).isEmpty();
    assertThat(check("a?: wx1 ; a: wx2 wy1 ; b: ry1 wx3<1").anomalies).isEmpty();
    assertThat(check("a: wx2 wy1 ; b: ry1 wx3<1").anomalies).isEmpty();
    assertThat(check("a: wx1 wx9 ; a: wx2 wy1 ; b: ry1 wx3<1").anomalies).isEmpty();
    assertThat(check("b: wx2 wx3<2").anomalies).isEmpty();
  }

  @Test
  void whatSeveralClaimToHaveReplacedSaysNothing() {
    for (String both :
        List.of(
            "a: wx1 ; b: wx5<1 ; a: wx2 wy1 ; b: ry1 wx3<1",
            "b: wx5<1 ; a: wx1 ; c: wx3<1 wz1 ; a: rz1 wx2",
            "a: wx1 ; b: wx5<1 ; c: wx3<1 ; a: rx5 wx2 ; d: rx3")) {
      CheckRun run = check(both);
      assertThat(run.anomalies).as(both).isEmpty();
      assertThat(run.report.replacedTwice()).as(both).isEqualTo(1);
    }
  }

  /** Versions that are not declared to be of one transaction each prove nothing here either. */
  @Test
  void versionsThatComeBackSayNothing() {
    CheckerConfig open = CheckerConfig.forLive("h").withPromise(IsolationLevel.SERIALIZABLE);
    assertThat(CheckRun.of(open, Dsl.history(BETWEEN)).anomalies).isEmpty();
  }

  /**
   * The order of blind writers of one key is not guessed, but where one arrives before the writer
   * of what it replaced.
   */
  @Test
  void knownOrdersNeedNoSearch() {
    long told = searches(true);
    long guessed = searches(false);
    System.out.printf("searches: %d with replaced versions, %d without%n", told, guessed);
    assertThat(told).isLessThan(guessed / 20);
  }

  private static long searches(boolean told) {
    long searches = 0;
    for (long seed = 1; seed <= 30; seed++) {
      CheckRun run = CheckRun.of(config(), blindWriters(seed, told));
      assertThat(run.anomalies).as("seed %d", seed).isEmpty();
      searches += run.report.searches();
    }
    return searches;
  }

  /** Each writes two of few rows, and some read them; neighbours arrive in another order. */
  private static List<TransactionRecord> blindWriters(long seed, boolean told) {
    Random random = Seeds.random(seed);
    long[] latest = new long[4];
    List<TransactionRecord> history = new ArrayList<>();
    for (int n = 1; n <= 400; n++) {
      Operations.Builder ops = new Operations.Builder();
      int first = random.nextInt(latest.length);
      for (int key : new int[] {first, (first + 1) % latest.length}) {
        if (random.nextInt(4) == 0) {
          read(ops, key, latest[key]);
          continue;
        }
        ops.write(key, n);
        if (told && latest[key] > 0) {
          ops.replaces(latest[key]);
        }
        latest[key] = n;
      }
      history.add(
          new TransactionRecord(
              SessionInfo.ofFile(n, "s" + n),
              0,
              0,
              0,
              Outcome.COMMITTED,
              null,
              TransactionRecord.NO_TIME,
              TransactionRecord.NO_TIME,
              null,
              ops.build()));
    }
    for (int i = 0; i + 3 < history.size(); i += 3) {
      Collections.shuffle(history.subList(i, i + 3), random);
    }
    return history;
  }

  private static void read(Operations.Builder ops, int key, long version) {
    if (version == 0) {
      ops.readInitial(key);
    } else {
      ops.read(key, version);
    }
  }

  private static TransactionRecord committed(TransactionRecord t, Operations operations) {
    return new TransactionRecord(
        t.session(),
        t.sequence(),
        t.transaction(),
        0,
        Outcome.COMMITTED,
        null,
        TransactionRecord.NO_TIME,
        TransactionRecord.NO_TIME,
        null,
        operations);
  }

  private static CheckerConfig config() {
    return CheckerConfig.forFile("h", IsolationLevel.SERIALIZABLE);
  }

  private static CheckRun check(String history) {
    CheckRun run = CheckRun.of(config(), Dsl.history(history));
    AgainstNaiveTest.checkCapsules(run, 0, Dsl.history(history));
    return run;
  }
}
