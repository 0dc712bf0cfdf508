package io.isotail.incremental;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.naive.NaiveChecker;
import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.SessionInfo;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.incremental.record.VersionKind;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * Which transactions violate a level from {@code prefix} on, one after the other: each that has no
 * place beside those before it that have one, and each that overwrote, as one of those did, what it
 * read of one that has none.
 */
final class CountsAgainstNaiveTest {
  private static final IsolationLevel STRONGEST = IsolationLevel.STRICT_SERIALIZABLE;

  @Test
  void eachTransactionWithoutAPlaceIsFound() {
    int compared = 0;
    int several = 0;
    for (long seed : RandomHistory.seeds(Seeds.FIRST, Seeds.HISTORIES)) {
      List<TransactionRecord> history = ConcurrentHistory.of(seed);
      if (!arrivesInOrder(history) || !satisfies(history, IsolationLevel.CAUSAL)) {
        continue;
      }
      Set<Long> expected = new TreeSet<>();
      for (IsolationLevel level : IsolationLevel.values()) {
        if (!level.isWeak() && STRONGEST.atLeast(level)) {
          addWithoutPlace(history, level, expected);
        }
      }
      CheckRun run = CheckRun.of(CheckerConfig.forFile("h", STRONGEST), seed, history);
      assertThat(run.anomalies)
          .extracting(Anomaly::offset)
          .as("seed %d%n%s%n%s", seed, RandomHistory.describe(history), run.anomalies)
          .containsExactlyElementsOf(expected);
      compared++;
      several += expected.size() > 1 ? 1 : 0;
    }
    System.out.printf(
        "from seed %d on: %d histories, %d of them with several violations%n",
        Seeds.FIRST, compared, several);
    assertThat(several).isGreaterThan(compared / 40);
  }

  private static void addWithoutPlace(
      List<TransactionRecord> history, IsolationLevel level, Set<Long> to) {
    List<TransactionRecord> placed = new ArrayList<>();
    List<TransactionRecord> others = new ArrayList<>();
    for (int i = 0; i < history.size(); i++) {
      TransactionRecord t = history.get(i);
      placed.add(t);
      if (!satisfies(placed, level) || losesUpdate(t, placed, others, level)) {
        to.add((long) i);
        placed.remove(t);
        others.add(t);
      }
    }
  }

  private static boolean losesUpdate(
      TransactionRecord t,
      List<TransactionRecord> placed,
      List<TransactionRecord> others,
      IsolationLevel level) {
    for (TransactionRecord writer : others) {
      for (TransactionRecord rival : placed) {
        if (rival != t
            && updateTheSame(rival, t, writer)
            && !satisfies(List.of(onlyWrites(writer), rival, t), level)) {
          return true;
        }
      }
    }
    return false;
  }

  /** Whether both read and overwrote a version of one writer. */
  private static boolean updateTheSame(
      TransactionRecord one, TransactionRecord other, TransactionRecord writer) {
    Set<Long> keys = updated(one, writer);
    keys.retainAll(updated(other, writer));
    return !keys.isEmpty();
  }

  /** The keys of which it read what a writer wrote, and wrote them too. */
  private static Set<Long> updated(TransactionRecord t, TransactionRecord writer) {
    Set<Long> keys = new HashSet<>();
    Operations ops = t.operations();
    for (int i = 0; i < ops.size(); i++) {
      if (ops.kind(i) == OperationKind.READ
          && !ops.undone(i)
          && ops.versionKind(i) == VersionKind.KNOWN
          && writes(t, ops.key(i), null)
          && writes(writer, ops.key(i), ops.version(i))) {
        keys.add(ops.key(i));
      }
    }
    return keys;
  }

  private static boolean writes(TransactionRecord t, long key, Long version) {
    Operations ops = t.operations();
    for (int i = 0; i < ops.size(); i++) {
      if (ops.kind(i) == OperationKind.WRITE
          && !ops.undone(i)
          && ops.key(i) == key
          && (version == null || ops.version(i) == version)) {
        return true;
      }
    }
    return false;
  }

  private static boolean satisfies(List<TransactionRecord> history, IsolationLevel level) {
    return NaiveChecker.satisfies(CheckRun.inputs(history), level, false);
  }

  private static TransactionRecord onlyWrites(TransactionRecord t) {
    Operations.Builder writes = new Operations.Builder();
    for (int i = 0; i < t.operations().size(); i++) {
      if (t.operations().kind(i) == OperationKind.WRITE) {
        writes.addOne(t.operations(), i);
      }
    }
    return new TransactionRecord(
        SessionInfo.ofFile(99, "only writes"),
        0,
        1,
        t.chunk(),
        t.outcome(),
        t.ranAt(),
        TransactionRecord.NO_TIME,
        TransactionRecord.NO_TIME,
        null,
        writes.build());
  }

  /** Whether each is committed, has no lists, and comes after whoever it read from. */
  private static boolean arrivesInOrder(List<TransactionRecord> history) {
    Set<List<Long>> written = new HashSet<>();
    for (TransactionRecord t : history) {
      Operations ops = t.operations();
      for (int i = 0; i < ops.size(); i++) {
        if (ops.kind(i) == OperationKind.WRITE) {
          written.add(List.of(ops.key(i), ops.version(i)));
        } else if (ops.kind(i) == OperationKind.LISTED
            || (ops.versionKind(i) == VersionKind.KNOWN
                && !written.contains(List.of(ops.key(i), ops.version(i))))) {
          return false;
        }
      }
      if (t.outcome() != Outcome.COMMITTED) {
        return false;
      }
    }
    return true;
  }
}
