package io.isotail.incremental.forecast;

import it.unimi.dsi.fastutil.HashCommon;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Executions that are to run beside each other, with what they do to rows that several of them
 * touch and one of them changes. The rest can run at any moment, and is left out.
 *
 * <p>An <em>item</em> is a row, or those of its columns that have to do with each other: who reads
 * the price of a row depends on nobody who changes its stock. Locks are on rows.
 *
 * <p>Rows that an execution makes without having looked for them are its own: another execution of
 * the same statements would make others. Columns that a transaction looks at again in the condition
 * of a write count as not read before.
 */
final class Meeting {
  /**
   * What a step does to an item.
   *
   * @param item number of the item; -1 if only a lock on the row counts
   * @param row number of the row
   * @param step the step that it belongs to
   * @param touch what it does
   * @param guessed whether it is not known that it does
   */
  record Action(int item, int row, Step step, Touch touch, boolean guessed) {
    /** A row that is not there is not locked. */
    boolean locks() {
      boolean locked = step.facts().lock() != StatementFacts.Lock.NONE;
      return !touch.isRead() || (locked && touch.kind() == Touch.Kind.READ);
    }

    boolean locksShared() {
      return touch.isRead() && step.facts().lock() == StatementFacts.Lock.SHARED;
    }
  }

  /**
   * An execution in the meeting.
   *
   * @param steps for each step what it does to shared rows; none is empty
   */
  record Part(Execution of, Behaviour behaviour, List<List<Action>> steps) {
    Part {
      steps = List.copyOf(steps);
    }
  }

  private final List<Part> parts;
  private final int items;

  private Meeting(List<Part> parts, int items) {
    this.parts = parts;
    this.items = items;
  }

  List<Part> parts() {
    return parts;
  }

  /** Number of items. */
  int items() {
    return items;
  }

  /** Whether each execution has something to do with each other one, and one changes something. */
  boolean isConcerned() {
    return parts.stream().noneMatch(part -> part.steps().isEmpty());
  }

  /**
   * The meeting of executions.
   *
   * @param renamed for each execution the rows that stand for others of its own
   */
  static Meeting of(List<Execution> executions, List<Map<Long, Long>> renamed) {
    List<List<Placed>> all = new ArrayList<>();
    Map<Long, Touch> named = new HashMap<>();
    for (int i = 0; i < executions.size(); i++) {
      Map<Long, Long> rows = new HashMap<>(renamed.get(i));
      for (long row : executions.get(i).ownRows()) {
        rows.put(row, HashCommon.mix(row + i + 1)); // another part makes another one
      }
      all.add(placed(executions.get(i), rows, named));
    }
    for (int i = 0; i < all.size(); i++) {
      addScans(executions.get(i), i, all);
    }
    Map<Long, List<List<Placed>>> rows = new LinkedHashMap<>();
    for (int i = 0; i < all.size(); i++) {
      for (Placed placed : all.get(i)) {
        rows.computeIfAbsent(placed.row, row -> lists(executions.size())).get(i).add(placed);
      }
    }
    int items = 0;
    int number = 0;
    for (List<List<Placed>> row : rows.values()) {
      items = number(row, number++, items);
    }
    List<Part> parts = new ArrayList<>();
    for (int i = 0; i < executions.size(); i++) {
      parts.add(new Part(executions.get(i), executions.get(i).behaviour(), steps(all.get(i))));
    }
    return new Meeting(parts, items);
  }

  private static List<List<Placed>> lists(int count) {
    List<List<Placed>> lists = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      lists.add(new ArrayList<>());
    }
    return lists;
  }

  /** A touch on a row, before it is known which item of it is concerned. */
  private static final class Placed {
    final long row;
    final Step step;
    final Touch touch;
    final boolean guessed;
    @Nullable Action action;
    int item = -1;

    /** Columns that the transaction looks at again when it writes the row. */
    Set<String> except = Set.of();

    Placed(long row, Step step, Touch touch, boolean guessed) {
      this.guessed = guessed;
      this.row = row;
      this.step = step;
      this.touch = touch;
    }

    boolean mayConcern(Placed other) {
      if (touch.isRead()) {
        return !other.touch.isRead() && step.facts().mayShow(facts(other), except);
      }
      return other.touch.isRead()
          ? other.step.facts().mayShow(facts(this), other.except)
          : facts(this).mayOverwrite(facts(other));
    }

    private static StatementFacts facts(Placed write) {
      boolean whole = write.touch.kind() != Touch.Kind.WRITE;
      return whole ? StatementFacts.NONE : write.step.facts();
    }
  }

  /**
   * A query whose rows are not known may look at all that others change in its table. So may one
   * whose rows are known at what others insert, if its transaction inserts there itself: it may
   * have looked whether there is such a row.
   */
  private static void addScans(Execution execution, int part, List<List<Placed>> all) {
    for (Step step : execution.steps()) {
      Map<Long, Placed> looked = new LinkedHashMap<>();
      for (int other = 0; other < all.size(); other++) {
        for (Placed write : other == part ? List.<Placed>of() : all.get(other)) {
          boolean absent = write.touch.kind() == Touch.Kind.INSERT;
          if (step.scans(write.step.statement())
              ? !write.touch.isRead()
              : absent && step.looksFor(write.step.statement(), execution)) {
            Touch.Kind kind = absent ? Touch.Kind.READ_ABSENT : Touch.Kind.READ;
            Touch touch = new Touch(kind, write.row, write.touch.name());
            looked.putIfAbsent(write.row, new Placed(write.row, step, touch, true));
          }
        }
      }
      all.get(part).addAll(looked.values());
    }
  }

  private static List<Placed> placed(
      Execution execution, Map<Long, Long> rows, Map<Long, Touch> named) {
    List<Placed> all = new ArrayList<>();
    for (Step step : execution.steps()) {
      for (Touch touch : step.touches()) {
        long row = rows.getOrDefault(touch.key(), touch.key());
        Touch first = named.computeIfAbsent(row, r -> touch);
        all.add(new Placed(row, step, new Touch(touch.kind(), row, first.name()), false));
      }
    }
    for (Placed read : all) {
      if (read.touch.isRead()) {
        read.except = lookedAtAgain(read, all);
      }
    }
    all.removeIf(read -> isLockedLater(read, all));
    return all;
  }

  /**
   * Whether a plain read is made again under a lock before anything is written: the transaction
   * goes by what it sees then.
   */
  private static boolean isLockedLater(Placed read, List<Placed> all) {
    return read.touch.isRead()
        && !locks(read)
        && all.stream()
            .anyMatch(
                later ->
                    later.row == read.row
                        && later.step.number() > read.step.number()
                        && later.touch.isRead()
                        && locks(later)
                        && !isWrittenBetween(read, later, all));
  }

  private static boolean isWrittenBetween(Placed read, Placed later, List<Placed> all) {
    return all.stream()
        .anyMatch(
            write ->
                !write.touch.isRead()
                    && write.step.number() > read.step.number()
                    && write.step.number() < later.step.number());
  }

  private static Set<String> lookedAtAgain(Placed read, List<Placed> all) {
    Set<String> columns = new HashSet<>();
    for (Placed write : all) {
      if (write.row == read.row
          && write.step.number() > read.step.number()
          && !write.touch.isRead()) {
        columns.addAll(write.step.facts().rechecks());
      }
    }
    return columns;
  }

  /** Numbers what several do to a row, by the columns that have to do with each other. */
  private static int number(List<List<Placed>> byExecution, int row, int firstItem) {
    List<Placed> all = byExecution.stream().flatMap(List::stream).toList();
    boolean several = byExecution.stream().filter(placed -> !placed.isEmpty()).count() > 1;
    if (!several || all.stream().allMatch(placed -> placed.touch.isRead() && !locks(placed))) {
      return firstItem;
    }
    int items = firstItem;
    for (Placed placed : all) {
      if (placed.item < 0) {
        spread(placed, all, items++);
      }
    }
    for (int item = firstItem; item < items; item++) {
      boolean shared = isShared(byExecution, item);
      for (Placed placed : all) {
        if (placed.item == item && (shared || locks(placed))) {
          placed.action =
              new Action(shared ? item : -1, row, placed.step, placed.touch, placed.guessed);
        }
      }
    }
    return items;
  }

  private static boolean locks(Placed placed) {
    return new Action(-1, 0, placed.step, placed.touch, false).locks();
  }

  private static void spread(Placed from, List<Placed> all, int item) {
    from.item = item;
    for (Placed other : all) {
      if (other.item < 0 && from.mayConcern(other)) {
        spread(other, all, item);
      }
    }
  }

  private static boolean isShared(List<List<Placed>> byExecution, int item) {
    long concerned =
        byExecution.stream().filter(e -> e.stream().anyMatch(p -> p.item == item)).count();
    boolean changed =
        byExecution.stream()
            .flatMap(List::stream)
            .anyMatch(p -> p.item == item && !p.touch.isRead());
    return concerned > 1 && changed;
  }

  private static List<List<Action>> steps(List<Placed> all) {
    Map<Integer, List<Action>> steps = new TreeMap<>();
    for (Placed placed : all) {
      Action action = placed.action;
      if (action != null) {
        steps.computeIfAbsent(placed.step.number(), step -> new ArrayList<>()).add(action);
      }
    }
    return List.copyOf(steps.values());
  }
}
