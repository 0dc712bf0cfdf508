package io.isotail.ingest.capture;

import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Statement;
import io.isotail.ingest.sql.Analysis;
import io.isotail.ingest.sql.KeyPredicate;
import io.isotail.ingest.sql.ObservedTable;
import io.isotail.ingest.sql.ObservedTables;
import io.isotail.ingest.sql.Operand;
import io.isotail.ingest.sql.Rewriting;
import io.isotail.ingest.sql.Uninterpreted;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a statement that ran did, as operations.
 *
 * <p>A write is recorded with its version only when the statement certainly installed it: the
 * update count says so, or the statement could not succeed otherwise. A row that was certainly
 * written, with which version is not known, gets a write of unknown version. When it is not sure
 * which of several rows were written, if any, the table gets an opaque write: a write of unknown
 * version would say that what was there before is overwritten.
 */
final class Effects {
  /** As an update count: the driver does not say how many rows were written. */
  private static final long NOT_TOLD = -1;

  private final Capture capture;
  private final Rows rows;
  private final StatedWrites stated;

  Effects(Capture capture, StatedWrites stated) {
    this.capture = capture;
    this.stated = stated;
    this.rows = new Rows(capture);
  }

  /**
   * A row that a write means.
   *
   * @param identity its key, null when unknown
   * @param version the version that it gets, null when unknown
   */
  private record Target(@Nullable RowKey identity, @Nullable RowVersion version) {}

  /** The statement succeeded with this update count; negative when the driver does not tell. */
  void afterUpdate(StatementRun run, long count) {
    Analysis analysis = run.analysis();
    if (count == 0 && analysis.mayWrite()) {
      run.wroteNoRow();
    }
    if (analysis instanceof Analysis.Opaque opaque) {
      boolean unclear = opaque.reason() == Uninterpreted.SCHEMA_UNCLEAR;
      if (count != 0 || unclear || !(writesItsTableAlone(run) || changesRowsAlone(run, opaque))) {
        opaque(run, opaque, count);
      }
    } else if (analysis instanceof Analysis.Update update) {
      update(run, update, count);
    } else if (analysis instanceof Analysis.Insert insert) {
      insert(run, insert, count);
    } else if (analysis instanceof Analysis.Delete delete) {
      delete(run, delete, count);
    } else if (analysis instanceof Analysis.Elsewhere && count != 0) {
      elsewhere(run);
    } else if (analysis instanceof Analysis.Written && count != 0 && !run.told()) {
      possible(run);
    }
    // Within a transaction the server says before its end whether it has written.
    boolean mayHaveWritten = count != 0 || run.isSingle();
    if (analysis instanceof Analysis.Written written && written.versioned() && mayHaveWritten) {
      changeOthers(run, written.table(), written.kind() == Analysis.WriteKind.DELETE);
    }
  }

  /**
   * Whether a statement writes nothing but the rows that its count tells. The driver counts none
   * where an element of a batch answers the application with rows.
   */
  private boolean writesItsTableAlone(StatementRun run) {
    Rewriting rewriting = run.sql().rewriting();
    return rewriting != null
        && rewriting.isWrite()
        && rewriting.addition().analysis() instanceof Analysis.Written written
        && !capture.observation().mayChangeOthers(written.table(), false);
  }

  /** Whether nothing but the change of a row can have an effect: a trigger is for each row. */
  private static boolean changesRowsAlone(StatementRun run, Analysis.Opaque opaque) {
    return opaque.reason() == Uninterpreted.TOLD_BY_LOG
        && (run.sql().beginsWith("update") || run.sql().beginsWith("delete"));
  }

  /** What a trigger or a cascade of a write may have done besides. */
  private void changeOthers(StatementRun run, ObservedTable table, boolean deletes) {
    if (capture.observation().mayChangeOthers(table, deletes)) {
      run.besides(Operation.opaque(new Statement(null, run.sql().fingerprint())));
    }
  }

  /**
   * The statement succeeded with rows: for a write, which rows it wrote is seen as they are read.
   */
  void afterQuery(StatementRun run) {
    Analysis analysis = run.analysis();
    if (analysis instanceof Analysis.Opaque opaque) {
      opaque(run, opaque, NOT_TOLD);
    } else if (analysis instanceof Analysis.Insert insert) {
      insert(run, insert, NOT_TOLD);
      if (insert.table().namesWriters()) {
        changeOthers(run, insert.table(), false);
      }
    } else if (analysis.mayWrite()) {
      possible(run);
      if (analysis instanceof Analysis.Written written) {
        changeOthers(run, written.table(), written.kind() == Analysis.WriteKind.DELETE);
      } else if (analysis instanceof Analysis.Update update && update.table().namesWriters()) {
        changeOthers(run, update.table(), false);
      }
    }
  }

  /** The reply never came: what the statement did if it took effect. */
  void intended(StatementRun run) {
    Analysis analysis = run.analysis();
    boolean oneRow =
        (analysis instanceof Analysis.Update update && update.predicate().keys().size() == 1)
            || (analysis instanceof Analysis.Delete delete
                && delete.predicate().keys().size() == 1);
    if (oneRow) {
      afterUpdate(run, 1);
    } else if (analysis instanceof Analysis.Insert insert
        && insert.conflict() == Analysis.OnConflict.FAIL) {
      afterUpdate(run, insert.rows().size());
    } else {
      possible(run);
    }
  }

  /** What the statement may have done, without any claim that it did. */
  void possible(StatementRun run) {
    Analysis analysis = run.analysis();
    if (analysis instanceof Analysis.Update update) {
      run.add(Operation.opaque(statement(update.table(), run)));
    } else if (analysis instanceof Analysis.Insert insert) {
      run.add(Operation.opaque(statement(insert.table(), run)));
    } else if (analysis instanceof Analysis.Delete delete) {
      run.add(Operation.opaque(statement(delete.table(), run)));
    } else if (analysis instanceof Analysis.Written written) {
      run.add(Operation.opaque(statement(written.table(), run)));
    } else if (analysis instanceof Analysis.Elsewhere) {
      elsewhere(run);
    } else if (analysis instanceof Analysis.Opaque opaque) {
      opaque(run, opaque, NOT_TOLD);
    }
  }

  private static void elsewhere(StatementRun run) {
    run.add(Operation.elsewhere(run.sql().fingerprint()));
  }

  /**
   * What a statement may have written.
   *
   * @param count how many rows it has found
   */
  private void opaque(StatementRun run, Analysis.Opaque opaque, long count) {
    ObservedTables observed = capture.observation().tables();
    // Of named tables the log may tell what was written.
    if (opaque.tables().size() == observed.all().size() && !observed.anyTellsContents()) {
      run.add(Operation.opaque(new Statement(null, run.sql().fingerprint())));
      return;
    }
    List<Target> targets = targets(run, opaque.named());
    boolean foundOne = count == 1 && targets.size() == 1;
    for (ObservedTable table : opaque.tables()) {
      Statement statement = statement(table, run);
      if (targets.isEmpty() || anyUnknown(targets)) {
        run.add(Operation.opaque(statement));
        continue;
      }
      for (Target target : targets) {
        RowKey key = target.identity();
        if (key != null) {
          run.add(
              foundOne && opaque.named() instanceof Analysis.Update update
                  ? set(run, update, key, statement)
                  : Operation.opaque(key, statement));
        }
      }
    }
  }

  /**
   * An update has found the only row that it names. If the log does not show a change of it, it had
   * these values before, whoever wrote them. That is of use to a transaction that has read it.
   */
  private Operation set(StatementRun run, Analysis.Update update, RowKey key, Statement statement) {
    List<String> columns = new ArrayList<>();
    long content = run.isSingle() ? 0 : rows.content(run, update, key, columns);
    if (columns.isEmpty()) {
      return Operation.opaque(key, statement);
    }
    Statement tells =
        new Statement(statement.table(), statement.fingerprint(), false, false, columns);
    return Operation.opaque(key, content, tells);
  }

  /** The rows that a statement names; none if it does not name them all. */
  private List<Target> targets(StatementRun run, Analysis.@Nullable OneTable named) {
    if (named instanceof Analysis.Update update) {
      return targets(run, update);
    } else if (named instanceof Analysis.Delete delete) {
      return targets(run, delete);
    }
    return named instanceof Analysis.Insert insert ? targets(run, insert) : List.of();
  }

  private void update(StatementRun run, Analysis.Update update, long count) {
    if (count == 0) {
      return;
    }
    List<Target> targets = targets(run, update);
    if (count < targets.size()) {
      run.add(Operation.opaque(statement(update.table(), run)));
      return;
    }
    overwritten(run, update.table(), update.predicate(), targets);
    writes(run, update.table(), targets, true);
  }

  private void delete(StatementRun run, Analysis.Delete delete, long count) {
    if (count == 0) {
      return;
    }
    List<Target> targets = targets(run, delete);
    boolean all = count >= targets.size();
    Statement statement = statement(delete.table(), run);
    if (!all || anyUnknown(targets)) {
      run.add(Operation.opaque(statement));
      return;
    }
    overwritten(run, delete.table(), delete.predicate(), targets);
    for (Target target : targets) {
      RowKey key = target.identity();
      if (key != null) {
        run.add(rows.operation(OperationKind.DELETE, key, null, statement));
      }
    }
  }

  private void insert(StatementRun run, Analysis.Insert insert, long count) {
    if (count == 0) {
      return;
    }
    boolean everyRow = count >= insert.rows().size();
    boolean written =
        switch (insert.conflict()) {
          case FAIL, SAME_VERSION, OTHER_VERSION -> count < 0 || everyRow;
          case NOTHING, SAME_VERSION_IF, OTHER_VERSION_IF -> everyRow;
        };
    if (!written) {
      run.add(Operation.opaque(statement(insert.table(), run)));
      return;
    }
    boolean versionTold =
        switch (insert.conflict()) {
          case FAIL, NOTHING, SAME_VERSION, SAME_VERSION_IF -> true;
          case OTHER_VERSION, OTHER_VERSION_IF -> false;
        };
    writes(run, insert.table(), targets(run, insert), versionTold);
  }

  /** {@code AND version = ?} held for the row that was written: the old version was read. */
  private void overwritten(
      StatementRun run, ObservedTable table, KeyPredicate predicate, List<Target> targets) {
    Operand operand = predicate.version();
    if (operand == null) {
      return;
    }
    Object value = run.value(operand);
    for (Target target : targets) {
      RowKey key = target.identity();
      RowVersion version = key == null ? null : rows.version(table, key, value);
      if (key != null && version != null) {
        run.add(rows.operation(OperationKind.READ, key, version, statement(table, run)));
      }
    }
  }

  /**
   * Every target was written.
   *
   * @param versionTold whether the statement says with which version
   */
  private void writes(
      StatementRun run, ObservedTable table, List<Target> targets, boolean versionTold) {
    Statement statement = statement(table, run);
    if (targets.isEmpty() || anyUnknown(targets)) {
      capture.stats().count(CaptureStats.Event.VALUE_WITHOUT_IDENTITY);
      run.add(Operation.opaque(statement));
      return;
    }
    RowVersion writers =
        stated.version(run.sql(), run.analysis(), List.of(run::parameter), run.transaction());
    for (Target target : targets) {
      RowKey key = target.identity();
      if (key != null) {
        RowVersion version = versionTold ? target.version() : null;
        RowVersion installed = version == null ? writers : version;
        run.add(rows.operation(OperationKind.WRITE, key, installed, statement));
      }
    }
  }

  private static boolean anyUnknown(List<Target> targets) {
    for (Target target : targets) {
      if (target.identity() == null) {
        return true;
      }
    }
    return false;
  }

  private List<Target> targets(StatementRun run, Analysis.Delete delete) {
    List<Target> targets = new ArrayList<>();
    for (RowKey key : keys(run, delete.table(), delete.predicate())) {
      targets.add(new Target(key.known() ? key : null, null));
    }
    return targets;
  }

  private List<Target> targets(StatementRun run, Analysis.Update update) {
    List<Target> targets = new ArrayList<>(update.predicate().keys().size());
    Object value = run.value(update.version());
    for (RowKey key : keys(run, update.table(), update.predicate())) {
      targets.add(
          key.known()
              ? new Target(key, rows.version(update.table(), key, value))
              : new Target(null, null));
    }
    return targets;
  }

  /** The distinct keys of a condition. */
  private List<RowKey> keys(StatementRun run, ObservedTable table, KeyPredicate predicate) {
    if (predicate.keys().size() == 1) {
      return List.of(key(run, table, predicate.keys().get(0)));
    }
    Map<Object, RowKey> distinct = new LinkedHashMap<>();
    for (List<Operand> key : predicate.keys()) {
      RowKey identity = key(run, table, key);
      distinct.put(identity.known() ? identity.id() : new Object(), identity);
    }
    return new ArrayList<>(distinct.values());
  }

  private RowKey key(StatementRun run, ObservedTable table, List<Operand> operands) {
    List<Object> values = new ArrayList<>(operands.size());
    for (Operand operand : operands) {
      values.add(run.value(operand));
    }
    return rows.key(table, values);
  }

  private List<Target> targets(StatementRun run, Analysis.Insert insert) {
    ObservedTable table = insert.table();
    List<String> columns =
        insert.columns() == null ? capture.catalog().columnNames(table) : insert.columns();
    List<Target> targets = new ArrayList<>();
    for (List<Operand> row : insert.rows()) {
      targets.add(columns == null ? new Target(null, null) : target(run, table, columns, row));
    }
    return targets;
  }

  private Target target(
      StatementRun run, ObservedTable table, List<String> columns, List<Operand> row) {
    List<Object> key = new ArrayList<>();
    for (ObservedTable.Column column : table.key()) {
      key.add(valueOf(run, columns, row, column));
    }
    RowKey identity = rows.key(table, key);
    if (!identity.known()) {
      return new Target(null, null);
    }
    return new Target(
        identity, rows.version(table, identity, valueOf(run, columns, row, table.version())));
  }

  private static Object valueOf(
      StatementRun run, List<String> columns, List<Operand> row, ObservedTable.Column column) {
    int at = columns.indexOf(column.name());
    return at < 0 || at >= row.size() ? Operand.UNKNOWN : run.value(row.get(at));
  }

  static Statement statement(ObservedTable table, StatementRun run) {
    return run.statement(table);
  }
}
