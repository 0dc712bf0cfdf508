package io.isotail.ingest.sql;

import io.isotail.ingest.sql.QueryTokens.Place;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a query of one SELECT can tell, before its own hidden columns have names.
 *
 * @param place where it stands
 * @param exposed what it tells already: a star at its end stands for hidden columns too
 * @param told what it can tell in columns of its own
 * @param insertions what is put into its subqueries
 * @param positions what stands for columns by their numbers, in it and in these subqueries
 * @param arrays how many rows the arrays tell at most
 * @param bound how many rows it has at most; null if that is not known
 */
record SelectDraft(
    Place place,
    List<Told> exposed,
    List<Told> told,
    List<Insertion> insertions,
    List<ColumnPosition> positions,
    List<RowBound> arrays,
    @Nullable RowBound bound) {

  /** Copies the lists. */
  SelectDraft {
    exposed = List.copyOf(exposed);
    told = List.copyOf(told);
    insertions = List.copyOf(insertions);
    positions = List.copyOf(positions);
    arrays = List.copyOf(arrays);
  }

  /** Of a query that tells nothing. */
  static SelectDraft ofNothing(Place place) {
    return new SelectDraft(place, List.of(), List.of(), List.of(), List.of(), List.of(), null);
  }

  /** This draft, with more that stands for columns. */
  SelectDraft with(List<ColumnPosition> more) {
    List<ColumnPosition> all = new ArrayList<>(positions);
    all.addAll(more);
    return new SelectDraft(place, exposed, told, insertions, all, arrays, bound);
  }
}
