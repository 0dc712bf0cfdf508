package io.isotail.ingest.capture;

import io.isotail.incremental.record.Operations;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The statements of a transaction that are not handed over yet, in the order in which they were
 * sent. Guarded by its session's lock.
 */
final class ProgramOrder {
  private final List<StatementRun> runs = new ArrayList<>(4);
  private final List<Savepoint> savepoints = new ArrayList<>(0);
  private int operationCount;

  /**
   * A savepoint.
   *
   * @param id its name, or the driver's object
   * @param runs number of statements before it
   */
  private record Savepoint(Object id, int runs) {}

  int operationCount() {
    return operationCount;
  }

  void added(int operations) {
    operationCount += operations;
  }

  void add(StatementRun run) {
    runs.add(run);
  }

  /** Whether no statement came after this one, so that its rows may still be added. */
  boolean isLast(StatementRun run) {
    return !runs.isEmpty() && runs.get(runs.size() - 1) == run;
  }

  /** Forgets the statements, to which nothing can be added any more. */
  void detachAll() {
    runs.forEach(StatementRun::detach);
    runs.clear();
  }

  /** Forgets everything. */
  void clear() {
    detachAll();
    savepoints.clear();
    operationCount = 0;
  }

  boolean hasSavepoints() {
    return !savepoints.isEmpty();
  }

  void savepoint(Object id) {
    savepoints.add(new Savepoint(id, runs.size()));
  }

  /** Undoes what came after a savepoint; false if there is none of that name. */
  boolean rollbackTo(Object id) {
    int at = indexOf(id);
    if (at < 0) {
      return false;
    }
    for (int i = savepoints.get(at).runs(); i < runs.size(); i++) {
      runs.get(i).undo();
    }
    savepoints.subList(at + 1, savepoints.size()).clear();
    return true;
  }

  void release(Object id) {
    int at = indexOf(id);
    if (at >= 0) {
      savepoints.subList(at, savepoints.size()).clear();
    }
  }

  private int indexOf(Object id) {
    for (int i = savepoints.size() - 1; i >= 0; i--) {
      if (savepoints.get(i).id().equals(id)) {
        return i;
      }
    }
    return -1;
  }

  /** Whether a statement may have written something that it was not seen to write. */
  boolean anyUnseenWrite() {
    for (StatementRun run : runs) {
      for (Operation operation : run.operations()) {
        if (operation.isUnseenWrite()) {
          return true;
        }
      }
    }
    return false;
  }

  /** Whether a write that was not undone tells the id of the transaction. */
  boolean anyNamedWriter() {
    for (StatementRun run : runs) {
      for (Operation operation : run.operations()) {
        if (!run.undone() && operation.namesWriter()) {
          return true;
        }
      }
    }
    return false;
  }

  /**
   * Forgets what was written unseen: nothing was. What statements tell of rows that they name stays
   * if nothing was undone, since these have changed nothing that they found.
   *
   * @return whether anything of that stays
   */
  boolean dropUnseenWrites() {
    boolean undone = runs.stream().anyMatch(StatementRun::undone);
    boolean stays = false;
    for (StatementRun run : runs) {
      run.operations().removeIf(each -> each.isUnseenWrite() && (undone || !each.tellsContent()));
      stays |= run.operations().stream().anyMatch(Operation::tellsContent);
    }
    return stays;
  }

  /** Adds an operation to the last statement, if there is one. */
  void addToLast(Operation operation) {
    if (!runs.isEmpty()) {
      runs.get(runs.size() - 1).add(operation);
    }
  }

  /**
   * Moves the operations to a builder and forgets the statements.
   *
   * @param keep a statement that may get more operations, null for none
   */
  void moveTo(Operations.Builder builder, @Nullable StatementRun keep) {
    for (StatementRun run : runs) {
      int from = builder.size();
      run.moveTo(builder);
      if (run.undone()) {
        builder.undoFrom(from);
      }
      if (run != keep) {
        run.detach();
      }
    }
    runs.clear();
    if (keep != null && !keep.detached()) {
      runs.add(keep);
    }
    operationCount = 0;
  }
}
