package io.isotail.ingest.benchmark;

import io.isotail.incremental.Checker;
import io.isotail.incremental.CheckerReport;
import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.incremental.anomaly.AnomalyListener;
import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.config.Tuning;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.record.Goodbye;
import io.isotail.incremental.record.Heartbeat;
import io.isotail.incremental.record.Hello;
import io.isotail.incremental.record.StreamRecord;
import io.isotail.ingest.generate.GenerateConfig;
import io.isotail.ingest.generate.HistoryGenerator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Time and allocation of one transaction in a checker whose window is full, so that each that
 * enters drives one out, or fills up to its last place.
 *
 * <p>The history is serializable, on keys drawn by a Zipf distribution, half of the operations
 * reads; it arrives in commit order through one proxy, which sends a heartbeat every 1,000
 * transactions. The records are made before the first batch is measured, so that neither their time
 * nor their bytes count. {@code deploy/verify --campaign benchmark} runs it; for one combination
 * {@code --jmh "-p sessions=50 -p window=100000 -p shape=general"}.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = CheckerBenchmark.WARMUP_BATCHES)
@Measurement(iterations = CheckerBenchmark.MEASURED_BATCHES)
@Fork(
    value = 1,
    jvmArgs = {"-Xms4g", "-Xmx4g", "-XX:+UseParallelGC"})
public class CheckerBenchmark {
  static final int WARMUP_BATCHES = 8;
  static final int MEASURED_BATCHES = 7;
  private static final int BATCHES = WARMUP_BATCHES + MEASURED_BATCHES;
  private static final int BATCH_TRANSACTIONS = 20_000;
  private static final int HEARTBEAT_TRANSACTIONS = 1_000;
  private static final String PROXY = "benchmark";
  private static final long SKEW_NS = 50_000_000;
  private static final int SHUFFLED_NS = 50_000_000;

  /**
   * {@code general}: 8 operations; {@code mini}: mini-transactions, at most two reads and writes.
   */
  @Param({"general", "mini"})
  public String shape = "general";

  /** Concurrent sessions, each of which runs from beginning to end. */
  @Param({"50", "500", "5000"})
  public int sessions;

  /** Transactions in the window. */
  @Param({"100000", "1000000"})
  public int window;

  /** Whether the window is full before the first batch; if not, it is after the last. */
  @Param("true")
  public boolean full;

  /** Whether the relation is saturated from the beginning, as one stale read would have it. */
  @Param("false")
  public boolean saturated;

  /** Keys in use. */
  @Param("100000")
  public int keys = 100_000;

  /** The strongest level that is checked, with all that are weaker. */
  @Param("causal")
  public String promise = "causal";

  /**
   * {@code exact}: by one clock, as transactions commit; {@code late}: up to 0.4 ms after; {@code
   * shuffled}: up to 50 ms after; {@code skewed}: late, by a clock for each session that is up to
   * 50 ms ahead or behind; {@code none}.
   */
  @Param("exact")
  public String times = "exact";

  private final StreamRecord[][] batches = new StreamRecord[BATCHES][];
  private @Nullable Checker checker;
  private @Nullable HistoryGenerator generator;
  private long offset;
  private long made;
  private long heartbeats;
  private int batch;

  /** Fills the window once and a quarter, or all but the batches' places; then makes these. */
  @Setup
  public void fillWindow() {
    long inBatches = (long) BATCHES * BATCH_TRANSACTIONS;
    long history = full ? window + window / 4 : window - inBatches;
    if (history < 0) {
      throw new IllegalArgumentException(
          "window=%d; expected at least %d with full=false".formatted(window, inBatches));
    }
    generator = generator(history + inBatches);
    checker = new Checker(config(), new NoAnomalyExpected(), tuning());
    checker().accept(offset++, 0, new Hello(PROXY, "benchmark", "1", 1_000));
    while (made < history) {
      checker().accept(offset++, 0, next());
      if (made % HEARTBEAT_TRANSACTIONS == 0) {
        checker().accept(offset++, 0, heartbeat());
      }
    }
    for (int b = 0; b < BATCHES; b++) {
      batches[b] = makeBatch();
    }
  }

  private StreamRecord[] makeBatch() {
    StreamRecord[] records =
        new StreamRecord[BATCH_TRANSACTIONS + BATCH_TRANSACTIONS / HEARTBEAT_TRANSACTIONS];
    for (int i = 0; i < records.length; i++) {
      records[i] = next();
      if (made % HEARTBEAT_TRANSACTIONS == 0) {
        records[++i] = heartbeat();
      }
    }
    return records;
  }

  /** A batch that enters the window while as many transactions leave it. */
  @Benchmark
  @OperationsPerInvocation(BATCH_TRANSACTIONS)
  public int transaction() {
    StreamRecord[] records = batches[batch++];
    for (StreamRecord record : records) {
      checker().accept(offset++, 0, record);
    }
    return records.length;
  }

  /** A checker that does not do its work must not be measured. */
  @TearDown
  public void requireThatAllWasChecked() {
    checker().accept(offset++, 0, heartbeat());
    checker().accept(offset++, 0, heartbeat());
    checker().accept(offset++, 0, new Goodbye(PROXY));
    CheckerReport report = checker().report();
    if (report.windowTransactions() != window
        || report.pendingTransactions() > 0
        || report.truncated() != made - window) {
      throw new IllegalStateException("window not full, or transactions undelivered: " + report);
    }
    System.out.printf(
        "coverage %.4f, undecided %s, verdicts %s%n",
        report.coverage(), report.undecided(), report.verdicts());
  }

  private Tuning tuning() {
    return saturated ? Tuning.DEFAULT.saturating() : Tuning.DEFAULT;
  }

  private CheckerConfig config() {
    return CheckerConfig.forLive("benchmark")
        .withWindow(window)
        .withStrongest(IsolationLevel.ofLabel(promise))
        .withPromise(IsolationLevel.ofLabel(promise))
        .withClosed(true)
        .withUniqueVersions(true)
        .withDeletes(false);
  }

  private HistoryGenerator generator(long transactions) {
    boolean mini = shape.equals("mini");
    return new HistoryGenerator(
        GenerateConfig.defaults(IsolationLevel.SERIALIZABLE, 1)
            .with(new GenerateConfig.Traffic(sessions, transactions, 0, 0))
            .with(
                new GenerateConfig.Clocks(
                    !times.equals("none"), times.equals("skewed") ? SKEW_NS : 0, latencyNs()))
            .with(new GenerateConfig.Shape(mini, 8, keys, 0.5, "zipfian")));
  }

  private int latencyNs() {
    return switch (times) {
      case "exact", "none" -> 1;
      case "shuffled" -> SHUFFLED_NS;
      case "late", "skewed" -> GenerateConfig.Clocks.LATENCY_NS;
      default -> throw new IllegalArgumentException("times=" + times);
    };
  }

  private StreamRecord next() {
    made++;
    return Objects.requireNonNull(Objects.requireNonNull(generator).next());
  }

  private Heartbeat heartbeat() {
    return new Heartbeat(PROXY, heartbeats++, List.of());
  }

  private Checker checker() {
    return Objects.requireNonNull(checker);
  }

  /** The history is serializable. */
  private static final class NoAnomalyExpected implements AnomalyListener {
    @Override
    public void found(Anomaly anomaly) {
      throw new IllegalStateException("a serializable history is not causal: " + anomaly);
    }

    @Override
    public void repeated(String id, long count) {}
  }
}
