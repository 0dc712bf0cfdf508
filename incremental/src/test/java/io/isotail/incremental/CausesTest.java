package io.isotail.incremental;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.anomaly.AnomalyKind;
import io.isotail.incremental.cause.Advice;
import io.isotail.incremental.cause.CausePart;
import io.isotail.incremental.cause.CauseReport;
import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.SessionInfo;
import io.isotail.incremental.record.Statement;
import io.isotail.incremental.record.TransactionRecord;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** One bug is one cause, however often it strikes and however much of it is proven. */
final class CausesTest {
  private static final CheckerConfig SHOP =
      CheckerConfig.forFile("shop", IsolationLevel.SERIALIZABLE)
          .withPromise(IsolationLevel.SERIALIZABLE);

  @Test
  void anUpdateLostByOneEndpointIsOneCauseWithItsStatements() {
    Shop shop = Shop.of(1, 4_000, 200);
    CheckRun run = CheckRun.of(SHOP, shop.log());
    List<CauseReport> causes = run.checker.causes();

    assertThat(shop.bugs()).isGreaterThan(10);
    assertThat(causes).hasSize(1);
    CauseReport cause = causes.get(0);
    assertThat(cause.kind()).isEqualTo(AnomalyKind.LOST_UPDATE);
    assertThat(cause.level()).isEqualTo(IsolationLevel.SNAPSHOT_ISOLATION);
    assertThat(cause.violations()).isEqualTo(shop.bugs());
    assertThat(cause.occurrences()).isEqualTo(shop.bugs());
    assertThat(cause.services()).containsExactly("checkout");
    assertThat(cause.endpoints()).containsExactly("POST /buy");
    assertThat(cause.tables()).containsExactly("stock");
    assertThat(cause.parts().stream().map(CausePart::fingerprint))
        .containsExactlyInAnyOrder(Shop.READ_STOCK, Shop.BUY);
    assertThat(run.anomalies).allMatch(anomaly -> anomaly.cause().equals(cause.id()));
    assertThat(run.anomalies).anyMatch(anomaly -> anomaly.id().equals(cause.simplest()));
    Advice advice = Advice.of(cause);
    assertThat(advice.fault()).contains("postgresql:read-committed", "which allows this");
    assertThat(advice.remedies().get(0).what())
        .isEqualTo(
            "Lock what is read before it is written: add FOR UPDATE to `%s`."
                .formatted(Shop.READ_STOCK));
  }

  static List<Arguments> bugs() {
    return List.of(
        bug(Shop::skewWrites, AnomalyKind.WRITE_SKEW, "roster", Shop.ON_DUTY, Shop.GO_OFF),
        bug(Shop::fractureRead, AnomalyKind.FRACTURED_READ, "reporting", Shop.SUM),
        bug(Shop::readTwice, AnomalyKind.NON_REPEATABLE_READS, "reporting", Shop.SUM),
        bug(Shop::fork, AnomalyKind.LONG_FORK, "reporting", Shop.SUM));
  }

  /** Each transaction that shows the order of the writes is a violation, of the same cause. */
  @Test
  void whoShowsTheOrderOfBlindWritesMakesNoOtherCause() {
    Shop shop = Shop.of(5, 4_000, 200, Shop::forkBlindly);
    assertThat(CheckRun.of(SHOP, shop.log()).checker.causes())
        .singleElement()
        .satisfies(
            cause -> {
              assertThat(cause.kind()).isEqualTo(AnomalyKind.LONG_FORK);
              assertThat(cause.services()).containsExactly("reporting");
              assertThat(cause.parts().stream().map(CausePart::fingerprint))
                  .containsExactly(Shop.SUM);
              assertThat(cause.occurrences()).isBetween((long) shop.bugs(), cause.violations());
            });
  }

  private static Arguments bug(
      Consumer<Shop> bug, AnomalyKind kind, String service, String... statements) {
    return Arguments.of(bug, kind, service, List.of(statements));
  }

  @ParameterizedTest(name = "{1}")
  @MethodSource("bugs")
  void everyKindOfBugIsOneCauseOfThoseWhoHaveIt(
      Consumer<Shop> bug, AnomalyKind kind, String service, List<String> statements) {
    Shop shop = Shop.of(5, 4_000, 200, bug);
    List<CauseReport> causes = CheckRun.of(SHOP, shop.log()).checker.causes();
    assertThat(causes)
        .as("%s", causes)
        .singleElement()
        .satisfies(
            cause -> {
              assertThat(cause.kind()).isEqualTo(kind);
              assertThat(cause.services()).containsExactly(service);
              assertThat(cause.parts().stream().map(CausePart::fingerprint))
                  .containsExactlyInAnyOrderElementsOf(statements);
              assertThat(cause.occurrences()).isEqualTo(shop.bugs());
              assertThat(Advice.of(cause).remedies()).isNotEmpty();
            });
  }

  @Test
  void whatIsOnlyCountedIsCountedExactly() {
    for (long seed = 0; seed < 10; seed++) {
      Shop shop = Shop.of(seed, 3_000, 50);
      CheckRun all = CheckRun.of(SHOP, shop.log());
      CheckRun few = CheckRun.of(SHOP.withProvenPerInterval(2), shop.log());

      assertThat(few.anomalies).as("seed %d", seed).hasSizeLessThan(all.anomalies.size() / 5);
      assertThat(counts(few)).as("seed %d", seed).isEqualTo(counts(all));
      assertThat(few.report.verdicts()).isEqualTo(all.report.verdicts());
      assertThat(few.report.anomalies()).as("seed %d", seed).isEqualTo(all.report.anomalies());
    }
  }

  private static List<List<Object>> counts(CheckRun run) {
    return run.checker.causes().stream()
        .sorted(Comparator.comparing(CauseReport::id))
        .map(
            cause ->
                List.<Object>of(
                    cause.id(),
                    cause.violations(),
                    cause.occurrences(),
                    cause.first(),
                    cause.last(),
                    cause.timeline()))
        .toList();
  }

  /** Nothing tells statements apart here, so that kinds may be mixed; how many there are is not. */
  @Test
  void randomHistoriesHaveAsManyViolationsHoweverMuchIsProven() {
    long counted = 0;
    for (long seed = 0; seed < 4_000; seed++) {
      List<TransactionRecord> history = RandomHistory.of(seed, 20);
      CheckerConfig config =
          CheckerConfig.forFile("h", IsolationLevel.SERIALIZABLE)
              .withPromise(IsolationLevel.SERIALIZABLE);
      CheckRun all = CheckRun.of(config, history);
      CheckRun one = CheckRun.of(config.withProvenPerInterval(1), history);
      assertThat(one.report.verdicts()).as("seed %d", seed).isEqualTo(all.report.verdicts());
      assertThat(violations(one)).as("seed %d", seed).isEqualTo(violations(all));
      assertThat(violations(all)).as("seed %d", seed).isEqualTo(all.anomalies.size());
      assertThat(one.anomalies)
          .as("seed %d", seed)
          .allMatch(a -> all.anomalies.stream().anyMatch(b -> b.id().equals(a.id())));
      counted += violations(one) - one.anomalies.size();
    }
    assertThat(counted).isGreaterThan(1_000);
  }

  private static long violations(CheckRun run) {
    return run.checker.causes().stream().mapToLong(CauseReport::violations).sum();
  }

  /** A reader that saw one of a hundred writes, and missed the others. */
  @Test
  void aTransactionThatMissesManyKeysIsOneOccurrence() {
    List<TransactionRecord> history = new ArrayList<>();
    Operations.Builder all = new Operations.Builder();
    Operations.Builder read = new Operations.Builder().read(99, 2);
    for (int key = 0; key < 100; key++) {
      history.add(transaction(100 + key, new Operations.Builder().write(key, 1)));
      all.read(key, 1).write(key, 2);
      if (key < 99) {
        read.read(key, 1);
      }
    }
    history.add(transaction(1, all));
    history.add(transaction(2, read));
    CheckRun run = CheckRun.of(SHOP, history);
    assertThat(run.checker.causes()).hasSize(1);
    CauseReport cause = run.checker.causes().get(0);
    assertThat(cause.violations()).isEqualTo(99);
    assertThat(cause.occurrences()).isEqualTo(1);
  }

  /** Though its commit was answered last, or its record came last. */
  @Test
  void whoLocksWhatItReadsHasLostNoUpdate() {
    TransactionRecord first = transaction(1, new Operations.Builder().write(7, 1));
    TransactionRecord locks = transaction(2, update("SELECT v FROM t WHERE k = ? FOR UPDATE", 2));
    TransactionRecord counts = transaction(3, update("SELECT v FROM t WHERE k = ?", 3));
    for (List<TransactionRecord> history :
        List.of(List.of(first, locks, counts), List.of(first, counts, locks))) {
      assertThat(CheckRun.of(SHOP, history).checker.causes())
          .singleElement()
          .satisfies(
              cause ->
                  assertThat(cause.parts().stream().map(CausePart::fingerprint))
                      .containsExactlyInAnyOrder("SELECT v FROM t WHERE k = ?", "UPDATE 3"));
    }
  }

  private static Operations.Builder update(String read, long version) {
    return new Operations.Builder()
        .statement(new Statement("t", read))
        .read(7, 1)
        .statement(new Statement("t", "UPDATE " + version))
        .write(7, version);
  }

  private static TransactionRecord transaction(long session, Operations.Builder operations) {
    return new TransactionRecord(
        SessionInfo.ofFile(session, "s" + session),
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

  @Test
  void aCauseHasTheSameIdInEveryRunAndOrder() {
    Shop shop = Shop.of(7, 2_000, 50);
    List<String> ids =
        CheckRun.of(SHOP, shop.log()).checker.causes().stream().map(CauseReport::id).toList();
    for (long seed = 1; seed < 5; seed++) {
      List<TransactionRecord> shuffled = RandomHistory.shuffled(shop.log().subList(0, 1_000), seed);
      assertThat(CheckRun.of(SHOP, shuffled).checker.causes())
          .as("seed %d", seed)
          .extracting(CauseReport::id)
          .isNotEmpty()
          .isSubsetOf(ids);
    }
  }

  /** Counted by the log's time; of the steps that outgrow the line two become one. */
  @Test
  void theTimelineCountsAllOfThem() {
    Shop shop = Shop.of(3, 4_000, 40);
    CheckRun run = new CheckRun(SHOP.withProvenPerInterval(3));
    for (TransactionRecord record : shop.log()) {
      run.accept(record.endNs() / 1_000_000 * 250, record);
    }
    CauseReport cause = run.finish().checker.causes().get(0);
    CauseReport.Timeline timeline = cause.timeline();
    assertThat(timeline.counts().stream().mapToLong(Long::longValue).sum())
        .isEqualTo(cause.violations());
    assertThat(timeline.beginMs()).isLessThanOrEqualTo(cause.first().appendTimeMs());
    assertThat(timeline.beginMs() + timeline.stepMs() * timeline.counts().size())
        .isGreaterThan(cause.last().appendTimeMs());
    assertThat(timeline.stepMs()).isGreaterThan(1_000);
  }
}
