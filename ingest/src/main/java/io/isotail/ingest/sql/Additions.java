package io.isotail.ingest.sql;

import io.isotail.ingest.sql.Analysis.WriteKind;
import io.isotail.ingest.sql.HiddenColumns.Reference;
import io.isotail.ingest.sql.Rewriting.Addition;
import java.util.List;
import net.sf.jsqlparser.expression.operators.relational.ParenthesedExpressionList;
import net.sf.jsqlparser.schema.Table;
import net.sf.jsqlparser.statement.Statement;
import net.sf.jsqlparser.statement.delete.Delete;
import net.sf.jsqlparser.statement.insert.ConflictActionType;
import net.sf.jsqlparser.statement.insert.Insert;
import net.sf.jsqlparser.statement.insert.InsertConflictAction;
import net.sf.jsqlparser.statement.merge.Merge;
import net.sf.jsqlparser.statement.merge.MergeInsert;
import net.sf.jsqlparser.statement.merge.MergeOperation;
import net.sf.jsqlparser.statement.merge.MergeUpdate;
import net.sf.jsqlparser.statement.select.PlainSelect;
import net.sf.jsqlparser.statement.select.Select;
import net.sf.jsqlparser.statement.select.Values;
import net.sf.jsqlparser.statement.select.WithItem;
import net.sf.jsqlparser.statement.update.Update;
import org.jspecify.annotations.Nullable;

/**
 * Which hidden columns a parsed statement can carry without another answer: a query as {@link
 * QueryAdditions} says, a write only where it keeps its rows' keys.
 */
final class Additions {
  private final ParsedStatements statements;
  private final LexedSql sql;
  private final boolean valuesMakeRows;
  private final int tablesRead;

  /**
   * Additions to a statement over the tables of these.
   *
   * @param sql the statement
   * @param tablesRead how often it reads an observed table
   */
  Additions(ParsedStatements statements, LexedSql sql, int tablesRead) {
    this.statements = statements;
    this.sql = sql;
    this.valuesMakeRows = statements.functions().mayMakeRows(sql);
    this.tablesRead = tablesRead;
  }

  /** What can be added to a statement so that it tells all rows; null if nothing can. */
  @Nullable Addition of(Statement statement) {
    if (statement instanceof Select query) {
      if (goesElsewhere()) {
        return null;
      }
      return onlyRead(query.getWithItemsList())
          ? QueryAdditions.of(query, statements, this::reference, sql, tablesRead)
          : shownWrite(query);
    }
    if (statement instanceof Update update) {
      return addition(update);
    }
    if (statement instanceof Insert insert) {
      return addition(insert);
    }
    if (statement instanceof Merge merge) {
      return addition(merge);
    }
    return statement instanceof Delete delete ? addition(delete) : null;
  }

  /**
   * Whether a query of MySQL's may put its columns into variables or a file, of which there are as
   * many as the application has written.
   */
  private boolean goesElsewhere() {
    return !statements.functions().dialect().readsNamesExactly()
        && sql.tokens().stream().anyMatch(t -> t.isWord("into") || t.isWord("procedure"));
  }

  /** A table whose rows tell who wrote them; null if it is none. */
  private @Nullable Reference reference(@Nullable Table written) {
    ObservedTable table = statements.table(written);
    return written == null
            || table == null
            || !table.tellsRows()
            || ParsedStatements.renamesColumns(written)
        ? null
        : new Reference(table, written);
  }

  /** A table that a write is asked about; null if it is none. */
  private @Nullable Reference target(@Nullable Table written) {
    Reference target = reference(written);
    return target != null && target.table().namesWriters() ? target : null;
  }

  /** Whether common table expressions write nothing, and hide no observed table. */
  private boolean onlyRead(@Nullable List<WithItem<?>> items) {
    return CommonTables.of(items, statements) != null;
  }

  private @Nullable Addition shownWrite(Select query) {
    QueryTokens tokens = QueryTokens.of(sql, statements.functions());
    return tokens != null && query instanceof PlainSelect select && !valuesMakeRows
        ? new ShownWrite(select, sql, tokens).addition(this::onlyRead, this::of)
        : null;
  }

  private @Nullable Addition addition(Update update) {
    Reference target = target(update.getTable());
    if (target == null || !onlyRead(update.getWithItemsList()) || update.getLimit() != null) {
      return null;
    }
    Expressions expressions = new Expressions(target.table(), update.getTable());
    boolean keepsKeys = Assignments.of(target.table(), expressions, update.getUpdateSets()) != null;
    return keepsKeys
        ? write(
            target,
            WriteKind.UPDATE,
            expressions.keyPredicate(update.getWhere()),
            update.getReturningClause())
        : null;
  }

  private @Nullable Addition addition(Delete delete) {
    Reference target =
        ParsedStatements.isEmpty(delete.getTables()) ? target(delete.getTable()) : null;
    if (target == null || !onlyRead(delete.getWithItemsList()) || delete.getLimit() != null) {
      return null;
    }
    Expressions expressions = new Expressions(target.table(), delete.getTable());
    return write(
        target,
        WriteKind.DELETE,
        expressions.keyPredicate(delete.getWhere()),
        delete.getReturningClause());
  }

  private @Nullable Addition addition(Insert insert) {
    Reference target = target(insert.getTable());
    boolean plain =
        onlyRead(insert.getWithItemsList())
            && insert.getSetUpdateSets() == null
            && insert.getDuplicateUpdateSets() == null
            && insert.getDuplicateAction() == null;
    if (target == null || !plain) {
      return null;
    }
    Expressions expressions = new Expressions(target.table(), insert.getTable());
    InsertConflictAction action = insert.getConflictAction();
    if (action != null
        && action.getConflictActionType() == ConflictActionType.DO_UPDATE
        && Assignments.of(target.table(), expressions, action.getUpdateSets()) == null) {
      return null;
    }
    boolean oneRow =
        insert.getSelect() instanceof Values one
            && one.getExpressions() instanceof ParenthesedExpressionList<?> row
            && (!valuesMakeRows
                || row.stream()
                    .noneMatch(e -> expressions.operand(e) instanceof Operand.Unknowable));
    boolean mayReplace =
        action != null && action.getConflictActionType() == ConflictActionType.DO_UPDATE;
    return write(target, WriteKind.INSERT, oneRow, oneRow, mayReplace, insert.getReturningClause());
  }

  private @Nullable Addition addition(Merge merge) {
    Reference target = target(merge.getTable());
    if (target == null
        || !onlyRead(merge.getWithItemsList())
        || merge.getOutputClause() != null
        || ParsedStatements.isEmpty(merge.getOperations())) {
      return null;
    }
    Expressions expressions = new Expressions(target.table(), merge.getTable());
    for (MergeOperation operation : merge.getOperations()) {
      boolean makesVersions =
          operation instanceof MergeInsert
              || (operation instanceof MergeUpdate update
                  && update.getDeleteWhereCondition() == null
                  && Assignments.of(target.table(), expressions, update.getUpdateSets()) != null);
      if (!makesVersions) {
        return null; // It may delete rows, and then returns what they were.
      }
    }
    return write(target, WriteKind.MERGE, null, merge.getReturningClause());
  }

  private @Nullable Addition write(
      Reference target,
      WriteKind kind,
      @Nullable KeyPredicate predicate,
      net.sf.jsqlparser.statement.@Nullable ReturningClause returning) {
    boolean oneRow = predicate != null && predicate.keys().size() == 1;
    boolean mayReplace = kind != WriteKind.MERGE;
    return write(target, kind, oneRow, predicate != null, mayReplace, returning);
  }

  private @Nullable Addition write(
      Reference target,
      WriteKind kind,
      boolean oneRow,
      boolean bounded,
      boolean mayReplace,
      net.sf.jsqlparser.statement.@Nullable ReturningClause returning) {
    boolean renamesRows =
        returning != null
            && returning.getOutputAliases() != null
            && !returning.getOutputAliases().isEmpty();
    return renamesRows
        ? null
        : HiddenColumns.ofWrite(
            target,
            kind,
            oneRow,
            returning != null,
            bounded,
            mayReplace && !HiddenColumns.namesOld(sql),
            sql.tokens().size());
  }
}
