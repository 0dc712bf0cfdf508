package io.isotail.ingest.capture;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Follows the application through the rows of one result. No method throws. */
public final class ResultCapture {
  private final SessionCapture session;
  private final StatementRun run;
  private final @Nullable RowReader reader;

  private ResultCapture(SessionCapture session, StatementRun run, @Nullable RowReader reader) {
    this.session = session;
    this.run = run;
    this.reader = reader;
  }

  static ResultCapture of(SessionCapture session, StatementRun run) {
    return new ResultCapture(
        session, run, guarded(session, () -> RowReader.of(session.capture(), run)));
  }

  /** The generated keys of a statement with this update count; null if they tell nothing. */
  static @Nullable ResultCapture ofGeneratedKeys(
      SessionCapture session, StatementRun run, long count) {
    RowReader reader =
        guarded(session, () -> RowReader.ofGeneratedKeys(session.capture(), run, count));
    return reader == null ? null : new ResultCapture(session, run, reader);
  }

  private static @Nullable RowReader guarded(
      SessionCapture session, Supplier<@Nullable RowReader> making) {
    try {
      return making.get();
    } catch (Throwable failure) {
      session.capture().stats().internalFailure(failure);
      return null;
    }
  }

  /** The application has moved to a row; it is read before this returns, if it tells something. */
  public void row(Row row) {
    RowReader rows = reader;
    if (rows != null) {
      session.row(run, () -> rows.row(row));
    } else {
      run.rowPassed();
    }
  }

  /**
   * The application has moved forward past the last row.
   *
   * @param everyRowSeen whether it has moved through all rows one by one from the start
   */
  public void exhausted(boolean everyRowSeen) {
    answered(everyRowSeen);
    ended();
  }

  /** Whether rows tell something; else {@link #row} only counts them. */
  public boolean reads() {
    return reader != null;
  }

  /**
   * All rows were answered. The statement's transaction goes on until {@link
   * SessionCapture#rowsEnded}.
   *
   * @param everyRowSeen whether {@link #row} was called for each of them
   */
  public void answered(boolean everyRowSeen) {
    RowReader rows = reader;
    if (rows != null && !run.detached()) {
      session.row(run, () -> rows.exhausted(everyRowSeen));
    }
  }

  /** Moving to another row failed. */
  public void failed(Failure failure) {
    session.rowFailed(run, failure);
  }

  /** The application is done with the rows. */
  public void ended() {
    session.rowsEnded(run);
  }
}
