package io.isotail.ingest.sql;

import io.isotail.ingest.sql.Analysis.WriteKind;
import io.isotail.ingest.sql.HiddenColumns.Reference;
import io.isotail.ingest.sql.Rewriting.Addition;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import net.sf.jsqlparser.expression.operators.relational.ParenthesedExpressionList;
import net.sf.jsqlparser.schema.Table;
import net.sf.jsqlparser.statement.Statement;
import net.sf.jsqlparser.statement.delete.Delete;
import net.sf.jsqlparser.statement.insert.ConflictActionType;
import net.sf.jsqlparser.statement.insert.Insert;
import net.sf.jsqlparser.statement.insert.InsertConflictAction;
import net.sf.jsqlparser.statement.select.FromItem;
import net.sf.jsqlparser.statement.select.PlainSelect;
import net.sf.jsqlparser.statement.select.Values;
import net.sf.jsqlparser.statement.update.Update;
import org.jspecify.annotations.Nullable;

/**
 * Which hidden columns a parsed statement can carry without another answer: a query only where each
 * of its rows is made of one row of each table, a write only where it keeps its rows' keys.
 */
final class Additions {
  private final ParsedStatements statements;
  private final boolean valuesMakeRows;
  private final int tablesRead;

  /**
   * Additions to statements over the tables of these.
   *
   * @param valuesMakeRows whether a value of the statement may be a set of values
   * @param tablesRead how often the statement reads an observed table
   */
  Additions(ParsedStatements statements, boolean valuesMakeRows, int tablesRead) {
    this.statements = statements;
    this.valuesMakeRows = valuesMakeRows;
    this.tablesRead = tablesRead;
  }

  /** What can be added to a statement so that it tells all rows; null if nothing can. */
  @Nullable Addition of(Statement statement) {
    if (statement instanceof PlainSelect select) {
      return addition(select);
    }
    if (statement instanceof Update update) {
      return addition(update);
    }
    if (statement instanceof Insert insert) {
      return addition(insert);
    }
    return statement instanceof Delete delete ? addition(delete) : null;
  }

  private @Nullable Addition addition(PlainSelect select) {
    boolean rowByRow =
        select.getDistinct() == null
            && select.getGroupBy() == null
            && select.getHaving() == null
            && select.getIntoTables() == null
            && select.getLateralViews() == null
            && select.getQualify() == null
            && ParsedStatements.isEmpty(select.getWithItemsList());
    if (!rowByRow) {
      return null;
    }
    List<FromItem> from = new ArrayList<>();
    from.add(select.getFromItem());
    if (select.getJoins() != null) {
      select.getJoins().forEach(join -> from.add(join.getFromItem()));
    }
    List<Reference> references = new ArrayList<>();
    for (FromItem item : from) {
      Reference reference = item instanceof Table written ? reference(written) : null;
      if (reference != null) {
        references.add(reference);
      }
    }
    if (references.isEmpty()) {
      return null;
    }
    KeyPredicate predicate = null;
    if (from.size() == 1 && statements.analyze(select) instanceof Analysis.Select one) {
      KeyPredicate found = one.predicate();
      predicate = found != null && found.exact() ? found : null;
    }
    return HiddenColumns.ofQuery(
        references, locked(select), predicate, tablesRead > references.size());
  }

  /** The names of the tables whose rows a query locks; null if it locks all. */
  private static @Nullable Set<String> locked(PlainSelect select) {
    if (select.getForMode() == null) {
      return Set.of();
    }
    if (ParsedStatements.isEmpty(select.getForUpdateTables())) {
      return null;
    }
    Set<String> names = new HashSet<>();
    select.getForUpdateTables().forEach(table -> names.add(Expressions.name(table.getName())));
    return names;
  }

  /** A table whose rows tell who wrote them; null if it is none. */
  private @Nullable Reference reference(@Nullable Table written) {
    ObservedTable table = statements.table(written);
    return written == null
            || table == null
            || !table.namesWriters()
            || ParsedStatements.renamesColumns(written)
        ? null
        : new Reference(table, written);
  }

  private @Nullable Addition addition(Update update) {
    Reference target = reference(update.getTable());
    if (target == null
        || !ParsedStatements.isEmpty(update.getWithItemsList())
        || update.getLimit() != null) {
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
        ParsedStatements.isEmpty(delete.getTables()) ? reference(delete.getTable()) : null;
    if (target == null
        || !ParsedStatements.isEmpty(delete.getWithItemsList())
        || delete.getLimit() != null) {
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
    Reference target = reference(insert.getTable());
    boolean plain =
        ParsedStatements.isEmpty(insert.getWithItemsList())
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
    return write(target, WriteKind.INSERT, oneRow, oneRow, insert.getReturningClause());
  }

  private static @Nullable Addition write(
      Reference target,
      WriteKind kind,
      @Nullable KeyPredicate predicate,
      net.sf.jsqlparser.statement.@Nullable ReturningClause returning) {
    boolean oneRow = predicate != null && predicate.keys().size() == 1;
    return write(target, kind, oneRow, predicate != null, returning);
  }

  private static @Nullable Addition write(
      Reference target,
      WriteKind kind,
      boolean oneRow,
      boolean bounded,
      net.sf.jsqlparser.statement.@Nullable ReturningClause returning) {
    boolean renamesRows =
        returning != null
            && returning.getOutputAliases() != null
            && !returning.getOutputAliases().isEmpty();
    return renamesRows
        ? null
        : HiddenColumns.ofWrite(target, kind, oneRow, returning != null, bounded);
  }
}
