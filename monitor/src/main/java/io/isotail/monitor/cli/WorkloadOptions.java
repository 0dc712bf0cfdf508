package io.isotail.monitor.cli;

import io.isotail.ingest.workload.KeyDistribution;
import io.isotail.ingest.workload.Transactions;
import io.isotail.ingest.workload.WorkloadConfig;
import io.isotail.ingest.workload.WorkloadKind;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which transactions a workload runs, as options of a command. */
final class WorkloadOptions {
  @Option(
      names = "--workload",
      paramLabel = "KIND",
      description =
          "Transactions: named (whose anomalies have names), mini (two registers, each read before"
              + " it is written), general, read-modify-write, lightweight (one register is read, or read"
              + " and overwritten), write-skew, long-fork, list-append (as Elle's) or predicate-insert"
              + " (rows are read by a condition, and one is inserted) (default: ${DEFAULT-VALUE}).")
  private String kind = "named";

  @Option(
      names = "--distribution",
      paramLabel = "SHAPE",
      description =
          "How often each register is used: uniform, zipf, hot-spot or exponential (default: a"
              + " gentle zipf).")
  private @Nullable String distribution;

  @Option(
      names = "--read-share",
      paramLabel = "PART",
      description =
          "Share of transactions that only read, from 0 to 1; 'named' has its own (default:"
              + " ${DEFAULT-VALUE}).")
  private double readShare = 0.2;

  @Option(
      names = "--operations",
      paramLabel = "N",
      description = "Operations of a general transaction (default: ${DEFAULT-VALUE}).")
  private int operations = 8;

  @Option(
      names = "--fresh-rows",
      description =
          "Registers are rows that are missing at first and are replaced after some writes, so that"
              + " transactions insert, and read what is not there.")
  private boolean freshRows;

  @Option(
      names = "--sessions",
      paramLabel = "N",
      description = "Concurrent sessions (default: ${DEFAULT-VALUE}).")
  private int sessions = 8;

  @Option(
      names = "--keys",
      paramLabel = "N",
      description = "Registers (default: ${DEFAULT-VALUE}).")
  private int keys = 16;

  @Option(
      names = "--rate",
      paramLabel = "N",
      description =
          "Transactions a second at most, 0 for no limit (default: 500 beside an application, 2000"
              + " where a database is verified).")
  private @Nullable Integer rate;

  @Option(
      names = "--think-time",
      paramLabel = "MICROSECONDS",
      description =
          "Mean pause after each read, which lets other sessions in (default: ${DEFAULT-VALUE}).")
  private int thinkTime = 150;

  @Option(
      names = "--transactions",
      paramLabel = "N",
      description = "End when about so many were committed (default: when the time is over).")
  private long most;

  @Option(names = "--seed", paramLabel = "N", description = "Seed of the transactions.")
  private @Nullable Long seed;

  /** What the transactions look like. */
  WorkloadKind kind() {
    return WorkloadKind.ofLabel(kind);
  }

  /**
   * What they say.
   *
   * @throws IllegalArgumentException saying what was expected
   */
  WorkloadConfig config(int defaultRate) {
    Long given = seed;
    long chosen = given == null ? ThreadLocalRandom.current().nextInt(1_000_000) : given;
    WorkloadConfig defaults = WorkloadConfig.defaults(chosen);
    Integer limit = rate;
    return defaults
        .withSize(sessions, keys)
        .withPace(limit == null ? defaultRate : limit, thinkTime)
        .withMost(most)
        .withTransactions(
            new Transactions(
                kind(),
                distribution == null
                    ? defaults.transactions().distribution()
                    : KeyDistribution.ofLabel(distribution),
                readShare,
                Math.min(operations, keys),
                freshRows));
  }
}
