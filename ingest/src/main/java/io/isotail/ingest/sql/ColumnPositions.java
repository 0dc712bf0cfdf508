package io.isotail.ingest.sql;

import java.util.ArrayList;
import java.util.List;
import net.sf.jsqlparser.expression.Expression;
import net.sf.jsqlparser.expression.JdbcParameter;
import net.sf.jsqlparser.expression.SignedExpression;
import net.sf.jsqlparser.expression.operators.relational.ExpressionList;
import net.sf.jsqlparser.expression.operators.relational.ParenthesedExpressionList;
import net.sf.jsqlparser.statement.select.Distinct;
import net.sf.jsqlparser.statement.select.GroupByElement;
import net.sf.jsqlparser.statement.select.OrderByElement;
import net.sf.jsqlparser.statement.select.PlainSelect;
import net.sf.jsqlparser.statement.select.Select;
import org.jspecify.annotations.Nullable;

/**
 * Finds what may stand for a column by its number, in the clauses of a query where the server takes
 * a constant for that.
 */
final class ColumnPositions {
  private final List<Operand.OfSlot> found = new ArrayList<>();

  private ColumnPositions() {}

  /** Those of a query's own ORDER BY, GROUP BY and DISTINCT ON, not of its subqueries. */
  static List<ColumnPosition> of(Select query, ColumnCounts counts) {
    ColumnPositions positions = new ColumnPositions();
    positions.addOrder(query.getOrderByElements());
    if (query instanceof PlainSelect select) {
      GroupByElement groupBy = select.getGroupBy();
      if (groupBy != null) {
        positions.addGroups(groupBy.getGroupByExpressionList());
      }
      Distinct distinct = select.getDistinct();
      if (distinct != null && distinct.getOnSelectItems() != null) {
        distinct.getOnSelectItems().forEach(item -> positions.add(item.getExpression()));
      }
    }
    if (positions.found.isEmpty()) {
      return List.of();
    }
    ColumnCount columns = counts.of(query);
    return positions.found.stream().map(slot -> new ColumnPosition(slot, columns)).toList();
  }

  private void addOrder(@Nullable List<OrderByElement> elements) {
    if (elements != null) {
      elements.forEach(element -> add(element.getExpression()));
    }
  }

  /** GROUP BY takes the elements of a row in parentheses one by one. */
  private void addGroups(@Nullable ExpressionList<?> groups) {
    if (groups == null) {
      return;
    }
    for (Expression group : groups) {
      if (group instanceof ParenthesedExpressionList<?> row) {
        addGroups(row);
      } else {
        add(group);
      }
    }
  }

  private void add(Expression expression) {
    Expression e = Expressions.bare(expression);
    boolean negated = false;
    // The server makes a constant of minus signs before one, and an expression of a plus sign.
    while (e instanceof SignedExpression signed && signed.getSign() == '-') {
      negated = !negated;
      e = Expressions.bare(signed.getExpression());
    }
    if (e instanceof JdbcParameter constant && !constant.isUseFixedIndex()) {
      found.add(new Operand.OfSlot(constant.getIndex() - 1, negated));
    }
  }
}
