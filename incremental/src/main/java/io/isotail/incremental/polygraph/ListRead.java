package io.isotail.incremental.polygraph;

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
   * @return {@code i} itself where no list is, or one whose read is bad or undecided
   */
  public static int endOf(Transaction t, int i) {
    Operations ops = t.operations;
    int read = i;
    while (ops.listedBefore(read)) {
      read++;
    }
    boolean counts = read > i && !ops.undone(i) && !t.leavesOutReadsOf(ops.key(i));
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
