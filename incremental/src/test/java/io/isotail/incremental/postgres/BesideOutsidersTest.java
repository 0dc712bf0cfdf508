package io.isotail.incremental.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.Checker;
import io.isotail.incremental.CheckerReport;
import io.isotail.incremental.Seeds;
import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.incremental.anomaly.AnomalyListener;
import io.isotail.incremental.anomaly.UndecidedReason;
import io.isotail.incremental.record.StreamRecord;
import io.isotail.incremental.record.TransactionRecord;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Serializable transactions beside outsiders on a simulated PostgreSQL: nothing that it lets happen
 * is an alarm, and of what it should not have let happen nearly all is told.
 *
 * <p>{@code -Disotail.random.histories=N} and {@code -Disotail.random.seed=S} run more or others.
 */
class BesideOutsidersTest {
  private static final int HISTORIES = Seeds.HISTORIES;
  private static final long FIRST_SEED = Seeds.FIRST;

  private long transactions;
  private long doubts;
  private long unproven;
  private long violated;
  private long told;
  private long violatedOfClosed;
  private long toldOfClosed;

  @Test
  void whatPostgresqlLetsHappenIsNoAlarm() {
    for (long seed = FIRST_SEED; seed < FIRST_SEED + HISTORIES; seed++) {
      BesideOutsidersHistory history = new BesideOutsidersHistory(seed, true, 0.4);
      assertThat(history.isViolated()).as("the simulation is right, seed %d", seed).isFalse();
      List<Anomaly> anomalies = check(history);
      assertThat(anomalies).as("seed %d, %s%n%s", seed, history.config, history.stream).isEmpty();
    }
    print("correct database");
    assertThat(doubts).isGreaterThan(HISTORIES / 100);
  }

  @Test
  void whatTransactionsReadBeforeTheyWriteIsTold() {
    run(0);
    assertThat(told).isGreaterThan((long) (0.95 * violated));
    assertThat(toldOfClosed).isGreaterThan((long) (0.8 * violatedOfClosed));
    assertThat(violated).isGreaterThan(HISTORIES / 20);
  }

  @Test
  void ofBlindWritesSomeIsTold() {
    run(0.4);
    assertThat(told).isGreaterThan(violated / 4);
  }

  /** A database that lets write skew happen. */
  private void run(double blindShare) {
    for (long seed = FIRST_SEED; seed < FIRST_SEED + HISTORIES; seed++) {
      BesideOutsidersHistory history = new BesideOutsidersHistory(seed, false, blindShare);
      boolean closed = history.config.closed();
      boolean isWhole = history.isWhole() && history.isViolated();
      boolean isViolated = !closed && isWhole;
      List<Anomaly> anomalies = check(history);
      if (!history.isViolated()) {
        assertThat(anomalies).as("seed %d, %s%n%s", seed, history.config, history.stream).isEmpty();
      }
      violated += isViolated ? 1 : 0;
      violatedOfClosed += closed && isWhole ? 1 : 0;
      toldOfClosed += closed && isWhole && !anomalies.isEmpty() ? 1 : 0;
      told += isViolated && !anomalies.isEmpty() ? 1 : 0;
    }
    print("database that lets write skew happen, blind writes " + blindShare);
  }

  private List<Anomaly> check(BesideOutsidersHistory history) {
    List<Anomaly> anomalies = new ArrayList<>();
    Checker checker =
        new Checker(
            history.config,
            new AnomalyListener() {
              @Override
              public void found(Anomaly anomaly) {
                anomalies.add(anomaly);
              }

              @Override
              public void repeated(String id, long count) {
                // It is counted once.
              }
            });
    long offset = 0;
    long timeMs = 0;
    for (StreamRecord record : history.stream) {
      checker.accept(offset++, timeMs += 40, record);
      transactions += record instanceof TransactionRecord ? 1 : 0;
    }
    checker.finish();
    CheckerReport report = checker.report();
    doubts += report.undecided().getOrDefault(UndecidedReason.WEAKER_WRITER, 0L);
    unproven += report.undecided().getOrDefault(UndecidedReason.UNPROVEN, 0L);
    return anomalies;
  }

  private void print(String database) {
    System.out.printf(
        "seeds from %d, %s: %,d transactions; %,d doubts over outsiders, %,d unproven; %,d of %,d"
            + " violations told, and %,d of %,d in closed histories%n",
        FIRST_SEED,
        database,
        transactions,
        doubts,
        unproven,
        told,
        violated,
        toldOfClosed,
        violatedOfClosed);
  }
}
