package io.isotail.incremental.polygraph;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.objects.Reference2ObjectOpenHashMap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.sat4j.core.VecInt;
import org.sat4j.minisat.SolverFactory;
import org.sat4j.specs.ContradictionException;
import org.sat4j.specs.ISolver;
import org.sat4j.specs.IVecInt;
import org.sat4j.specs.TimeoutException;

/**
 * Finds choices that avoid all cycles that have been found: those made so far but for one, where
 * that will do, else those that a SAT solver finds.
 */
final class ChoiceSolver {
  /** What is known of the choices. */
  enum Answer {
    /** There are some that avoid the cycles; they have been made. */
    POSSIBLE,
    /** There are none. */
    IMPOSSIBLE,
    /** The solver gave up. */
    UNKNOWN
  }

  /** With more clauses flips lead astray; a solver learns. */
  private static final int MOST_FLIPS = 8;

  private final int maxConflicts;

  /** Null as long as it is not needed. */
  private @Nullable ISolver solver;

  private final List<Choice> choices = new ArrayList<>();
  private final Map<TransactionNode, Map<TransactionNode, Choice>> byPair =
      new Reference2ObjectOpenHashMap<>();
  private final List<List<Dependency>> cycles = new ArrayList<>();

  /** What each cycle says of the choices. */
  private final List<int[]> clauses = new ArrayList<>();

  ChoiceSolver(int maxConflicts) {
    this.maxConflicts = maxConflicts;
  }

  private ISolver newSolver() {
    ISolver made = SolverFactory.newDefault();
    made.setTimeoutOnConflicts(maxConflicts);
    return made;
  }

  /** Every choice that a cycle rests on. */
  List<Choice> choices() {
    return choices;
  }

  /** Number of cycles found. */
  int cycles() {
    return cycles.size();
  }

  /**
   * Forbids the choices that a cycle rests on, together, and makes others.
   *
   * @param isLast whether nothing more may be tried
   */
  Answer forbid(List<Dependency> cycle, boolean isLast) {
    cycles.add(cycle);
    int[] clause = clauseOf(cycle);
    clauses.add(clause);
    if (clause.length == 0) {
      return Answer.IMPOSSIBLE;
    }
    if (isLast) {
      return Answer.UNKNOWN;
    }
    if (solver == null && clauses.size() <= MOST_FLIPS && flipsOne(clause)) {
      return Answer.POSSIBLE;
    }
    try {
      ISolver asked = solver();
      asked.addClause(new VecInt(clause));
      if (!asked.isSatisfiable()) {
        return Answer.IMPOSSIBLE;
      }
      for (Choice choice : choices) {
        choice.flipped = asked.model(choice.variable);
      }
      return Answer.POSSIBLE;
    } catch (ContradictionException e) {
      return Answer.IMPOSSIBLE;
    } catch (TimeoutException e) {
      return Answer.UNKNOWN;
    }
  }

  /** The solver, with every clause but the last. */
  private ISolver solver() throws ContradictionException {
    if (solver == null) {
      solver = newSolver();
      for (int[] clause : clauses.subList(0, clauses.size() - 1)) {
        solver.addClause(new VecInt(clause));
      }
    }
    return solver;
  }

  /**
   * Flips one choice of a clause, if no other clause rests on it: that of the writers whose commits
   * are told to be nearest in time, since it is the guess most likely to be wrong.
   */
  private boolean flipsOne(int[] clause) {
    Choice best = null;
    for (int literal : clause) {
      Choice choice = choices.get(Math.abs(literal) - 1);
      if (choice.flipped == (literal > 0)) {
        return true;
      }
      if ((best == null || choice.gap() < best.gap()) && mayFlip(choice)) {
        best = choice;
      }
    }
    if (best == null) {
      return false;
    }
    best.flipped = !best.flipped;
    return true;
  }

  /** Whether every clause holds when this choice is flipped, the last one apart. */
  private boolean mayFlip(Choice flipped) {
    for (int[] clause : clauses.subList(0, clauses.size() - 1)) {
      boolean holds = false;
      for (int literal : clause) {
        Choice choice = choices.get(Math.abs(literal) - 1);
        holds |= choice != flipped && choice.flipped == (literal > 0);
      }
      if (!holds && contains(clause, flipped)) {
        return false;
      }
    }
    return true;
  }

  private static boolean contains(int[] clause, Choice choice) {
    for (int literal : clause) {
      if (Math.abs(literal) == choice.variable) {
        return true;
      }
    }
    return false;
  }

  /**
   * Cycles that leave no choice, of which none can be spared; all of them if that is not found. The
   * cycle that was found last is one of them: without it there was a choice.
   */
  List<List<Dependency>> core() {
    int last = cycles.size() - 1;
    if (clauses.get(last).length == 0) {
      return List.of(cycles.get(last));
    }
    try {
      return least(marked()).intStream().mapToObj(i -> cycles.get(i)).toList();
    } catch (ContradictionException | TimeoutException e) {
      return List.copyOf(cycles);
    }
  }

  /** A solver in which each clause counts only if its mark is assumed. */
  private ISolver marked() throws ContradictionException {
    ISolver marked = newSolver();
    marked.newVar(choices.size() + clauses.size());
    for (int i = 0; i < clauses.size(); i++) {
      int[] clause = clauses.get(i);
      int[] withMark = Arrays.copyOf(clause, clause.length + 1);
      withMark[clause.length] = -mark(i);
      marked.addClause(new VecInt(withMark));
    }
    return marked;
  }

  private int mark(int clause) {
    return choices.size() + clause + 1;
  }

  /** Clauses that cannot hold together, of which none can be spared, in the order found. */
  private IntArrayList least(ISolver marked) throws TimeoutException {
    IntArrayList core = new IntArrayList();
    for (int i = 0; i < clauses.size(); i++) {
      core.add(i);
    }
    if (marked.isSatisfiable(marks(core))) {
      throw new TimeoutException("the clauses have become satisfiable");
    }
    core = explained(marked);
    for (int i = core.size() - 1; i >= 0; i--) {
      int spared = core.removeInt(i);
      if (marked.isSatisfiable(marks(core))) {
        core.add(i, spared);
      }
    }
    return core;
  }

  /** The clauses that the last answer rests on. */
  private IntArrayList explained(ISolver marked) {
    IntArrayList rests = new IntArrayList();
    IVecInt assumptions = marked.unsatExplanation();
    for (int i = 0; i < assumptions.size(); i++) {
      rests.add(assumptions.get(i) - choices.size() - 1);
    }
    rests.sort(null);
    return rests;
  }

  private VecInt marks(IntArrayList of) {
    return new VecInt(of.intStream().map(this::mark).toArray());
  }

  private int[] clauseOf(List<Dependency> cycle) {
    IntArrayList clause = new IntArrayList(4);
    for (Dependency dependency : cycle) {
      TransactionNode first = dependency.chosenFirst();
      if (first != null) {
        clause.add(choice(first, dependency.chosenLater()).notFirst(first));
      }
    }
    return clause.toIntArray();
  }

  private Choice choice(TransactionNode first, TransactionNode later) {
    Map<TransactionNode, Choice> known = byPair.get(later);
    Choice choice = known == null ? null : known.get(first);
    if (choice != null) {
      return choice;
    }
    return byPair
        .computeIfAbsent(first, m -> new HashMap<>())
        .computeIfAbsent(
            later,
            m -> {
              Choice made = new Choice(first, later, choices.size() + 1);
              choices.add(made);
              return made;
            });
  }
}
