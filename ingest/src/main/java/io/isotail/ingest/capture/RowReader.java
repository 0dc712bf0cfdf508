package io.isotail.ingest.capture;

import io.isotail.ingest.sql.Analysis;
import io.isotail.ingest.sql.RowShape;
import org.jspecify.annotations.Nullable;

/**
 * Observes the rows of one result as the application moves through it; never moves it itself.
 * Guarded by its session's lock.
 */
interface RowReader {

  /** The reader for the rows that a statement answers with, null if they tell nothing. */
  static @Nullable RowReader of(Capture capture, StatementRun run) {
    Analysis analysis = run.analysis();
    if (analysis instanceof Analysis.Query query) {
      return new HiddenReads(capture, run, query);
    }
    if (analysis instanceof Analysis.Written written) {
      return new HiddenWrites(capture, run, written);
    }
    if (analysis instanceof Analysis.Select select) {
      return new ReadRows(capture, run, select);
    }
    RowShape returning = null;
    if (analysis instanceof Analysis.Update update) {
      returning = update.returning();
    } else if (analysis instanceof Analysis.Insert insert) {
      returning = insert.returning();
    } else if (analysis instanceof Analysis.Delete delete) {
      returning = delete.returning();
    }
    return returning == null ? null : new WrittenRows(capture, run, returning, -1);
  }

  /** The reader for generated keys; null if they tell nothing. */
  static @Nullable RowReader ofGeneratedKeys(Capture capture, StatementRun run, long count) {
    if (run.analysis() instanceof Analysis.Written written) {
      return new HiddenWrites(capture, run, written);
    }
    boolean write =
        run.analysis() instanceof Analysis.Insert || run.analysis() instanceof Analysis.Update;
    return write && count > 0 ? new WrittenRows(capture, run, RowShape.allColumns(), count) : null;
  }

  /** The application stands on a row that it has just moved to. */
  void row(Row row) throws Exception;

  /**
   * The application has moved forward past the last row.
   *
   * @param everyRowSeen whether it has moved through all rows one by one from the start
   */
  void exhausted(boolean everyRowSeen);
}
