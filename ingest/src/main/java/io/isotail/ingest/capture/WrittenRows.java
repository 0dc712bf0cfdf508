package io.isotail.ingest.capture;

import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Statement;
import io.isotail.ingest.sql.Analysis;
import io.isotail.ingest.sql.KeyPredicate;
import io.isotail.ingest.sql.ObservedTable;
import io.isotail.ingest.sql.Operand;
import io.isotail.ingest.sql.RowShape;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rows that a write answers with. What the statement did was recorded cautiously when it ran;
 * once every row is read, what they say takes its place.
 */
final class WrittenRows extends ResultReader {
  private final long expectedRows;
  private final @Nullable KeyPredicate predicate;
  private final @Nullable Operand assigned;
  private final List<Operation> exact = new ArrayList<>(2);
  private long rowsSeen;
  private boolean certain = true;

  /**
   * A reader.
   *
   * @param expectedRows number of rows written, or -1 when only the end of the result tells
   */
  WrittenRows(Capture capture, StatementRun run, RowShape shape, long expectedRows) {
    super(capture, run, tableOf(run.analysis()), shape);
    Analysis analysis = run.analysis();
    if (analysis instanceof Analysis.Update update) {
      this.predicate = update.predicate();
      this.assigned = update.version();
    } else if (analysis instanceof Analysis.Insert insert) {
      this.predicate = null;
      this.assigned = assigned(insert);
    } else {
      this.predicate = ((Analysis.Delete) analysis).predicate();
      this.assigned = null;
    }
    boolean oneRow =
        analysis instanceof Analysis.Insert insert
            ? insert.rows().size() == 1 && isOneRow(insert.rows().get(0))
            : predicate != null && predicate.keys().size() == 1;
    this.expectedRows = expectedRows < 0 && oneRow ? 1 : expectedRows;
  }

  /** A value that only the database knows may be a set of values, and make several rows. */
  private static boolean isOneRow(List<Operand> values) {
    return values.stream().noneMatch(Operand.Unknowable.class::isInstance);
  }

  private static ObservedTable tableOf(Analysis analysis) {
    if (analysis instanceof Analysis.Update update) {
      return update.table();
    }
    return analysis instanceof Analysis.Insert insert
        ? insert.table()
        : ((Analysis.Delete) analysis).table();
  }

  /** The version that a one-row INSERT names, if that is what it installs. */
  private @Nullable Operand assigned(Analysis.Insert insert) {
    boolean installs =
        switch (insert.conflict()) {
          case FAIL, NOTHING, SAME_VERSION, SAME_VERSION_IF -> true;
          case OTHER_VERSION, OTHER_VERSION_IF -> false;
        };
    return installs ? valueOf(insert, table.version()) : null;
  }

  /** The value that a one-row INSERT gives a column, null if it cannot be told. */
  private @Nullable Operand valueOf(Analysis.Insert insert, ObservedTable.Column column) {
    List<String> columns =
        insert.columns() == null ? capture.catalog().columnNames(table) : insert.columns();
    if (columns == null || insert.rows().size() != 1) {
      return null;
    }
    int at = columns.indexOf(column.name());
    List<Operand> row = insert.rows().get(0);
    return at < 0 || at >= row.size() ? null : row.get(at);
  }

  /** The one key that the statement can have written, whatever columns it answers with. */
  private RowKey onlyKey() {
    List<Object> values = new ArrayList<>();
    if (run.analysis() instanceof Analysis.Insert insert) {
      for (ObservedTable.Column column : table.key()) {
        Operand operand = valueOf(insert, column);
        values.add(operand == null ? Operand.UNKNOWN : run.value(operand));
      }
    } else if (predicate != null && predicate.keys().size() == 1) {
      predicate.keys().get(0).forEach(operand -> values.add(run.value(operand)));
    } else {
      return RowKey.UNKNOWN;
    }
    return rows.key(table, values);
  }

  @Override
  public void row(Row row) throws Exception {
    rowsSeen++;
    RowKey key = keyOf(row);
    KeyPredicate condition = predicate;
    if (!key.known()) {
      key = onlyKey();
    }
    if (!key.known()) {
      certain = false;
      return;
    }
    Statement statement = Effects.statement(table, run);
    RowVersion version = versionOf(row, key);
    if (condition != null && condition.version() != null) {
      RowVersion old = rows.version(table, key, run.value(condition.version()));
      if (old != null) {
        exact.add(rows.operation(OperationKind.READ, key, old, statement));
      }
    } else if (run.analysis() instanceof Analysis.Delete && version != null) {
      exact.add(rows.operation(OperationKind.READ, key, version, statement));
    }
    if (run.analysis() instanceof Analysis.Delete) {
      exact.add(rows.operation(OperationKind.DELETE, key, null, statement));
    } else {
      if (version == null && !hasVersion(row) && assigned != null) {
        version = rows.version(table, key, run.value(assigned));
      }
      exact.add(rows.operation(OperationKind.WRITE, key, version, statement));
    }
    if (rowsSeen == expectedRows) {
      exhausted(true);
    }
  }

  @Override
  public void exhausted(boolean everyRowSeen) {
    if (everyRowSeen && certain && (expectedRows < 0 || rowsSeen <= expectedRows)) {
      certain = false;
      run.replace(exact);
    }
  }
}
