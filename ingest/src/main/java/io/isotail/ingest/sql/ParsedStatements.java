package io.isotail.ingest.sql;

import io.isotail.ingest.sql.Analysis.OnConflict;
import io.isotail.ingest.sql.Analysis.WriteKind;
import io.isotail.ingest.sql.HiddenColumns.Reference;
import io.isotail.ingest.sql.Rewriting.Addition;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import net.sf.jsqlparser.expression.Alias;
import net.sf.jsqlparser.expression.Expression;
import net.sf.jsqlparser.expression.operators.relational.ExpressionList;
import net.sf.jsqlparser.expression.operators.relational.ParenthesedExpressionList;
import net.sf.jsqlparser.schema.Column;
import net.sf.jsqlparser.schema.Table;
import net.sf.jsqlparser.statement.Statement;
import net.sf.jsqlparser.statement.delete.Delete;
import net.sf.jsqlparser.statement.insert.ConflictActionType;
import net.sf.jsqlparser.statement.insert.Insert;
import net.sf.jsqlparser.statement.insert.InsertConflictAction;
import net.sf.jsqlparser.statement.insert.InsertConflictTarget;
import net.sf.jsqlparser.statement.select.AllColumns;
import net.sf.jsqlparser.statement.select.FromItem;
import net.sf.jsqlparser.statement.select.PlainSelect;
import net.sf.jsqlparser.statement.select.SelectItem;
import net.sf.jsqlparser.statement.select.Values;
import net.sf.jsqlparser.statement.update.Update;
import net.sf.jsqlparser.statement.update.UpdateSet;
import org.jspecify.annotations.Nullable;

/**
 * Analyses a parsed statement that names an observed table and calls no unknown function.
 *
 * <p>Whatever is not recognised in full becomes {@link Analysis.Opaque} when it may write and
 * {@link Analysis.Unread} when it only reads.
 */
final class ParsedStatements {
  private final ObservedTables tables;
  private final List<ObservedTable> mentioned;

  ParsedStatements(ObservedTables tables, List<ObservedTable> mentioned) {
    this.tables = tables;
    this.mentioned = mentioned;
  }

  Analysis analyze(Statement statement) {
    if (statement instanceof PlainSelect select) {
      return select(select);
    }
    if (statement instanceof Update update) {
      return update(update);
    }
    if (statement instanceof Insert insert) {
      return insert(insert);
    }
    if (statement instanceof Delete delete) {
      return delete(delete);
    }
    return statement instanceof net.sf.jsqlparser.statement.select.Select
        ? new Analysis.Unread(Uninterpreted.AGGREGATE)
        : opaque(Uninterpreted.UTILITY);
  }

  /** What can be added to a statement so that it tells all rows; null if nothing can. */
  @Nullable Addition addition(Statement statement) {
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
            && isEmpty(select.getWithItemsList());
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
    // A locked row is read again when it is locked, the others are not.
    boolean locksSome = select.getForMode() != null && from.size() > 1;
    if (references.isEmpty() || locksSome) {
      return null;
    }
    KeyPredicate predicate = null;
    if (from.size() == 1 && analyze(select) instanceof Analysis.Select one) {
      KeyPredicate found = one.predicate();
      predicate = found != null && found.exact() ? found : null;
    }
    return HiddenColumns.ofQuery(references, predicate);
  }

  /** A table whose rows tell who wrote them; null if it is none. */
  private @Nullable Reference reference(@Nullable Table written) {
    ObservedTable table = table(written);
    return written == null || table == null || !table.namesWriters() || renamesColumns(written)
        ? null
        : new Reference(table, written);
  }

  private @Nullable Addition addition(Update update) {
    Reference target = reference(update.getTable());
    if (target == null || !isEmpty(update.getWithItemsList()) || update.getLimit() != null) {
      return null;
    }
    Expressions expressions = new Expressions(target.table(), update.getTable());
    boolean keepsKeys = Assignments.of(target.table(), expressions, update.getUpdateSets()) != null;
    return keepsKeys
        ? write(
            target,
            WriteKind.UPDATE,
            isOneKey(expressions.keyPredicate(update.getWhere())),
            update.getReturningClause())
        : null;
  }

  private @Nullable Addition addition(Delete delete) {
    Reference target = isEmpty(delete.getTables()) ? reference(delete.getTable()) : null;
    if (target == null || !isEmpty(delete.getWithItemsList()) || delete.getLimit() != null) {
      return null;
    }
    Expressions expressions = new Expressions(target.table(), delete.getTable());
    return write(
        target,
        WriteKind.DELETE,
        isOneKey(expressions.keyPredicate(delete.getWhere())),
        delete.getReturningClause());
  }

  private @Nullable Addition addition(Insert insert) {
    Reference target = reference(insert.getTable());
    boolean plain =
        isEmpty(insert.getWithItemsList())
            && insert.getSetUpdateSets() == null
            && insert.getDuplicateUpdateSets() == null
            && insert.getDuplicateAction() == null;
    if (target == null || !plain) {
      return null;
    }
    InsertConflictAction action = insert.getConflictAction();
    if (action != null && action.getConflictActionType() == ConflictActionType.DO_UPDATE) {
      Expressions expressions = new Expressions(target.table(), insert.getTable());
      if (Assignments.of(target.table(), expressions, action.getUpdateSets()) == null) {
        return null;
      }
    }
    boolean oneRow =
        insert.getSelect() instanceof Values values
            && values.getExpressions() instanceof ParenthesedExpressionList<?>;
    return write(target, WriteKind.INSERT, oneRow, insert.getReturningClause());
  }

  private static @Nullable Addition write(
      Reference target,
      WriteKind kind,
      boolean oneRow,
      net.sf.jsqlparser.statement.@Nullable ReturningClause returning) {
    boolean renamesRows =
        returning != null
            && returning.getOutputAliases() != null
            && !returning.getOutputAliases().isEmpty();
    return renamesRows ? null : HiddenColumns.ofWrite(target, kind, oneRow, returning != null);
  }

  private static boolean isOneKey(@Nullable KeyPredicate predicate) {
    return predicate != null && predicate.keys().size() == 1;
  }

  private Analysis opaque(Uninterpreted reason) {
    return new Analysis.Opaque(mentioned, reason);
  }

  /** The observed table that a reference means, or null. */
  private @Nullable ObservedTable table(@Nullable Table reference) {
    if (reference == null || reference.getName() == null) {
      return null;
    }
    String schema = reference.getSchemaName();
    return tables.find(
        schema == null ? null : Expressions.name(schema), Expressions.name(reference.getName()));
  }

  private static boolean qualified(Table reference) {
    return reference.getSchemaName() != null;
  }

  /** What a write is whose target is not an observed table but whose text names one. */
  private Analysis writeElsewhere(Table target) {
    String name = Expressions.name(target.getName());
    return mentioned.stream().anyMatch(table -> table.name().equals(name))
        ? opaque(Uninterpreted.SCHEMA_UNCLEAR)
        : new Analysis.Unread(Uninterpreted.SUBQUERY);
  }

  private Analysis select(PlainSelect select) {
    if (select.getJoins() != null || select.getLateralViews() != null) {
      return new Analysis.Unread(Uninterpreted.JOIN);
    }
    if (!(select.getFromItem() instanceof Table from) || select.getIntoTables() != null) {
      return new Analysis.Unread(Uninterpreted.SUBQUERY);
    }
    ObservedTable table = table(from);
    if (table == null) {
      return new Analysis.Unread(Uninterpreted.SUBQUERY);
    }
    if (select.getGroupBy() != null || select.getHaving() != null) {
      return new Analysis.Unread(Uninterpreted.AGGREGATE);
    }
    if (renamesColumns(from)) {
      return new Analysis.Unread(Uninterpreted.SUBQUERY);
    }
    Expressions expressions = new Expressions(table, from);
    RowShape shape = shape(expressions, select.getSelectItems());
    KeyPredicate predicate = expressions.keyPredicate(select.getWhere());
    if (predicate != null && predicate.exact() && !provesAbsence(select, expressions)) {
      predicate = new KeyPredicate(predicate.keys(), predicate.version(), false);
    }
    return new Analysis.Select(table, qualified(from), shape, predicate);
  }

  private static boolean renamesColumns(Table from) {
    Alias alias = from.getAlias();
    return alias != null && alias.getAliasColumns() != null && !alias.getAliasColumns().isEmpty();
  }

  /** Whether no clause but the condition can make the result empty. */
  private static boolean provesAbsence(PlainSelect select, Expressions expressions) {
    for (SelectItem<?> item : select.getSelectItems()) {
      Expression e = item.getExpression();
      boolean oneRow =
          e instanceof AllColumns
              || e instanceof Column
              || !(expressions.operand(e) instanceof Operand.Unknowable)
              || e instanceof net.sf.jsqlparser.expression.NullValue;
      if (!oneRow) {
        return false;
      }
    }
    return select.getLimit() == null
        && select.getLimitBy() == null
        && select.getOffset() == null
        && select.getFetch() == null
        && select.getTop() == null
        && select.getSkip() == null
        && select.getFirst() == null
        && select.getQualify() == null
        && select.getSampleClause() == null
        && select.getPreWhere() == null
        && select.getOracleHierarchical() == null
        && ((Table) select.getFromItem()).getSampleClause() == null
        && !select.isSkipLocked();
  }

  private static RowShape shape(
      Expressions expressions, List<? extends SelectItem<?>> selectItems) {
    List<RowShape.Item> items = new ArrayList<>();
    for (SelectItem<?> item : selectItems) {
      Expression e = item.getExpression();
      boolean star = e instanceof AllColumns;
      items.add(new RowShape.Item(star ? null : expressions.column(e), star));
    }
    return new RowShape(items);
  }

  private static @Nullable RowShape returning(
      Expressions expressions, net.sf.jsqlparser.statement.@Nullable ReturningClause clause) {
    if (clause == null) {
      return null;
    }
    boolean renamesRows = clause.getOutputAliases() != null && !clause.getOutputAliases().isEmpty();
    return renamesRows ? new RowShape(List.of()) : shape(expressions, clause);
  }

  private Analysis update(Update update) {
    ObservedTable table = table(update.getTable());
    if (table == null) {
      return writeElsewhere(update.getTable());
    }
    if (update.getFromItem() != null
        || update.getJoins() != null
        || update.getStartJoins() != null
        || update.getLimit() != null
        || update.getOrderByElements() != null
        || renamesColumns(update.getTable())) {
      return opaque(Uninterpreted.JOIN);
    }
    Expressions expressions = new Expressions(table, update.getTable());
    KeyPredicate predicate = expressions.keyPredicate(update.getWhere());
    if (predicate == null) {
      return opaque(Uninterpreted.NO_KEY_CONDITION);
    }
    Assignments assignments = Assignments.of(table, expressions, update.getUpdateSets());
    return assignments == null
        ? opaque(Uninterpreted.KEY_CHANGED)
        : new Analysis.Update(
            table,
            qualified(update.getTable()),
            predicate,
            expressions.installed(assignments.version(), predicate.version()),
            returning(expressions, update.getReturningClause()));
  }

  private Analysis insert(Insert insert) {
    ObservedTable table = table(insert.getTable());
    if (table == null) {
      return writeElsewhere(insert.getTable());
    }
    if (!(insert.getSelect() instanceof Values values)
        || insert.getSetUpdateSets() != null
        || insert.getDuplicateUpdateSets() != null
        || insert.getDuplicateAction() != null
        || insert.isOnlyDefaultValues()) {
      return opaque(Uninterpreted.INSERT_WITHOUT_VALUES);
    }
    Expressions expressions = new Expressions(table, insert.getTable());
    List<String> columns = null;
    if (insert.getColumns() != null && !insert.getColumns().isEmpty()) {
      columns = new ArrayList<>();
      for (Column column : insert.getColumns()) {
        columns.add(Expressions.name(column.getColumnName()));
      }
    }
    OnConflict conflict = conflict(table, expressions, insert);
    if (conflict == null) {
      return opaque(Uninterpreted.KEY_CHANGED);
    }
    return new Analysis.Insert(
        table,
        qualified(insert.getTable()),
        columns == null ? null : List.copyOf(columns),
        rows(expressions, values.getExpressions()),
        conflict,
        returning(expressions, insert.getReturningClause()));
  }

  private static List<List<Operand>> rows(Expressions expressions, ExpressionList<?> values) {
    List<List<Operand>> rows = new ArrayList<>();
    if (values instanceof ParenthesedExpressionList<?>) {
      rows.add(row(expressions, values));
    } else {
      for (Expression row : values) {
        rows.add(row(expressions, row instanceof ExpressionList<?> list ? list : List.of(row)));
      }
    }
    return List.copyOf(rows);
  }

  private static List<Operand> row(Expressions expressions, List<? extends Expression> values) {
    List<Operand> row = new ArrayList<>();
    for (Expression value : values) {
      row.add(expressions.operand(value));
    }
    return List.copyOf(row);
  }

  /** What ON CONFLICT does; null when it may write a row other than the one of VALUES. */
  private static @Nullable OnConflict conflict(
      ObservedTable table, Expressions expressions, Insert insert) {
    InsertConflictAction action = insert.getConflictAction();
    if (action == null) {
      return OnConflict.FAIL;
    }
    if (action.getConflictActionType() != ConflictActionType.DO_UPDATE) {
      return OnConflict.NOTHING;
    }
    if (!isKey(table, insert.getConflictTarget())) {
      return null;
    }
    Assignments assignments = Assignments.of(table, expressions, action.getUpdateSets());
    if (assignments == null) {
      return null;
    }
    boolean conditional = action.getWhereExpression() != null;
    if (assignments.version() instanceof Column column
        && column.getTable() != null
        && column.getTable().getName() != null
        && Expressions.name(column.getTable().getName()).equals("excluded")
        && Expressions.name(column.getColumnName()).equals(table.version().name())) {
      return conditional ? OnConflict.SAME_VERSION_IF : OnConflict.SAME_VERSION;
    }
    return conditional ? OnConflict.OTHER_VERSION_IF : OnConflict.OTHER_VERSION;
  }

  private static boolean isKey(ObservedTable table, @Nullable InsertConflictTarget target) {
    if (target == null
        || target.getConstraintName() != null
        || target.getIndexExpression() != null
        || target.getWhereExpression() != null
        || target.getIndexColumnNames() == null) {
      return false;
    }
    Set<String> columns = new HashSet<>();
    for (String column : target.getIndexColumnNames()) {
      columns.add(Expressions.name(column));
    }
    Set<String> key = new HashSet<>();
    table.key().forEach(column -> key.add(column.name()));
    return columns.equals(key);
  }

  private Analysis delete(Delete delete) {
    if (delete.getTable() == null) {
      return opaque(Uninterpreted.UTILITY);
    }
    ObservedTable table = table(delete.getTable());
    if (table == null) {
      return writeElsewhere(delete.getTable());
    }
    boolean severalTables =
        !isEmpty(delete.getTables())
            || !isEmpty(delete.getUsingFromItemList())
            || !isEmpty(delete.getJoins());
    if (severalTables
        || delete.getLimit() != null
        || delete.getOrderByElements() != null
        || renamesColumns(delete.getTable())) {
      return opaque(Uninterpreted.JOIN);
    }
    Expressions expressions = new Expressions(table, delete.getTable());
    KeyPredicate predicate = expressions.keyPredicate(delete.getWhere());
    return predicate == null
        ? opaque(Uninterpreted.NO_KEY_CONDITION)
        : new Analysis.Delete(
            table,
            qualified(delete.getTable()),
            predicate,
            returning(expressions, delete.getReturningClause()));
  }

  private static boolean isEmpty(@Nullable List<?> list) {
    return list == null || list.isEmpty();
  }

  /**
   * The assignments of a SET list.
   *
   * @param version what the version column is set to, or null when it is not set
   */
  private record Assignments(@Nullable Expression version) {

    /** Reads a SET list; null when it may change the key or is not understood. */
    static @Nullable Assignments of(
        ObservedTable table, Expressions expressions, List<UpdateSet> sets) {
      Expression version = null;
      for (UpdateSet set : sets) {
        for (int i = 0; i < set.getColumns().size(); i++) {
          String column = expressions.column(set.getColumns().get(i));
          if (column == null || table.keyIndex(column) >= 0) {
            return null;
          }
          if (column.equals(table.version().name())) {
            version =
                set.getValues().size() == set.getColumns().size()
                    ? set.getValues().get(i)
                    : set.getColumns().get(i);
          }
        }
      }
      return new Assignments(version);
    }
  }
}
