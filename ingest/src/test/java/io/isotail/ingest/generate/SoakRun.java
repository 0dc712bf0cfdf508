package io.isotail.ingest.generate;

import io.isotail.incremental.Checker;
import io.isotail.incremental.CheckerReport;
import io.isotail.incremental.record.Goodbye;
import io.isotail.incremental.record.Heartbeat;
import io.isotail.incremental.record.Hello;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** One long stream through one checker. */
final class SoakRun {
  private static final String PROXY = "soak";
  private static final int HEARTBEAT_TRANSACTIONS = 1_000;

  /** The stream's own clock: so many transactions in a ms. */
  private static final int TRANSACTIONS_PER_MS = 100;

  private static final int PARTS = 10;
  private static final int HEARTBEATS_AT_THE_END = 3;
  private static final long SAMPLE_NS = 10_000_000_000L;

  private final SoakConfig config;
  private final SoakLedger ledger;
  private final Checker checker;
  private final long[] partEndNs = new long[PARTS + 1];
  private long offset;
  private long timeMs;
  private long heartbeats;
  private long maxHeapBytes;

  SoakRun(SoakConfig config) {
    this.config = config;
    this.ledger = new SoakLedger(config.found());
    this.checker = new Checker(config.checker(), ledger);
  }

  /**
   * Where a run stands.
   *
   * @param perSecond transactions since the last sample
   */
  record Sample(
      long transactions,
      double perSecond,
      long heapBytes,
      double coverage,
      long found,
      long expected) {}

  /** Runs it all; hands over a sample about every 10 s. */
  Result run(Consumer<Sample> samples) throws InterruptedException {
    long startNs = System.nanoTime();
    partEndNs[0] = startNs;
    long sampleNs = startNs;
    long sampleAt = 0;
    checker.accept(offset++, 0, new Hello(PROXY, "soak", "1", 1_000));
    try (SoakStream stream = new SoakStream(config, ledger::injected)) {
      for (long n = 1; n <= config.transactions(); n++) {
        timeMs = n / TRANSACTIONS_PER_MS;
        checker.accept(offset++, timeMs, stream.next());
        if (n % HEARTBEAT_TRANSACTIONS == 0) {
          heartbeat();
          long nowNs = System.nanoTime();
          if (nowNs - sampleNs >= SAMPLE_NS) {
            samples.accept(sample(n, (n - sampleAt) * 1e9 / (nowNs - sampleNs)));
            sampleNs = nowNs;
            sampleAt = n;
          }
        }
        if (n * PARTS % config.transactions() < PARTS) {
          partEndNs[(int) (n * PARTS / config.transactions())] = System.nanoTime();
        }
      }
    }
    for (int i = 0; i < HEARTBEATS_AT_THE_END; i++) {
      heartbeat();
    }
    checker.accept(offset++, timeMs, new Goodbye(PROXY));
    checker.finish();
    return new Result(config, ledger, checker.report(), rates(), maxHeapBytes);
  }

  private void heartbeat() {
    checker.accept(offset++, timeMs, new Heartbeat(PROXY, heartbeats++, List.of()));
  }

  private Sample sample(long transactions, double perSecond) {
    Runtime runtime = Runtime.getRuntime();
    long heapBytes = runtime.totalMemory() - runtime.freeMemory();
    maxHeapBytes = Math.max(maxHeapBytes, heapBytes);
    return new Sample(
        transactions,
        perSecond,
        heapBytes,
        checker.report().coverage(),
        ledger.found(),
        ledger.expected());
  }

  /** Transactions a second in each tenth. */
  private List<Double> rates() {
    List<Double> rates = new ArrayList<>();
    for (int part = 0; part < PARTS; part++) {
      rates.add(
          config.transactions() / (double) PARTS * 1e9 / (partEndNs[part + 1] - partEndNs[part]));
    }
    return rates;
  }

  /**
   * What came out.
   *
   * @param rates transactions a second in each tenth of the run
   * @param maxHeapBytes most that a sample saw in use, garbage included; 0 without samples
   */
  record Result(
      SoakConfig config,
      SoakLedger ledger,
      CheckerReport report,
      List<Double> rates,
      long maxHeapBytes) {
    private static final double LEAST_COVERAGE = 0.99;
    private static final double LEAST_SHARE_OF_RATE = 0.9;

    /** Whatever is wrong but for the rate, which depends on the machine. */
    List<String> failures() {
      List<String> failures = new ArrayList<>(ledger.mistakes());
      ledger.missing().stream().limit(20).forEach(each -> failures.add("not found: " + each));
      if (ledger.found() != config.injections()) {
        failures.add("%d of %d anomalies found".formatted(ledger.found(), config.injections()));
      }
      if (report.coverage() < LEAST_COVERAGE) {
        failures.add("coverage %.4f; expected %.2f".formatted(report.coverage(), LEAST_COVERAGE));
      }
      if (report.windowTransactions() > config.window()) {
        failures.add("window of %,d transactions".formatted(report.windowTransactions()));
      }
      if (report.pendingTransactions() > 0) {
        failures.add("%,d transactions undelivered".formatted(report.pendingTransactions()));
      }
      return failures;
    }

    /** Rate of the last tenth by that of the second one: the first one warms up. */
    double steadiness() {
      return rates.get(rates.size() - 1) / rates.get(1);
    }

    boolean steady() {
      return steadiness() >= LEAST_SHARE_OF_RATE;
    }
  }
}
