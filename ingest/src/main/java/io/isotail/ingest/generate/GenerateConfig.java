package io.isotail.ingest.generate;

import io.isotail.incremental.anomaly.AnomalyKind;
import io.isotail.incremental.level.IsolationLevel;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * What history to generate.
 *
 * @param level that the ordinary transactions satisfy
 * @param traffic the sessions, and how many transactions each runs
 * @param shape what one transaction does
 * @param lag how many of the last commits a transaction may fail to see, at levels below
 *     serializable
 * @param replicas copies of the store, for causal and read-atomic; at most one a session is used
 * @param clocks times of begin and end
 * @param injections anomalies put in on top
 * @param seed decides everything that is left open
 */
public record GenerateConfig(
    IsolationLevel level,
    Traffic traffic,
    Shape shape,
    int lag,
    int replicas,
    Clocks clocks,
    Injections injections,
    long seed) {
  private static final int MAX_KEYS = 100_000_000;
  private static final int MAX_LAG = 1_000_000;
  private static final int MAX_SESSIONS = 1_000_000;

  /** Checks the bounds. */
  public GenerateConfig {
    if (level == IsolationLevel.STRICT_SERIALIZABLE) {
      throw new IllegalArgumentException(
          "level strict-serializable; expected serializable, which is strict when its times are"
              + " of one clock");
    }
    require("lag", lag, 0, MAX_LAG);
    require("replicas", replicas, 1, 64);
    replicas = Math.min(replicas, traffic.sessions());
  }

  /**
   * The sessions, and how many transactions each runs.
   *
   * @param sessions concurrent sessions
   * @param transactions ordinary transactions, aborted ones and those of unknown outcome included,
   *     injected ones not
   * @param abortRatio share of the transactions that abort of their own will
   * @param unknownRatio share of the transactions whose client never learns the outcome
   */
  public record Traffic(int sessions, long transactions, double abortRatio, double unknownRatio) {

    /** Checks the bounds. */
    public Traffic {
      require("sessions", sessions, 1, MAX_SESSIONS);
      require("transactions", transactions, 0, Long.MAX_VALUE);
      requireShare("abort-ratio", abortRatio);
      requireShare("unknown-ratio", unknownRatio);
      requireShare("abort-ratio and unknown-ratio together", abortRatio + unknownRatio);
    }
  }

  /**
   * What one transaction does.
   *
   * <p>[1] Wei et al., Boosting End-to-End Database Isolation Checking via Mini-Transactions.
   *
   * @param mini whether transactions are mini-transactions ([1] Def. 8): they read one key or two,
   *     and overwrite what they read or not; {@code operations} then means nothing
   * @param operations operations of each transaction
   * @param keys distinct keys
   * @param readRatio share of the operations that read; of mini-transactions, share of the keys
   *     that are read and not overwritten
   * @param distribution which keys are used how often: {@code uniform}, {@code zipfian[:THETA]},
   *     {@code hotspot[:SHARE]} or {@code exponential[:SHARE]}
   */
  public record Shape(
      boolean mini, int operations, int keys, double readRatio, String distribution) {

    /** Checks the bounds. */
    public Shape {
      require("operations", operations, 1, 100_000);
      require("keys", keys, 1, MAX_KEYS);
      requireShare("read-ratio", readRatio);
      KeyDistribution.Spec.parse(distribution);
    }

    KeyDistribution keyDistribution() {
      return KeyDistribution.Spec.parse(distribution).over(keys);
    }
  }

  /**
   * Times of begin and end, from a simulated clock.
   *
   * @param stamped whether transactions carry times
   * @param skewNs by how much the clock of a session may be ahead or behind, in ns; with 0 all
   *     sessions share one clock
   * @param latencyNs less than so long, in ns, a transaction begins before its first read and is
   *     seen to end after its commit; with 1 it ends as it commits
   */
  public record Clocks(boolean stamped, long skewNs, int latencyNs) {
    /** The latency where none is asked for. */
    public static final int LATENCY_NS = 400_000;

    /** Checks the bounds. */
    public Clocks {
      require("clock-skew", skewNs, 0, 86_400_000_000_000L);
      require("latency", latencyNs, 1, 1_000_000_000);
    }
  }

  /**
   * Anomalies put in on purpose.
   *
   * @param counts how many groups of transactions of each kind
   * @param spanTransactions ordinary transactions between the first and the last of a group, at
   *     most
   */
  public record Injections(Map<AnomalyKind, Integer> counts, int spanTransactions) {
    /** The anomalies that can be put in: the 14 of the mini-transactions paper, Table I. */
    public static final Set<AnomalyKind> KINDS = AnomalyPattern.kinds();

    /** None at all. */
    public static final Injections NONE = new Injections(Map.of(), 100);

    /** Checks the bounds. */
    public Injections {
      counts = Map.copyOf(counts);
      require("inject-span", spanTransactions, 0, Integer.MAX_VALUE - 1);
      new TreeMap<>(counts)
          .forEach(
              (kind, count) -> {
                require("inject " + kind, count, 1, 1_000_000);
                AnomalyPattern.of(kind);
              });
    }
  }

  /**
   * Ten sessions, 1,000 transactions of 8 operations, half of them reads, on 100 keys drawn by a
   * Zipf distribution.
   */
  public static GenerateConfig defaults(IsolationLevel level, long seed) {
    return new GenerateConfig(
        level,
        new Traffic(10, 1_000, 0, 0),
        new Shape(false, 8, 100, 0.5, "zipfian"),
        20,
        4,
        new Clocks(false, 0, Clocks.LATENCY_NS),
        Injections.NONE,
        seed);
  }

  /** A copy with other traffic. */
  public GenerateConfig with(Traffic other) {
    return new GenerateConfig(level, other, shape, lag, replicas, clocks, injections, seed);
  }

  /** A copy with transactions of another shape. */
  public GenerateConfig with(Shape other) {
    return new GenerateConfig(level, traffic, other, lag, replicas, clocks, injections, seed);
  }

  /** A copy with other clocks. */
  public GenerateConfig with(Clocks other) {
    return new GenerateConfig(level, traffic, shape, lag, replicas, other, injections, seed);
  }

  /** A copy with other anomalies put in. */
  public GenerateConfig with(Injections other) {
    return new GenerateConfig(level, traffic, shape, lag, replicas, clocks, other, seed);
  }

  /** A copy with another bound on what transactions fail to see. */
  public GenerateConfig withLag(int commits, int copies) {
    return new GenerateConfig(level, traffic, shape, commits, copies, clocks, injections, seed);
  }

  static void require(String name, long value, long least, long most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          "%s %d; expected %d to %d".formatted(name, value, least, most));
    }
  }

  static void requireShare(String name, double value) {
    if (!(value >= 0 && value <= 1)) {
      throw new IllegalArgumentException("%s %s; expected 0 to 1".formatted(name, value));
    }
  }
}
