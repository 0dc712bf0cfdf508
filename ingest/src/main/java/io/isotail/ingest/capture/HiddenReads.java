package io.isotail.ingest.capture;

import io.isotail.incremental.record.OperationKind;
import io.isotail.ingest.sql.Analysis;
import io.isotail.ingest.sql.KeyPredicate;
import io.isotail.ingest.sql.ObservedTable;

/**
 * The rows of a query whose hidden columns tell what they are made of: each row of a table is a
 * read. Where there is none at all, each key that was looked for is absent.
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
      ObservedTable table = source.table();
      HiddenRow.Found found = hidden.at(row, at, table);
      if (found != null) {
        Operation read =
            hidden
                .rows()
                .operation(
                    OperationKind.READ,
                    found.key(),
                    found.version(),
                    Effects.statement(table, run));
        if (locksSome && source.locked()) {
          run.addLate(read);
        } else if (!run.add(read)) {
          capture.stats().count(CaptureStats.Event.LATE_ROW);
        }
      }
      at += table.key().size() + 1;
    }
  }

  @Override
  public void exhausted(boolean everyRowSeen) {
    KeyPredicate predicate = query.predicate();
    if (!everyRowSeen || anyRow || ended || predicate == null) {
      return;
    }
    ended = true;
    ObservedTable table = query.sources().get(0).table();
    predicate.keys().stream()
        .map(key -> hidden.rows().key(table, key.stream().map(run::value).toList()))
        .distinct()
        .filter(RowKey::known)
        .forEach(key -> run.add(hidden.rows().absence(key, Effects.statement(table, run))));
  }
}
