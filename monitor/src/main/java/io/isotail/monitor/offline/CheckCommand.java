package io.isotail.monitor.offline;

import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.ingest.format.HistoryFormat;
import io.isotail.ingest.format.HistoryFormatException;
import io.isotail.ingest.format.HistoryFormats;
import io.isotail.monitor.config.Durations;
import io.isotail.monitor.terminal.ColorOption;
import io.isotail.monitor.terminal.Paint;
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
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code isotail check}: checks history files. */
@Command(
    name = "check",
    modelTransformer = FormatHelp.class,
    mixinStandardHelpOptions = true,
    description =
        "Checks history files against isolation levels. Verdicts are of reads of single keys."
            + " Phantoms, reads by a condition that miss a row, are not seen.",
    footerHeading = "%n",
    footer =
        "A file is taken as a closed history (every writer is in it) with unique versions."
            + " Each transaction is held to the level that the file says it ran at; where it says"
            + " none, to every level. A level that not all were promised is not-checked: it can"
            + " fail, but not pass."
            + " Exit status: 0 all passed, 1 violation found, 2 bad usage or bad input,"
            + " 3 undecided without a violation, or nothing to check, 4 internal error. Of several"
            + " files, bad input counts first, then violations, then undecided.")
public final class CheckCommand implements Callable<Integer> {
  private static final String AUTO = "auto";
  private static final String ALL = "all";

  @Spec private @Nullable CommandSpec spec;

  @Option(
      names = "--level",
      paramLabel = "LEVEL[,LEVEL]",
      split = ",",
      hideParamSyntax = true,
      defaultValue = ALL,
      completionCandidates = LevelNames.class,
      description =
          "Levels to check: ${COMPLETION-CANDIDATES}, or all of them (default: all). With all, the"
              + " exit status leaves out levels that nobody was promised, and strict-serializable"
              + " where the file has no times, or those of clocks that are not compared, unless it"
              + " is named beside all, or asked for by --promise.")
  private List<String> levels = List.of(ALL);

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      defaultValue = AUTO,
      completionCandidates = FormatHelp.Names.class,
      description =
          "auto or one of ${COMPLETION-CANDIDATES} (default: auto, by what the file or directory"
              + " holds).")
  private String format = AUTO;

  @Option(
      names = "--window",
      paramLabel = "N",
      description =
          "Keep only the last N transactions, at least 2 (default: all). The verdict is still of"
              + " the whole file: what was found stands. A file whose transactions ran at"
              + " several levels is held whole all the same.")
  private @Nullable Integer window;

  @Option(
      names = "--open",
      description =
          "Take the files as open histories, in which a version may have a writer that is not in"
              + " the file: for capsules and other cuts of a history.")
  private boolean open;

  @Option(
      names = "--no-deletes",
      description =
          "With --open: nobody deletes rows, so that an absent row was never written. Otherwise"
              + " absence is undecided in an open history.")
  private boolean noDeletes;

  @Option(
      names = "--no-outsiders",
      description =
          "With --open: whoever writes is in the file, or is promised serializable too. Otherwise a"
              + " row that a transaction overwrote without having read it may have been another's"
              + " in between.")
  private boolean noOutsiders;

  @Option(
      names = "--promise",
      paramLabel = "LEVEL",
      description =
          "Hold every transaction to this level, whatever it ran at (default: the level that the"
              + " file says it ran at, else every level).")
  private @Nullable String promise;

  @Option(
      names = "--clock-uncertainty",
      paramLabel = "DURATION",
      description =
          "How far two clocks may be apart, as in 10ms. Times of different clocks that differ by"
              + " more are ordered, for strict-serializable (default: times of different clocks"
              + " are never compared).")
  private @Nullable String clockUncertainty;

  @Option(
      names = "--witnesses",
      paramLabel = "N",
      defaultValue = "20",
      description =
          "How many anomalies of one pattern are proven and printed (default: 20); all the others"
              + " are counted for their cause. 0 proves every one, which takes long where there are"
              + " many.")
  private int witnesses = 20;

  @Option(
      names = "--judge",
      description =
          "Judge the files from the definitions alone, as open histories, with code that shares"
              + " nothing with the checker: for capsules. Up to 10 transactions every schedule is"
              + " tried too; of more a proof or a schedule is searched and then checked. A level is"
              + " violated, accepted or not confirmed, which counts as undecided.")
  private boolean judge;

  @Option(names = "--json", description = "Print one JSON object a file, on one line each.")
  private boolean json;

  @Mixin private ColorOption color = new ColorOption();

  @Parameters(
      arity = "1..*",
      paramLabel = "PATH",
      description =
          "History files, which gzip or zstd may have compressed; for dbcop also the directory of"
              + " history.bincode, for cobra the directory of the logs, for elle"
              + " a directory of Jepsen's store.")
  private List<Path> paths = List.of();

  @Override
  public Integer call() {
    Set<IsolationLevel> wanted = wantedLevels();
    HistoryFormat known = knownFormat();
    if (judge) {
      // Refused is what would change the judge's answer; what says how it is told, or holds anyway,
      // is
      // not.
      refuseWithJudge("--window", window != null, "the judge sees the whole file");
      refuseWithJudge("--promise", promise != null, "the judge holds all to the level");
      refuseWithJudge("--no-deletes", noDeletes, "the judge takes absence for the initial version");
      refuseWithJudge(
          "--no-outsiders", noOutsiders, "for the judge nobody writes but who is there");
    }
    if (window != null && window < 2) {
      throw badUsage("--window %d; expected at least 2".formatted(window));
    }
    if (witnesses < 0) {
      throw badUsage("--witnesses %d; expected 0 or more".formatted(witnesses));
    }
    Paint paint = color.paintUnless(json);
    boolean bad = false;
    boolean failed = false;
    boolean undecided = false;
    for (Path path : paths) {
      try {
        if (judge) {
          JudgedFile judged = judge(path, known, wanted);
          failed |= judged.violated();
          undecided |= judged.notConfirmed(named());
          out().print(json ? judged.json() + System.lineSeparator() : judged.text(paint));
          continue;
        }
        FileCheck.Result result = check(path, known, wanted);
        failed |= result.failed();
        undecided |= result.undecided(named());
        print(result, paint);
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

  private void refuseWithJudge(String option, boolean given, String why) {
    if (given) {
      throw badUsage("--judge with %s; expected one of them: %s".formatted(option, why));
    }
  }

  /**
   * The levels that were given by name, each of which decides the exit status; `all` names none.
   */
  private Set<IsolationLevel> named() {
    Set<IsolationLevel> named = EnumSet.noneOf(IsolationLevel.class);
    boolean all = false;
    for (String name : levels) {
      if (name.trim().equals(ALL)) {
        all = true;
      } else {
        named.add(level("--level", name.trim()));
      }
    }
    if (all && promise != null) {
      named.add(level("--promise", promise.trim()));
    }
    return named;
  }

  private FileCheck.Result check(
      Path path, @Nullable HistoryFormat known, Set<IsolationLevel> wanted)
      throws IOException, HistoryFormatException {
    CheckerConfig config =
        CheckerConfig.forFile(String.valueOf(path.getFileName()), strongest(wanted))
            .withClosed(!open)
            .withDeletes(open && !noDeletes)
            .withOutsiders(open && !noOutsiders)
            .withProvenPerInterval(witnesses == 0 ? CheckerConfig.PROVE_ALL : witnesses)
            .withPromise(promise == null ? null : level("--promise", promise.trim()));
    if (clockUncertainty != null) {
      config = config.withClockUncertainty(uncertaintyNs(clockUncertainty));
    }
    if (window != null) {
      config = config.withWindow(window);
    }
    HistoryFormat actual = known == null ? HistoryFormats.detect(path) : known;
    return FileCheck.run(path, actual, config, wanted, Progress.onTerminal(path));
  }

  private JudgedFile judge(Path path, @Nullable HistoryFormat known, Set<IsolationLevel> wanted)
      throws IOException, HistoryFormatException {
    return JudgedFile.judge(
        path,
        known == null ? HistoryFormats.detect(path) : known,
        wanted,
        clockUncertainty == null ? CheckerConfig.NEVER_COMPARED : uncertaintyNs(clockUncertainty));
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
      wanted.add(level("--level", label));
    }
    return wanted;
  }

  private IsolationLevel level(String option, String label) {
    try {
      return IsolationLevel.ofLabel(label);
    } catch (IllegalArgumentException e) {
      throw badUsage(
          "%s: isolation level '%s' is unknown; expected %s"
              .formatted(option, label, supportedNames(option)));
    }
  }

  private @Nullable HistoryFormat knownFormat() {
    if (format.equals(AUTO)) {
      return null;
    }
    try {
      return HistoryFormats.ofLabel(format);
    } catch (IllegalArgumentException e) {
      throw badUsage(
          "--format %s is unknown; expected auto, %s".formatted(format, HistoryFormats.labels()));
    }
  }

  private static Set<IsolationLevel> supported() {
    return EnumSet.allOf(IsolationLevel.class);
  }

  private static String supportedNames(String option) {
    String names =
        supported().stream().map(IsolationLevel::label).collect(Collectors.joining(", "));
    return option.equals("--level") ? names + " or all" : names;
  }

  private void print(FileCheck.Result result, Paint paint) throws IOException {
    if (json) {
      out().println(CheckOutput.json(result));
    } else {
      out().print(CheckOutput.text(result, paint));
    }
  }

  private void printBad(Path path, Exception problem) {
    String message =
        problem instanceof NoSuchFileException
            ? path + ": found nothing there; expected a history file"
            : problem instanceof HistoryFormatException
                ? String.valueOf(problem.getMessage())
                : String.valueOf(problem.getMessage()).startsWith(path.toString())
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
