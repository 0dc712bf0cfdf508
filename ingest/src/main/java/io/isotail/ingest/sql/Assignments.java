package io.isotail.ingest.sql;

import java.util.List;
import net.sf.jsqlparser.expression.Expression;
import net.sf.jsqlparser.statement.update.UpdateSet;
import org.jspecify.annotations.Nullable;

/**
 * The assignments of a SET list.
 *
 * @param version what the version column is set to, or null when it is not set
 */
record Assignments(@Nullable Expression version) {

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
