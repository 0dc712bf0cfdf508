package io.isotail.incremental.certificate;

import io.isotail.incremental.record.Operations;
import io.isotail.incremental.snapshot.Pages;
import io.isotail.incremental.window.IdentityWriter;
import io.isotail.incremental.window.Transaction;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

/** What a save takes of the transactions of a list. Rows lie where there is room. */
final class PlacedRows {
  private final Pages<Row> rows = new Pages<>();
  private final IntArrayList free = new IntArrayList();
  private int end;
  private long added;

  /**
   * What is saved of one.
   *
   * @param turn how many were added before
   * @param readsAll whether reads count that are left out
   */
  record Row(
      Transaction transaction,
      Operations operations,
      long begin,
      long commit,
      long turn,
      boolean readsAll) {}

  /** Adds one; who gives it other numbers says so by {@link #changed}, or takes it out before. */
  void add(Placed placed) {
    placed.row = free.isEmpty() ? end++ : free.popInt();
    set(placed, added++);
  }

  /** Its numbers, its operations, or what its transaction leaves out, are others. */
  void changed(Placed placed) {
    set(placed, Objects.requireNonNull(rows.get(placed.row)).turn);
  }

  private void set(Placed placed, long turn) {
    Transaction t = placed.transaction;
    rows.set(
        placed.row, new Row(t, t.operations, placed.begin, placed.commit, turn, placed.readsAll()));
  }

  void remove(Placed placed) {
    rows.set(placed.row, null);
    free.push(placed.row);
  }

  /** The rows as they are. */
  List<Row> cut() {
    return rows.cut(0, end);
  }

  /**
   * Writes a cut.
   *
   * @param kept whether they stand in the order in which they were added, and have left the window
   * @param before a number that the first one is close to
   * @return the number that the next one is close to
   */
  static long write(List<Row> cut, IdentityWriter to, boolean kept, long before) {
    List<Row> rows = new ArrayList<>(cut);
    rows.removeIf(Objects::isNull);
    Comparator<Row> byTurn = Comparator.comparingLong(Row::turn);
    rows.sort(kept ? byTurn : Comparator.comparingLong(Row::commit).thenComparing(byTurn));
    long last = before;
    for (Row row : rows) {
      to.transaction(row.transaction);
      to.out.number(row.commit - last);
      to.out.number(row.commit - row.begin);
      last = row.commit;
      if (kept) {
        to.operations(row.operations);
      } else {
        to.out.flag(row.readsAll);
      }
    }
    return last;
  }
}
