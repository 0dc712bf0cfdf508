package io.isotail.incremental;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.incremental.anomaly.AnomalyKind;
import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.record.TransactionRecord;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What one server shows is told by its right name, and of no order that nobody saw. */
final class OneServerNamesTest {
  private static final IsolationLevel STRICT = IsolationLevel.STRICT_SERIALIZABLE;
  private static final int HISTORIES = Seeds.HISTORIES;
  private static final CheckerConfig HELD_TO_STRICT =
      CheckerConfig.forFile("h", STRICT).withPromise(STRICT);

  private static final Set<AnomalyKind> SHOWN_ABOVE_READ_UNCOMMITTED =
      OneServerCase.ALL.stream()
          .filter(each -> each.shows() != null && each.shows() != OneServer.Shows.LATEST)
          .map(OneServerCase::kind)
          .collect(Collectors.toSet());

  static List<OneServerCase> cases() {
    return OneServerCase.ALL;
  }

  @ParameterizedTest
  @MethodSource("cases")
  void whatRanHasItsName(OneServerCase each) {
    Anomaly told = each.told();
    assertThat(told.explanation()).isEqualTo(each.sentence());
    assertThat(told.kind()).isEqualTo(each.kind());
    assertThat(told.adya()).isEqualTo(each.adya());
    assertThat(told.level()).isEqualTo(each.violated());
  }

  @Test
  void eachNameHasACase() {
    assertThat(cases())
        .extracting(OneServerCase::kind)
        .containsExactlyInAnyOrderElementsOf(
            Arrays.stream(AnomalyKind.values()).filter(kind -> !kind.isOfEnd()).toList());
  }

  /** The clock of the writer is behind, so that by the ends it came first. */
  @Test
  void aSessionThatReadAtTwoMomentsHasNotMissedItsOwnWrite() {
    OneServer server =
        new OneServer(OneServer.Shows.COMMITTED, () -> 0, session -> session == 'a' ? -20 : 0);
    for (String step : "c.wy c. b.ry b.wx b. b.ry a.wx a.wy a. b.rx b.".split(" ")) {
      assertThat(server.step(step)).as(step).isTrue();
    }
    CheckRun run = CheckRun.of(HELD_TO_STRICT, server.log());
    assertThat(run.anomalies.get(0).kind()).isEqualTo(AnomalyKind.FRACTURED_READ);
    assertThat(run.anomalies.get(0).explanation())
        .isEqualTo(
            "b/2 read y=1 from c/1 although a/1, from which it also read x=2, wrote y=2, most likely"
                + " later. If a/1 commits before c/1 instead: b/2 read x=2 from a/1 although it had"
                + " observed b/1, which writes x too.");
  }

  @Test
  void onlyAnOrderThatIsKnownIsToldAsOverwriting() {
    int orders = 0;
    for (long seed : RandomHistory.seeds(Seeds.FIRST, 2 * HISTORIES)) {
      List<TransactionRecord> history =
          seed % 2 == 0 ? RandomHistory.of(seed) : ConcurrentHistory.of(seed);
      CheckRun run = CheckRun.of(CheckerConfig.forFile("h", STRICT), seed, history);
      for (Anomaly anomaly : run.anomalies) {
        ToldOrders told = new ToldOrders(anomaly);
        assertThat(told.told()).as("seed %d: %s", seed, anomaly).allMatch(told::isKnown);
        orders += told.told().size();
      }
    }
    assertThat(orders).isGreaterThan(HISTORIES / 3);
  }

  /** Clients see the ends late, and their clocks differ. */
  @Test
  void whatOneServerShowsNeedsNoOtherServerAndIsToldInTheOrderOfItsCommits() {
    Map<AnomalyKind, Integer> names = new EnumMap<>(AnomalyKind.class);
    int orders = 0;
    for (long seed : RandomHistory.seeds(Seeds.FIRST, 2 * HISTORIES)) {
      OneServer server = random(seed);
      for (Anomaly anomaly : CheckRun.of(HELD_TO_STRICT, seed, server.log()).anomalies) {
        List<ToldOrders.Told> told = new ToldOrders(anomaly).told();
        assertThat(told).as("seed %d: %s", seed, anomaly).allMatch(server::installed);
        assertThat(SHOWN_ABOVE_READ_UNCOMMITTED)
            .as("seed %d: %s", seed, anomaly)
            .contains(anomaly.kind());
        names.merge(anomaly.kind(), 1, Integer::sum);
        orders += told.size();
      }
    }
    assertThat(orders).isGreaterThan(HISTORIES / 3);
    assertThat(names).hasSizeGreaterThan(8);
  }

  private static OneServer random(long seed) {
    Random random = Seeds.random(seed);
    int skewed = random.nextInt(2) * (random.nextInt(21) - 10);
    int slow = 1 + 8 * random.nextInt(2);
    OneServer server =
        new OneServer(
            random.nextInt(3) == 0 ? OneServer.Shows.SNAPSHOT : OneServer.Shows.COMMITTED,
            () -> random.nextInt(slow),
            session -> skewed * (session % 4));
    int sessions = 2 + random.nextInt(4);
    int keys = 1 + random.nextInt(4);
    int writes = 1 + random.nextInt(4);
    for (int n = 10 + random.nextInt(40); n > 0; n--) {
      char session = (char) ('a' + random.nextInt(sessions));
      if (server.runs(session) && random.nextInt(4) == 0) {
        server.step(session + ".");
      } else {
        char key = (char) ('x' - 3 + random.nextInt(keys));
        server.step(session + "." + (random.nextInt(6) < writes ? 'w' : 'r') + key);
      }
    }
    for (char session = 'a'; session < 'a' + sessions; session++) {
      if (server.runs(session)) {
        server.step(session + ".");
      }
    }
    return server;
  }
}
