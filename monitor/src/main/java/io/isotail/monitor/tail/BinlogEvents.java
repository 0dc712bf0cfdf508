package io.isotail.monitor.tail;

import com.github.shyiko.mysql.binlog.event.DeleteRowsEventData;
import com.github.shyiko.mysql.binlog.event.Event;
import com.github.shyiko.mysql.binlog.event.EventData;
import com.github.shyiko.mysql.binlog.event.EventHeaderV4;
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
 * rows is not told: the log {@link Taker#lost is lost} by it, and may be by definitions.
 */
final class BinlogEvents {
  /** Rows of a group that are kept until its end is known. */
  private static final int MOST_ROWS = 2_000;

  private static final long MS = 1_000;

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
     * Something was changed that the log does not tell as rows: nothing more is told.
     *
     * @param why for people
     * @param sequence the last group of which that is so
     * @param position behind it in the current file
     */
    void lost(String why, long sequence, long position);
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
  private long position;

  /** When the event was written, in seconds of the server's clock. */
  private long seconds;

  /** The log has rows of a table that was defined anew later. */
  private boolean awaitsDefinition;

  /** What was lost; null for nothing. */
  private @Nullable String why;

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
    EventHeaderV4 header = event.getHeader();
    EventType type = header.getEventType();
    position = header.getNextPosition();
    seconds = header.getTimestamp() / MS;
    EventData data = event.getData();
    if (data instanceof MariadbGtidEventData gtid) {
      begins(gtid, header.getServerId());
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
      lose("a transaction of two phases, which is not followed");
      ends();
    } else if (type == EventType.UNKNOWN && inGroup) {
      lose("an event of an unknown kind, such as a compressed one (log_bin_compress)");
    }
  }

  private void begins(MariadbGtidEventData gtid, long serverId) {
    boolean cut = partTold;
    if (domain >= 0 && domain != gtid.getDomainId()) {
      lose(
          "transactions of two GTID domains, %d and %d; expected one"
              .formatted(domain, gtid.getDomainId()));
    }
    domain = gtid.getDomainId();
    sequence = gtid.getSequence();
    this.gtid = "%d-%d-%d".formatted(domain, serverId, sequence);
    inGroup = true;
    if (cut) {
      lose("the end of a large transaction");
    }
    rows = new ArrayList<>();
    partTold = false;
    maps.clear();
  }

  /** Something is missing, and will be lost with the end of the group. */
  private void lose(String what) {
    if (sequence >= firstSequence && why == null) {
      why = what;
    }
  }

  private void ends() {
    String lost = why;
    if (lost != null && awaitsDefinition && seconds <= tables.readAt()) {
      inGroup = false; // What is known of the table is of a later time.
      return;
    }
    if (lost != null) {
      taker.lost(lost, sequence, position);
    } else if (sequence >= firstSequence) {
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
          lose("a large transaction that was rolled back");
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
          lose("a statement instead of rows, or TRUNCATE: " + first);
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
    if (sequence < firstSequence) {
      return; // The catalog that is known is a later one.
    }
    awaitsDefinition = false;
    TailedTables now = taker.defined();
    if (!now.goOnFrom(tables)) {
      lose("a table that was defined anew");
    }
    tables = now;
    rowIdentities = new RowIdentities(now.observed(), identities);
  }

  private void requireWhole(@Nullable TableMapEventData map, BitSet columns) {
    if (map != null
        && tables.find(map.getDatabase(), map.getTable()) != null
        && columns.cardinality() != map.getColumnTypes().length) {
      lose("rows without all columns (binlog_row_image)");
    }
  }

  private void change(
      @Nullable TableMapEventData map,
      BitSet included,
      Serializable @Nullable [] before,
      Serializable @Nullable [] after) {
    TailedTable table = map == null ? null : tables.find(map.getDatabase(), map.getTable());
    if (map == null || table == null || sequence < firstSequence || why != null) {
      return;
    }
    if (!table.fits(map) || included.cardinality() != table.columns().size()) {
      lose("rows of %s with other columns than it has".formatted(table.name()));
      awaitsDefinition = true;
      return;
    }
    List<RowChange> changes = table.changes(before, after, map.getColumnMetadata(), rowIdentities);
    if (changes == null) {
      lose("a row of %s whose key is not certain".formatted(table.name()));
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
