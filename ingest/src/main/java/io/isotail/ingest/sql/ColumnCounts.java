package io.isotail.ingest.sql;

import java.util.ArrayList;
import java.util.List;
import net.sf.jsqlparser.expression.Alias;
import net.sf.jsqlparser.expression.Expression;
import net.sf.jsqlparser.schema.Table;
import net.sf.jsqlparser.statement.select.AllColumns;
import net.sf.jsqlparser.statement.select.AllTableColumns;
import net.sf.jsqlparser.statement.select.FromItem;
import net.sf.jsqlparser.statement.select.Join;
import net.sf.jsqlparser.statement.select.ParenthesedFromItem;
import net.sf.jsqlparser.statement.select.ParenthesedSelect;
import net.sf.jsqlparser.statement.select.PlainSelect;
import net.sf.jsqlparser.statement.select.Select;
import net.sf.jsqlparser.statement.select.SelectItem;
import net.sf.jsqlparser.statement.select.SetOperationList;
import org.jspecify.annotations.Nullable;

/** Counts the columns that the application has asked for in the queries of one statement. */
final class ColumnCounts {
  private final ParsedStatements statements;
  private final CommonTables common;

  ColumnCounts(ParsedStatements statements, CommonTables common) {
    this.statements = statements;
    this.common = common;
  }

  /** The columns of a query that sees no common table expressions but those of the statement. */
  ColumnCount of(Select query) {
    if (query instanceof ParenthesedSelect parenthesed) {
      return ofSubquery(parenthesed.getSelect());
    }
    if (query instanceof SetOperationList list) {
      return ofSubquery(list.getSelect(0));
    }
    return query instanceof PlainSelect select ? ofItems(select) : ColumnCount.ONE;
  }

  private ColumnCount ofSubquery(Select query) {
    return ParsedStatements.isEmpty(query.getWithItemsList()) ? of(query) : ColumnCount.ONE;
  }

  private ColumnCount ofItems(PlainSelect select) {
    ColumnCount sum = ColumnCount.of(0);
    for (SelectItem<?> item : select.getSelectItems()) {
      Expression expression = item.getExpression();
      if (expression instanceof AllTableColumns star) {
        sum = sum.plus(named(select, star.getTable()));
      } else {
        sum = sum.plus(expression instanceof AllColumns ? all(select) : ColumnCount.ONE);
      }
    }
    return sum;
  }

  /** The columns of the one item of the FROM list that has a name. */
  private ColumnCount named(PlainSelect select, @Nullable Table table) {
    if (table == null || table.getName() == null) {
      return ColumnCount.ONE;
    }
    String name = Expressions.name(table.getName());
    List<FromItem> items =
        items(select.getFromItem(), select.getJoins()).stream()
            .filter(item -> name.equals(name(item)))
            .toList();
    return items.size() == 1 ? ofItem(items.get(0)) : ColumnCount.ONE;
  }

  private static @Nullable String name(FromItem item) {
    Alias alias = item.getAlias();
    if (alias != null && alias.getName() != null) {
      return Expressions.name(alias.getName().strip());
    }
    return item instanceof Table table ? Expressions.name(table.getName()) : null;
  }

  /** The columns of a whole FROM list. */
  private ColumnCount all(PlainSelect select) {
    List<Join> joins = joins(select.getFromItem(), select.getJoins());
    List<FromItem> items = items(select.getFromItem(), select.getJoins());
    if (joins.stream().anyMatch(Join::isNatural)) {
      return items.isEmpty() ? ColumnCount.ONE : ofItem(items.get(0)); // All its columns are kept.
    }
    ColumnCount sum = ColumnCount.of(0);
    for (FromItem item : items) {
      sum = sum.plus(ofItem(item));
    }
    for (Join join : joins) {
      int merged = join.getUsingColumns() == null ? 0 : join.getUsingColumns().size();
      sum = sum.plus(ColumnCount.of(-merged));
    }
    return sum;
  }

  private static List<FromItem> items(@Nullable FromItem first, @Nullable List<Join> joins) {
    List<FromItem> items = new ArrayList<>();
    if (first instanceof ParenthesedFromItem joined && joined.getAlias() == null) {
      items.addAll(items(joined.getFromItem(), joined.getJoins()));
    } else if (first != null) {
      items.add(first);
    }
    if (joins != null) {
      joins.forEach(join -> items.addAll(items(join.getFromItem(), null)));
    }
    return items;
  }

  private static List<Join> joins(@Nullable FromItem first, @Nullable List<Join> joins) {
    List<Join> all = new ArrayList<>();
    if (first instanceof ParenthesedFromItem joined && joined.getAlias() == null) {
      all.addAll(joins(joined.getFromItem(), joined.getJoins()));
    }
    if (joins != null) {
      for (Join join : joins) {
        all.add(join);
        all.addAll(joins(join.getFromItem(), null));
      }
    }
    return all;
  }

  private ColumnCount ofItem(FromItem item) {
    if (item instanceof ParenthesedSelect subquery) {
      return ofSubquery(subquery);
    }
    if (!(item instanceof Table table)) {
      return ColumnCount.ONE;
    }
    if (common.isNamed(table)) {
      ColumnCount count = common.query(table, this::ofSubquery);
      return count == null ? ColumnCount.ONE : count;
    }
    ObservedTable observed = statements.table(table);
    return observed == null ? ColumnCount.ONE : ColumnCount.of(observed);
  }
}
