package io.isotail.incremental.events;

import it.unimi.dsi.fastutil.objects.Reference2ObjectOpenHashMap;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.sat4j.core.VecInt;
import org.sat4j.minisat.SolverFactory;
import org.sat4j.specs.ContradictionException;
import org.sat4j.specs.ISolver;
import org.sat4j.specs.TimeoutException;

/** Finds choices that avoid all cycles that have been found. */
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

  private final ISolver solver;
  private final int maxConflicts;
  private final List<Choice> choices = new ArrayList<>();
  private final Map<Member, Map<Member, Choice>> byPair = new Reference2ObjectOpenHashMap<>();
  private final List<List<Dependency>> cycles = new ArrayList<>();

  ChoiceSolver(int maxConflicts) {
    this.maxConflicts = maxConflicts;
    this.solver = newSolver();
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

  /** Forbids the choices that a cycle rests on, together, and makes others. */
  Answer forbid(List<Dependency> cycle) {
    cycles.add(cycle);
    VecInt clause = clauseOf(cycle);
    if (clause.isEmpty()) {
      return Answer.IMPOSSIBLE;
    }
    try {
      solver.addClause(clause);
      if (!solver.isSatisfiable()) {
        return Answer.IMPOSSIBLE;
      }
      for (Choice choice : choices) {
        choice.flipped = solver.model(choice.variable);
      }
      return Answer.POSSIBLE;
    } catch (ContradictionException e) {
      return Answer.IMPOSSIBLE;
    } catch (TimeoutException e) {
      return Answer.UNKNOWN;
    }
  }

  /** Cycles that leave no choice, of which none can be spared; all of them if that is not found. */
  List<List<Dependency>> core() {
    List<List<Dependency>> core = new ArrayList<>(cycles);
    for (int i = core.size() - 1; i >= 0; i--) {
      List<Dependency> spared = core.remove(i);
      if (possible(core)) {
        core.add(i, spared);
      }
    }
    return core;
  }

  private boolean possible(List<List<Dependency>> some) {
    ISolver fresh = newSolver();
    try {
      for (List<Dependency> cycle : some) {
        VecInt clause = clauseOf(cycle);
        if (clause.isEmpty()) {
          return false;
        }
        fresh.addClause(clause);
      }
      return fresh.isSatisfiable();
    } catch (ContradictionException e) {
      return false;
    } catch (TimeoutException e) {
      return true;
    }
  }

  private VecInt clauseOf(List<Dependency> cycle) {
    VecInt clause = new VecInt();
    for (Dependency dependency : cycle) {
      Member first = dependency.chosenFirst();
      if (first != null) {
        clause.push(choice(first, dependency.chosenLater()).notFirst(first));
      }
    }
    return clause;
  }

  private Choice choice(Member first, Member later) {
    Map<Member, Choice> known = byPair.get(later);
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
