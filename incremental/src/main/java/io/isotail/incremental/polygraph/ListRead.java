package io.isotail.incremental.polygraph;

import io.isotail.incremental.window.Transaction;
import java.util.Arrays;

/** A list read of a key, which shows the order of its versions. */
public record ListRead(Transaction reader, long key) {

  /**
   * The read at the end of the list that an operation is part of: each listed version before it is
   * directly succeeded by the next one.
   *
   * @return {@code i} itself where no list is, or one that no read ends, or a bad or undecided one
   */
  public static int endOf(Transaction t, int i) {
    return t.leavesOutReadsOf(t.operations.key(i)) ? i : endOfAny(t, i);
  }

  /**
   * The read at the end of the list that an operation is part of, whether or not its transaction
   * leaves out its reads of the key: a graph that had it before they were left out still rests on
   * what the list shows.
   *
   * @return {@code i} itself where no list is, or one that no read ends, or a bad or undecided one
   */
  public static int endOfAny(Transaction t, int i) {
    int read = t.operations.listEnd(i);
    return read > i && !t.operations.undone(i) && isDecided(t, read) ? read : i;
  }

  /**
   * Whether a list has an element of which it is not known who wrote it: another transaction than
   * those that are known to have been read from may be the one.
   *
   * @param read the read that ends it
   */
  public static boolean isInDoubt(Transaction t, int read) {
    return Arrays.binarySearch(t.unclearLists, read) >= 0;
  }

  /**
   * Whether the version that a list read returned is left out of what was read, because it closes a
   * causality cycle: its writer is known, and is missing from any proof.
   *
   * @param read the read that ends it
   */
  static boolean isLeftOut(Transaction t, int read) {
    return !isDecided(t, read) && !isInDoubt(t, read);
  }

  /** Whether it is known which transaction wrote what was read, be it the reader itself. */
  private static boolean isDecided(Transaction t, int read) {
    return Arrays.binarySearch(t.readOperations, read) >= 0
        || Arrays.binarySearch(t.listedVersions, read) >= 0;
  }
}
