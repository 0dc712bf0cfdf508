package io.isotail.ingest.capture;

import io.isotail.ingest.sql.Analysis;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rows that the elements of a batch have answered with in hidden columns, one after another:
 * each element that wrote a row has one. Guarded by its session's lock.
 */
final class BatchAnswers {
  private final List<@Nullable StatementRun> runs;
  private final long[] counts;
  private final Capture capture;
  private @Nullable HiddenRow hidden;
  private int next;

  /**
   * The answers of elements.
   *
   * @param counts how many rows each has written
   */
  BatchAnswers(Capture capture, List<@Nullable StatementRun> runs, long[] counts) {
    this.capture = capture;
    this.runs = runs;
    this.counts = counts;
  }

  /** The next row. Of which element it is can only be told while each wrote one row at most. */
  void row(Row row) throws Exception {
    while (next < counts.length && counts[next] == 0) {
      next++;
    }
    if (next >= runs.size() || next >= counts.length || counts[next] != 1) {
      next = runs.size();
      return;
    }
    StatementRun run = runs.get(next++);
    if (run == null || !(run.analysis() instanceof Analysis.Written written) || run.detached()) {
      return;
    }
    HiddenRow columns = hidden;
    if (columns == null) {
      columns = new HiddenRow(capture, run.sql().hiddenColumns());
      hidden = columns;
    }
    new HiddenWrites(run, written, columns).row(row);
  }
}
