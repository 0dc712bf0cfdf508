package io.isotail.ingest.sql;

import io.isotail.ingest.sql.Analysis.Assigned;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import net.sf.jsqlparser.expression.Expression;
import net.sf.jsqlparser.statement.update.UpdateSet;
import org.jspecify.annotations.Nullable;

/**
 * The assignments of a SET list.
 *
 * @param version what the version column is set to, or null when it is not set
 * @param values what columns are set to of which values are told alone, as far as the statement
 *     says so
 */
record Assignments(@Nullable Expression version, List<Assigned> values) {
  /** Copies the list. */
  Assignments {
    values = List.copyOf(values);
  }

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
    return new Assignments(
        version, table.content() == null ? List.of() : values(table, expressions, sets));
  }

  private static List<Assigned> values(
      ObservedTable table, Expressions expressions, List<UpdateSet> sets) {
    List<RowContent.Column> comparable = table.comparableColumns();
    List<Assigned> values = new ArrayList<>();
    Set<String> seen = new HashSet<>();
    for (UpdateSet set : sets) {
      boolean inPairs = set.getValues().size() == set.getColumns().size();
      for (int i = 0; i < set.getColumns().size(); i++) {
        String name = expressions.column(set.getColumns().get(i));
        if (!seen.add(String.valueOf(name))) {
          return List.of(); // Which of the values it gets is the server's matter.
        }
        Operand value =
            inPairs ? expressions.operand(set.getValues().get(i)) : new Operand.Unknowable();
        boolean given = value instanceof Operand.OfSlot || value instanceof Operand.Fixed;
        for (RowContent.Column column : comparable) {
          if (given && column.name().equals(name)) {
            values.add(new Assigned(column, value));
          }
        }
      }
    }
    return values;
  }
}
