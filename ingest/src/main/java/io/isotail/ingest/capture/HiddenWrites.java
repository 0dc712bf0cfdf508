package io.isotail.ingest.capture;

import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Statement;
import io.isotail.ingest.sql.Analysis;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rows that a write answers with in hidden columns: exactly what it did. Until they are all
 * read, the statement may have written any row of the table.
 */
final class HiddenWrites implements RowReader {
  /** Of a statement that writes more rows these are not told. */
  private static final int MOST_ROWS = 10_000;

  private final @Nullable Capture capture;
  private final StatementRun run;
  private final Analysis.Written written;
  private final HiddenRow hidden;
  private final List<Operation> exact = new ArrayList<>(2);
  private @Nullable RowVersion version;
  private boolean certain = true;
  private boolean withoutKey;
  private long rowsSeen;

  HiddenWrites(Capture capture, StatementRun run, Analysis.Written written) {
    this(capture, run, written, new HiddenRow(capture, run.sql().hiddenColumns()));
  }

  /** Of an element of a batch, whose rows are counted with its answer. */
  HiddenWrites(StatementRun run, Analysis.Written written, HiddenRow hidden) {
    this(null, run, written, hidden);
  }

  private HiddenWrites(
      @Nullable Capture capture, StatementRun run, Analysis.Written written, HiddenRow hidden) {
    this.capture = capture;
    this.run = run;
    this.written = written;
    this.hidden = hidden;
  }

  @Override
  public void row(Row row) throws Exception {
    if (++rowsSeen > MOST_ROWS) {
      certain = false;
      exact.clear();
      return;
    }
    Statement statement = Effects.statement(written.table(), run);
    Rows rows = hidden.rows();
    HiddenRow.Found found = written.versioned() ? hidden.at(row, 0, written.table()) : null;
    RowKey keyOnly = written.versioned() ? RowKey.UNKNOWN : hidden.keyAt(row, 0, written.table());
    boolean keyed = found != null ? found.key().known() : keyOnly.known();
    if (!keyed && !hidden.isWithoutKey(row, 0, written.table())) {
      certain = false;
      return;
    }
    if (!keyed) {
      withoutKey = true;
    } else if (found == null) {
      exact.add(rows.operation(OperationKind.WRITE, keyOnly, null, statement));
    } else if (written.kind() == Analysis.WriteKind.DELETE) {
      exact.add(rows.operation(OperationKind.READ, found.key(), found.version(), statement));
      Long deleted = written.tellsReplaced() ? (Long) found.version().id() : null;
      exact.add(
          rows.operation(OperationKind.DELETE, found.key(), null, statement).replacing(deleted));
    } else {
      version = found.version();
      Long before = written.tellsReplaced() ? hidden.replacedAt(row, 0, written.table()) : null;
      exact.add(
          rows.operation(OperationKind.WRITE, found.key(), version, statement).replacing(before));
    }
    if (written.oneRow()) {
      exhausted(true);
    }
  }

  @Override
  public void exhausted(boolean everyRowSeen) {
    if (everyRowSeen && capture != null && !written.bounded()) {
      capture.returned(run.sql(), rowsSeen);
    }
    if (everyRowSeen && certain) {
      certain = false;
      if (withoutKey) {
        exact.add(Operation.elsewhere(run.sql().fingerprint()));
      }
      run.replace(exact);
      RowVersion told = version;
      if (told != null) {
        run.transaction().toldVersion(told);
      }
    }
  }
}
