package io.isotail.incremental;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.incremental.anomaly.AnomalyKind;
import io.isotail.incremental.anomaly.CapsuleTransaction;
import io.isotail.incremental.anomaly.CycleEdge;
import io.isotail.incremental.anomaly.EdgeKind;
import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.record.TransactionRecord;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The names of cycles from prefix on, and that each name and Adya's label fit their cycle. */
final class CycleNamesTest {
  private static final int HISTORIES = Seeds.HISTORIES;
  private static final long FIRST_SEED = Seeds.FIRST;
  private static final IsolationLevel STRICT = IsolationLevel.STRICT_SERIALIZABLE;

  private static final Set<AnomalyKind> OF_ONE_ANTI_DEPENDENCY =
      EnumSet.of(
          AnomalyKind.NON_REPEATABLE_READS,
          AnomalyKind.NON_MONOTONIC_READ,
          AnomalyKind.FRACTURED_READ,
          AnomalyKind.SESSION_GUARANTEE_VIOLATION,
          AnomalyKind.CAUSALITY_VIOLATION,
          AnomalyKind.STALE_READ,
          AnomalyKind.LOST_UPDATE,
          AnomalyKind.BLIND_LOST_UPDATE,
          AnomalyKind.READ_SKEW);

  static Stream<Arguments> golden() {
    return Stream.of(
        arguments(
            AnomalyKind.LOST_UPDATE,
            "G-single",
            IsolationLevel.SNAPSHOT_ISOLATION,
            "a: wx1 ; b: rx1 wx2 ; c: rx1 wx3",
            "b/1 and c/1 both read x=1 and both overwrote it, so neither saw the other's update."),
        arguments(
            AnomalyKind.BLIND_LOST_UPDATE,
            "G-single",
            IsolationLevel.SNAPSHOT_ISOLATION,
            "a: wx1 ; b: wx2 ; c: rx1 wx3 ; d: lx0.1.2.3",
            "c/1 overwrote x=2 of b/1 without having seen it: it had read x=1, which b/1"
                + " overwrote."),
        arguments(
            AnomalyKind.BLIND_LOST_UPDATE,
            "G-single",
            IsolationLevel.SNAPSHOT_ISOLATION,
            "a: wx1 wy1 ; b: wx2 ry0 ; c: lx0.1.2",
            "b/1 overwrote x=1 of a/1 without having seen it: it had read y=initial, which a/1"
                + " overwrote."),
        arguments(
            AnomalyKind.READ_SKEW,
            "G-single",
            IsolationLevel.PREFIX,
            "a: wx1 wz1 ; b: wz2 wy1 ; c: rx0 ry1 ; d: lz0.1.2",
            "c/1 read x=initial although a/1 had overwritten it with x=1: b/1 overwrote z=1 of a/1"
                + " (d/1 read a list of z that shows it), and c/1 read y=1 from b/1."),
        arguments(
            AnomalyKind.LONG_FORK,
            "G-nonadjacent",
            IsolationLevel.PREFIX,
            "a: wx1 ; b: wy1 ; c: rx1 ry0 ; d: ry1 rx0",
            "c/1 and d/1 saw two writes in opposite orders: c/1 read y=initial, which b/1 overwrote,"
                + " d/1 read y=1 from b/1, d/1 read x=initial, which a/1 overwrote, and c/1 read x=1"
                + " from a/1."),
        arguments(
            AnomalyKind.LONG_FORK,
            "G-nonadjacent-session",
            IsolationLevel.PREFIX,
            "a: wx1 ; b: wy1 ; c: rx1 ; c: ry0 ; d: ry1 rx0",
            "c/2 and d/1 saw two writes in opposite orders: "),
        arguments(
            AnomalyKind.COMMIT_ORDER_CYCLE,
            "G-nonadjacent",
            IsolationLevel.PREFIX,
            "a: wx1 ; b: wy1 ; c: wz1 ; d: rx1 ry0 ; e: ry1 rz0 ; f: rz1 rx0",
            "Each comes before the next, in a circle: "),
        arguments(
            AnomalyKind.DIRTY_WRITE,
            "G0",
            IsolationLevel.READ_ATOMIC,
            "a: wx1 wy1 ; b: wx2 wy2 ; c: lx0.1.2 ; d: ly0.2.1",
            "Each comes before the next, in a circle: b/1 overwrote x=1 of a/1 (c/1 read a list of x that"
                + " shows it), and a/1 overwrote y=2 of b/1 (d/1 read a list of y that shows it)."),
        arguments(
            AnomalyKind.CAUSALITY_CYCLE,
            "G1c",
            IsolationLevel.READ_ATOMIC,
            "a: wx1 wy1 ; b: ry1 wx2 ; c: lx0.2.1",
            "Each of these happened before the next, in a circle: "),
        arguments(
            AnomalyKind.WRITE_SKEW,
            "G2-item",
            IsolationLevel.SERIALIZABLE,
            "a: wx1 wy1 ; b: rx1 ry1 wx2 ; c: rx1 ry1 wy2",
            "b/1 read y=1, which c/1 overwrote, and c/1 read x=1, which b/1 overwrote: neither saw"
                + " what the other wrote."),
        arguments(
            AnomalyKind.DANGEROUS_STRUCTURE,
            "G2-item",
            IsolationLevel.SERIALIZABLE,
            "a: rx0 wz1 ; b: ry0 wx1 ; c: rz0 wy1",
            "Each comes before the next, in a circle: a/1 read x=initial, which b/1 overwrote,"),
        arguments(
            AnomalyKind.READ_ONLY_ANOMALY,
            "G2-item",
            IsolationLevel.SERIALIZABLE,
            "a: rx0 ry0 wx1 ; b: ry0 wy1 ; c: rx0 ry1",
            "No order of commits explains what c/1 saw, which only read: c/1 read x=initial, which"
                + " a/1 overwrote, a/1 read y=initial, which b/1 overwrote, and c/1 read y=1 from"
                + " b/1."));
  }

  @ParameterizedTest
  @MethodSource("golden")
  void eachCycleIsNamedAfterItsShape(
      AnomalyKind kind, String adya, IsolationLevel level, String text, String sentence) {
    List<TransactionRecord> history = Dsl.history(text);
    CheckRun run =
        CheckRun.of(CheckerConfig.forFile("golden", IsolationLevel.SERIALIZABLE), history);
    assertThat(run.anomalies).hasSize(1);
    Anomaly anomaly = run.anomalies.get(0);
    assertThat(anomaly.explanation()).startsWith(sentence);
    assertThat(anomaly.kind()).isEqualTo(kind);
    assertThat(anomaly.adya()).isEqualTo(adya);
    assertThat(anomaly.level()).isEqualTo(level);
    AgainstNaiveTest.checkCapsules(run, 0, history);
    assertConsistent(anomaly);
  }

  static Stream<Arguments> timed() {
    return Stream.of(
        arguments(
            AnomalyKind.STALE_READ,
            "G-single-realtime",
            "a: wx1 ; b: rx0",
            new long[] {0, 10, 20, 30},
            "b/1 read x=initial although a/1 had overwritten it with x=1: a/1 had ended 0.000 ms"
                + " before b/1 began."),
        arguments(
            AnomalyKind.STALE_READ,
            "G-single-realtime",
            "a: wx1 ; b: wy1 ; c: ry1 rx0",
            new long[] {0, 10, 20, 30, 5, 40},
            "c/1 read x=initial although a/1 had overwritten it with x=1: a/1 had ended 0.000 ms"
                + " before b/1 began, and c/1 read y=1 from b/1."),
        arguments(
            AnomalyKind.DANGEROUS_STRUCTURE,
            "G2-item-realtime",
            "a: rx0 wz1 ; b: ry0 wx1 ; c: wy1",
            new long[] {30, 50, 0, 40, 0, 20},
            "Each comes before the next, in a circle: "),
        arguments(
            AnomalyKind.READ_ONLY_ANOMALY,
            "G2-item-realtime",
            "a: rx0 ; b: ry0 wx1 ; c: wy1",
            new long[] {30, 50, 0, 40, 0, 20},
            "No order of commits explains what a/1 saw, which only read: "));
  }

  @ParameterizedTest
  @MethodSource("timed")
  void whatNeedsRealTimeIsNamedAfterThatToo(
      AnomalyKind kind, String adya, String text, long[] times, String sentence) {
    List<TransactionRecord> history = new ArrayList<>();
    for (TransactionRecord t : Dsl.history(text)) {
      int i = 2 * history.size();
      history.add(at(t, times[i], times[i + 1]));
    }
    CheckRun run = CheckRun.of(CheckerConfig.forFile("golden", STRICT), history);
    assertThat(run.anomalies).hasSize(1);
    Anomaly anomaly = run.anomalies.get(0);
    assertThat(anomaly.explanation()).startsWith(sentence);
    assertThat(anomaly.kind()).isEqualTo(kind);
    assertThat(anomaly.adya()).isEqualTo(adya);
    assertThat(anomaly.level()).isEqualTo(STRICT);
    assertConsistent(anomaly);
  }

  /** Nobody saw which of two writers of x came first, and both orders fail. */
  @Test
  void theOrderThatTheEndsTellIsToldFirstAndTheOtherAfterIt() {
    String strong = "a: ry0 wx1 wz1 ; b: rz0 wx2 wy1";
    assertThat(told(strong, 10, 20))
        .startsWith(
            "b/1 wrote x=2, most likely after x=1 of a/1, which it had not seen: it had read"
                + " z=initial, which a/1 overwrote. Other orders fail too. If b/1 commits before a/1: ");
    assertThat(told(strong, 20, 10))
        .startsWith(
            "a/1 wrote x=1, most likely after x=2 of b/1, which it had not seen: it had read"
                + " y=initial, which b/1 overwrote. Other orders fail too. If a/1 commits before b/1: ");
    String weak = "a: wx1 ; b: wx2 wy1 ; c: wx3 wz1 ; d: rx2 rz1 ; e: rx3 ry1";
    assertThat(told(weak, 10, 20, 30, 40, 50))
        .isEqualTo(
            "d/1 read x=2 from b/1 although c/1, from which it also read z=1, wrote x=3, most likely"
                + " later. If c/1 commits before b/1 instead: e/1 read x=3 from c/1 although it"
                + " had observed b/1, which writes x too.");
    assertThat(told(weak, 10, 30, 20, 40, 50))
        .isEqualTo(
            "e/1 read x=3 from c/1 although b/1, from which it also read y=1, wrote x=2, most likely"
                + " later. If b/1 commits before c/1 instead: d/1 read x=2 from b/1 although it"
                + " had observed c/1, which writes x too.");
  }

  private static String told(String text, long... ends) {
    List<TransactionRecord> history = new ArrayList<>();
    for (TransactionRecord t : Dsl.history(text)) {
      long end = ends[history.size()];
      history.add(at(t, end - 100, end));
    }
    CheckRun run = CheckRun.of(CheckerConfig.forFile("golden", STRICT), history);
    assertThat(run.anomalies).hasSize(1);
    assertConsistent(run.anomalies.get(0));
    return run.anomalies.get(0).explanation();
  }

  private static TransactionRecord at(TransactionRecord t, long beginNs, long endNs) {
    return new TransactionRecord(
        t.session(),
        t.sequence(),
        t.transaction(),
        0,
        t.outcome(),
        null,
        beginNs,
        endNs,
        "c",
        t.operations());
  }

  @Test
  void namesAndLabelsFitTheCyclesOfRandomHistories() {
    Map<AnomalyKind, Integer> names = new EnumMap<>(AnomalyKind.class);
    int all = 0;
    for (long seed : RandomHistory.seeds(FIRST_SEED, HISTORIES)) {
      List<TransactionRecord> history =
          seed % 4 == 0 ? RandomHistory.of(seed) : ConcurrentHistory.of(seed);
      CheckRun run = CheckRun.of(CheckerConfig.forFile("h", STRICT), seed, history);
      for (Anomaly anomaly : run.anomalies) {
        // Clocks that contradict the order of a session make cycles of no version at all.
        boolean named = anomaly.kind() != AnomalyKind.COMMIT_ORDER_CYCLE || anomaly.adya() != null;
        names.merge(anomaly.kind(), named ? 1 : 0, Integer::sum);
        all += named ? 1 : 0;
        assertThat(anomaly)
            .as("seed %d%n%s", seed, RandomHistory.describe(history))
            .satisfies(CycleNamesTest::assertConsistent);
      }
    }
    System.out.printf("%d anomalies: %s%n", all, names);
    assertThat(names.getOrDefault(AnomalyKind.COMMIT_ORDER_CYCLE, 0)).isLessThan(1 + all / 100);
    assertThat(names)
        .containsKeys(
            AnomalyKind.LOST_UPDATE,
            AnomalyKind.BLIND_LOST_UPDATE,
            AnomalyKind.WRITE_SKEW,
            AnomalyKind.STALE_READ,
            AnomalyKind.CAUSALITY_VIOLATION);
  }

  private static void assertConsistent(Anomaly anomaly) {
    List<CycleEdge> cycle = anomaly.cycle();
    if (cycle.isEmpty()) {
      // A read that is bad in itself.
      assertThat(anomaly.level()).isEqualTo(IsolationLevel.READ_COMMITTED);
      assertThat(anomaly.adya()).isIn(null, "G1a", "G1b");
      return;
    }
    for (int i = 0; i < cycle.size(); i++) {
      assertThat(cycle.get(i).to()).isEqualTo(cycle.get((i + 1) % cycle.size()).from());
    }
    if (count(cycle, EdgeKind.CO) > 0) {
      assertThat(anomaly.level()).isLessThanOrEqualTo(IsolationLevel.CAUSAL);
      assertThat(anomaly.kind()).isIn(OF_ONE_ANTI_DEPENDENCY);
      assertThat(anomaly.adya()).isIn("G-single", "G-single-session");
      return;
    }
    if (anomaly.kind() == AnomalyKind.INCOMPATIBLE_ORDER) {
      assertThat(anomaly.adya()).isNull();
      assertThat(count(cycle, EdgeKind.WW) + count(cycle, EdgeKind.SO)).isEqualTo(cycle.size());
      return;
    }
    assertLabel(anomaly, cycle);
    assertName(anomaly, cycle);
    if (anomaly.level().compareTo(IsolationLevel.CAUSAL) <= 0) {
      return; // several steps of session order are one
    }
    assertThat(anomaly.capsule())
        .extracting(CapsuleTransaction::name)
        .containsAll(cycle.stream().map(CycleEdge::from).toList());
  }

  private static void assertLabel(Anomaly anomaly, List<CycleEdge> cycle) {
    int antiDependencies = count(cycle, EdgeKind.RW);
    int reads = count(cycle, EdgeKind.WR);
    boolean adjacent = adjacent(cycle);
    String label = String.valueOf(anomaly.adya());
    assertThat(label.startsWith("G-single")).isEqualTo(antiDependencies == 1);
    assertThat(label.startsWith("G2-item")).isEqualTo(antiDependencies >= 2 && adjacent);
    assertThat(label.startsWith("G-nonadjacent")).isEqualTo(antiDependencies >= 2 && !adjacent);
    assertThat(label.startsWith("G1c")).isEqualTo(antiDependencies == 0 && reads > 0);
    boolean overwriting = antiDependencies + reads == 0 && count(cycle, EdgeKind.WW) > 0;
    assertThat(label.startsWith("G0")).isEqualTo(overwriting);
    boolean realTime = count(cycle, EdgeKind.RT) > 0;
    boolean session = !realTime && count(cycle, EdgeKind.SO) > 0;
    assertThat(label.endsWith("-realtime") || label.equals("null")).isEqualTo(realTime);
    assertThat(label.endsWith("-session")).isEqualTo(session);
    if (realTime) {
      assertThat(anomaly.level()).isEqualTo(STRICT);
    }
  }

  private static void assertName(Anomaly anomaly, List<CycleEdge> cycle) {
    int antiDependencies = count(cycle, EdgeKind.RW);
    switch (anomaly.kind()) {
      case CAUSALITY_CYCLE -> assertThat(antiDependencies).isZero();
      case DIRTY_WRITE ->
          assertThat(antiDependencies + count(cycle, EdgeKind.WR)).as("rw and wr").isZero();
      case WRITE_SKEW -> {
        assertThat(cycle).extracting(CycleEdge::kind).containsExactly(EdgeKind.RW, EdgeKind.RW);
        assertThat(cycle.get(0).key()).isNotEqualTo(cycle.get(1).key());
      }
      case DANGEROUS_STRUCTURE, READ_ONLY_ANOMALY -> assertThat(adjacent(cycle)).isTrue();
      case LONG_FORK -> {
        assertThat(antiDependencies).isEqualTo(2);
        assertThat(adjacent(cycle)).isFalse();
      }
      case COMMIT_ORDER_CYCLE -> assertThat(antiDependencies).isNotEqualTo(1);
      default -> {
        assertThat(anomaly.kind()).isIn(OF_ONE_ANTI_DEPENDENCY);
        assertThat(antiDependencies).isEqualTo(1);
        boolean realTime = count(cycle, EdgeKind.RT) > 0;
        assertThat(anomaly.kind() == AnomalyKind.STALE_READ).isEqualTo(realTime);
      }
    }
  }

  private static int count(List<CycleEdge> cycle, EdgeKind kind) {
    return (int) cycle.stream().filter(edge -> edge.kind() == kind).count();
  }

  private static boolean adjacent(List<CycleEdge> cycle) {
    for (int i = 0; i < cycle.size(); i++) {
      if (cycle.get(i).kind() == EdgeKind.RW
          && cycle.get((i + 1) % cycle.size()).kind() == EdgeKind.RW) {
        return cycle.size() > 1;
      }
    }
    return false;
  }
}
