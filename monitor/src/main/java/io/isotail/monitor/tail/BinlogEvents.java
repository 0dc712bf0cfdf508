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
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
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

  /** Hashes of columns in them: records of wide tables stay small, too. */
  private static final int MOST_HASHES = 60_000;

  /** Tables that a message names. */
  private static final int MOST_NAMES = 10;

  /** The group is one event without an end of its own. */
  private static final int STANDALONE = 1;

  private static final Set<EventType> LOADING =
      Set.of(EventType.LOAD, EventType.NEW_LOAD, EventType.EXECUTE_LOAD_QUERY);

  /** Takes what the log tells. */
  interface Taker {
    /** A group, or a part of it. */
    void group(LoggedGroup group);

    /**
     * All groups up to this one are told.
     *
     * @param gtid its whole name, from which a log can be read on
     * @param position behind it in the current file
     * @param tables what is told of from then on
     */
    void passed(long sequence, String gtid, long position, TailedTables tables);

    /** Tables may have been defined anew. Tells those from now on. */
    TailedTables defined();

    /**
     * Something was changed that the log does not tell as rows: nothing more is told.
     *
     * @param lost what
     * @param sequence the last group of which that is so
     * @param gtid its whole name
     * @param position behind it in the current file
     */
    void lost(Lost lost, long sequence, String gtid, long position);
  }

  /**
   * What the log does not tell.
   *
   * @param why for people
   * @param redefines whether tables are others from then on
   * @param anew names in records of the tables that are others, if nothing else is lost; else null
   * @param unfit the table whose rows cannot be read, in the words of the log; null for none
   * @param again whether the group can be told without that table
   */
  record Lost(
      String why,
      boolean redefines,
      @Nullable Set<String> anew,
      @Nullable String unfit,
      boolean again) {
    Lost(String why) {
      this(why, false, null, null, false);
    }

    /**
     * What tables were before.
     *
     * @param what was done to them, as in {@code defined anew}
     * @param anew their names in records; null if that may be all tables
     */
    static Lost byDefinition(String what, @Nullable Set<String> anew) {
      String why =
          anew == null
              ? "tables that were " + what
              : "%s %s: %s"
                  .formatted(
                      anew.size() == 1 ? "a table that was" : "tables that were",
                      what,
                      listed(anew));
      return new Lost(why, true, anew, null, false);
    }

    private static String listed(Set<String> names) {
      String first = names.stream().sorted().limit(MOST_NAMES).collect(Collectors.joining(", "));
      int more = names.size() - MOST_NAMES;
      return more > 0 ? "%s and %d more".formatted(first, more) : first;
    }

    static Lost unfit(String why, String table) {
      return new Lost(why, false, null, table, true);
    }

    /** With the rest of its group. */
    Lost all() {
      return new Lost(why, redefines, null, unfit, false);
    }
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
  private boolean standalone;
  private boolean partTold;
  private long position;

  /** What was lost; null for nothing. */
  private @Nullable Lost lost;

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
      query(query.getDatabase(), LoggedStatement.of(query.getSql()));
    } else if (type == EventType.XID) {
      ends();
    } else if (data instanceof XAPrepareEventData) {
      rows.clear();
      lose("a transaction of two phases, which is not followed");
      ends();
    } else if (inGroup && (type == EventType.UNKNOWN || LOADING.contains(type))) {
      unreadable("its kind is %s, which is not read".formatted(type));
    }
  }

  /** An event cannot be read. What is behind its group can be. */
  void unreadable(String why) {
    lose("an event that cannot be read: " + why);
    if (inGroup && standalone) {
      ends();
    }
  }

  private void begins(MariadbGtidEventData gtid, long serverId) {
    boolean cut = partTold;
    if (inGroup && gtid.getSequence() != sequence) {
      lose("the end of a transaction");
    }
    if (domain >= 0 && domain != gtid.getDomainId()) {
      lose(
          "transactions of two GTID domains, %d and %d; expected one"
              .formatted(domain, gtid.getDomainId()));
    }
    domain = gtid.getDomainId();
    sequence = gtid.getSequence();
    this.gtid = "%d-%d-%d".formatted(domain, serverId, sequence);
    inGroup = true;
    standalone = (gtid.getFlags() & STANDALONE) != 0;
    if (cut) {
      lose("the end of a large transaction");
    }
    rows = new ArrayList<>();
    partTold = false;
    maps.clear();
  }

  /** Something is missing, and will be lost with the end of the group. */
  private void lose(String what) {
    lose(new Lost(what));
  }

  private void lose(Lost what) {
    if (sequence >= firstSequence && lost == null) {
      lost = what;
    }
  }

  private void ends() {
    Lost missing = lost;
    if (missing != null) {
      boolean others = partTold || (!rows.isEmpty() && missing.unfit() == null);
      taker.lost(others ? missing.all() : missing, sequence, gtid, position);
    } else if (sequence >= firstSequence) {
      if (!rows.isEmpty() || partTold) {
        taker.group(new LoggedGroup(sequence, true, rows));
      }
      taker.passed(sequence, gtid, position, tables);
    }
    inGroup = false;
    rows = new ArrayList<>();
    partTold = false;
  }

  private void query(String database, LoggedStatement statement) {
    switch (statement.effect(database, tables.database(), tables::isTold)) {
      case NONE -> {}
      case COMMITS -> {
        ends();
        return;
      }
      case ROLLS_BACK -> {
        if (partTold) {
          lose("a large transaction that was rolled back");
        }
        rows.clear();
        partTold = false;
        ends();
        return;
      }
      case UNDOES -> {
        if (partTold || !rows.isEmpty()) {
          lose("changes that were taken back to a savepoint");
        }
      }
      case DEFINES -> defines();
      case REDEFINES -> {
        Set<String> named = statement.names(database, tables.database(), tables::isTold);
        Set<String> anew = named.isEmpty() ? null : tables.named(named);
        lose(Lost.byDefinition("defined anew, or emptied", anew));
      }
      case CHANGES -> lose("a statement instead of rows: " + statement.kind());
    }
    if (standalone) {
      ends();
    }
  }

  private void defines() {
    if (sequence < firstSequence) {
      return; // The catalog that is known is a later one.
    }
    TailedTables now = taker.defined();
    Set<String> others = tables.othersIn(now);
    if (!others.isEmpty()) {
      lose(Lost.byDefinition("defined anew", others));
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
    if (map == null || table == null || sequence < firstSequence || lost != null) {
      return;
    }
    if (!table.fits(map) || included.cardinality() != table.columns().size()) {
      String why = "rows of %s with other columns than it has".formatted(table.name());
      lose(Lost.unfit(why, map.getTable()));
      return;
    }
    List<RowChange> changes = table.changes(before, after, map.getColumnMetadata(), rowIdentities);
    if (changes == null) {
      String why = "a row of %s whose key is not certain".formatted(table.name());
      lose(Lost.unfit(why, map.getTable()));
      return;
    }
    rows.addAll(changes);
    int hashes = 2 * rows.size() * table.logged().columns().size();
    if (rows.size() >= MOST_ROWS || hashes >= MOST_HASHES) {
      taker.group(new LoggedGroup(sequence, false, rows));
      rows = new ArrayList<>();
      partTold = true;
    }
  }
}
