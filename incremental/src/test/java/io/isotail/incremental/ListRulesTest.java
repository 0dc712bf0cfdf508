package io.isotail.incremental;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.incremental.anomaly.AnomalyKind;
import io.isotail.incremental.anomaly.CapsuleTransaction;
import io.isotail.incremental.anomaly.ListRule;
import io.isotail.incremental.anomaly.UndecidedReason;
import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.judge.Judge;
import io.isotail.incremental.judge.Judgement;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.level.Verdict;
import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.SessionInfo;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.incremental.record.VersionKind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What each element of a list read proves. */
final class ListRulesTest {
  private static final CheckerConfig FILE = CheckerConfig.forFile("h", IsolationLevel.SERIALIZABLE);

  private static CheckRun check(String history) {
    return CheckRun.of(FILE, Dsl.history(history));
  }

  /** The table of the README, line by line. */
  @Test
  void theReadmeHasTheTable() throws Exception {
    String readme = Files.readString(Path.of("README.md"));
    for (ListRule rule : ListRule.values()) {
      String names =
          rule.kinds().stream().map(kind -> "`" + kind + "`").collect(Collectors.joining(", "));
      assertThat(readme.lines())
          .contains(
              "| %s | `%s` | %s | %s | %s |"
                  .formatted(
                      rule.says(),
                      rule.level(),
                      names,
                      rule.adya() == null ? "none" : rule.adya(),
                      rule.elle()));
    }
  }

  /** A history that breaks one rule of the table, and nothing at a weaker level. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          WRITTEN     | a: wx1 ; r: lx0.7.1
          COMMITTED   | a!: wx1 ; b: wx2 ; r: lx0.1.2
          BEFORE      | b: wx2 ; a: lx0.1.2 wx1
          BEFORE      | b: wx1 ; a: lx0.1.1 wx1
          COPIES      | a: wx1 ; r: lx0.1.1
          WHOLE       | a: wx1 wx3 ; b: wx2 ; r: lx0.1.2.3
          OWN         | b: wx3 ; a: wx1 wx2 lx0.1.3.2
          STILL_THERE | a: wx1 ; b: lx0.1 wx2 lx0.2
          ORDER       | a: wx1 ; b: wx2 ; c: wx3 ; r: lx0.1.2 ; s: lx0.2.1.3
          NEIGHBOURS  | a: wx1 ; b: wx2 ; c: wx3 ; r: lx0.1.2 ; s: lx0.1.3
          """)
  void levelNameAndLabelAreThoseOfTheTable(ListRule rule, String history) {
    CheckRun run = check(history);
    Anomaly told = run.anomalies.get(0);
    assertThat(rule.kinds()).as("%s", told).contains(told.kind());
    assertThat(told.level()).isEqualTo(rule.level());
    assertThat(told.adya()).isEqualTo(rule.adya());
    for (IsolationLevel level : IsolationLevel.values()) {
      if (!level.atLeast(rule.level())) {
        assertThat(run.report.verdicts()).containsEntry(level, Verdict.PASS);
      }
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          a!: wx1 ; b: wx2 ; r: lx0.1.2                | aborted-read      | G1a
          a: wx1 ; b: wx2 ; c!: wx9 ; r: lx1.9.2       | aborted-read      | G1a
          a: wx1 ; r: lx0.7.1                          | thin-air-read     |
          a: wx1 ; b: wx2 ; r: lx1.7.2                 | thin-air-read     |
          a: wx1 ; r: lx0.1.1                          | duplicate-element |
          a: wx1 wx1 ; r: lx0.1.1.1                    | duplicate-element |
          a: wx1 wx5 ; b: wx2 ; r: lx0.1.2             | intermediate-read | G1b
          a: wx1 wx3 ; b: wx2 ; r: lx0.1.3.2 ; s: lx0.3 | intermediate-read | G1b
          a: wx1 wx3 ; b: wx2 ; r: lx0.1.2.3           | intermediate-read | G1b
          a: wx1 wx3 ; r: lx0.3.1                      | intermediate-read | G1b
          a: wx1 wx3 ; b: wx2 ; r: lx0.2.1             | intermediate-read | G1b
          a: wx1 wx3 ; b: wx2 ; r: lx0.1 wx4 lx0.1.4   | intermediate-read | G1b
          a: wx2 wx1 lx0.1.2                           | not-my-last-write |
          a: wx1 wx2 lx0.2                             | not-my-own-write  |
          b: wx3 ; a: wx1 wx2 lx0.1.3.2                | not-my-own-write  |
          a: lx0.1 wx1                                 | future-read       |
          b: wx2 ; a: lx0.1.2 wx1                      | future-read       |
          a: wx1 ; b: lx0.1 wx2 lx0.2                  | internal-read     |
          """)
  void readCommittedForbids(String history, String kind, String adya) {
    CheckRun run = check(history);
    assertThat(run.report.verdicts())
        .as(history)
        .containsEntry(IsolationLevel.READ_COMMITTED, Verdict.FAIL);
    assertThat(run.anomalies).extracting(Anomaly::level).contains(IsolationLevel.READ_COMMITTED);
    Anomaly first =
        run.anomalies.stream()
            .filter(each -> each.level() == IsolationLevel.READ_COMMITTED)
            .findFirst()
            .orElseThrow();
    assertThat(first.kind().label()).as("%s", run.anomalies).isEqualTo(kind);
    assertThat(first.adya()).isEqualTo(adya);
    assertThat(run.report.undecided()).isEmpty();
    AgainstNaiveTest.checkCapsules(run, 0, Dsl.history(history));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          a!: wx1 ; b: wx1 ; c: wx2 ; r: lx0.1.2
          a: wx1 wx3 ; b: wx2 ; r: lx0.1.3.2 ; s: lx3.2 ; t: lx0.2.1.3
          a: wx1 ; b: wx5 ; r: lx0.1 lx0.1.5
          a: wx1 ; b: wx2 lx2
          a: wx1 ; b: wx2 wx3 lx0.1.2.3
          a: wx1 wx1 ; r: lx0.1.1
          a: wx1 ; b: wx2 ; r: lx0.1.2 ; s: lx0.2.1
          """)
  void readCommittedAllows(String history) {
    CheckRun run = check(history);
    assertThat(run.report.verdicts())
        .as("%s: %s", history, run.anomalies)
        .containsEntry(IsolationLevel.READ_COMMITTED, Verdict.PASS);
  }

  @Test
  void anEmptyListAfterAFullOneIsAStaleReadOfAnotherTransaction() {
    CheckRun run = check("a: wx1 ; b: lx0.1 ; b: rx0");
    assertThat(run.report.verdicts())
        .containsEntry(IsolationLevel.READ_COMMITTED, Verdict.PASS)
        .containsEntry(IsolationLevel.CAUSAL, Verdict.FAIL);
  }

  @Test
  void aListBeyondTheBoundIsUndecided() {
    Operations.Builder writes = new Operations.Builder();
    Operations.Builder kept = new Operations.Builder();
    Operations.Builder dropped = new Operations.Builder();
    for (int i = 1; i <= Operations.MOST_ELEMENTS + 1; i++) {
      writes.write(1, i);
      if (i < Operations.MOST_ELEMENTS) {
        kept.add(OperationKind.LISTED, 1, VersionKind.KNOWN, i + 1);
      }
      if (i <= Operations.MOST_ELEMENTS) {
        dropped.add(OperationKind.LISTED, 1, VersionKind.KNOWN, i);
      }
    }
    kept.read(1, Operations.MOST_ELEMENTS + 1);
    dropped.read(1, Operations.MOST_ELEMENTS + 1);
    CheckRun run =
        CheckRun.of(
            FILE,
            List.of(transaction("w", writes), transaction("k", kept), transaction("d", dropped)));
    assertThat(run.report.undecided()).containsExactly(Map.entry(UndecidedReason.LIST_LENGTH, 1L));
    assertThat(run.report.reads()).isEqualTo(2);
    assertThat(run.report.readsDecided()).isEqualTo(1);
    assertThat(run.report.verdicts().values()).containsOnly(Verdict.UNDECIDED);
  }

  private static TransactionRecord transaction(String session, Operations.Builder operations) {
    return new TransactionRecord(
        SessionInfo.ofFile(session.charAt(0), session),
        0,
        1,
        0,
        Outcome.COMMITTED,
        null,
        TransactionRecord.NO_TIME,
        TransactionRecord.NO_TIME,
        null,
        operations.build());
  }

  /** Whoever reads a list has read from each writer in it. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          a: wy1 wx1 ; b: wx2 ; r: lx0.1.2 ry0         | READ_COMMITTED
          a: wy1 wx1 ; b: wx2 ; r: ry0 lx0.1.2         | READ_ATOMIC
          a: wy1 wx1 ; b: wx2 ; r: lx0.1.2 ; r: ry0    | CAUSAL
          a: wy1 wx1 ; b: wx2 ; r: wx3 lx0.1.2.3 ry0   | READ_COMMITTED
          a: wx1 ; b: rx1 wx2 ; r: lx0.1.2 wx3 lx0.1.3 | READ_COMMITTED
          a: wx1 ; r: rx0 wx3 lx0.1.3                  | READ_ATOMIC
          """)
  void everyElementIsReadFromItsWriter(String history, IsolationLevel weakest) {
    CheckRun run = check(history);
    List<IsolationLevel> failed =
        run.report.verdicts().entrySet().stream()
            .filter(each -> each.getValue() == Verdict.FAIL)
            .map(Map.Entry::getKey)
            .collect(Collectors.toList());
    assertThat(failed).as("%s: %s", history, run.anomalies).startsWith(weakest);
    AgainstNaiveTest.checkCapsules(run, 0, Dsl.history(history));
  }

  @Test
  void anUnknownWriterWhoseElementIsShownHasCommitted() {
    String history = "u?: wx1 wy1 ; b: wx2 ; r: lx0.1.2 ; r: ry0";
    CheckRun run = check(history);
    assertThat(run.report.verdicts())
        .containsEntry(IsolationLevel.READ_ATOMIC, Verdict.PASS)
        .containsEntry(IsolationLevel.CAUSAL, Verdict.FAIL);
    assertThat(run.report.unknown()).isZero();
    AgainstNaiveTest.checkCapsules(run, 0, Dsl.history(history));
  }

  @Test
  void aReaderWaitsForTheWritersOfAllElements() {
    List<TransactionRecord> history = Dsl.history("r: lx0.1.2 ; b: wx2 ; a: wx1");
    CheckRun run = CheckRun.of(FILE, history);
    assertThat(run.report.verdicts().values()).doesNotContain(Verdict.FAIL, Verdict.UNDECIDED);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          a: wx1 ; b: wx2 ; r: lx0.1.2 ; s: lx0.2.1             | READ_ATOMIC
          a: wx1 ; b: wx2 ; c: wx3 ; r: lx0.1.2 ; s: lx0.2.1.3  | READ_ATOMIC
          a: wx1 ; a: wx2 ; c: lx2.1                            | READ_ATOMIC
          a: wx1 ; b: wx2 ; c: wx3 ; r: lx0.1.2 ; s: lx0.1.3    | PREFIX
          a: wx1 ; b: wx2 ; c: wx3 ; r: lx1.3 ; s: lx1.2.3      | PREFIX
          a: wx1 ; b: wx2 ; r: lx0.1 ; s: lx0.2                 | PREFIX
          """)
  void listsThatFitNoOrderOfTheVersions(String history, IsolationLevel weakest) {
    CheckRun run = check(history);
    assertThat(run.report.verdicts())
        .as("%s", run.anomalies)
        .containsEntry(weakest.nextWeaker(), Verdict.PASS)
        .containsEntry(weakest, Verdict.FAIL);
    assertThat(run.anomalies).hasSize(1);
    Anomaly told = run.anomalies.get(0);
    assertThat(told.kind()).as("%s", told).isEqualTo(AnomalyKind.INCOMPATIBLE_ORDER);
    assertThat(told.level()).isEqualTo(weakest);
    assertThat(told.adya()).isNull();
    assertThat(told.explanation()).contains("list").doesNotContain("overwrote");
    AgainstNaiveTest.checkCapsules(run, 0, Dsl.history(history));
  }

  /** Judged as a whole: what the reader appends later explains no copy of an element. */
  @Test
  void theJudgesDoNotCountWhatIsAppendedLater() {
    List<CapsuleTransaction> capsule = new ArrayList<>();
    for (TransactionRecord t : Dsl.history("b: wx1 ; a: lx0.1.1 wx1")) {
      capsule.add(CapsuleTransaction.of(t, capsule.size()));
    }
    Judge judge = new Judge(IsolationLevel.READ_COMMITTED, CheckerConfig.NEVER_COMPARED);
    assertThat(judge.judge(capsule)).isInstanceOf(Judgement.Violated.class);
    assertThat(judge.triesAll(capsule)).contains(true);
  }

  /** What is known of a list before does not outlast what it rests on. */
  @Test
  void aSecondWriterOfAnElementLeavesLaterListsInDoubt() {
    CheckRun run = check("a: wx1 ; c: wx2 ; r: lx0.1.2 ; b: wx1 ; s: lx0.1.2");
    assertThat(run.report.undecided()).containsKey(UndecidedReason.AMBIGUOUS_WRITER);
    assertThat(run.anomalies).isEmpty();
  }
}
