package io.isotail.ingest.capture;

import io.isotail.incremental.record.OperationKind;
import io.isotail.ingest.sql.Analysis;
import io.isotail.ingest.sql.KeyPredicate;
import io.isotail.ingest.sql.ObservedTable;
import java.util.List;

/**
 * The rows of a query whose hidden columns tell what they are made of: each row of a table is a
 * read, also where many of them make one row of the result. Where there is none at all, each key
 * that was looked for is absent.
 */
final class HiddenReads implements RowReader {
  private final StatementRun run;
  private final Analysis.Query query;
  private final HiddenRow hidden;
  private final Capture capture;
  private final boolean locksSome;
  private boolean anyRow;
  private boolean ended;

  HiddenReads(Capture capture, StatementRun run, Analysis.Query query) {
    this.run = run;
    this.query = query;
    this.capture = capture;
    this.locksSome = query.sources().size() > 1;
    this.hidden = new HiddenRow(capture, run.sql().hiddenColumns());
  }

  @Override
  public void row(Row row) throws Exception {
    anyRow = true;
    int at = 0;
    for (Analysis.Source source : query.sources()) {
      if (source.form() == Analysis.Form.ARRAY) {
        List<HiddenRow.Found> all = hidden.all(row, at, source.table());
        if (all == null) {
          absent(source);
        } else {
          all.forEach(found -> read(source, found));
        }
      } else {
        HiddenRow.Found found =
            source.form() == Analysis.Form.TEXTS
                ? hidden.texts(row, at, source.table())
                : hidden.at(row, at, source.table());
        if (found != null) {
          read(source, found);
        }
      }
      at += source.columns();
    }
  }

  private void read(Analysis.Source source, HiddenRow.Found found) {
    if (!found.key().known()) {
      capture.rowMissed(run, CaptureStats.Event.VALUE_WITHOUT_IDENTITY);
      return;
    }
    Operation read =
        hidden
            .rows()
            .operation(
                OperationKind.READ,
                found.key(),
                found.version(),
                Effects.statement(source.table(), run));
    if (locksSome && source.locked()) {
      run.addLate(read);
    } else if (!run.add(read)) {
      capture.stats().count(CaptureStats.Event.LATE_ROW);
    }
  }

  @Override
  public void exhausted(boolean everyRowSeen) {
    Analysis.Source first = query.sources().get(0);
    if (everyRowSeen && !anyRow && first.form() != Analysis.Form.ARRAY) {
      absent(first);
    }
  }

  /** No row was found of the only table. */
  private void absent(Analysis.Source source) {
    KeyPredicate predicate = query.predicate();
    if (ended || predicate == null) {
      return;
    }
    ended = true;
    ObservedTable table = source.table();
    predicate.keys().stream()
        .map(key -> hidden.rows().key(table, key.stream().map(run::value).toList()))
        .distinct()
        .filter(RowKey::known)
        .forEach(key -> run.add(hidden.rows().absence(key, Effects.statement(table, run))));
  }
}
