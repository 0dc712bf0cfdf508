package io.isotail.ingest.capture;

import io.isotail.ingest.sql.Analysis;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rows that the elements of a batch have answered with in hidden columns, one after another: as
 * many for each as it wrote. Guarded by its session's lock.
 */
final class BatchAnswers {
  private final List<@Nullable StatementRun> runs;
  private final long[] counts;
  private final Capture capture;
  private @Nullable HiddenRow hidden;
  private @Nullable HiddenWrites element;
  private int next;

  /** Rows of the element that are still to come. */
  private long left;

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

  /** The next row. */
  void row(Row row) throws Exception {
    while (left == 0 && next < counts.length && next < runs.size()) {
      left = counts[next];
      element = left > 0 ? reader(runs.get(next)) : null;
      next++;
    }
    HiddenWrites of = element;
    // Below 0 once an element does not tell its count: then nobody knows of which one a row is.
    left--;
    if (left >= 0 && of != null) {
      of.row(row);
      if (left == 0) {
        of.exhausted(true);
      }
    }
  }

  private @Nullable HiddenWrites reader(@Nullable StatementRun run) {
    if (run == null || !(run.analysis() instanceof Analysis.Written written) || run.detached()) {
      return null;
    }
    HiddenRow columns = hidden;
    if (columns == null) {
      columns = new HiddenRow(capture, run.sql().hiddenColumns());
      hidden = columns;
    }
    return new HiddenWrites(run, written, columns);
  }
}
