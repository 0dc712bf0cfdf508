package io.isotail.ingest.generate;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.incremental.anomaly.AnomalyKind;
import io.isotail.incremental.anomaly.CapsuleTransaction;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.level.Verdict;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.TransactionRecord;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class InjectionTest {
  private static final int EACH = 5;
  private static final Set<AnomalyKind> INVISIBLE =
      EnumSet.of(AnomalyKind.LONG_FORK, AnomalyKind.LOST_UPDATE, AnomalyKind.WRITE_SKEW);

  /** The strongest level that holds in spite of the anomaly, by definition; null for none. */
  private static final Map<AnomalyKind, IsolationLevel> STILL_HOLDS =
      new EnumMap<>(
          Map.of(
              AnomalyKind.NON_REPEATABLE_READS, IsolationLevel.READ_COMMITTED,
              AnomalyKind.SESSION_GUARANTEE_VIOLATION, IsolationLevel.READ_COMMITTED,
              AnomalyKind.FRACTURED_READ, IsolationLevel.READ_COMMITTED,
              AnomalyKind.CAUSALITY_VIOLATION, IsolationLevel.READ_ATOMIC,
              AnomalyKind.LONG_FORK, IsolationLevel.CAUSAL,
              AnomalyKind.LOST_UPDATE, IsolationLevel.PREFIX,
              AnomalyKind.WRITE_SKEW, IsolationLevel.SNAPSHOT_ISOLATION));

  static Set<AnomalyKind> kinds() {
    return GenerateConfig.Injections.KINDS;
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void eachAloneViolatesByDefinitionWhatItIsKnownToViolate(AnomalyKind kind) {
    GeneratedHistory history = new GeneratedHistory(config(Map.of(kind, 1), 0, 3, 7));
    DefinitionChecker checker = new DefinitionChecker(history.transactions);
    IsolationLevel holds = STILL_HOLDS.get(kind);
    for (IsolationLevel level :
        EnumSet.range(IsolationLevel.READ_COMMITTED, IsolationLevel.SERIALIZABLE)) {
      assertThat(checker.satisfies(level))
          .as("%s at %s%n%s", kind, level, history)
          .isEqualTo(holds != null && holds.atLeast(level));
    }
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void eachIsFoundUnderItsNameAndNothingElseIs(AnomalyKind kind) {
    for (int sessions : new int[] {1, 2, 20}) {
      for (long seed = 1; seed <= 5; seed++) {
        GeneratedHistory history =
            new GeneratedHistory(config(Map.of(kind, EACH), 2_000, sessions, seed));
        List<Anomaly> found = new ArrayList<>();
        Map<IsolationLevel, Verdict> verdicts = history.check(found);
        boolean visible = !INVISIBLE.contains(kind);
        assertThat(verdicts.get(IsolationLevel.CAUSAL))
            .as("%s, seed %d", kind, seed)
            .isEqualTo(visible ? Verdict.FAIL : Verdict.PASS);
        assertThat(found).hasSize(visible ? EACH : 0).allMatch(anomaly -> anomaly.kind() == kind);
        assertThat(history.injected).hasSize(EACH).allMatch(each -> each.kind() == kind);
      }
    }
  }

  @Test
  void whatIsFoundIsWhatWasPutIn() {
    Map<AnomalyKind, Integer> all =
        GenerateConfig.Injections.KINDS.stream()
            .collect(Collectors.toMap(kind -> kind, kind -> EACH));
    GeneratedHistory history = new GeneratedHistory(config(all, 5_000, 10, 3));
    List<Anomaly> found = new ArrayList<>();
    history.check(found);
    assertThat(found).hasSize(EACH * (all.size() - INVISIBLE.size()));
    Map<Set<Injection.Member>, AnomalyKind> capsules = new HashMap<>();
    for (Anomaly anomaly : found) {
      Set<Injection.Member> members = new HashSet<>();
      for (CapsuleTransaction t : anomaly.capsule()) {
        members.add(new Injection.Member(t.session().id(), t.transaction()));
      }
      if (anomaly.kind() != AnomalyKind.THIN_AIR_READ) {
        capsules.put(members, anomaly.kind());
      }
    }
    int matched = 0;
    for (Injection injection : history.injected) {
      AnomalyKind kind = capsules.remove(new HashSet<>(injection.transactions()));
      if (kind != null) {
        assertThat(kind).isEqualTo(injection.kind());
        matched++;
      }
    }
    // A capsule leaves out the transactions of a group that only set the stage.
    capsules.forEach(
        (members, kind) ->
            assertThat(history.injected)
                .anyMatch(each -> each.kind() == kind && each.transactions().containsAll(members)));
    assertThat(matched).isGreaterThan(found.size() / 2);
  }

  @Test
  void aGroupKeepsItsSpanItsOrderAndItsKeys() {
    Map<AnomalyKind, Integer> all =
        GenerateConfig.Injections.KINDS.stream()
            .collect(Collectors.toMap(kind -> kind, kind -> EACH));
    GenerateConfig config = config(all, 3_000, 10, 5);
    int span = config.injections().spanTransactions();
    GeneratedHistory history = new GeneratedHistory(config);
    Map<Injection.Member, Integer> ordinaryBefore = new HashMap<>();
    Map<Injection.Member, TransactionRecord> records = new HashMap<>();
    Set<Injection.Member> injected =
        history.injected.stream()
            .flatMap(each -> each.transactions().stream())
            .collect(Collectors.toSet());
    int ordinary = 0;
    for (TransactionRecord record : history.transactions) {
      Injection.Member member = new Injection.Member(record.session().id(), record.transaction());
      records.put(member, record);
      ordinaryBefore.put(member, ordinary);
      ordinary += injected.contains(member) ? 0 : 1;
    }
    assertThat(ordinary).isEqualTo(3_000);
    Set<Integer> starts = new HashSet<>();
    for (Injection injection : history.injected) {
      List<Integer> places = injection.transactions().stream().map(ordinaryBefore::get).toList();
      assertThat(places).isSorted();
      assertThat(places.get(places.size() - 1) - places.get(0)).isBetween(0, span);
      starts.add(places.get(0) / 300);
      for (Injection.Member member : injection.transactions()) {
        assertThat(injection.keys()).containsAll(keys(records.remove(member)));
      }
      for (TransactionRecord other : records.values()) {
        if (!injected.contains(new Injection.Member(other.session().id(), other.transaction()))) {
          assertThat(injection.keys()).doesNotContainAnyElementsOf(keys(other));
        }
      }
    }
    assertThat(starts).as("tenths of the history").hasSizeGreaterThan(8);
  }

  @Test
  void ordinaryTransactionsDoTheSameWithAndWithoutAnomalies() {
    GeneratedHistory without = new GeneratedHistory(config(Map.of(), 500, 10, 9));
    GeneratedHistory with =
        new GeneratedHistory(config(Map.of(AnomalyKind.FRACTURED_READ, 20), 500, 10, 9));
    assertThat(with.transactions).hasSize(500 + 20 * 3);
    assertThat(operations(with, 100)).isEqualTo(operations(without, 100)).hasSize(500);
  }

  private static List<Operations> operations(GeneratedHistory history, int keys) {
    return history.transactions.stream()
        .map(TransactionRecord::operations)
        .filter(each -> each.key(0) < keys)
        .toList();
  }

  private static List<Long> keys(TransactionRecord record) {
    List<Long> keys = new ArrayList<>();
    for (int i = 0; i < record.operations().size(); i++) {
      keys.add(record.operations().key(i));
    }
    return keys;
  }

  private static GenerateConfig config(
      Map<AnomalyKind, Integer> counts, long transactions, int sessions, long seed) {
    return GenerateConfig.defaults(IsolationLevel.SERIALIZABLE, seed)
        .with(new GenerateConfig.Traffic(sessions, transactions, 0.02, 0.02))
        .with(new GenerateConfig.Injections(counts, 50));
  }
}
