package io.isotail.incremental.explore.verdict;

import io.isotail.incremental.explore.Program;
import io.isotail.incremental.level.IsolationLevel;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Whether it is enough to raise the level of one kind of transaction: which one each needs while
 * the others stay.
 *
 * <p>A stronger level of one transaction allows no more histories, so that the first level at which
 * the assertions hold, from weak to strong, is the weakest one.
 *
 * <p>Final reads are no part of what is raised. They run at serializable unless the program
 * declares another level, and so read what is left in the end.
 *
 * @param base with nothing raised
 * @param needs of each kind in the order of the program; empty if the assertions hold at the base
 */
public record Raising(AssertionVerdict base, List<Need> needs) {
  /** Copies the list. */
  public Raising {
    needs = List.copyOf(needs);
  }

  /**
   * One kind of transaction at one level.
   *
   * @param level that it was raised to
   * @param verdict what came out, of which the level is that of the others
   */
  public record Tried(IsolationLevel level, AssertionVerdict verdict) {}

  /**
   * What one kind of transaction needs.
   *
   * @param kind {@link Program.Transaction#kind()}
   * @param tried the levels from weak to strong, up to the first at which all assertions hold;
   *     serializable alone, with the verdict of the base, if it runs at that
   */
  public record Need(String kind, List<Tried> tried) {
    /** Copies the list. */
    public Need {
      tried = List.copyOf(tried);
    }

    /** The weakest level at which all assertions are known to hold; none if there is none. */
    public Optional<IsolationLevel> enough() {
      return tried.stream().filter(one -> one.verdict().hold()).map(Tried::level).findFirst();
    }

    /** Whether each weaker level was seen to fail, so that the answer is exact. */
    public boolean exact() {
      return !tried.isEmpty()
          && tried.stream().allMatch(one -> one.verdict().hold() || one.verdict().fail());
    }
  }

  /**
   * What explores a program.
   *
   * @param <E> what it may throw
   */
  @FunctionalInterface
  public interface Explorer<E extends Exception> {
    /**
     * Explores until the first assertion fails, or more.
     *
     * @param others the level of the transactions that declare none
     */
    AssertionVerdict explore(Program program, IsolationLevel others) throws E;
  }

  /**
   * Raises each kind of transaction, one at a time.
   *
   * @param others the level of the transactions that declare none; declared ones keep theirs
   */
  public static <E extends Exception> Raising of(
      Program program, IsolationLevel others, Explorer<E> explorer) throws E {
    Program observed =
        program.last() == null || program.declaredLevels().containsKey(Program.FINAL)
            ? program
            : program.withLevel(Program.FINAL, IsolationLevel.SERIALIZABLE);
    AssertionVerdict base = explorer.explore(observed, others);
    List<Need> needs = new ArrayList<>();
    for (String kind : program.kinds()) {
      if (!base.hold() && !kind.equals(Program.FINAL)) {
        needs.add(need(observed, base, kind, explorer));
      }
    }
    return new Raising(base, needs);
  }

  /** The weakest level that a transaction of a kind runs at: it is raised from there. */
  private static IsolationLevel weakest(Program program, String kind, IsolationLevel others) {
    IsolationLevel weakest = others;
    for (IsolationLevel declared : program.declaredLevels().getOrDefault(kind, Set.of())) {
      weakest = weakest.atLeast(declared) ? declared : weakest;
    }
    return weakest;
  }

  private static <E extends Exception> Need need(
      Program program, AssertionVerdict base, String kind, Explorer<E> explorer) throws E {
    IsolationLevel others = base.level();
    List<Tried> tried = new ArrayList<>();
    IsolationLevel level = weakest(program, kind, others);
    if (level == IsolationLevel.SERIALIZABLE) {
      // It runs at the strongest level already: what is known of it is what is known of the base.
      tried.add(new Tried(level, base));
    }
    boolean enough = false;
    while (!enough && level != IsolationLevel.SERIALIZABLE) {
      level = level.nextStronger();
      AssertionVerdict verdict = explorer.explore(program.raised(kind, level, others), others);
      tried.add(new Tried(level, verdict));
      enough = verdict.hold();
    }
    return new Need(kind, tried);
  }
}
