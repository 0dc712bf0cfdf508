package io.isotail.monitor.explore;

import io.isotail.incremental.explore.Program;
import io.isotail.incremental.level.IsolationLevel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that say which levels are explored, and what is asked of them. */
final class LevelOptions {
  private static final List<IsolationLevel> LEVELS =
      Arrays.stream(IsolationLevel.values()).filter(level -> !level.followsRealTime()).toList();

  @Option(
      names = "--level",
      paramLabel = "LEVEL",
      completionCandidates = Names.class,
      description = "Explore this level only: ${COMPLETION-CANDIDATES}; repeatable.")
  private List<String> levels = new ArrayList<>();

  @Option(
      names = "--weakest",
      description =
          "From the weakest level on, stop at the first one at which all assertions hold; not with"
              + " --level.")
  private boolean weakest;

  @Option(
      names = "--compare",
      arity = "2",
      paramLabel = "LEVEL",
      completionCandidates = Names.class,
      description =
          "Show a history that the weaker one of two levels allows and the other does not, and count"
              + " all of them.")
  private List<String> compared = new ArrayList<>();

  @Option(
      names = "--raise",
      paramLabel = "LEVEL",
      completionCandidates = Names.class,
      description =
          "Leave all transactions at this level but one, and tell for each the weakest level at"
              + " which all assertions hold if it alone is raised. Final reads see what is left.")
  private @Nullable String raised;

  /**
   * What is asked of the levels of a program.
   *
   * @throws IllegalArgumentException if the program declares all levels itself, or one that is
   *     given cannot be explored
   */
  Question question(Program program) {
    if (program.declaresEveryLevel() && (!levels.isEmpty() || !compared.isEmpty())) {
      throw new IllegalArgumentException(
          "--level, --compare: every transaction declares a level of its own");
    }
    if (raised != null) {
      return new RaiseQuestion(level(raised));
    }
    if (!compared.isEmpty()) {
      IsolationLevel one = level(compared.get(0));
      IsolationLevel two = level(compared.get(1));
      IsolationLevel weaker = one.weakerOf(two);
      return new CompareQuestion(weaker, weaker == one ? two : one);
    }
    return new TableQuestion(chosen(program), weakest);
  }

  private List<IsolationLevel> chosen(Program program) {
    if (program.declaresEveryLevel()) {
      return List.of(LEVELS.get(0));
    }
    return levels.isEmpty()
        ? LEVELS
        : new TreeSet<>(levels).stream().map(LevelOptions::level).sorted().toList();
  }

  /**
   * The level of a name.
   *
   * @throws IllegalArgumentException if there is none, or it cannot be explored
   */
  static IsolationLevel level(String label) {
    for (IsolationLevel level : IsolationLevel.values()) {
      if (level.label().equals(label)) {
        return Program.explorable(level);
      }
    }
    throw new IllegalArgumentException(
        "isolation level '%s' is unknown; expected one of %s"
            .formatted(label, String.join(", ", new Names())));
  }

  /** The names of the levels that can be explored. */
  static final class Names implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return LEVELS.stream().map(IsolationLevel::label).iterator();
    }
  }
}
