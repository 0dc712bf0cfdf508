package io.isotail.incremental.polygraph;

import io.isotail.incremental.anomaly.EdgeKind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Looks for an order of the versions without a cycle, after the guessed one has closed a cycle.
 *
 * <p>For each pair of transactions that write a common key there is a choice which commits first.
 * Every cycle found forbids one combination of the choices that it rests on; a solver picks others,
 * as few as it can easily; what they imply enters the graph, where it may close further cycles. The
 * versions between two that they contradict are ordered anew by the topological order that results.
 * The search ends when everything has entered the graph of the whole window, which proves the
 * level, or when the forbidden combinations leave no choice, which proves the violation. Both are
 * final whatever was guessed.
 */
final class VersionSearch {
  /** About what a conflict costs the solver. */
  private static final int STEPS_PER_CONFLICT = 100;

  /** So many dependencies in a row along a session are told one by one. */
  private static final int LONG_SESSION = 16;

  private static final Comparator<VersionSlot> BY_COMMIT =
      Comparator.comparingLong(slot -> slot.owner().commit.position);

  private final EventGraph graph;
  private final Removal removal;
  private final @Nullable RealTime realTime;
  private final SearchBudget budget;
  private final SearchAccount account;
  private final ChoiceSolver solver;
  private final long visitsBefore;
  private final long allowance;

  /** Choices that the solver was asked for, and versions that changed their places. */
  private long otherSteps;

  /** The neighbouring versions of each key whose order is open now. */
  private final Map<KeyVersions, Range> detached = new LinkedHashMap<>();

  /** How neighbouring versions stood before each change of their order. */
  private final List<List<VersionSlot>> ordersBefore = new ArrayList<>();

  /** From one version to another, both included. */
  private record Range(VersionSlot first, VersionSlot last) {

    /** The least that covers both. */
    Range and(Range other) {
      return new Range(
          other.first.isBefore(first) ? other.first : first,
          last.isBefore(other.last) ? other.last : last);
    }

    List<VersionSlot> slots() {
      return first.key.between(first, last);
    }
  }

  VersionSearch(
      EventGraph graph,
      Removal removal,
      @Nullable RealTime realTime,
      SearchBudget budget,
      SearchAccount account) {
    this.graph = graph;
    this.removal = removal;
    this.realTime = realTime;
    this.budget = budget;
    this.account = account;
    this.visitsBefore = graph.order.visited();
    this.allowance = account.allowance();
    this.solver =
        new ChoiceSolver(
            (int) Math.min(budget.conflicts(), 1 + Math.max(0, allowance) / STEPS_PER_CONFLICT));
  }

  /**
   * Goes on after what was to enter the graph closed a cycle.
   *
   * @param newest the transaction that was just added; without it there was no cycle
   * @return null if an order was found, and is now that of the graph; else why not, and the
   *     transaction is no longer part of the graph
   */
  @Nullable Conflict resolve(TransactionNode newest, ClosedCycle closed) {
    Conflict conflict = search(newest, closed);
    account.searched(steps());
    return conflict;
  }

  private long visits() {
    return graph.order.visited() - visitsBefore;
  }

  private long steps() {
    return visits() + otherSteps;
  }

  private boolean isSpent() {
    return solver.cycles() > budget.cycles() || visits() > budget.visits() || steps() > allowance;
  }

  private @Nullable Conflict search(TransactionNode newest, ClosedCycle first) {
    ClosedCycle closed = first;
    while (true) {
      graph.edges.wantAgain(closed.closing());
      List<Dependency> cycle = shortened(closed.path(), closed.closing());
      ChoiceSolver.Answer answer = solver.forbid(cycle, isSpent());
      otherSteps += solver.choices().size();
      if (answer == ChoiceSolver.Answer.POSSIBLE && isSpent()) {
        answer = ChoiceSolver.Answer.UNKNOWN;
      }
      if (answer != ChoiceSolver.Answer.POSSIBLE) {
        Conflict conflict =
            new Conflict(answer == ChoiceSolver.Answer.UNKNOWN ? List.of() : solver.core());
        conflict.cycles().forEach(each -> each.forEach(Dependency::rememberReasons));
        restoreWithout(newest);
        return conflict;
      }
      choose();
      closed = graph.enterWanted();
      while (closed == null && !detached.isEmpty()) {
        orderDetached();
        closed = graph.enterWanted();
      }
      if (closed == null) {
        solver.choices().forEach(VersionSearch::release);
        return null;
      }
    }
  }

  /** Puts into force what the solver has chosen, and loosens what contradicts it. */
  private void choose() {
    for (Choice choice : solver.choices()) {
      if (choice.inForce() && choice.forcedFlipped == choice.flipped) {
        continue;
      }
      release(choice);
      choice.forcedFlipped = choice.flipped;
      TransactionNode first = choice.first();
      TransactionNode later = choice.later();
      for (KeyVersions key : commonKeys(first, later)) {
        force(choice, graph.edges.wantOverwriting(first, later, key));
        for (ReadEdge readEdge : slot(first, key).readers()) {
          if (!readEdge.element && readEdge.reader != later) {
            force(choice, graph.edges.wantBehind(readEdge, later));
          }
        }
        if (slot(later, key).isBefore(slot(first, key))) {
          loosen(new Range(slot(later, key), slot(first, key)));
        }
      }
    }
  }

  private void force(Choice choice, Dependency dependency) {
    otherSteps++;
    dependency.forced = true;
    choice.forced.add(dependency);
  }

  private static VersionSlot slot(TransactionNode writer, KeyVersions key) {
    VersionSlot slot = writer.slotOf(key.id);
    if (slot == null) {
      throw new IllegalStateException(writer + " did not write " + key.id);
    }
    return slot;
  }

  private void loosen(Range contradicted) {
    Range range = detached.merge(contradicted.first.key, contradicted, Range::and);
    WantedEdges.detach(range.slots());
  }

  private void orderDetached() {
    for (Range range : detached.values()) {
      List<VersionSlot> before = range.slots();
      List<VersionSlot> order = byCommit(before);
      otherSteps += order.size();
      range.first.key.reorder(before, order);
      ordersBefore.add(before);
      graph.edges.attach(order);
      graph.notes.noteOverwritten(order.get(0).previous);
      order.forEach(graph.notes::noteOverwritten);
    }
    detached.clear();
  }

  /** The versions as the commits of their writers are ordered now. */
  private static List<VersionSlot> byCommit(List<VersionSlot> slots) {
    List<VersionSlot> sorted = new ArrayList<>(slots);
    sorted.sort(BY_COMMIT);
    return sorted;
  }

  /** The keys that both wrote. */
  private static List<KeyVersions> commonKeys(TransactionNode a, TransactionNode b) {
    List<KeyVersions> common = new ArrayList<>(2);
    for (VersionSlot slot : a.writes) {
      if (b.slotOf(slot.key.id) != null) {
        common.add(slot.key);
      }
    }
    return common;
  }

  private static void release(Choice choice) {
    choice.forced.forEach(Dependency::withdraw);
    choice.forced.clear();
  }

  /** Goes back to the orders before {@code newest} came. */
  private void restoreWithout(TransactionNode newest) {
    solver.choices().forEach(VersionSearch::release);
    graph.edges.dropAll();
    List<VersionSlot> loosened = new ArrayList<>();
    for (Range range : detached.values()) {
      loosened.addAll(range.slots());
    }
    for (int i = ordersBefore.size() - 1; i >= 0; i--) {
      List<VersionSlot> order = ordersBefore.get(i);
      List<VersionSlot> now = asTheyStand(order);
      otherSteps += order.size();
      WantedEdges.detach(now);
      now.get(0).key.reorder(now, order);
      loosened.addAll(order);
    }
    removal.exclude(newest);
    loosened.removeIf(slot -> slot.writer == newest);
    graph.edges.attach(loosened);
    graph.enterAll();
  }

  private static List<VersionSlot> asTheyStand(List<VersionSlot> neighbours) {
    List<VersionSlot> now = new ArrayList<>(neighbours);
    now.sort(Comparator.comparingLong(slot -> slot.label));
    return now;
  }

  /**
   * The cycle, with versions of one key that follow one another taken together: fewer choices say
   * the same. Not where both follow from choices in force, which other choices do not loosen, or
   * from none, or where much of the order is known, which may contradict the choices made so far.
   */
  private List<Dependency> shortened(List<Dependency> path, Dependency closing) {
    List<Dependency> cycle = overSessions(withoutPoints(path, closing));
    if (realTime != null) {
      cycle = overTime(cycle, realTime);
    }
    List<Dependency> shorter = new ArrayList<>();
    for (int i = 0; i < cycle.size(); i++) {
      Dependency next = cycle.get(i);
      Event leaves = cycle.get((i + 1) % cycle.size()).from;
      int last = shorter.size() - 1;
      Dependency joined = last < 0 ? null : joined(shorter.get(last), next, leaves);
      if (joined == null) {
        shorter.add(next);
      } else {
        shorter.set(last, joined);
      }
    }
    return shorter;
  }

  /** The cycle, from transaction to transaction where it leads over points in time. */
  private static List<Dependency> withoutPoints(List<Dependency> path, Dependency closing) {
    List<Dependency> cycle = new ArrayList<>(path);
    cycle.add(closing);
    int start = 0;
    while (cycle.get(start).from.node == null) {
      start++;
    }
    Collections.rotate(cycle, -start);
    List<Dependency> between = new ArrayList<>();
    Event from = cycle.get(0).from;
    for (Dependency dependency : cycle) {
      if (dependency.from.node != null) {
        from = dependency.from;
      }
      if (dependency.to.node == null) {
        continue;
      }
      between.add(
          dependency.from == from
              ? dependency
              : new Dependency(from, dependency.to, EdgeKind.RT, null, null));
    }
    return between;
  }

  /** The cycle with one dependency in place of very many in a row that lead along one session. */
  private static List<Dependency> overSessions(List<Dependency> cycle) {
    List<Dependency> shorter = new ArrayList<>();
    int i = 0;
    while (i < cycle.size()) {
      Dependency first = cycle.get(i);
      int last = i;
      while (first.kind == EdgeKind.SO
          && last + 1 < cycle.size()
          && cycle.get(last + 1).kind == EdgeKind.SO) {
        last++;
      }
      if (last - i < LONG_SESSION) {
        shorter.addAll(cycle.subList(i, last + 1));
      } else {
        shorter.add(new Dependency(first.from, cycle.get(last).to, EdgeKind.SO, null, null));
      }
      i = last + 1;
    }
    return shorter;
  }

  /** The cycle with one dependency in place of all between two transactions that time orders. */
  private static List<Dependency> overTime(List<Dependency> cycle, RealTime realTime) {
    List<Dependency> shorter = new ArrayList<>();
    int i = 0;
    while (i < cycle.size()) {
      Dependency next = cycle.get(i);
      int last = i;
      for (int j = cycle.size() - 1; j > i && next.kind == EdgeKind.RT && last == i; j--) {
        last = realTime.ordered(next.from.owner(), cycle.get(j).to.owner()) ? j : i;
      }
      shorter.add(
          last == i
              ? next
              : new Dependency(next.from, cycle.get(last).to, EdgeKind.RT, null, null));
      i = last + 1;
    }
    return shorter;
  }

  private static boolean isKnown(@Nullable KeyVersions key) {
    return key != null && (key.lists != null || key.replaced > 0);
  }

  /** One dependency for two, if the cycle goes on at {@code leaves} all the same; or null. */
  private @Nullable Dependency joined(Dependency a, Dependency b, Event leaves) {
    boolean follow =
        b.kind == EdgeKind.WW
            && (a.kind == EdgeKind.WW || a.kind == EdgeKind.RW)
            && a.key == b.key
            && a.to.owner() == b.from.owner()
            && a.from.owner() != b.to.owner()
            && !(a.forced && b.forced)
            && !(a.chosenFirst() == null && b.chosenFirst() == null)
            && !isKnown(a.key);
    if (!follow) {
      return null;
    }
    if (a.kind == EdgeKind.WW) {
      return new Dependency(a.from, b.to, EdgeKind.WW, a.key, null);
    }
    TransactionNode overwriter = b.to.owner();
    boolean fromBegin = leaves == overwriter.begin && leaves != overwriter.commit;
    return fromBegin || overwriter == a.source
        ? null
        : new Dependency(a.from, overwriter.commit, EdgeKind.RW, a.key, a.source);
  }
}
