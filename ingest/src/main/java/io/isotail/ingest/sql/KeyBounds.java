package io.isotail.ingest.sql;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import net.sf.jsqlparser.expression.Expression;
import net.sf.jsqlparser.expression.operators.relational.EqualsTo;
import net.sf.jsqlparser.expression.operators.relational.ExpressionList;
import net.sf.jsqlparser.expression.operators.relational.InExpression;
import net.sf.jsqlparser.schema.Column;
import net.sf.jsqlparser.statement.select.Join;
import net.sf.jsqlparser.statement.select.PlainSelect;
import org.jspecify.annotations.Nullable;

/**
 * How many combinations of rows a FROM list has at most, by the keys that the conditions name.
 *
 * <p>A table has one row at most for each combination of the others where each of its key columns
 * is equal to a value of the statement, or to a column of a table or subquery that is bounded
 * already; and as many as a list has elements where a key column is in it.
 */
final class KeyBounds {
  private final List<FromPart> parts;
  private final Map<FromPart, Expressions> columns = new HashMap<>();
  private final Set<FromPart> bounded = new HashSet<>();
  private RowBound product = RowBound.ONE;

  private KeyBounds(List<FromPart> parts) {
    this.parts = parts;
    for (FromPart part : parts) {
      if (part.reference() != null) {
        columns.put(part, new Expressions(part.reference().table(), part.reference().written()));
      }
    }
  }

  /** A condition, and the only part that it bounds; null if it may bound any. */
  private record Condition(Expression expression, @Nullable FromPart of) {}

  /** The bound of a query's FROM list; null if none is known. */
  static @Nullable RowBound of(PlainSelect select, List<FromPart> parts) {
    KeyBounds bounds = new KeyBounds(parts);
    List<Condition> conditions = bounds.conditions(select);
    boolean more = true;
    while (more) {
      more = false;
      for (FromPart part : parts) {
        RowBound bound = bounds.bounded.contains(part) ? null : bounds.bound(part, conditions);
        RowBound next = RowBound.product(bounds.product, bound);
        if (next != null) {
          bounds.product = next;
          more |= bounds.bounded.add(part);
        }
      }
    }
    return bounds.bounded.size() == parts.size() ? bounds.product : null;
  }

  private List<Condition> conditions(PlainSelect select) {
    List<Condition> conditions = new ArrayList<>();
    add(select.getWhere(), null, conditions);
    boolean keepsUnmatched =
        parts.stream()
            .map(FromPart::join)
            .anyMatch(join -> join != null && (join.isRight() || join.isFull()));
    for (FromPart part : parts) {
      Join join = part.join();
      if (join == null || keepsUnmatched || join.getOnExpressions() == null) {
        continue;
      }
      for (Expression on : join.getOnExpressions()) {
        add(on, join.isLeft() || join.isOuter() ? part : null, conditions);
      }
    }
    return conditions;
  }

  private static void add(
      @Nullable Expression whole, @Nullable FromPart of, List<Condition> conditions) {
    if (whole != null) {
      List<Expression> conjuncts = new ArrayList<>();
      Expressions.split(whole, conjuncts);
      conjuncts.forEach(conjunct -> conditions.add(new Condition(conjunct, of)));
    }
  }

  private @Nullable RowBound bound(FromPart part, List<Condition> conditions) {
    if (part.plan() != null) {
      return part.plan().bound();
    }
    Expressions own = columns.get(part);
    if (own == null || part.reference() == null) {
      return null;
    }
    ObservedTable table = part.reference().table();
    Set<Integer> equal = new HashSet<>();
    for (Condition condition : conditions) {
      if (mayBound(part, condition) && condition.expression() instanceof EqualsTo equals) {
        Expression left = Expressions.bare(equals.getLeftExpression());
        Expression right = Expressions.bare(equals.getRightExpression());
        equal.add(isGiven(right, part, own) ? keyIndex(table, own, left) : -1);
        equal.add(isGiven(left, part, own) ? keyIndex(table, own, right) : -1);
      }
    }
    long rows = 1;
    for (Condition condition : conditions) {
      if (mayBound(part, condition) && condition.expression() instanceof InExpression in) {
        rows *= listed(in, table, own, equal);
      }
    }
    for (int i = 0; i < table.key().size(); i++) {
      if (!equal.contains(i)) {
        return null;
      }
    }
    return RowBound.of(rows);
  }

  private static boolean mayBound(FromPart part, Condition condition) {
    return condition.of() == null || condition.of().equals(part);
  }

  private static int keyIndex(ObservedTable table, Expressions own, Expression expression) {
    String column = own.column(expression);
    return column == null ? -1 : table.keyIndex(column);
  }

  /** Whether an expression has one value for each combination of rows of the bounded parts. */
  private boolean isGiven(Expression expression, FromPart part, Expressions own) {
    if (!(own.operand(expression) instanceof Operand.Unknowable)) {
      return true;
    }
    return expression instanceof Column column
        && bounded.stream().anyMatch(other -> !other.equals(part) && owns(other, column));
  }

  /** Whether a column is certainly one of this part: by its qualifier, or as one of its key. */
  private boolean owns(FromPart part, Column column) {
    boolean qualified = column.getTable() != null && column.getTable().getName() != null;
    Expressions own = columns.get(part);
    if (own != null && part.reference() != null) {
      String name = own.column(column);
      return name != null && (qualified || part.reference().table().keyIndex(name) >= 0);
    }
    return qualified
        && column.getTable().getSchemaName() == null
        && Expressions.name(column.getTable().getName()).equals(part.name());
  }

  /** The number of elements of a list that key columns are in, which it adds to those known. */
  private static long listed(
      InExpression in, ObservedTable table, Expressions own, Set<Integer> known) {
    if (in.isNot() || !(in.getRightExpression() instanceof ExpressionList<?> choices)) {
      return 1;
    }
    boolean values =
        choices.stream()
            .flatMap(choice -> Expressions.tuple(choice).stream())
            .noneMatch(value -> own.operand(value) instanceof Operand.Unknowable);
    boolean more = false;
    for (Expression left : Expressions.tuple(in.getLeftExpression())) {
      int index = keyIndex(table, own, left);
      more |= values && index >= 0 && known.add(index);
    }
    return more ? choices.size() : 1;
  }
}
