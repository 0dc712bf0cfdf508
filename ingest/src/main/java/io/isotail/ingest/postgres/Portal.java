package io.isotail.ingest.postgres;

import io.isotail.ingest.capture.ResultCapture;
import io.isotail.ingest.capture.StatementRun;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** A statement that is to be executed, or is: of a Query message, or bound to a portal. */
final class Portal {
  private final Prepared prepared;
  final IntFunction<Object> parameters;
  final Formats formats;

  /** When its execution was sent first, by the clock of the records. */
  long sentNs;

  /** How many executions had been sent when it was bound: it sees what these have left. */
  long boundAfter = -1;

  /** Whether its execution was sent. */
  boolean sent;

  /** Its execution; null until it begins, or after a failure inside isotail. */
  @Nullable StatementRun run;

  /** Whether something else was executed between its Bind and its execution. */
  boolean late;

  /** Its rows; null until the first one or their description. */
  @Nullable ResultCapture result;

  /** How the server has described its rows; null if it has not since it was bound. */
  @Nullable Columns columns;

  /**
   * How many columns at the end of its rows were added to another statement than the client sent
   * here: EXECUTE in SQL runs one that was parsed by the protocol, and FETCH reads such a portal.
   */
  int addedBefore;

  /** Whether it has answered with rows that were not read. */
  boolean passedRows;

  /** Rows that it has answered with. */
  long rows;

  /**
   * A statement with its parameters.
   *
   * @param formats in which formats its result comes
   */
  Portal(Prepared prepared, IntFunction<Object> parameters, Formats formats) {
    this.prepared = prepared;
    this.parameters = parameters;
    this.formats = formats;
    this.addedBefore = prepared.addedToExecuted();
  }

  /** The statement. */
  Prepared prepared() {
    return prepared.actual();
  }

  /** For each column at the end that the client does not see whether it has no sign. */
  boolean[] hidden() {
    return addedBefore > 0 ? new boolean[addedBefore] : prepared().hidden();
  }

  /** The description of its rows, of whichever message it came by. */
  @Nullable Columns described() {
    Columns own = columns;
    return own == null ? prepared().columns() : own;
  }
}
