package io.isotail.monitor.explore;

import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.incremental.explore.MemoryBounds;
import io.isotail.incremental.explore.Program;
import io.isotail.incremental.explore.verdict.AssertionVerdict;
import io.isotail.incremental.explore.verdict.ExploredWitness;
import io.isotail.incremental.explore.verdict.Raising;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.monitor.render.CauseText;
import io.isotail.monitor.terminal.Paint;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What an exploration found, for people. */
final class ExploreText {
  /** Stands for the level where each transaction declares its own. */
  static final String MIXED = "mixed";

  private static final String NOTHING_ASSERTED =
      "The program asserts nothing, so nothing can fail.%n";
  private static final String RAISED = "%-20s  %s%n";
  private static final String ROW = "%-20s %14s %14s %10s %10s  %s%n";

  /** What the checker says of the variables that tell an end, and what that means. */
  private static final Map<Pattern, String> ENDED = new LinkedHashMap<>();

  static {
    ENDED.put(
        Pattern.compile(", from which it also read end of .+?=yes,"), ", which had ended before,");
    ENDED.put(
        Pattern.compile("it had already observed through end of .+?=yes"), "had ended before");
    ENDED.put(Pattern.compile("read end of (.+?)=yes"), "saw that $1 had ended");
  }

  private final PrintWriter out;
  private final Paint paint;
  private final Program program;
  private final boolean asserts;

  /** Writes what was found of a program to a stream. */
  ExploreText(PrintWriter out, Paint paint, Program program) {
    this.out = out;
    this.paint = paint;
    this.program = program;
    this.asserts = program.asserts();
  }

  void program() {
    out.printf(
        "%s: %d sessions, %d transactions%n",
        program.name(),
        program.sessions().size(),
        program.sessions().stream().mapToInt(s -> s.transactions().size()).sum());
    program
        .declaredLevels()
        .forEach(
            (kind, levels) ->
                out.printf(
                    "%s runs at %s%n",
                    kind,
                    levels.stream().map(IsolationLevel::label).collect(Collectors.joining(", "))));
    if (program.isMixed() && !program.declaresEveryLevel()) {
      out.printf("The level below is that of the other transactions.%n");
    }
    out.println();
  }

  void head() {
    out.printf(ROW, "level", "histories", "end states", "blocked", "seconds", "assertions");
    out.flush();
  }

  void row(LevelRun.Result result) {
    out.printf(
        ROW,
        program.declaresEveryLevel() ? MIXED : result.level().label(),
        "%,d".formatted(result.verdict().histories()),
        "%,d".formatted(result.endStates()),
        "%,d".formatted(result.blocked()),
        "%.2f".formatted(result.seconds()),
        assertions(result.verdict()));
    out.flush();
  }

  /** What was held in memory, at the level that held the most of each. */
  void memory(List<LevelRun.Result> results, MemoryBounds bounds) {
    results.stream()
        .map(LevelRun.Result::memory)
        .reduce(LevelRun.Memory::most)
        .ifPresent(
            most ->
                out.printf(
                    "%nHeld in memory at most: %,d unfinished executions at one time, %,d of %,d steps,"
                        + " %,d of %,d values%n",
                    most.openExecutions(),
                    most.rememberedSteps(),
                    bounds.rememberedSteps(),
                    most.heldValues(),
                    bounds.heldValues()));
  }

  private String assertions(AssertionVerdict result) {
    if (result.error() != null) {
      return paint.bad(
          result.failing() == 0
              ? "ended by an error"
              : "fail in %,d histories, then ended by an error".formatted(result.failing()));
    }
    String rest = result.exhausted() ? "" : ", not exhausted";
    if (!asserts) {
      return result.exhausted() ? "none" : "none, not exhausted";
    }
    return result.fail()
        ? paint.bad("fail in %,d histories".formatted(result.failing())) + rest
        : result.exhausted() ? paint.good("hold") : "not exhausted: no failure so far";
  }

  /** At which of the explored levels they hold, as far as that was seen. */
  void weakest(List<LevelRun.Result> results) {
    if (!asserts) {
      out.printf("%n" + NOTHING_ASSERTED);
      return;
    }
    Optional<LevelRun.Result> holds = results.stream().filter(r -> r.verdict().hold()).findFirst();
    List<String> open =
        results.stream()
            .filter(r -> !r.verdict().exhausted() && !r.verdict().fail())
            .map(r -> r.level().label())
            .toList();
    if (program.declaresEveryLevel()) {
      out.printf(
          "%nAt the levels that the transactions declare, %s.%n",
          holds.isPresent() ? "all assertions hold" : "assertions are not known to hold");
    } else if (holds.isEmpty()) {
      out.printf("%nAt no explored level are all assertions known to hold.%n");
    } else if (isWeakest(holds.get().level(), results)) {
      out.printf(
          "%nWeakest level %sat which all assertions hold: %s%n",
          program.isMixed() ? "of the other transactions " : "", holds.get().level());
    } else {
      out.printf(
          "%nAll assertions hold at %s. Of weaker levels that is not known.%n",
          holds.get().level());
    }
    if (!open.isEmpty()) {
      out.printf(
          open.size() == 1
              ? "%s was not exhausted: nothing is said of it.%n"
              : "%s were not exhausted: nothing is said of them.%n",
          String.join(", ", open));
    }
  }

  private String allowing(IsolationLevel level) {
    return !program.isMixed()
        ? level.label()
        : program.declaresEveryLevel() ? "the mix of levels" : "the mix with %s".formatted(level);
  }

  /** The weakest level of all at which they hold, if that is known. */
  static Optional<LevelRun.Result> weakestThatHolds(
      Program program, List<LevelRun.Result> results) {
    return results.stream()
        .filter(r -> program.asserts() && !program.declaresEveryLevel())
        .filter(r -> r.verdict().hold())
        .findFirst()
        .filter(r -> isWeakest(r.level(), results));
  }

  /** Whether they fail at the next weaker level, or there is none. */
  private static boolean isWeakest(IsolationLevel level, List<LevelRun.Result> results) {
    return level == IsolationLevel.weakest()
        || results.stream().anyMatch(r -> r.level() == level.nextWeaker() && r.verdict().fail());
  }

  /** What each transaction needs if it alone is raised. */
  void raising(Raising raising) {
    AssertionVerdict base = raising.base();
    if (!asserts) {
      out.printf(NOTHING_ASSERTED);
      return;
    }
    out.printf(
        "Nothing raised, the others at %s: %s%n",
        base.level(),
        base.hold()
            ? "all assertions hold"
            : base.error() != null
                ? "ended by an error"
                : base.fail() ? "assertions fail" : "not exhausted");
    if (base.hold()) {
      out.printf("%nNothing need be raised.%n");
      return;
    }
    out.printf("%n" + RAISED, "raised alone", "weakest level at which all assertions hold");
    for (Raising.Need need : raising.needs()) {
      out.printf(RAISED, need.kind(), needed(need));
    }
    boolean enough = raising.needs().stream().anyMatch(need -> need.enough().isPresent());
    boolean exact = raising.needs().stream().allMatch(Raising.Need::exact);
    out.printf(
        "%n%s%n",
        enough
            ? "It is enough to raise one transaction."
            : exact
                ? "It is not enough to raise one transaction."
                : "Whether it is enough to raise one transaction is not known.");
  }

  private String needed(Raising.Need need) {
    return need.enough()
        .map(level -> paint.good(level.label()) + (need.exact() ? "" : ", or a weaker one"))
        .orElse(
            need.exact()
                ? paint.bad("none: they fail at serializable too")
                : "not exhausted, so not known");
  }

  /** How many histories one level allows, and how many of them a stronger one does not. */
  void compared(AssertionVerdict weaker, IsolationLevel stronger) {
    out.printf(
        "%s: %s allows %,d histories%s; %,d of them violate %s%n",
        program.name(),
        weaker.level(),
        weaker.histories(),
        weaker.exhausted() ? "" : " (not exhausted)",
        weaker.failing(),
        stronger);
    out.flush();
  }

  /**
   * One history, and what is wrong with it.
   *
   * @param forbidding a stronger level that forbids it; null if none is known to
   */
  void found(IsolationLevel level, ExploredWitness found, @Nullable IsolationLevel forbidding) {
    out.println();
    if (!found.what().isEmpty()) {
      out.println(paint.bold(found.what()));
    }
    out.printf("One history that %s allows:%n%n", allowing(level));
    found.timeline().forEach(line -> out.println("  " + line));
    Optional<Anomaly> anomaly = found.anomaly();
    anomaly.ifPresent(
        shown ->
            out.printf(
                "%n%s (%s): it violates %s%n%s%n",
                CauseText.plain(shown.kind()), shown.kind(), shown.level(), explanation(shown)));
    if (forbidding != null && !anomaly.filter(a -> forbidding.atLeast(a.level())).isPresent()) {
      out.printf(
          "%n%s forbids this history, but the checker finds nothing wrong with it there%s.%n",
          forbidding,
          found.abortedReads()
              ? ": it leaves out what a transaction read that aborted, and so does 'isotail check'"
              : "");
    }
    out.flush();
  }

  /**
   * The explanation of an anomaly. That final reads come last is told to the checker by variables
   * that the program does not have; a person is told that a transaction had ended.
   */
  static String explanation(Anomaly anomaly) {
    String text = anomaly.explanation();
    for (Map.Entry<Pattern, String> each : ENDED.entrySet()) {
      text = each.getKey().matcher(text).replaceAll(each.getValue());
    }
    return text;
  }

  /** Whether what is printed is still read by somebody. */
  boolean isRead() {
    return !out.checkError();
  }
}
