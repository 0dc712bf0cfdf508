package io.isotail.ingest.generate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.TransactionRecord;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class HistoryGeneratorTest {
  private static final GenerateConfig BASE =
      GenerateConfig.defaults(IsolationLevel.SERIALIZABLE, 11);

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "STRICT_SERIALIZABLE")
  void theSameSeedGivesTheSameHistoryAndAnotherSeedAnother(IsolationLevel level) {
    List<TransactionRecord> one = history(GenerateConfig.defaults(level, 1)).transactions;
    assertThat(history(GenerateConfig.defaults(level, 1)).transactions).isEqualTo(one);
    assertThat(history(GenerateConfig.defaults(level, 2)).transactions).isNotEqualTo(one);
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "STRICT_SERIALIZABLE")
  void versionsAreNeverZeroAndNeverWrittenTwice(IsolationLevel level) {
    Set<Long> versions = new HashSet<>();
    for (TransactionRecord transaction : history(GenerateConfig.defaults(level, 5)).transactions) {
      Operations ops = transaction.operations();
      for (int i = 0; i < ops.size(); i++) {
        if (ops.kind(i) == OperationKind.WRITE) {
          assertThat(ops.version(i)).isPositive();
          assertThat(versions.add(ops.version(i))).isTrue();
        }
      }
    }
    assertThat(versions).hasSizeGreaterThan(3_000);
  }

  @Test
  void transactionsAreNumberedAsTheyCommit() {
    List<TransactionRecord> history =
        history(BASE.with(new GenerateConfig.Traffic(10, 2_000, 0.2, 0.1))).transactions;
    assertThat(history)
        .extracting(TransactionRecord::transaction)
        .containsExactlyElementsOf(LongStream.range(0, history.size()).boxed().toList());
  }

  @Test
  void theShapeIsAsAskedFor() {
    GenerateConfig config = BASE.with(new GenerateConfig.Shape(false, 5, 40, 0.8, "uniform"));
    int reads = 0;
    Set<Long> keys = new HashSet<>();
    Set<Long> sessions = new HashSet<>();
    List<TransactionRecord> history = history(config).transactions;
    for (TransactionRecord transaction : history) {
      sessions.add(transaction.session().id());
      Operations ops = transaction.operations();
      assertThat(ops.size()).isEqualTo(5);
      for (int i = 0; i < ops.size(); i++) {
        keys.add(ops.key(i));
        reads += ops.kind(i) == OperationKind.READ ? 1 : 0;
      }
    }
    assertThat(history).hasSize(1_000);
    assertThat(sessions).hasSize(10);
    assertThat(keys).hasSize(40).allMatch(key -> key >= 0 && key < 40);
    assertThat(reads).isBetween(3_800, 4_200);
  }

  @Test
  void miniTransactionsReadOneKeyOrTwoAndWriteNothingElse() {
    Set<String> shapes = new HashSet<>();
    for (TransactionRecord transaction :
        history(BASE.with(new GenerateConfig.Shape(true, 1, 20, 0.5, "uniform"))).transactions) {
      Operations ops = transaction.operations();
      Set<Long> read = new HashSet<>();
      Set<Long> written = new HashSet<>();
      StringBuilder shape = new StringBuilder();
      for (int i = 0; i < ops.size(); i++) {
        boolean isRead = ops.kind(i) == OperationKind.READ;
        shape.append(isRead ? 'r' : 'w');
        assertThat((isRead ? read : written).add(ops.key(i))).isTrue();
        assertThat(read).contains(ops.key(i));
      }
      assertThat(read).hasSizeBetween(1, 2);
      shapes.add(shape.toString());
    }
    assertThat(shapes).containsExactlyInAnyOrder("r", "rw", "rr", "rrw", "rwr", "rrww", "rwrw");
  }

  @Test
  void outcomesComeAsOftenAsAskedForAndAbortedVersionsAreNeverRead() {
    Map<Outcome, Integer> outcomes = new HashMap<>();
    Set<Long> aborted = new HashSet<>();
    Set<Long> unknown = new HashSet<>();
    Set<Long> read = new HashSet<>();
    for (TransactionRecord transaction :
        history(BASE.with(new GenerateConfig.Traffic(10, 2_000, 0.2, 0.1))).transactions) {
      outcomes.merge(transaction.outcome(), 1, Integer::sum);
      Operations ops = transaction.operations();
      Set<Long> own = new HashSet<>();
      for (int i = 0; i < ops.size(); i++) {
        if (ops.kind(i) == OperationKind.WRITE) {
          own.add(ops.version(i));
        } else if (!own.contains(ops.version(i))) {
          read.add(ops.version(i));
        }
      }
      if (transaction.outcome() != Outcome.COMMITTED) {
        (transaction.outcome() == Outcome.ABORTED ? aborted : unknown).addAll(own);
      }
    }
    assertThat(outcomes.get(Outcome.ABORTED)).isBetween(340, 460);
    assertThat(outcomes.get(Outcome.UNKNOWN)).isBetween(140, 260);
    assertThat(Collections.disjoint(aborted, read)).isTrue();
    assertThat(Collections.disjoint(unknown, read))
        .as("some of unknown outcome took effect")
        .isFalse();
  }

  @Test
  void underSnapshotIsolationTheLosersOfConflictsAbort() {
    assertThat(history(GenerateConfig.defaults(IsolationLevel.SNAPSHOT_ISOLATION, 3)).transactions)
        .anyMatch(transaction -> transaction.outcome() == Outcome.ABORTED);
    assertThat(history(GenerateConfig.defaults(IsolationLevel.PREFIX, 3)).transactions)
        .allMatch(transaction -> transaction.outcome() == Outcome.COMMITTED);
  }

  @Test
  void timesOfOneClockAgreeWithTheOrderOfTheCommits() {
    List<TransactionRecord> history =
        history(
                BASE.with(new GenerateConfig.Clocks(true, 0, 400_000))
                    .with(new GenerateConfig.Traffic(10, 2_000, 0.05, 0.05)))
            .transactions;
    Map<Long, Long> sessionEndNs = new HashMap<>();
    long latestBeginNs = Long.MIN_VALUE;
    int overlaps = 0;
    for (TransactionRecord transaction : history) {
      assertThat(transaction.clock()).isEqualTo("c0");
      long endNs = transaction.endNs();
      long previousNs = sessionEndNs.getOrDefault(transaction.session().id(), 0L);
      assertThat(transaction.beginNs()).isGreaterThan(previousNs);
      if (transaction.outcome() == Outcome.UNKNOWN) {
        assertThat(endNs).isEqualTo(TransactionRecord.NO_TIME);
        continue;
      }
      assertThat(endNs).isGreaterThan(transaction.beginNs());
      // Whatever committed later has not ended before this one began.
      assertThat(endNs).isGreaterThan(latestBeginNs);
      overlaps += transaction.beginNs() < latestBeginNs ? 1 : 0;
      latestBeginNs = Math.max(latestBeginNs, transaction.beginNs());
      sessionEndNs.put(transaction.session().id(), endNs);
    }
    assertThat(overlaps).isPositive();
  }

  @Test
  void withoutLatencyTheEndsAgreeWithTheOrderOfTheCommits() {
    long latestEndNs = 0;
    for (TransactionRecord transaction :
        history(BASE.with(new GenerateConfig.Clocks(true, 0, 1))).transactions) {
      if (transaction.outcome() == Outcome.COMMITTED) {
        assertThat(transaction.endNs()).isGreaterThan(latestEndNs);
        latestEndNs = transaction.endNs();
      }
    }
    assertThat(latestEndNs).isPositive();
  }

  @Test
  void skewedClocksAreOfOneSessionEachAndNeverFartherOffThanAskedFor() {
    GenerateConfig straight = BASE.with(new GenerateConfig.Clocks(true, 0, 400_000));
    long skewNs = 5_000_000;
    List<TransactionRecord> expected = history(straight).transactions;
    List<TransactionRecord> skewed =
        history(BASE.with(new GenerateConfig.Clocks(true, skewNs, 400_000))).transactions;
    Map<Long, String> clocks = new HashMap<>();
    skewed.forEach(t -> clocks.put(t.session().id(), String.valueOf(t.clock())));
    assertThat(new HashSet<>(clocks.values())).hasSize(10);
    Map<Long, Long> firstBeginNs = new HashMap<>();
    Map<Long, Long> firstSkewedNs = new HashMap<>();
    expected.forEach(t -> firstBeginNs.putIfAbsent(t.session().id(), t.beginNs()));
    skewed.forEach(t -> firstSkewedNs.putIfAbsent(t.session().id(), t.beginNs()));
    assertThat(firstSkewedNs).isNotEqualTo(firstBeginNs);
    firstBeginNs.forEach(
        (session, beginNs) ->
            assertThat(Math.abs(firstSkewedNs.get(session) - beginNs))
                .isLessThan(skewNs + 10_000_000));
  }

  @ParameterizedTest
  @EnumSource
  void everyOrderHoldsTheSameTransactionsInSessionOrder(HistoryOrder order) {
    List<TransactionRecord> history = history(BASE).transactions;
    List<TransactionRecord> arranged = order.arrange(history, 1);
    assertThat(arranged).containsExactlyInAnyOrderElementsOf(history);
    Map<Long, Long> next = new HashMap<>();
    int switches = 0;
    long last = -1;
    for (TransactionRecord transaction : arranged) {
      long session = transaction.session().id();
      assertThat(transaction.sequence()).isEqualTo(next.merge(session, 1L, Long::sum) - 1);
      switches += session != last ? 1 : 0;
      last = session;
    }
    if (order == HistoryOrder.SESSION) {
      assertThat(switches).isEqualTo(10);
    } else {
      assertThat(switches).isGreaterThan(500);
      assertThat(arranged.equals(history)).isEqualTo(order == HistoryOrder.COMMIT);
    }
  }

  @Test
  void aMistakeIsNamed() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new GenerateConfig.Traffic(0, 1, 0, 0))
        .withMessage("sessions 0; expected 1 to 1000000");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new GenerateConfig.Traffic(1, 1, 0.7, 0.7))
        .withMessageContaining("together");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new GenerateConfig.Shape(false, 1, 0, 0.5, "uniform"))
        .withMessageContaining("keys 0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> GenerateConfig.defaults(IsolationLevel.STRICT_SERIALIZABLE, 1))
        .withMessageContaining("expected serializable");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> HistoryOrder.ofLabel("random"))
        .withMessageContaining("commit, session, shuffled");
  }

  private static GeneratedHistory history(GenerateConfig config) {
    return new GeneratedHistory(config);
  }
}
