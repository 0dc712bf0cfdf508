package io.isotail.ingest.generate;

import io.isotail.incremental.anomaly.AnomalyKind;
import io.isotail.incremental.level.IsolationLevel;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A soak run as long as one likes, with its figures in Markdown on standard output: {@code
 * deploy/verify --campaign soak [--transactions N] [--injections N] [--window N] [--seed N]
 * [--promise LEVEL] [--mini true|false] [--session-transactions N]}. Exits 1 if an anomaly was
 * missed, something else was found, coverage is below 99 % or the checker slowed down by more than
 * a tenth; 2 for bad usage.
 */
public final class SoakCampaign {
  private static final String USAGE =
      "usage: soak [--transactions N] [--injections N] [--window N] [--seed N] [--promise LEVEL]"
          + " [--mini true|false] [--session-transactions N]";

  private SoakCampaign() {}

  /** Runs it. Progress goes to standard error. */
  public static void main(String[] args) throws InterruptedException {
    SoakConfig config;
    try {
      config = config(args);
    } catch (IllegalArgumentException e) {
      System.err.printf("soak: %s%n%s%n", e.getMessage(), USAGE);
      System.exit(2);
      return;
    }
    SoakRun.Result result = new SoakRun(config).run(SoakCampaign::progress);
    print(result);
    System.exit(result.failures().isEmpty() && result.steady() ? 0 : 1);
  }

  private static SoakConfig config(String[] args) {
    long transactions = 100_000_000;
    long injections = 1_000;
    long window = 100_000;
    long seed = 1;
    IsolationLevel promise = IsolationLevel.CAUSAL;
    boolean mini = false;
    long sessionTransactions = SoakConfig.SESSION_TRANSACTIONS;
    for (int i = 0; i < args.length; i += 2) {
      if (i + 1 == args.length) {
        throw new IllegalArgumentException(args[i] + " without a value");
      }
      String value = args[i + 1];
      switch (args[i]) {
        case "--transactions" -> transactions = number(value);
        case "--injections" -> injections = number(value);
        case "--window" -> window = number(value);
        case "--seed" -> seed = number(value);
        case "--promise" -> promise = IsolationLevel.ofLabel(value);
        case "--session-transactions" -> sessionTransactions = number(value);
        case "--mini" -> mini = Boolean.parseBoolean(value);
        default -> throw new IllegalArgumentException(args[i] + " is unknown");
      }
    }
    return new SoakConfig(
        transactions,
        Math.toIntExact(injections),
        Math.toIntExact(window),
        seed,
        promise,
        mini,
        Math.toIntExact(sessionTransactions));
  }

  private static long number(String text) {
    return Long.parseLong(text.replace("_", ""));
  }

  private static void progress(SoakRun.Sample sample) {
    System.err.printf(
        Locale.ROOT,
        "%,d transactions, %,.0f/s, heap %,d MB, coverage %.4f, found %,d of %,d%n",
        sample.transactions(),
        sample.perSecond(),
        sample.heapBytes() >> 20,
        sample.coverage(),
        sample.found(),
        sample.expected());
  }

  private static void print(SoakRun.Result result) {
    row("transactions", "%,d".formatted(result.config().transactions()));
    row("window", "%,d".formatted(result.config().window()));
    row("promise", result.config().promise().label());
    row("mini-transactions", Boolean.toString(result.config().mini()));
    row("transactions of a session", "%,d".formatted(result.config().sessionTransactions()));
    row("seed", Long.toString(result.config().seed()));
    row("sessions ever", "%,d".formatted(result.report().sessions()));
    row("sessions live at the end", "%,d".formatted(result.report().liveSessions()));
    row("operations", "%,d".formatted(result.report().operations()));
    row("coverage", String.format(Locale.ROOT, "%.5f", result.report().coverage()));
    row("undecided", result.report().undecided().toString());
    row("edges dropped", "%,d".formatted(result.report().edgesDropped()));
    row("largest heap seen, garbage included", "%,d MB".formatted(result.maxHeapBytes() >> 20));
    row("heap limit", "%,d MB".formatted(Runtime.getRuntime().maxMemory() >> 20));
    List<String> rates =
        result.rates().stream().map(rate -> String.format(Locale.ROOT, "%,.0f", rate)).toList();
    row("transactions/s, by tenths", String.join(" · ", rates));
    row(
        "last tenth by second",
        String.format(
            Locale.ROOT,
            "%.3f%s",
            result.steadiness(),
            result.steady() ? "" : " FAILED: expected 0.9 or more"));
    row(
        "anomalies found",
        "%,d of %,d".formatted(result.ledger().found(), result.config().injections()));
    for (Map.Entry<AnomalyKind, Long> kind : result.ledger().foundByKind().entrySet()) {
      row("– " + kind.getKey(), "%,d".formatted(kind.getValue()));
    }
    List<String> failures = result.failures();
    row("verdict", failures.isEmpty() && result.steady() ? "passed" : "FAILED");
    failures.forEach(failure -> row("failure", failure));
  }

  private static void row(String name, String value) {
    System.out.printf("| %s | %s |%n", name, value.replace("|", "\\|"));
  }
}
