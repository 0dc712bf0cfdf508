package io.isotail.monitor.explore.witness;

import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.explore.ExploredHistory;
import io.isotail.incremental.explore.Program;
import io.isotail.incremental.explore.SearchLimitException;
import io.isotail.incremental.judge.Judge;
import io.isotail.incremental.judge.Judgement;
import io.isotail.incremental.level.IsolationLevel;
import java.util.ArrayList;
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
 * @param asRunBySnapshots whether they do where serializable is no more than snapshot isolation
 *     beside transactions at weaker levels, as PostgreSQL documents
 * @param raises what raising each transaction of the code alone does; empty where those levels
 *     exclude it
 * @param limited whether a search for an order of the commits was given up: a level that is neither
 *     possible nor excluded is not known, and raising is not asked
 */
public record LevelAnswers(
    List<IsolationLevel> possible,
    List<IsolationLevel> excluded,
    List<Ran> ran,
    boolean asRun,
    boolean asRunBySnapshots,
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
   * @param assumed whether none that is known was recorded; then it is the strongest with which all
   *     together allow the anomaly
   */
  public record Ran(IsolationLevel level, boolean assumed) {}

  /**
   * What a search in the histories of a program came to.
   *
   * @param found the anomaly of a history that violates what the anomaly violated; null if none was
   *     found
   * @param exhausted whether all histories were seen
   */
  public record Search(Raise.@Nullable Found found, boolean exhausted) {
    /** No history violates it. */
    public static final Search NONE = new Search(null, true);

    /** Not found within the limits. */
    public static final Search NOT_EXHAUSTED = new Search(null, false);
  }

  /** Looks in all histories of a program for one that violates the level the anomaly violated. */
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
   * @param searcher asked where raising one transaction of the code excludes the history of the
   *     witness
   */
  public static LevelAnswers of(WitnessProgram witness, Searcher searcher)
      throws InterruptedException {
    List<IsolationLevel> possible = new ArrayList<>();
    List<IsolationLevel> excluded = new ArrayList<>();
    boolean limited = false;
    for (IsolationLevel level : IsolationLevel.values()) {
      if (!level.followsRealTime()) {
        limited |= !ask(witness, level, possible, excluded);
      }
    }
    boolean between = !possible.isEmpty() && !excluded.isEmpty() && !witness.readsLists();
    RanLevels ran = RanLevels.NONE;
    List<Raise> raises = new ArrayList<>();
    try {
      ran = between && !limited ? RanLevels.of(witness, possible) : ran;
      // What the program lacks may decide whether raising one is enough.
      if (ran.allow() && witness.missing().isEmpty()) {
        for (CodeGroup group : witness.groups()) {
          raises.add(raise(witness, ran, group, searcher));
        }
      }
    } catch (SearchLimitException e) {
      ran = RanLevels.NONE;
      raises.clear();
      limited = true;
    }
    return new LevelAnswers(
        possible, excluded, ran.levels(), ran.allow(), ran.snapshotsAllow(), raises, limited);
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

  private static Raise raise(
      WitnessProgram witness, RanLevels ran, CodeGroup group, Searcher searcher)
      throws InterruptedException {
    Program asTheyRan = ran.program(witness);
    IsolationLevel allowed = null;
    List<Integer> commits = List.of();
    Raise.Found found = null;
    boolean open = false;
    for (IsolationLevel level = ran.weakest(group); level != IsolationLevel.SERIALIZABLE; ) {
      level = level.nextStronger();
      Program raised = asTheyRan;
      for (int part : group.parts()) {
        raised = raised.raised(witness.parts().get(part).kind(), level, level);
      }
      List<Integer> order = RanLevels.commits(witness, raised);
      Search search = order == null ? searcher.search(raised) : null;
      if (search == null || search.found() != null) {
        allowed = level;
        commits = order == null ? List.of() : order;
        found = search == null ? null : search.found();
      } else if (search.exhausted()) {
        return new Raise(group, level, allowed, commits, found, open);
      } else {
        open = true;
      }
    }
    return new Raise(group, null, allowed, commits, found, open);
  }
}
