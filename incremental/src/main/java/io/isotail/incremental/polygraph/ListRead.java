package io.isotail.incremental.polygraph;

import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.VersionKind;
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
    Operations ops = t.operations;
    int read = i;
    while (ops.listedBefore(read)) {
      read++;
    }
    boolean counts = read > i && ops.kind(read) == OperationKind.READ && !ops.undone(i);
    return counts && isDecided(t, read) ? read : i;
  }

  /** Whether it is known which transaction wrote what was read, be it the reader itself. */
  private static boolean isDecided(Transaction t, int read) {
    if (Arrays.binarySearch(t.readOperations, read) >= 0) {
      return true;
    }
    Operations ops = t.operations;
    for (int i = read - 1; i >= 0; i--) {
      if (ops.isWrite(i) && ops.key(i) == ops.key(read)) {
        return ops.versionKind(i) == VersionKind.KNOWN && ops.version(i) == ops.version(read);
      }
    }
    return false;
  }
}
