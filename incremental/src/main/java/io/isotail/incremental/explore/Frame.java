package io.isotail.incremental.explore;

import org.jspecify.annotations.Nullable;

/**
 * An ordered history ([1] Section 4): transactions in blocks, of which the last one may be under
 * way. A set of transactions is the bits of a number; transaction 0 wrote what is initial.
 *
 * <p>Invariant: each read follows the block that it reads from, and no block but the last is under
 * way ([1] Section 5). A frame does not change once it is shared or kept.
 */
final class Frame {
  /** Number of blocks, the initial one included. */
  int size;

  /** The transactions in the order of their blocks. */
  final byte[] order;

  /** The place of each transaction in that order. */
  final byte[] place;

  /** The transactions that have begun. */
  int present;

  /** Where each of them stands. */
  final @Nullable Step[] steps;

  /** What each read of a transaction reads from, in the order of its reads. */
  final byte[][] sources;

  /** What happens before each transaction: session order and reads, transitively. */
  final int[] past;

  /** What each transaction must commit after, by the level. Closed under itself. */
  final int[] before;

  /**
   * For each transaction the history before its block, where that is kept: so that what follows is
   * taken back without doing it all again. Null elsewhere.
   */
  final @Nullable Frame[] untilBegin;

  private static final byte[] NO_SOURCES = {};

  /** The history of nothing but the initial transaction, with room for so many more. */
  Frame(int transactions) {
    order = new byte[transactions + 1];
    place = new byte[transactions + 1];
    steps = new Step[transactions + 1];
    sources = new byte[transactions + 1][];
    past = new int[transactions + 1];
    before = new int[transactions + 1];
    untilBegin = new Frame[transactions + 1];
    size = 1;
    present = 1;
    sources[0] = NO_SOURCES;
  }

  /** A copy. */
  Frame(Frame other) {
    order = other.order.clone();
    place = other.place.clone();
    steps = other.steps.clone();
    sources = other.sources.clone();
    past = other.past.clone();
    before = other.before.clone();
    untilBegin = other.untilBegin.clone();
    size = other.size;
    present = other.present;
  }

  static int bit(int transaction) {
    return 1 << transaction;
  }

  /** The transaction of the last block. */
  int last() {
    return order[size - 1];
  }

  /** Where a transaction stands that has begun. */
  Step step(int transaction) {
    Step step = steps[transaction];
    if (step == null) {
      throw new IllegalStateException("transaction " + transaction + " has not begun");
    }
    return step;
  }

  /** Adds a block of a transaction that has read nothing yet. */
  void begin(int transaction, Step step, int pastOf) {
    order[size] = (byte) transaction;
    place[transaction] = (byte) size;
    size++;
    present |= bit(transaction);
    steps[transaction] = step;
    sources[transaction] = NO_SOURCES;
    past[transaction] = pastOf;
    before[transaction] = commitPast(pastOf);
  }

  /** The transactions and all that must commit before them. */
  private int commitPast(int transactions) {
    int all = transactions;
    for (int rest = transactions; rest != 0; rest &= rest - 1) {
      all |= before[Integer.numberOfTrailingZeros(rest)];
    }
    return all;
  }

  /** The transactions of the history whose write of that variable others can read. */
  int writers(int variable) {
    int writers = 1;
    for (int rest = present & ~1; rest != 0; rest &= rest - 1) {
      int transaction = Integer.numberOfTrailingZeros(rest);
      if (step(transaction).writes(variable)) {
        writers |= bit(transaction);
      }
    }
    return writers;
  }

  /** Whether others can read a variable of that transaction. */
  boolean writes(int transaction, int variable) {
    return transaction == 0 || step(transaction).writes(variable);
  }
}
