package io.isotail.incremental.certificate;

import io.isotail.incremental.record.Operations;
import io.isotail.incremental.window.IdentityWriter;
import io.isotail.incremental.window.Transaction;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.ints.IntArrays;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What is saved of the transactions of a list, once more: in columns, so that a save copies it
 * without a look at each. Rows lie where there is room.
 */
final class PlacedRows {
  private final IntArrayList free = new IntArrayList();
  private @Nullable Transaction[] transactions = new Transaction[16];
  private @Nullable Operations[] operations = new Operations[16];
  private long[] begins = new long[16];
  private long[] commits = new long[16];

  /** How many were added before each; in the lowest bit, whether reads count that are left out. */
  private long[] turns = new long[16];

  private int end;
  private long added;

  /** Adds one, whose numbers stay what they are until it is taken out. */
  void add(Placed placed) {
    if (free.isEmpty()) {
      if (end == begins.length) {
        grow(2 * end);
      }
      free.push(end++);
    }
    int row = free.popInt();
    placed.row = row;
    transactions[row] = placed.transaction;
    begins[row] = placed.begin;
    commits[row] = placed.commit;
    turns[row] = 2 * added++;
    changed(placed);
  }

  /** Its operations, or what its transaction leaves out, are others. */
  void changed(Placed placed) {
    operations[placed.row] = placed.transaction.operations;
    turns[placed.row] = (turns[placed.row] & ~1) | (placed.readsAll() ? 1 : 0);
  }

  void remove(Placed placed) {
    transactions[placed.row] = null;
    operations[placed.row] = null;
    free.push(placed.row);
  }

  private void grow(int capacity) {
    transactions = Arrays.copyOf(transactions, capacity);
    operations = Arrays.copyOf(operations, capacity);
    begins = Arrays.copyOf(begins, capacity);
    commits = Arrays.copyOf(commits, capacity);
    turns = Arrays.copyOf(turns, capacity);
  }

  /** The rows as they are. */
  PlacedRows copy() {
    PlacedRows copy = new PlacedRows();
    copy.transactions = Arrays.copyOf(transactions, end);
    copy.operations = Arrays.copyOf(operations, end);
    copy.begins = Arrays.copyOf(begins, end);
    copy.commits = Arrays.copyOf(commits, end);
    copy.turns = Arrays.copyOf(turns, end);
    copy.end = end;
    return copy;
  }

  /**
   * Writes a copy.
   *
   * @param kept whether they stand in the order in which they were added, and have left the window
   * @param before a number that the first one is close to
   * @return the number that the next one is close to
   */
  long write(IdentityWriter to, boolean kept, long before) {
    IntArrayList rows = new IntArrayList(end);
    for (int row = 0; row < end; row++) {
      if (transactions[row] != null) {
        rows.add(row);
      }
    }
    IntArrays.quickSort(
        rows.elements(),
        0,
        rows.size(),
        (a, b) ->
            kept || commits[a] == commits[b]
                ? Long.compare(turns[a], turns[b])
                : Long.compare(commits[a], commits[b]));
    long last = before;
    for (int row : rows) {
      to.transaction(transactions[row]);
      to.out.number(commits[row] - last);
      to.out.number(commits[row] - begins[row]);
      last = commits[row];
      if (kept) {
        to.operations(operations[row]);
      } else {
        to.out.flag((turns[row] & 1) != 0);
      }
    }
    return last;
  }
}
