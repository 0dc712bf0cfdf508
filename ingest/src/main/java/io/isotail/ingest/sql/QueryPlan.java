package io.isotail.ingest.sql;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a query tells what its rows are made of.
 *
 * @param told what it tells, by the names of its hidden columns, which are its last ones
 * @param insertions what is put into its text
 * @param positions what stands for columns by their numbers in the queries that have hidden ones
 * @param arrays how many rows of tables each array tells at most that is among its columns
 * @param visible number of columns that the application has asked for; -1 if that is not known
 * @param bound how many rows it has at most; null if that is not known
 */
record QueryPlan(
    List<Told> told,
    List<Insertion> insertions,
    List<ColumnPosition> positions,
    List<RowBound> arrays,
    int visible,
    @Nullable RowBound bound) {

  /** Copies the lists. */
  QueryPlan {
    told = List.copyOf(told);
    insertions = List.copyOf(insertions);
    positions = List.copyOf(positions);
    arrays = List.copyOf(arrays);
  }

  /** This plan, with more that stands for columns. */
  QueryPlan with(List<ColumnPosition> more) {
    List<ColumnPosition> all = new ArrayList<>(positions);
    all.addAll(more);
    return new QueryPlan(told, insertions, all, arrays, visible, bound);
  }

  /** Whether a list of names, which are those of its first columns, has none for hidden ones. */
  boolean canBeNamed(@Nullable List<?> columns) {
    return columns == null || columns.isEmpty() || columns.size() <= visible;
  }
}
