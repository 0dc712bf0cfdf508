package io.isotail.monitor.explore.witness;

import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.explore.ExploredHistory;
import io.isotail.incremental.explore.Program;
import io.isotail.incremental.explore.SearchLimitException;
import io.isotail.incremental.judge.Judge;
import io.isotail.incremental.judge.Judgement;
import io.isotail.incremental.level.IsolationLevel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What isolation levels say of an anomaly.
 *
 * @param possible the levels that allow the history in which it happened, if all transactions run
 *     at them; weakest first
 * @param excluded those that do not; strict-serializable is in neither, since a program has no
 *     time, nor is a level of which lists that were read leave it open
 * @param ran the levels at which its transactions ran, in the order of the program; empty if no
 *     weaker level than the violated one can be asked of
 * @param asRun whether those levels together allow the history
 * @param raises what raising each of them alone does; empty where those levels exclude it
 * @param limited whether a search for an order of the commits was given up: a level that is neither
 *     possible nor excluded is not known, and raising is not asked
 */
public record LevelAnswers(
    List<IsolationLevel> possible,
    List<IsolationLevel> excluded,
    List<Ran> ran,
    boolean asRun,
    List<Raise> raises,
    boolean limited) {

  /** Copies the lists. */
  public LevelAnswers {
    possible = List.copyOf(possible);
    excluded = List.copyOf(excluded);
    ran = List.copyOf(ran);
    raises = List.copyOf(raises);
  }

  /**
   * The level that a transaction ran at.
   *
   * @param assumed whether that was not recorded; then it is the strongest that allows the anomaly
   */
  public record Ran(IsolationLevel level, boolean assumed) {}

  /**
   * What raising one transaction does, while the others stay.
   *
   * @param part its place in the program, from 0 on
   * @param enough the weakest level of it at which no history of the program has such an anomaly,
   *     as far as is known; null if none is known
   * @param allowed the strongest level of it that allows such an anomaly; null if none does
   * @param commits an order of the commits that explains the history of the witness at {@code
   *     allowed}: places in the program; empty if another history has such an anomaly there
   * @param open whether a limit was reached, so that a weaker level than {@code enough} may do
   */
  public record Raise(
      int part,
      @Nullable IsolationLevel enough,
      @Nullable IsolationLevel allowed,
      List<Integer> commits,
      boolean open) {
    /** Copies the list. */
    public Raise {
      commits = List.copyOf(commits);
    }
  }

  /** What a search for such an anomaly in the histories of a program came to. */
  public enum Search {
    FOUND,
    NONE,
    NOT_EXHAUSTED
  }

  /** Looks for an anomaly of the same name in all histories of a program. */
  @FunctionalInterface
  public interface Searcher {
    /**
     * Looks.
     *
     * @param program whose transactions all declare a level
     */
    Search search(Program program) throws InterruptedException;
  }

  /**
   * Whether no level allows it that is as strong as the violated one. Otherwise the program has
   * less than what happened, and what it lacks decides.
   */
  public boolean excludesFrom(IsolationLevel violated) {
    return possible.stream().noneMatch(level -> level.atLeast(violated));
  }

  /** Whether all questions have an answer. */
  public boolean isKnown(WitnessProgram witness) {
    boolean excludes = witness.never() != null || excludesFrom(witness.anomaly().level());
    boolean raised = !asRun || witness.missing().isEmpty();
    return excludes && raised && !limited && raises.stream().noneMatch(Raise::open);
  }

  /**
   * Asks all levels.
   *
   * @param searcher asked where raising one transaction excludes the history of the witness
   */
  public static LevelAnswers of(WitnessProgram witness, Searcher searcher)
      throws InterruptedException {
    List<IsolationLevel> possible = new ArrayList<>();
    List<IsolationLevel> excluded = new ArrayList<>();
    Program program = witness.program();
    boolean limited = false;
    for (IsolationLevel level : IsolationLevel.values()) {
      if (!level.followsRealTime()) {
        limited |= !ask(witness, level, possible, excluded);
      }
    }
    boolean between = !possible.isEmpty() && !excluded.isEmpty() && !witness.readsLists();
    List<Ran> ran = between && !limited ? ran(witness, possible) : List.of();
    Program asTheyRan = at(program, witness, ran);
    List<Raise> raises = new ArrayList<>();
    boolean asRun = false;
    try {
      asRun = !ran.isEmpty() && commits(witness, asTheyRan) != null;
      // What the program lacks may decide whether raising one is enough.
      boolean whole = witness.missing().isEmpty();
      for (int part = 0; asRun && whole && part < ran.size(); part++) {
        raises.add(raise(witness, asTheyRan, part, ran.get(part).level, searcher));
      }
    } catch (SearchLimitException e) {
      return new LevelAnswers(possible, excluded, List.of(), false, List.of(), true);
    }
    return new LevelAnswers(possible, excluded, ran, asRun, raises, limited);
  }

  /** Asks one level; returns whether that was found out. */
  private static boolean ask(
      WitnessProgram witness,
      IsolationLevel level,
      List<IsolationLevel> possible,
      List<IsolationLevel> excluded) {
    if (witness.readsLists()) {
      return byDefinition(witness, level, possible, excluded);
    }
    Optional<ExploredHistory> history = witness.history(witness.program());
    try {
      boolean allowed = history.isPresent() && history.get().satisfies(level);
      (allowed ? possible : excluded).add(level);
      return true;
    } catch (SearchLimitException e) {
      return false;
    }
  }

  /** What lists show is no part of a program, but the judge knows it. */
  private static boolean byDefinition(
      WitnessProgram witness,
      IsolationLevel level,
      List<IsolationLevel> possible,
      List<IsolationLevel> excluded) {
    Judgement judged =
        new Judge(level, CheckerConfig.NEVER_COMPARED).judge(witness.anomaly().capsule());
    if (judged instanceof Judgement.Accepted) {
      possible.add(level);
    } else if (judged instanceof Judgement.Violated) {
      excluded.add(level);
    } else {
      return false;
    }
    return true;
  }

  private static List<Ran> ran(WitnessProgram witness, List<IsolationLevel> possible) {
    CheckerConfig config = CheckerConfig.forLive("explore");
    IsolationLevel strongest = possible.get(possible.size() - 1);
    return witness.parts().stream()
        .map(part -> config.givenBy(part.of().ranAt()))
        .map(
            given ->
                given == null
                    ? new Ran(strongest, true)
                    : new Ran(given.weakerOf(IsolationLevel.SERIALIZABLE), false))
        .toList();
  }

  private static Program at(Program program, WitnessProgram witness, List<Ran> ran) {
    Program declared = program;
    for (int i = 0; i < ran.size(); i++) {
      declared = declared.withLevel(witness.parts().get(i).kind(), ran.get(i).level);
    }
    return declared;
  }

  /**
   * An order of the commits that explains the history of the witness; null if there is none. Every
   * transaction declares a level, so that none runs at the one that is asked for.
   */
  private static @Nullable List<Integer> commits(WitnessProgram witness, Program declared) {
    Optional<ExploredHistory> history = witness.history(declared);
    int @Nullable [] order =
        history.isEmpty() ? null : history.get().order(IsolationLevel.weakest());
    return order == null
        ? null
        : Arrays.stream(order).filter(event -> event < 0).map(event -> -event - 1).boxed().toList();
  }

  private static Raise raise(
      WitnessProgram witness, Program asTheyRan, int part, IsolationLevel from, Searcher searcher)
      throws InterruptedException {
    String kind = witness.parts().get(part).kind();
    IsolationLevel allowed = null;
    List<Integer> commits = List.of();
    boolean open = false;
    for (IsolationLevel level = from; level != IsolationLevel.SERIALIZABLE; ) {
      level = level.nextStronger();
      Program raised = asTheyRan.withLevel(kind, level);
      List<Integer> order = commits(witness, raised);
      Search search = order == null ? searcher.search(raised) : Search.FOUND;
      if (search == Search.NONE) {
        return new Raise(part, level, allowed, commits, open);
      }
      open |= search == Search.NOT_EXHAUSTED;
      if (search == Search.FOUND) {
        allowed = level;
        commits = order == null ? List.of() : order;
      }
    }
    return new Raise(part, null, allowed, commits, open);
  }
}
