package io.isotail.monitor.explore;

import io.isotail.incremental.explore.Exploration;
import io.isotail.incremental.explore.ExploredHistory;
import io.isotail.incremental.explore.Limit;
import io.isotail.incremental.explore.MemoryBounds;
import io.isotail.incremental.explore.Program;
import io.isotail.incremental.explore.SearchLimitException;
import io.isotail.incremental.explore.language.SourceError;
import io.isotail.incremental.explore.verdict.AssertionVerdict;
import io.isotail.incremental.explore.verdict.ExploredWitness;
import io.isotail.incremental.explore.verdict.Raising;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.ingest.format.HistoryFormatException;
import io.isotail.ingest.format.JsonlWriter;
import io.isotail.monitor.config.Durations;
import io.isotail.monitor.explore.witness.WitnessProgram;
import io.isotail.monitor.offline.ExitCode;
import io.isotail.monitor.resolve.Printable;
import io.isotail.monitor.resolve.ResolveException;
import io.isotail.monitor.terminal.ColorOption;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code isotail explore}: what isolation levels allow a program. */
@Command(
    name = "explore",
    mixinStandardHelpOptions = true,
    description = {
      "Explores every history that an isolation level allows a small program, each exactly once, and"
          + " says whether the program's assertions hold in all of them.",
      "",
      "A program is sessions of transactions, in a language of its own or, in a file whose name ends"
          + " in .sql, in SQL (incremental/guide/exploring.md). It can also be made of an anomaly that"
          + " happened."
    },
    footerHeading = "%n",
    footer = {
      "Examples:",
      "  isotail explore --example last-item",
      "  isotail explore --level snapshot-isolation --out witness.jsonl shop.explore",
      "  isotail explore --compare snapshot-isolation serializable --example small-bank",
      "  isotail explore --mixed writeCheck=prefix --example small-bank",
      "  isotail explore --raise read-committed --example last-item",
      "  isotail explore --anomaly f8b5859806f5a42b out.json",
      "",
      "Where transactions run at different levels there is one order of the commits, and each read"
          + " fulfils the axioms of the level of its own transaction. A database may do less:"
          + " PostgreSQL's SERIALIZABLE does not see what transactions at weaker levels write.",
      "",
      "Memory: executions that have begun and not ended, bounded by the size of the program;"
          + " 200000 steps of the program, beyond which steps are run again instead; and"
          + " --max-values. A level that holds more values is not exhausted.",
      "",
      "Exit status: 0 all assertions hold at every level explored, 1 one fails, 2 bad usage or bad"
          + " input, 3 a limit was reached and no failure seen. With --weakest: 0 when the weakest"
          + " level at which all assertions hold was found, 1 when they fail at the strongest one,"
          + " 3 when a limit was reached before that was known. With --compare: 0 when the levels"
          + " were compared, 3 when a limit was reached and no difference seen. With --raise: 0 when"
          + " it is enough to raise one transaction, or none, 1 when it is not, 3 when a limit was"
          + " reached. With --anomaly and --cause: 0 when all is known, 3 when it is not."
    })
public final class ExploreCommand implements Callable<Integer> {
  private static final int MOST_THREADS = 256;
  private static final String OUT_OF_MEMORY =
      "out of memory; a larger -Xmx in JAVA_OPTS gives more";
  private static final List<IsolationLevel> LEVELS =
      Arrays.stream(IsolationLevel.values()).filter(level -> !level.followsRealTime()).toList();

  @Spec private @Nullable CommandSpec spec;

  @Mixin private ColorOption color = new ColorOption();

  @Mixin private ProgramOptions source = new ProgramOptions();

  @Mixin private WitnessOptions anomaly = new WitnessOptions();

  @Option(
      names = "--level",
      paramLabel = "LEVEL",
      completionCandidates = Levels.class,
      description = "Explore this level only: ${COMPLETION-CANDIDATES}; repeatable.")
  private List<String> levels = new ArrayList<>();

  @Option(
      names = "--weakest",
      description =
          "From the weakest level on, stop at the first one at which all assertions hold.")
  private boolean weakest;

  @Option(
      names = "--compare",
      arity = "2",
      paramLabel = "LEVEL",
      completionCandidates = Levels.class,
      description =
          "Show a history that the weaker one of two levels allows and the other does not.")
  private List<String> compared = new ArrayList<>();

  @Option(
      names = "--raise",
      paramLabel = "LEVEL",
      completionCandidates = Levels.class,
      description =
          "Leave all transactions at this level but one, and tell for each the weakest level at"
              + " which all assertions hold if it alone is raised. Final reads see what is left.")
  private @Nullable String raised;

  @Option(
      names = "--time-limit",
      paramLabel = "DURATION",
      defaultValue = "60s",
      description =
          "Stop a level after this time; with --anomaly and --cause, the whole question"
              + " (default: ${DEFAULT-VALUE}).")
  private String timeLimit = "60s";

  @Option(
      names = "--max-histories",
      paramLabel = "N",
      defaultValue = "9223372036854775807",
      showDefaultValue = picocli.CommandLine.Help.Visibility.NEVER,
      description = "Stop a level after so many histories (default: no limit).")
  private long maxHistories = Long.MAX_VALUE;

  @Option(
      names = "--max-values",
      paramLabel = "N",
      defaultValue = "1000000",
      description =
          "Stop a level once so many different values are held in memory, by all threads together"
              + " (default: ${DEFAULT-VALUE}).")
  private int maxValues = MemoryBounds.DEFAULT.heldValues();

  @Option(
      names = "--threads",
      paramLabel = "N",
      defaultValue = "1",
      description = "Threads that share a level's work (default: ${DEFAULT-VALUE}).")
  private int threads = 1;

  @Option(
      names = "--depth-first",
      description = "Explore every order of whole transactions instead, histories many times over.")
  private boolean depthFirst;

  @Option(
      names = "--json",
      description = "Print one JSON object instead of the table; not with --compare.")
  private boolean json;

  @Option(
      names = "--out",
      paramLabel = "FILE",
      description = "Write the history that is shown as jsonl, for 'isotail check' and 'explain'.")
  private @Nullable Path out;

  @Override
  public Integer call() throws InterruptedException {
    try {
      if (anomaly.given()) {
        return witness(checkedOptions());
      }
      source.read();
      if (source.print()) {
        writer().print(source.printed());
        writer().flush();
        return ExitCode.PASSED;
      }
      Program program = source.program();
      LevelRun.Limits limits = checkedOptions();
      if (program.declaresEveryLevel() && (!levels.isEmpty() || !compared.isEmpty())) {
        throw wrong("--level, --compare: every transaction declares a level of its own");
      }
      if (raised != null) {
        return raise(program, level(raised), limits);
      }
      return compared.isEmpty() ? explore(program, limits) : compare(program, limits);
    } catch (CharacterCodingException e) {
      return bad(source.name() + ": no text in UTF-8");
    } catch (ResolveException | HistoryFormatException e) {
      return bad(String.valueOf(e.getMessage()));
    } catch (IOException e) {
      return bad(e.toString());
    } catch (StackOverflowError e) {
      return bad("the program is too deep: statements or choices that stand in each other");
    } catch (OutOfMemoryError e) {
      return bad(OUT_OF_MEMORY);
    }
  }

  /** Said before work is done that it would lose. */
  private LevelRun.Limits checkedOptions() throws IOException {
    if (threads < 1 || threads > MOST_THREADS || maxHistories < 1 || maxValues < threads) {
      throw wrong(
          "--threads %d, --max-histories %d, --max-values %d: expected 1 to %d, at least 1, and at"
                  .formatted(threads, maxHistories, maxValues, MOST_THREADS)
              + " least one for each thread");
    }
    if (!compared.isEmpty() && (!levels.isEmpty() || weakest || json)) {
      throw wrong("--compare: expected no --level, no --weakest and no --json with it");
    }
    if (raised != null && (!compared.isEmpty() || !levels.isEmpty() || weakest || out != null)) {
      throw wrong("--raise: expected no --compare, no --level, no --weakest and no --out with it");
    }
    long nanos;
    try {
      nanos = Durations.parse("--time-limit", timeLimit).toNanos();
    } catch (IllegalArgumentException e) {
      throw wrong(String.valueOf(e.getMessage()));
    }
    if (out != null) {
      Files.deleteIfExists(out);
      Files.createFile(out);
    }
    MemoryBounds memory = new MemoryBounds(MemoryBounds.DEFAULT.rememberedSteps(), maxValues);
    return new LevelRun.Limits(nanos, maxHistories, threads, memory, false);
  }

  /** What levels say of an anomaly that happened. */
  private int witness(LevelRun.Limits limits)
      throws ResolveException, HistoryFormatException, IOException, InterruptedException {
    boolean explores = !compared.isEmpty() || !levels.isEmpty() || weakest || out != null;
    boolean alone = !explores && raised == null && !source.isExample();
    String mistake = alone ? anomaly.wrong(source.file()) : WitnessOptions.ALONE;
    if (mistake != null) {
      throw wrong(mistake);
    }
    try {
      WitnessProgram program = WitnessProgram.of(anomaly.find(source.file(), this::tell).anomaly());
      WitnessRun.Said said =
          source.print() ? WitnessRun.printed(program) : WitnessRun.of(program, limits, json);
      writer().print(said.text());
      writer().flush();
      return said.known() ? ExitCode.PASSED : ExitCode.UNDECIDED;
    } catch (IllegalArgumentException e) {
      return bad(String.valueOf(e.getMessage()));
    }
  }

  private int explore(Program program, LevelRun.Limits limits)
      throws InterruptedException, IOException {
    PrintWriter said = json ? new PrintWriter(Writer.nullWriter()) : writer();
    ExploreText text = new ExploreText(said, color.paintUnless(json), program);
    text.program();
    text.head();
    List<LevelRun.Result> results = new ArrayList<>();
    for (IsolationLevel level : chosen(program)) {
      LevelRun.Result result = run(program, level, limits, history -> history.failure() != null);
      results.add(result);
      text.row(result);
      tellError(program, result);
      if (weakest && result.verdict().hold()) {
        break;
      }
    }
    text.memory(results, limits.memory());
    text.weakest(results);
    // The strongest level at which it fails: at weaker ones worse things happen too.
    LevelRun.Result shown = null;
    for (LevelRun.Result result : results) {
      shown = result.verdict().witness() != null ? result : shown;
    }
    ExploredWitness witness = shown == null ? null : shown.verdict().witness();
    if (shown != null && witness != null) {
      text.found(shown.level(), witness);
      save(witness.records());
    }
    nothingToSave(shown == null);
    if (json) {
      writer().println(ExploreJson.of(program, results, shown, limits.memory()).toPrettyString());
    }
    writer().flush();
    if (!weakest && results.stream().anyMatch(result -> result.error() != null)) {
      return ExitCode.BAD;
    }
    List<AssertionVerdict> verdicts = results.stream().map(LevelRun.Result::verdict).toList();
    return weakest ? ExploreStatus.ofWeakest(verdicts) : ExploreStatus.ofAll(verdicts);
  }

  private int raise(Program program, IsolationLevel others, LevelRun.Limits limits)
      throws InterruptedException {
    PrintWriter said = json ? new PrintWriter(Writer.nullWriter()) : writer();
    ExploreText text = new ExploreText(said, color.paintUnless(json), program);
    text.program();
    Raising.Explorer<InterruptedException> explorer =
        (mixed, level) ->
            run(mixed, level, limits.upToTheFirst(), history -> history.failure() != null)
                .verdict();
    Raising raising = Raising.of(program, others, explorer);
    text.raising(raising);
    if (raising.base().error() instanceof SourceError error) {
      tell(located(program, raising.base().level(), error));
    }
    if (json) {
      writer().println(ExploreJson.of(program, raising).toPrettyString());
    }
    writer().flush();
    return ExploreStatus.of(raising);
  }

  private int compare(Program program, LevelRun.Limits limits)
      throws InterruptedException, IOException {
    IsolationLevel one = level(compared.get(0));
    IsolationLevel two = level(compared.get(1));
    IsolationLevel weaker = one.weakerOf(two);
    IsolationLevel stronger = weaker == one ? two : one;
    LevelRun.Result result;
    try {
      result = run(program, weaker, limits, history -> !history.satisfies(stronger));
    } catch (SearchLimitException e) {
      bad(program.name() + ": " + e.getMessage());
      nothingToSave(true);
      return ExitCode.UNDECIDED;
    }
    SourceError error = result.error();
    if (error != null) {
      nothingToSave(true);
      return bad(located(program, weaker, error));
    }
    PrintWriter writer = writer();
    writer.printf(
        "%s: %s allows %,d histories%s; %,d of them violate %s%n",
        program.name(),
        weaker,
        result.verdict().histories(),
        result.verdict().exhausted() ? "" : " (not exhausted)",
        result.verdict().failing(),
        stronger);
    ExploredWitness first = result.verdict().witness();
    if (first != null) {
      new ExploreText(writer, color.paintUnless(false), program).found(weaker, first);
      save(first.records());
    }
    nothingToSave(first == null);
    writer.flush();
    return result.verdict().exhausted() || first != null ? ExitCode.PASSED : ExitCode.UNDECIDED;
  }

  private LevelRun.Result run(
      Program program,
      IsolationLevel level,
      LevelRun.Limits limits,
      Predicate<ExploredHistory> wanted)
      throws InterruptedException {
    Exploration.Method method =
        depthFirst ? Exploration.Method.DEPTH_FIRST : Exploration.Method.SWAPPING;
    try {
      LevelRun.Result result = new LevelRun(program, level, method, limits, wanted).run();
      Limit limit = result.verdict().limit();
      if (limit != null) {
        tell("%s was not exhausted: %s; %s".formatted(level, limit.reason(), more(limit)));
      }
      SourceError error = result.error();
      return error == null ? result : result.withError(source.located(error));
    } catch (SourceError e) {
      throw wrong(program.name() + ": " + source.located(e).getMessage());
    }
  }

  /** Tells what ended a level: other levels need not have it. */
  private void tellError(Program program, LevelRun.Result result) {
    SourceError error = result.error();
    if (error != null) {
      tell(located(program, result.level(), error));
    }
  }

  private String located(Program program, IsolationLevel level, SourceError error) {
    return "%s: %s: in a history that %s allows"
        .formatted(
            program.name(),
            error.getMessage(),
            program.declaresEveryLevel() ? "the mix of levels" : level.label());
  }

  /** What a person can do so that a limit is not reached. */
  private static String more(Limit limit) {
    return switch (limit) {
      case TIME -> "a larger --time-limit gives more";
      case HISTORIES -> "a larger --max-histories gives more";
      case VALUES -> "a larger --max-values gives more";
      case COMMIT_ORDERS -> "fewer transactions in the program make it shorter";
      case MEMORY -> "a larger -Xmx in JAVA_OPTS gives more";
    };
  }

  private List<IsolationLevel> chosen(Program program) {
    if (program.declaresEveryLevel()) {
      return List.of(LEVELS.get(0));
    }
    return levels.isEmpty()
        ? LEVELS
        : new TreeSet<>(levels).stream().map(this::level).sorted().toList();
  }

  private IsolationLevel level(String label) {
    try {
      return Program.explorable(IsolationLevel.ofLabel(label));
    } catch (IllegalArgumentException e) {
      throw wrong(String.valueOf(e.getMessage()));
    }
  }

  private void save(List<TransactionRecord> records) throws IOException {
    if (out == null) {
      return;
    }
    List<String> lines = records.stream().map(JsonlWriter::line).toList();
    Files.write(out, lines, StandardCharsets.UTF_8);
    note("%nThe history is in %s.%n");
  }

  private void nothingToSave(boolean nothing) throws IOException {
    if (nothing && out != null) {
      Files.deleteIfExists(out);
      note("%nThere is no history to write to %s.%n");
    }
  }

  private void note(String format) {
    if (!json) {
      writer().printf(format, out);
    }
  }

  private PrintWriter writer() {
    return Objects.requireNonNull(spec).commandLine().getOut();
  }

  private ParameterException wrong(String message) {
    return new ParameterException(Objects.requireNonNull(spec).commandLine(), message);
  }

  private void tell(String words) {
    PrintWriter err = Objects.requireNonNull(spec).commandLine().getErr();
    err.println("isotail explore: " + Printable.escaped(words));
  }

  private int bad(String message) {
    tell(message);
    return ExitCode.BAD;
  }

  /** The names of the levels that can be explored. */
  static final class Levels implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return LEVELS.stream().map(IsolationLevel::label).iterator();
    }
  }
}
