package io.isotail.incremental.naive;

import io.isotail.incremental.naive.NaiveChecker.Input;
import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.VersionKind;
import java.util.ArrayList;
import java.util.List;

/**
 * Whether the committed transactions of an open history can be serializable beside outsiders, who
 * may have written anything between: straight from the definition, by transitive closure.
 *
 * <p>One transaction comes before another if it is earlier in its session; if the other read from
 * it; or if it read a version that the other read too, and then overwrote, or read a row as missing
 * that the other inserted. Versions are unique.
 */
public final class NaiveBesideOutsiders {
  private NaiveBesideOutsiders() {}

  /** Whether no transaction comes before itself. */
  public static boolean satisfies(List<Input> history) {
    List<Input> committed = new ArrayList<>();
    for (Input t : history) {
      if (t.outcome() == Outcome.COMMITTED) {
        committed.add(t);
      }
    }
    int n = committed.size();
    boolean[][] before = new boolean[n][n];
    for (int a = 0; a < n; a++) {
      for (int b = 0; b < n; b++) {
        before[a][b] = a != b && comesBefore(committed.get(a), committed.get(b));
      }
    }
    for (int via = 0; via < n; via++) {
      for (int a = 0; a < n; a++) {
        for (int b = 0; b < n; b++) {
          before[a][b] |= before[a][via] && before[via][b];
        }
      }
    }
    for (int a = 0; a < n; a++) {
      if (before[a][a]) {
        return false;
      }
    }
    return true;
  }

  private static boolean comesBefore(Input a, Input b) {
    if (a.session() == b.session() && a.position() < b.position()) {
      return true;
    }
    Operations first = a.operations();
    Operations later = b.operations();
    for (int i = 0; i < later.size(); i++) {
      if (isOfOthers(later, i) && later.versionKind(i) == VersionKind.KNOWN) {
        int write = lastWrite(first, later.key(i));
        if (write >= 0
            && first.versionKind(write) == VersionKind.KNOWN
            && first.version(write) == later.version(i)) {
          return true;
        }
      }
    }
    for (int i = 0; i < first.size(); i++) {
      if (isOfOthers(first, i) && overwrites(later, first, i)) {
        return true;
      }
    }
    return false;
  }

  /** Whether the version that a read returned was overwritten, and nobody can have come between. */
  private static boolean overwrites(Operations overwriter, Operations reader, int read) {
    int write = lastWrite(overwriter, reader.key(read));
    if (write < 0) {
      return false;
    }
    boolean missing = reader.versionKind(read) == VersionKind.INITIAL;
    for (int i = 0; i < overwriter.size(); i++) {
      if (isOfOthers(overwriter, i)
          && overwriter.key(i) == reader.key(read)
          && overwriter.versionKind(i) == reader.versionKind(read)
          && (missing || overwriter.version(i) == reader.version(read))) {
        return true;
      }
    }
    return missing && overwriter.inserts(reader.key(read));
  }

  private static boolean isOfOthers(Operations ops, int read) {
    if (ops.kind(read) != OperationKind.READ
        || ops.undone(read)
        || ops.versionKind(read) == VersionKind.UNKNOWN) {
      return false;
    }
    for (int i = 0; i < read; i++) {
      if (ops.isWrite(i) && ops.key(i) == ops.key(read)) {
        return false;
      }
    }
    return true;
  }

  private static int lastWrite(Operations ops, long key) {
    for (int i = ops.size() - 1; i >= 0; i--) {
      if (ops.isWrite(i) && ops.key(i) == key) {
        return i;
      }
    }
    return -1;
  }
}
