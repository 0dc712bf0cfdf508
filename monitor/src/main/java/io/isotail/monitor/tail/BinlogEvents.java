package io.isotail.monitor.tail;

import com.github.shyiko.mysql.binlog.event.DeleteRowsEventData;
import com.github.shyiko.mysql.binlog.event.Event;
import com.github.shyiko.mysql.binlog.event.EventData;
import com.github.shyiko.mysql.binlog.event.EventType;
import com.github.shyiko.mysql.binlog.event.MariadbGtidEventData;
import com.github.shyiko.mysql.binlog.event.QueryEventData;
import com.github.shyiko.mysql.binlog.event.TableMapEventData;
import com.github.shyiko.mysql.binlog.event.UpdateRowsEventData;
import com.github.shyiko.mysql.binlog.event.WriteRowsEventData;
import com.github.shyiko.mysql.binlog.event.XAPrepareEventData;
import io.isotail.incremental.record.RowChange;
import io.isotail.ingest.capture.RowIdentities;
import io.isotail.ingest.sql.Identities;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Makes groups of changes out of the events of a binary log. Used by one thread.
 *
 * <p>A group begins with its GTID and ends with an XID or a COMMIT. What is written by anything but
 * rows is not told: it {@link Taker#lost loses} the log's thread, and definitions may.
 */
final class BinlogEvents {
  /** Rows of a group that are kept until its end is known. */
  private static final int MOST_ROWS = 2_000;

  /** First words of definitions and of what writes nothing that is told. */
  private static final Set<String> DEFINING =
      Set.of("create", "alter", "drop", "rename", "analyze", "optimize", "repair", "flush");

  private static final Set<String> HARMLESS =
      Set.of("savepoint", "release", "grant", "revoke", "set", "#", "comment");

  /** Takes what the log tells. */
  interface Taker {
    /** A group, or a part of it. */
    void group(LoggedGroup group);

    /**
     * All groups up to this one are told.
     *
     * @param gtid its whole name, from which a log can be read on
     */
    void passed(long sequence, String gtid);

    /** Tables may have been defined anew. Tells those from now on. */
    TailedTables defined();

    /**
     * Something was changed that the log does not tell as rows.
     *
     * @param why for people
     */
    void lost(String why);
  }

  private final Taker taker;
  private final Identities identities;
  private final long firstSequence;
  private TailedTables tables;
  private RowIdentities rowIdentities;
  private final Map<Long, TableMapEventData> maps = new HashMap<>();
  private List<RowChange> rows = new ArrayList<>();
  private long sequence;
  private long domain = -1;
  private String gtid = "";
  private boolean inGroup;
  private boolean partTold;

  /**
   * No event was read yet.
   *
   * @param firstSequence number from which on groups are told
   */
  BinlogEvents(Taker taker, Identities identities, TailedTables tables, long firstSequence) {
    this.taker = taker;
    this.identities = identities;
    this.firstSequence = firstSequence;
    this.tables = tables;
    this.rowIdentities = new RowIdentities(tables.observed(), identities);
  }

  /** Takes the next event. */
  void accept(Event event) {
    EventType type = event.getHeader().getEventType();
    EventData data = event.getData();
    if (data instanceof MariadbGtidEventData gtid) {
      begins(gtid);
    } else if (data instanceof TableMapEventData map) {
      maps.put(map.getTableId(), map);
    } else if (data instanceof WriteRowsEventData write) {
      TableMapEventData map = maps.get(write.getTableId());
      write.getRows().forEach(row -> change(map, write.getIncludedColumns(), null, row));
    } else if (data instanceof UpdateRowsEventData update) {
      TableMapEventData map = maps.get(update.getTableId());
      requireWhole(map, update.getIncludedColumnsBeforeUpdate());
      update
          .getRows()
          .forEach(row -> change(map, update.getIncludedColumns(), row.getKey(), row.getValue()));
    } else if (data instanceof DeleteRowsEventData delete) {
      TableMapEventData map = maps.get(delete.getTableId());
      delete.getRows().forEach(row -> change(map, delete.getIncludedColumns(), row, null));
    } else if (data instanceof QueryEventData query) {
      query(query.getSql());
    } else if (type == EventType.XID) {
      ends();
    } else if (data instanceof XAPrepareEventData) {
      rows.clear();
      taker.lost("a transaction of two phases, which is not followed");
      ends();
    } else if (type == EventType.UNKNOWN && inGroup) {
      taker.lost("an event of an unknown kind, such as a compressed one (log_bin_compress)");
    }
  }

  private void begins(MariadbGtidEventData gtid) {
    if (partTold) {
      taker.lost("the end of a large transaction");
    }
    if (domain >= 0 && domain != gtid.getDomainId()) {
      taker.lost(
          "transactions of two GTID domains, %d and %d; expected one"
              .formatted(domain, gtid.getDomainId()));
    }
    domain = gtid.getDomainId();
    sequence = gtid.getSequence();
    this.gtid = "%d-%d-%d".formatted(domain, gtid.getServerId(), sequence);
    inGroup = true;
    rows = new ArrayList<>();
    partTold = false;
    maps.clear();
  }

  private void ends() {
    if (sequence >= firstSequence) {
      if (!rows.isEmpty() || partTold) {
        taker.group(new LoggedGroup(sequence, true, rows));
      }
      taker.passed(sequence, gtid);
    }
    inGroup = false;
    rows = new ArrayList<>();
    partTold = false;
  }

  private void query(String sql) {
    String text = sql.strip();
    String first = firstWord(text);
    switch (first) {
      case "begin" -> {}
      case "commit" -> ends();
      case "rollback" -> {
        if (text.toLowerCase(Locale.ROOT).matches("rollback\\s+(work\\s+)?to\\b.*")) {
          break;
        }
        if (partTold) {
          taker.lost("a large transaction that was rolled back");
        }
        rows.clear();
        partTold = false;
        ends();
      }
      case "xa" -> ends();
      default -> {
        if (DEFINING.contains(first)) {
          defines();
          ends();
        } else if (!HARMLESS.contains(first)) {
          taker.lost("a statement instead of rows, or TRUNCATE: " + first);
          ends();
        }
      }
    }
  }

  private static String firstWord(String text) {
    int end = 0;
    while (end < text.length() && Character.isLetter(text.charAt(end))) {
      end++;
    }
    return end == 0
        ? text.isEmpty() ? "" : text.substring(0, 1)
        : text.substring(0, end).toLowerCase(Locale.ROOT);
  }

  private void defines() {
    TailedTables now = taker.defined();
    if (!now.goOnFrom(tables)) {
      taker.lost("a table that was defined anew");
    }
    tables = now;
    rowIdentities = new RowIdentities(now.observed(), identities);
  }

  private void requireWhole(@Nullable TableMapEventData map, BitSet columns) {
    if (map != null
        && tables.find(map.getDatabase(), map.getTable()) != null
        && columns.cardinality() != map.getColumnTypes().length) {
      taker.lost("rows without all columns (binlog_row_image)");
    }
  }

  private void change(
      @Nullable TableMapEventData map,
      BitSet included,
      Serializable @Nullable [] before,
      Serializable @Nullable [] after) {
    TailedTable table = map == null ? null : tables.find(map.getDatabase(), map.getTable());
    if (map == null || table == null || sequence < firstSequence) {
      return;
    }
    if (!table.fits(map) || included.cardinality() != table.columns().size()) {
      taker.lost("rows of %s with other columns than it has".formatted(table.name()));
      return;
    }
    List<RowChange> changes = table.changes(before, after, map.getColumnMetadata(), rowIdentities);
    if (changes == null) {
      taker.lost("a row of %s whose key is not certain".formatted(table.name()));
      return;
    }
    rows.addAll(changes);
    if (rows.size() >= MOST_ROWS) {
      taker.group(new LoggedGroup(sequence, false, rows));
      rows = new ArrayList<>();
      partTold = true;
    }
  }
}
