package io.isotail.monitor.cli;

import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.ingest.format.HistoryFormat;
import io.isotail.ingest.format.HistoryFormatException;
import io.isotail.monitor.config.Durations;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code isotail check}: checks history files. */
@Command(
    name = "check",
    mixinStandardHelpOptions = true,
    description =
        "Checks history files against isolation levels. Verdicts are of reads of single keys."
            + " Phantoms, reads by a condition that miss a row, are not seen.",
    footerHeading = "%n",
    footer =
        "A file is taken as a closed history (every writer is in it) with unique versions."
            + " Exit status: 0 all passed, 1 violation found, 2 bad usage or bad input,"
            + " 3 undecided without a violation. Of several files, bad input counts first,"
            + " then violations, then undecided.")
final class CheckCommand implements Callable<Integer> {
  private static final String AUTO = "auto";
  private static final String ALL = "all";

  @Spec private @Nullable CommandSpec spec;

  @Option(
      names = "--level",
      paramLabel = "LEVEL[,LEVEL]",
      split = ",",
      hideParamSyntax = true,
      defaultValue = ALL,
      description =
          "Levels to check: read-committed, read-atomic, causal, prefix, snapshot-isolation,"
              + " serializable, strict-serializable, or all of them (default: all). With all, the"
              + " exit status of a file without times leaves strict-serializable out.")
  private List<String> levels = List.of(ALL);

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      defaultValue = AUTO,
      description =
          "auto, plume, dbcop, cobra, elle or jsonl (default: auto, by what the file or directory"
              + " holds).")
  private String format = AUTO;

  @Option(
      names = "--window",
      paramLabel = "N",
      description = "Keep only the last N transactions, at least 2 (default: all).")
  private @Nullable Integer window;

  @Option(
      names = "--open",
      description =
          "Take the files as open histories, in which a version may have a writer that is not in"
              + " the file: for capsules and other cuts of a history.")
  private boolean open;

  @Option(
      names = "--clock-uncertainty",
      paramLabel = "DURATION",
      description =
          "How far two clocks may be apart, as in 10ms. Times of different clocks that differ by"
              + " more are ordered, for strict-serializable (default: times of different clocks"
              + " are never compared).")
  private @Nullable String clockUncertainty;

  @Option(names = "--json", description = "Print one JSON object a file, on one line each.")
  private boolean json;

  @Parameters(
      arity = "1..*",
      paramLabel = "PATH",
      description =
          "History files; for dbcop also the directory of history.bincode, for cobra the directory"
              + " of the logs.")
  private List<Path> paths = List.of();

  @Override
  public Integer call() {
    Set<IsolationLevel> wanted = wantedLevels();
    HistoryFormat known = knownFormat();
    if (window != null && window < 2) {
      throw badUsage("--window %d; expected at least 2".formatted(window));
    }
    boolean bad = false;
    boolean failed = false;
    boolean undecided = false;
    for (Path path : paths) {
      try {
        FileCheck.Result result = check(path, known, wanted);
        failed |= result.failed();
        undecided |= result.undecided(levels.contains(IsolationLevel.STRICT_SERIALIZABLE.label()));
        print(result);
      } catch (HistoryFormatException | IOException e) {
        bad = true;
        printBad(path, e);
      }
      out().flush();
    }
    if (bad) {
      return ExitCode.BAD;
    }
    return failed ? ExitCode.VIOLATION : undecided ? ExitCode.UNDECIDED : ExitCode.PASSED;
  }

  private FileCheck.Result check(
      Path path, @Nullable HistoryFormat known, Set<IsolationLevel> wanted)
      throws IOException, HistoryFormatException {
    CheckerConfig config =
        CheckerConfig.forFile(String.valueOf(path.getFileName()), strongest(wanted))
            .withClosed(!open);
    if (clockUncertainty != null) {
      config = config.withClockUncertainty(uncertaintyNs(clockUncertainty));
    }
    if (window != null) {
      config = config.withWindow(window);
    }
    HistoryFormat actual = known == null ? HistoryFormat.detect(path) : known;
    return FileCheck.run(path, actual, config, wanted, Progress.onTerminal(path));
  }

  private long uncertaintyNs(String duration) {
    try {
      return Durations.parse("--clock-uncertainty", duration).toNanos();
    } catch (IllegalArgumentException | ArithmeticException e) {
      throw badUsage(String.valueOf(e.getMessage()));
    }
  }

  private static IsolationLevel strongest(Set<IsolationLevel> levels) {
    return levels.stream().max(IsolationLevel::compareTo).orElseThrow();
  }

  private Set<IsolationLevel> wantedLevels() {
    Set<IsolationLevel> wanted = EnumSet.noneOf(IsolationLevel.class);
    for (String name : levels) {
      String label = name.trim();
      if (label.equals(ALL)) {
        wanted.addAll(supported());
        continue;
      }
      IsolationLevel level;
      try {
        level = IsolationLevel.ofLabel(label);
      } catch (IllegalArgumentException e) {
        throw badUsage(
            "--level: isolation level '%s' is unknown; expected %s"
                .formatted(label, supportedNames()));
      }
      wanted.add(level);
    }
    return wanted;
  }

  private @Nullable HistoryFormat knownFormat() {
    if (format.equals(AUTO)) {
      return null;
    }
    try {
      return HistoryFormat.ofLabel(format);
    } catch (IllegalArgumentException e) {
      throw badUsage(
          "--format %s is unknown; expected auto, %s".formatted(format, HistoryFormat.labels()));
    }
  }

  private static Set<IsolationLevel> supported() {
    return EnumSet.allOf(IsolationLevel.class);
  }

  private static String supportedNames() {
    return supported().stream().map(IsolationLevel::label).collect(Collectors.joining(", "))
        + " or all";
  }

  private void print(FileCheck.Result result) throws IOException {
    if (json) {
      out().println(CheckOutput.json(result));
    } else {
      out().print(CheckOutput.text(result));
    }
  }

  private void printBad(Path path, Exception problem) {
    String message =
        problem instanceof NoSuchFileException
            ? path + ": found nothing there; expected a history file"
            : problem instanceof HistoryFormatException
                ? String.valueOf(problem.getMessage())
                : path + ": " + problem;
    if (json) {
      out().println(CheckOutput.jsonError(path, message));
    }
    command().commandLine().getErr().println("isotail check: " + message);
  }

  private ParameterException badUsage(String message) {
    return new ParameterException(command().commandLine(), message);
  }

  private PrintWriter out() {
    return command().commandLine().getOut();
  }

  private CommandSpec command() {
    CommandSpec set = spec;
    if (set == null) {
      throw new IllegalStateException("not run by the command line");
    }
    return set;
  }
}
