package io.isotail.incremental.cause;

import io.isotail.incremental.snapshot.StateReader;
import io.isotail.incremental.snapshot.StateWriter;
import it.unimi.dsi.fastutil.longs.Long2ObjectLinkedOpenHashMap;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The rows that an incident is about, and how many of its violations each has seen: exact for the
 * first {@link #MAX} rows; of further ones only that there are more.
 */
final class HurtRows {
  /** Rows that are counted one by one. */
  static final int MAX = 1_000;

  /** Rows that are told. */
  private static final int TOLD = 10;

  private static final String UNKNOWN_TABLE = "";

  private static final class Counted {
    final HurtRow row;
    long times;

    Counted(HurtRow row) {
      this.row = row;
    }
  }

  private final Long2ObjectLinkedOpenHashMap<Counted> rows = new Long2ObjectLinkedOpenHashMap<>();
  private boolean more;

  void add(HurtRow row) {
    Counted counted = rows.get(row.key());
    if (counted == null && rows.size() == MAX) {
      more = true;
      return;
    }
    if (counted == null) {
      counted = new Counted(row);
      rows.put(row.key(), counted);
    }
    counted.times++;
  }

  /** How many there are, at least. */
  int count() {
    return rows.size();
  }

  /** Whether there are more than {@link #count} says. */
  boolean more() {
    return more;
  }

  /** By table, in order, how many of the rows are in it. */
  Map<String, Integer> byTable() {
    Map<String, Integer> tables = new TreeMap<>();
    for (Counted each : rows.values()) {
      String table = each.row.table();
      tables.merge(table == null ? UNKNOWN_TABLE : table, 1, Integer::sum);
    }
    return tables;
  }

  /** The rows with the most violations, those first that have more; of equals the earlier one. */
  List<IncidentReport.StruckRow> most() {
    return rows.values().stream()
        .sorted(Comparator.comparingLong((Counted each) -> -each.times))
        .limit(TOLD)
        .map(each -> new IncidentReport.StruckRow(each.row, each.times))
        .toList();
  }

  void save(StateWriter out) {
    out.flag(more);
    out.count(rows.size());
    for (Counted each : rows.values()) {
      out.number(each.row.key());
      out.text(each.row.table());
      out.text(each.row.name());
      out.number(each.times);
    }
  }

  void load(StateReader in) {
    more = in.flag();
    for (int n = in.count(); n > 0; n--) {
      HurtRow row = new HurtRow(in.number(), in.text(), in.text());
      Counted counted = new Counted(row);
      counted.times = in.number();
      rows.put(row.key(), counted);
    }
    in.require(rows.size() <= MAX, "rows of an incident");
  }
}
