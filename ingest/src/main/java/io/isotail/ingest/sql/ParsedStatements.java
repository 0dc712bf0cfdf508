package io.isotail.ingest.sql;

import io.isotail.ingest.sql.Analysis.OnConflict;
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
import net.sf.jsqlparser.statement.insert.InsertModifierPriority;
import net.sf.jsqlparser.statement.select.AllColumns;
import net.sf.jsqlparser.statement.select.PlainSelect;
import net.sf.jsqlparser.statement.select.SelectItem;
import net.sf.jsqlparser.statement.select.Values;
import net.sf.jsqlparser.statement.update.Update;
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
  private final Functions functions;
  private final SqlDialect dialect;

  ParsedStatements(
      ObservedTables tables,
      List<ObservedTable> mentioned,
      Functions functions,
      SqlDialect dialect) {
    this.tables = tables;
    this.mentioned = mentioned;
    this.functions = functions;
    this.dialect = dialect;
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

  private Analysis opaque(Uninterpreted reason) {
    return new Analysis.Opaque(mentioned, reason);
  }

  /** What is known of the database's functions. */
  Functions functions() {
    return functions;
  }

  /** The observed table that a reference means, or null. */
  @Nullable ObservedTable table(@Nullable Table reference) {
    if (reference == null || reference.getName() == null) {
      return null;
    }
    String schema = reference.getSchemaName();
    return tables.find(
        schema == null ? null : Expressions.name(schema),
        Expressions.name(reference.getName()),
        dialect);
  }

  /** Whether a name alone means an observed table. */
  boolean isObserved(String name) {
    return tables.find(null, name, dialect) != null;
  }

  private static boolean qualified(Table reference) {
    return reference.getSchemaName() != null;
  }

  /** What a write is whose target is not an observed table but whose text names one. */
  private Analysis writeElsewhere(Table target) {
    String name = Expressions.name(target.getName());
    return mentioned.stream().anyMatch(table -> table.name().equalsIgnoreCase(name))
        ? opaque(Uninterpreted.SCHEMA_UNCLEAR)
        : tables.tellRows()
            ? new Analysis.Elsewhere()
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

  static boolean renamesColumns(Table from) {
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

  /**
   * Whether a write of several tables may write any of them: elsewhere than on PostgreSQL, its
   * target may be an alias, or several.
   */
  private boolean mayWriteAny(boolean severalTables) {
    return severalTables && !dialect.joinedWritesHaveOneTarget();
  }

  private Analysis update(Update update) {
    boolean severalTables =
        update.getFromItem() != null || update.getJoins() != null || update.getStartJoins() != null;
    if (mayWriteAny(severalTables)) {
      return opaque(Uninterpreted.JOIN);
    }
    ObservedTable table = table(update.getTable());
    if (table == null) {
      return writeElsewhere(update.getTable());
    }
    if (update.isModifierIgnore()) {
      return opaque(Uninterpreted.DIALECT_UNCLEAR);
    }
    if (severalTables
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
            assignments.values(),
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
        || insert.getOverridingMode() == Insert.OverridingMode.USER
        || insert.isOnlyDefaultValues()) {
      return opaque(Uninterpreted.INSERT_WITHOUT_VALUES);
    }
    if (insert.isOverwrite() || insert.getModifierPriority() == InsertModifierPriority.DELAYED) {
      return opaque(Uninterpreted.DIALECT_UNCLEAR);
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
      return insert.isModifierIgnore() ? OnConflict.NOTHING : OnConflict.FAIL;
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
    boolean severalTables =
        !isEmpty(delete.getTables())
            || !isEmpty(delete.getUsingFromItemList())
            || !isEmpty(delete.getJoins());
    if (mayWriteAny(severalTables)) {
      return opaque(Uninterpreted.JOIN);
    }
    ObservedTable table = table(delete.getTable());
    if (table == null) {
      return writeElsewhere(delete.getTable());
    }
    if (delete.isModifierIgnore()) {
      return opaque(Uninterpreted.DIALECT_UNCLEAR);
    }
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

  static boolean isEmpty(@Nullable List<?> list) {
    return list == null || list.isEmpty();
  }
}
