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
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Executions that are to run beside each other, with what they do to rows that several of them
 * touch and one of them changes. The rest can run at any moment, and is left out.
 *
 * <p>An <em>item</em> is a column of a row that one of them changes, or what is left of the row
 * where one makes or removes it: who reads the price of a row depends on nobody who changes its
 * stock. Locks are on rows.
 *
 * <p>Rows that an execution makes without having looked for them are its own: another execution of
 * the same statements would make others. Columns that a transaction looks at again in the condition
 * of a write count as not read before.
 */
final class Meeting {
  /** In place of a column: that the row is there, and all columns that nobody changes alone. */
  private static final String REST = "";

  /**
   * What a step does to an item.
   *
   * @param item number of the item; -1 if only a lock on the row counts
   * @param row number of the row
   * @param column of the item; empty for the row as a whole, or where no other one is changed
   * @param step the step that it belongs to
   * @param touch what it does
   * @param guessed whether it is not known that it does
   */
  record Action(int item, int row, String column, Step step, Touch touch, boolean guessed) {
    /** Name of the item, null if it has none. */
    @Nullable String name() {
      String name = touch.name();
      return name == null || column.isEmpty() ? name : name + "." + column;
    }

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
   * @param steps for each statement what it does to shared rows; none is empty
   */
  record Part(Execution of, Behaviour behaviour, List<List<Action>> steps) {
    Part {
      steps = List.copyOf(steps);
    }
  }

  private final List<Part> parts;
  private final int items;
  private final int rows;

  private Meeting(List<Part> parts, int items, int rows) {
    this.parts = parts;
    this.items = items;
    this.rows = rows;
  }

  List<Part> parts() {
    return parts;
  }

  /** Number of items. */
  int items() {
    return items;
  }

  /** Number of rows. */
  int rows() {
    return rows;
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
      Execution of = executions.get(i);
      parts.add(new Part(of, of.behaviour(), steps(of.steps(), all.get(i))));
    }
    return new Meeting(parts, items, number);
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
    final List<Action> actions = new ArrayList<>();

    /** Columns that the transaction looks at again when it writes the row. */
    Set<String> except = Set.of();

    /** Which of the columns that somebody changes it changes, or may show. */
    Set<String> columns = Set.of();

    Placed(long row, Step step, Touch touch, boolean guessed) {
      this.guessed = guessed;
      this.row = row;
      this.step = step;
      this.touch = touch;
    }

    /** Whether it changes the whole row. */
    boolean isWhole() {
      return !touch.isRead() && (touch.kind() != Touch.Kind.WRITE || step.facts().setsAll());
    }

    /** Somebody changes these columns. */
    void changed(Set<String> changed) {
      StatementFacts facts = step.facts();
      Set<String> own = new HashSet<>(changed);
      if (touch.isRead()) {
        own.removeIf(column -> !column.equals(REST) && !facts.mayShow(column));
        own.removeAll(except);
      } else if (!isWhole()) {
        own.retainAll(facts.sets());
      }
      columns = own;
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

  /** Numbers the items of a row that several touch. */
  private static int number(List<List<Placed>> byExecution, int row, int firstItem) {
    List<Placed> all = byExecution.stream().flatMap(List::stream).toList();
    boolean several = byExecution.stream().filter(placed -> !placed.isEmpty()).count() > 1;
    if (!several || all.stream().allMatch(placed -> placed.touch.isRead() && !locks(placed))) {
      return firstItem;
    }
    Set<String> changed = new TreeSet<>();
    for (Placed placed : all) {
      if (placed.isWhole()) {
        changed.add(REST);
      } else if (!placed.touch.isRead()) {
        changed.addAll(placed.step.facts().sets());
      }
    }
    all.forEach(placed -> placed.changed(changed));
    int items = firstItem;
    for (String column : changed) {
      if (isShared(byExecution, column)) {
        for (Placed placed : all) {
          if (placed.columns.contains(column)) {
            String told = changed.size() > 1 && !column.equals(REST) ? column : "";
            placed.actions.add(
                new Action(items, row, told, placed.step, placed.touch, placed.guessed));
          }
        }
        items++;
      }
    }
    for (Placed placed : all) {
      if (placed.actions.isEmpty() && locks(placed)) {
        placed.actions.add(new Action(-1, row, "", placed.step, placed.touch, placed.guessed));
      }
    }
    return items;
  }

  private static boolean locks(Placed placed) {
    return new Action(-1, 0, "", placed.step, placed.touch, false).locks();
  }

  private static boolean isShared(List<List<Placed>> byExecution, String column) {
    int concerned = 0;
    boolean isChanged = false;
    for (List<Placed> own : byExecution) {
      boolean any = false;
      for (Placed placed : own) {
        boolean here = placed.columns.contains(column);
        any |= here;
        isChanged |= here && !placed.touch.isRead();
      }
      concerned += any ? 1 : 0;
    }
    return concerned > 1 && isChanged;
  }

  /** The actions of each statement, in its order. */
  private static List<List<Action>> steps(List<Step> of, List<Placed> all) {
    int[] statement = new int[of.size()];
    for (int i = 1; i < statement.length; i++) {
      statement[i] = of.get(i).isOfStatementOf(of.get(i - 1)) ? statement[i - 1] : i;
    }
    Map<Integer, List<Action>> steps = new TreeMap<>();
    for (Placed placed : all) {
      if (!placed.actions.isEmpty()) {
        steps
            .computeIfAbsent(statement[placed.step.number()], step -> new ArrayList<>())
            .addAll(placed.actions);
      }
    }
    return List.copyOf(steps.values());
  }
}
