package io.isotail.ingest.sql;

import java.util.List;
import net.sf.jsqlparser.expression.Expression;
import net.sf.jsqlparser.schema.Column;
import net.sf.jsqlparser.statement.select.AllColumns;
import net.sf.jsqlparser.statement.select.AllTableColumns;
import org.jspecify.annotations.Nullable;

/**
 * Expressions that tell rows apart, as those of DISTINCT or GROUP BY. Where the whole key of a
 * table is among them, each row or group has one row of that table, and what depends on that row
 * may be added without another answer.
 *
 * @param parts the FROM list of the query
 * @param expressions the expressions
 * @param stars whether a star among them stands for columns, not for a row as one value
 */
record KeyColumns(List<FromPart> parts, List<? extends Expression> expressions, boolean stars) {

  /** Whether the whole key of a table is among them, and each row has one. */
  boolean contain(FromPart part) {
    if (part.reference() == null || part.reference().table().keyMayBeNull()) {
      return false;
    }
    ObservedTable table = part.reference().table();
    Expressions own = new Expressions(table, part.reference().written());
    return table.key().stream()
        .allMatch(
            column ->
                expressions.stream()
                    .anyMatch(
                        e ->
                            column.name().equals(ownColumn(e, own)) || (stars && isStar(e, part))));
  }

  /** The column of a table that an expression certainly is. */
  private @Nullable String ownColumn(Expression expression, Expressions own) {
    boolean certain =
        expression instanceof Column column
            && (parts.size() == 1
                || (column.getTable() != null && column.getTable().getName() != null));
    return certain ? own.column(expression) : null;
  }

  private boolean isStar(Expression expression, FromPart part) {
    if (expression instanceof AllTableColumns of) {
      return of.getTable() != null
          && of.getTable().getName() != null
          && Expressions.name(of.getTable().getName()).equals(part.name());
    }
    return expression instanceof AllColumns && parts.stream().noneMatch(FromPart::mergesColumns);
  }
}
