package io.isotail.ingest.capture;

import io.isotail.incremental.record.OperationKind;
import io.isotail.ingest.sql.Analysis;
import io.isotail.ingest.sql.KeyPredicate;
import io.isotail.ingest.sql.Operand;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The rows of a query: each is a read; a key looked for in vain is a read of its absence. */
final class ReadRows extends ResultReader {
  private final List<RowKey> wanted;
  private final boolean absenceTold;
  private final Set<Long> seen = new HashSet<>(2);
  private boolean absenceRecorded;
  private boolean unknownRowSeen;

  ReadRows(Capture capture, StatementRun run, Analysis.Select select) {
    super(capture, run, select.table(), select.shape());
    KeyPredicate predicate = select.predicate();
    this.wanted =
        predicate == null
            ? List.of()
            : predicate.keys().stream().map(this::keyOf).distinct().toList();
    this.absenceTold = predicate != null && predicate.exact();
  }

  private RowKey keyOf(List<Operand> key) {
    return rows.key(table, key.stream().map(run::value).toList());
  }

  @Override
  public void row(Row row) throws Exception {
    RowKey key = keyOf(row);
    if (!key.known() && wanted.size() == 1) {
      key = wanted.get(0);
    }
    if (!key.known() || !hasVersion(row)) {
      unknownRowSeen |= !key.known();
      seen(key);
      capture.rowMissed(run, CaptureStats.Event.ROW_WITHOUT_KEY_OR_VERSION);
      return;
    }
    seen(key);
    RowVersion version = versionOf(row, key);
    if (version == null) {
      capture.rowMissed(run, CaptureStats.Event.VALUE_WITHOUT_IDENTITY);
      return;
    }
    run.add(rows.operation(OperationKind.READ, key, version, Effects.statement(table, run)));
  }

  /** Which keys were seen matters only while one of those looked for could be absent. */
  private void seen(RowKey key) {
    if (absenceTold && key.known()) {
      seen.add(key.id());
    }
  }

  @Override
  public void exhausted(boolean everyRowSeen) {
    if (!everyRowSeen || !absenceTold || absenceRecorded || unknownRowSeen) {
      return;
    }
    absenceRecorded = true;
    for (RowKey key : wanted) {
      if (key.known() && !seen.contains(key.id())) {
        run.add(rows.absence(key, Effects.statement(table, run)));
      }
    }
  }
}
