package io.isotail.monitor.offline;

import io.isotail.incremental.level.IsolationLevel;
import io.isotail.ingest.format.Content;
import io.isotail.ingest.format.HistoryFormats;
import io.isotail.ingest.generate.GenerateConfig;
import io.isotail.ingest.generate.HistoryOrder;
import io.isotail.monitor.config.Durations;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code isotail generate}: writes a history file made to measure. */
@Command(
    name = "generate",
    modelTransformer = FormatHelp.class,
    mixinStandardHelpOptions = true,
    description = {
      "Writes a history that satisfies an isolation level, and with enough transactions no stronger"
          + " one; with anomalies put in where asked for.",
      "",
      "The same options and seed give the same file on any machine. Keys are numbered from 0;"
          + " versions from 1, none is written twice. Anomalies have keys of their own above the"
          + " others."
    },
    footerHeading = "%n",
    footer = {
      "Example: 100,000 causally consistent transactions, with three lost updates and a fractured"
          + " read in them:",
      "  isotail generate --level causal --transactions 100000 --inject lost-update:3 \\",
      "    --inject fractured-read --output history.txt",
      "",
      "Exit status: 0 written, 2 bad usage or the file cannot be written."
    })
public final class GenerateCommand implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;

  @Option(
      names = "--output",
      required = true,
      paramLabel = "PATH",
      description = "The file to write; one that is there is replaced.")
  private Path output = Path.of("");

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      completionCandidates = FormatHelp.WritableNames.class,
      description =
          "One of ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}). Not all hold times and"
              + " unknown outcomes.")
  private String format = "plume";

  @Option(
      names = "--level",
      paramLabel = "LEVEL",
      description =
          "read-committed, read-atomic, causal, prefix, snapshot-isolation or serializable"
              + " (default: ${DEFAULT-VALUE}).")
  private String level = "serializable";

  @Option(
      names = "--sessions",
      paramLabel = "N",
      description = "Sessions (default: ${DEFAULT-VALUE}).")
  private int sessions = 10;

  @Option(
      names = "--transactions",
      paramLabel = "N",
      description =
          "Transactions of all sessions together, aborted ones included, anomalies not"
              + " (default: ${DEFAULT-VALUE}).")
  private long transactions = 1_000;

  @Option(
      names = "--operations",
      paramLabel = "N",
      description = "Operations of each transaction (default: ${DEFAULT-VALUE}).")
  private int operations = 8;

  @Option(
      names = "--mini",
      description =
          "Mini-transactions instead: one key or two, read and then overwritten or not;"
              + " --operations means nothing then.")
  private boolean mini;

  @Option(names = "--keys", paramLabel = "N", description = "Keys (default: ${DEFAULT-VALUE}).")
  private int keys = 1_000;

  @Option(
      names = "--read-ratio",
      paramLabel = "SHARE",
      description =
          "Share of the operations that read; with --mini, of the keys that are not overwritten"
              + " (default: ${DEFAULT-VALUE}).")
  private double readRatio = 0.5;

  @Option(
      names = "--distribution",
      paramLabel = "NAME[:X]",
      description =
          "How often each key is used: uniform; zipfian with the exponent X (default 0.99);"
              + " hotspot, where the share X of the keys gets the share 1-X of the operations"
              + " (default 0.2); exponential, where the share X of the keys gets 95 %% of the"
              + " operations (default 0.1). X lies between 0 and 1 (default: ${DEFAULT-VALUE}).")
  private String distribution = "zipfian";

  @Option(
      names = "--abort-ratio",
      paramLabel = "SHARE",
      description =
          "Share of the transactions that abort of their own will (default: ${DEFAULT-VALUE})."
              + " The losers of conflicts under snapshot isolation come on top.")
  private double abortRatio;

  @Option(
      names = "--unknown-ratio",
      paramLabel = "SHARE",
      description =
          "Share of the transactions whose client never learns the outcome; half of them take"
              + " effect (default: ${DEFAULT-VALUE}).")
  private double unknownRatio;

  @Option(
      names = "--lag",
      paramLabel = "N",
      description =
          "How many of the last commits a transaction may fail to see, at levels below"
              + " serializable (default: ${DEFAULT-VALUE}).")
  private int lag = 20;

  @Option(
      names = "--replicas",
      paramLabel = "N",
      description =
          "Copies of the store at causal and read-atomic; a session talks to one of them"
              + " (default: ${DEFAULT-VALUE}).")
  private int replicas = 4;

  @Option(
      names = "--clock-skew",
      paramLabel = "TIME",
      description =
          "Each session has a clock of its own, ahead or behind by so much at most, as in 50ms"
              + " (default: one clock for all). jsonl and elle only.")
  private @Nullable String clockSkew;

  @Option(
      names = "--latency",
      paramLabel = "TIME",
      description =
          "So long after its commit at most a client sees a transaction end, as in 2ms; 0ms: at"
              + " once (default: 0.4 ms). jsonl and elle only.")
  private @Nullable String latency;

  @Option(
      names = "--inject",
      paramLabel = "KIND[:COUNT]",
      description =
          "Puts in an anomaly, COUNT times, at random places; may be repeated. KIND is one of"
              + " thin-air-read, aborted-read, future-read, not-my-last-write, not-my-own-write,"
              + " intermediate-read, non-repeatable-reads, session-guarantee-violation,"
              + " non-monotonic-read, fractured-read, causality-violation, long-fork, lost-update,"
              + " write-skew, or all. What was put in is listed in PATH.injected.jsonl.")
  private List<String> inject = new ArrayList<>();

  @Option(
      names = "--inject-span",
      paramLabel = "N",
      description =
          "At most so many other transactions lie between the first and the last of an anomaly"
              + " (default: ${DEFAULT-VALUE}).")
  private int injectSpan = 100;

  @Option(
      names = "--order",
      paramLabel = "ORDER",
      description =
          "Order in the file: commit, session (one after the other) or shuffled (sessions mixed at"
              + " random); the last two hold the history in memory (default: ${DEFAULT-VALUE}).")
  private String order = "commit";

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "Seed of everything that is left open (default: any; it is printed).")
  private @Nullable Long seed;

  @Override
  public Integer call() {
    GeneratedFile file;
    try {
      file =
          new GeneratedFile(
              config(), HistoryFormats.writableOfLabel(format), HistoryOrder.ofLabel(order));
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec().commandLine(), String.valueOf(e.getMessage()), e);
    }
    try {
      spec().commandLine().getOut().print(file.write(output, Progress.onTerminal(output)));
      return ExitCode.PASSED;
    } catch (IllegalArgumentException | IOException e) {
      String problem = e instanceof IOException ? e.toString() : e.getMessage();
      spec()
          .commandLine()
          .getErr()
          .printf("isotail generate: %s not written: %s%n", output, problem);
      return ExitCode.BAD;
    }
  }

  private GenerateConfig config() {
    if (seed == null) {
      seed = ThreadLocalRandom.current().nextLong(Long.MAX_VALUE);
      spec().commandLine().getErr().println("isotail generate: --seed " + seed);
    }
    boolean timed = holdsTimes();
    requireTimes("--clock-skew", clockSkew);
    requireTimes("--latency", latency);
    if (transactions < 0) {
      throw new IllegalArgumentException(
          "--transactions %d; expected 0 or more".formatted(transactions));
    }
    return new GenerateConfig(
        IsolationLevel.ofLabel(level),
        new GenerateConfig.Traffic(sessions, transactions, abortRatio, unknownRatio),
        new GenerateConfig.Shape(mini, operations, keys, readRatio, distribution),
        lag,
        replicas,
        new GenerateConfig.Clocks(timed, nanos("--clock-skew", clockSkew, 0), latencyNs()),
        new GenerateConfig.Injections(InjectOption.parse(inject), injectSpan),
        seed);
  }

  private void requireTimes(String option, @Nullable String given) {
    if (given != null && !holdsTimes()) {
      throw new IllegalArgumentException(
          "%s with --format %s, which holds no times; expected %s"
              .formatted(option, format, FormatHelp.holding(Content.TIMES)));
    }
  }

  private boolean holdsTimes() {
    return HistoryFormats.writableOfLabel(format).holds().contains(Content.TIMES);
  }

  private int latencyNs() {
    long most = nanos("--latency", latency, GenerateConfig.Clocks.LATENCY_NS);
    return (int) Math.max(1, Math.min(Integer.MAX_VALUE, most));
  }

  private static long nanos(String option, @Nullable String given, long otherwise) {
    return given == null ? otherwise : Durations.parse(option, given).toNanos();
  }

  private CommandSpec spec() {
    return Objects.requireNonNull(spec);
  }
}
