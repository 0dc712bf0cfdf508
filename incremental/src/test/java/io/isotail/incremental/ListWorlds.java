package io.isotail.incremental;

import io.isotail.incremental.naive.NaiveChecker;
import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.incremental.record.VersionKind;
import java.util.ArrayList;
import java.util.List;

/**
 * What may have happened where several appended equal elements: each element that was read may be
 * of any of them, but two in one list are not of one append. In a world all versions are told
 * apart.
 */
final class ListWorlds {
  /** More are not looked at. */
  private static final int MOST = 64;

  private static final long APPENDS = 10_000;

  private final List<TransactionRecord> history;

  /** An append: its transaction and operation. */
  private record Append(int transaction, int operation) {
    long id() {
      return APPENDS + 100L * transaction + operation;
    }
  }

  private List<List<NaiveChecker.Input>> worlds = new ArrayList<>();
  private boolean all = true;

  private ListWorlds(List<TransactionRecord> history) {
    this.history = history;
    extend(new ArrayList<>(), 0, 0, new Operations.Builder(), List.of());
  }

  /** The worlds of a history; empty if there are too many. */
  static List<List<NaiveChecker.Input>> of(List<TransactionRecord> history) {
    ListWorlds worlds = new ListWorlds(history);
    return worlds.all ? worlds.worlds : List.of();
  }

  /**
   * Goes on with an operation.
   *
   * @param used the appends whose elements the list under way has shown
   */
  private void extend(
      List<NaiveChecker.Input> before,
      int transaction,
      int operation,
      Operations.Builder so,
      List<Append> used) {
    if (worlds.size() > MOST) {
      all = false;
      return;
    }
    if (transaction == history.size()) {
      worlds.add(List.copyOf(before));
      return;
    }
    TransactionRecord t = history.get(transaction);
    Operations ops = t.operations();
    if (operation == ops.size()) {
      NaiveChecker.Input told = NaiveChecker.Input.of(t);
      before.add(
          new NaiveChecker.Input(
              told.session(), told.position(), told.outcome(), told.times(), so.build()));
      extend(before, transaction + 1, 0, new Operations.Builder(), List.of());
      before.remove(before.size() - 1);
      return;
    }
    if (ops.kind(operation) == OperationKind.WRITE) {
      next(before, transaction, operation, so, new Append(transaction, operation).id(), List.of());
      return;
    }
    if (ops.versionKind(operation) != VersionKind.KNOWN) {
      next(before, transaction, operation, so, 0, used);
      return;
    }
    List<Append> candidates = candidates(ops.key(operation), ops.version(operation));
    // Once more than it was appended it is that of somebody once more; else it is nobody's.
    long another = candidates.isEmpty() ? ops.version(operation) : candidates.get(0).id();
    candidates.removeAll(used);
    if (candidates.isEmpty()) {
      next(before, transaction, operation, so, another, used);
    }
    for (Append candidate : candidates) {
      List<Append> more = new ArrayList<>(used);
      more.add(candidate);
      boolean ends = ops.kind(operation) == OperationKind.READ;
      next(before, transaction, operation, so, candidate.id(), ends ? List.of() : more);
    }
  }

  private void next(
      List<NaiveChecker.Input> before,
      int transaction,
      int operation,
      Operations.Builder so,
      long version,
      List<Append> used) {
    Operations ops = history.get(transaction).operations();
    Operations.Builder more = new Operations.Builder().addAll(so.build());
    more.add(ops.kind(operation), ops.key(operation), ops.versionKind(operation), version);
    if (ops.undone(operation)) {
      more.undoFrom(more.size() - 1);
    }
    extend(before, transaction, operation + 1, more, used);
  }

  private List<Append> candidates(long key, long element) {
    List<Append> candidates = new ArrayList<>();
    for (int t = 0; t < history.size(); t++) {
      Operations ops = history.get(t).operations();
      for (int i = 0; i < ops.size(); i++) {
        if (ops.kind(i) == OperationKind.WRITE && ops.key(i) == key && ops.version(i) == element) {
          candidates.add(new Append(t, i));
        }
      }
    }
    return candidates;
  }
}
