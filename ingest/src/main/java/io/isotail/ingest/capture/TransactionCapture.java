package io.isotail.ingest.capture;

import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** A transaction under way in one session. Guarded by its session's lock. */
final class TransactionCapture {
  private static final Statement ANY_TABLE = new Statement(null, "");

  private final long number;
  private final long beginNs;
  private final LongConsumer writeStarted;
  private final List<StatementRun> runs = new ArrayList<>(4);
  private final List<Savepoint> savepoints = new ArrayList<>(0);
  private @Nullable String ranAt;
  private boolean single;
  private boolean announced;
  private boolean failed;
  private boolean lost;
  private boolean poisoned;
  private boolean busy;
  private boolean commitSent;
  private boolean mayHaveEnded;
  private boolean mayHaveDefinedTables;
  private boolean mayHaveMovedNames;
  private boolean ended;
  private int operationCount;
  private int chunks;

  /**
   * A savepoint.
   *
   * @param id its name, or the driver's object
   * @param runs number of statements before it
   */
  private record Savepoint(Object id, int runs) {}

  /**
   * A transaction.
   *
   * @param writeStarted told once, with the number, as soon as it may write
   */
  TransactionCapture(
      long number,
      long beginNs,
      @Nullable String ranAt,
      boolean single,
      LongConsumer writeStarted) {
    this.number = number;
    this.writeStarted = writeStarted;
    this.beginNs = beginNs;
    this.ranAt = ranAt;
    this.single = single;
  }

  long number() {
    return number;
  }

  long beginNs() {
    return beginNs;
  }

  @Nullable String ranAt() {
    return ranAt;
  }

  void ranAt(@Nullable String level) {
    ranAt = level;
  }

  /** Whether it is one statement in autocommit mode, over when its rows are. */
  boolean single() {
    return single;
  }

  void becomeExplicit() {
    single = false;
  }

  /** Whether the sink was told that it may write. */
  boolean announced() {
    return announced;
  }

  /** Tells the sink, unless it knows. */
  void announce() {
    if (!announced) {
      announced = true;
      writeStarted.accept(number);
    }
  }

  /** Sets whether the database will only roll it back. */
  void failed(boolean value) {
    failed = value;
  }

  /** The connection was lost before its end was asked for. */
  void lose() {
    lost |= !commitSent;
  }

  /** A commit is about to be sent: until it is answered, nothing else tells the outcome. */
  void commitSent(boolean value) {
    commitSent = value;
  }

  /** A text that may hold a commit is about to be sent. */
  void mayHaveEnded() {
    mayHaveEnded = true;
  }

  /** A statement that may define observed tables is about to be sent. */
  void definesTables() {
    mayHaveDefinedTables = true;
  }

  /** Whether other sessions may see other tables once it has ended. */
  boolean mayHaveDefinedTables() {
    return mayHaveDefinedTables;
  }

  /** A statement that may change what unqualified names mean is about to be sent. */
  void movesNames() {
    mayHaveMovedNames = true;
  }

  /** Whether unqualified names may mean other tables once it has ended. */
  boolean mayHaveMovedNames() {
    return mayHaveMovedNames;
  }

  /** Whether the database may have committed it unseen. */
  boolean mayBeCommitted() {
    return commitSent || mayHaveEnded;
  }

  /** Whether a commit can only be answered with a rollback. */
  boolean doomed() {
    return failed || lost;
  }

  /** Whether a statement or the commit was sent and not answered yet. */
  boolean busy() {
    return busy;
  }

  void busy(boolean value) {
    busy = value;
  }

  /** Marks it as recorded; false if it was before. */
  boolean end() {
    boolean first = !ended;
    ended = true;
    return first;
  }

  int chunks() {
    return chunks;
  }

  int operationCount() {
    return operationCount;
  }

  void added(int operations) {
    operationCount += operations;
  }

  boolean poisoned() {
    return poisoned;
  }

  /** What it did is no longer known: it will be recorded as having possibly written anything. */
  void poison() {
    poisoned = true;
    runs.forEach(StatementRun::detach);
    runs.clear();
    savepoints.clear();
    operationCount = 0;
    if (!ended) {
      announce();
    }
  }

  void add(StatementRun run) {
    if (poisoned) {
      run.detach();
    } else {
      runs.add(run);
    }
  }

  /** The next statement was sent before this one was answered: their order is not known. */
  void overtaken() {
    if (announced) {
      poison();
    } else {
      runs.forEach(StatementRun::detach);
      runs.clear();
    }
  }

  /** Whether no statement came after this one, so that its rows may still be added. */
  boolean isLast(StatementRun run) {
    return !runs.isEmpty() && runs.get(runs.size() - 1) == run;
  }

  boolean hasSavepoints() {
    return !savepoints.isEmpty();
  }

  void savepoint(Object id) {
    savepoints.add(new Savepoint(id, runs.size()));
  }

  /** Undoes what came after a savepoint. An unknown savepoint undoes nothing known for sure. */
  void rollbackTo(Object id) {
    int at = indexOf(id);
    if (at < 0) {
      poison();
      return;
    }
    for (int i = savepoints.get(at).runs(); i < runs.size(); i++) {
      runs.get(i).undo();
    }
    savepoints.subList(at + 1, savepoints.size()).clear();
    failed = false;
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

  /** Takes the operations collected since the last chunk, and forgets them. */
  Operations take(@Nullable StatementRun keep) {
    Operations.Builder builder = new Operations.Builder();
    for (StatementRun run : runs) {
      int from = builder.size();
      run.operations().forEach(operation -> operation.addTo(builder));
      if (run.undone()) {
        builder.undoFrom(from);
      }
      run.operations().clear();
    }
    if (poisoned) {
      builder.statement(ANY_TABLE).opaque();
    }
    for (StatementRun run : runs) {
      if (run != keep) {
        run.detach();
      }
    }
    runs.clear();
    if (keep != null && !keep.detached()) {
      runs.add(keep);
    }
    operationCount = 0;
    chunks++;
    return builder.build();
  }
}
