package io.isotail.monitor.tail;

import io.isotail.incremental.record.RowChange;
import io.isotail.ingest.capture.RowIdentities;
import io.isotail.ingest.sql.Identities;
import io.isotail.ingest.sql.ObservedTable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Makes transactions of records out of what PostgreSQL's log tells. Used by one thread. */
final class WalEvents implements PgOutput.Taker {
  /** Rows of a transaction that are kept until its end is known. */
  private static final int MOST_ROWS = 2_000;

  private static final long WRAPS = 1L << 32;

  /** Takes what the log tells. */
  interface Taker {
    /**
     * Changes of a transaction.
     *
     * @param writer its id, of 64 bits
     * @param position of its commit
     * @param last whether it has no further ones
     */
    void changes(long writer, long position, boolean last, List<RowChange> rows);

    /**
     * Tables are others from here on.
     *
     * @param anew their names in records
     * @param told names of all tables that are told from here on
     */
    void anew(Set<String> anew, Set<String> told);

    /**
     * A message of whoever follows the log has come.
     *
     * @param end place behind it; 0 if it is not of a transaction
     */
    void passed(String message, long end);
  }

  private final Taker taker;
  private final String prefix;
  private final Identities keyed;
  private final Map<String, ObservedTable> observed = new HashMap<>();
  private RowIdentities identities;
  private final Map<Integer, WalTable> relations = new HashMap<>();
  private final Map<String, WalTable> byName = new HashMap<>();
  private final Set<String> told = new HashSet<>();
  private final Set<String> anew = new HashSet<>();
  private List<RowChange> rows = new ArrayList<>();
  private boolean partTold;
  private boolean inTransaction;
  private long position;
  private long writer;
  private long lastWriter;
  private @Nullable String message;

  /**
   * Nothing was read yet.
   *
   * @param prefix of messages of whoever follows the log
   * @param nextWriter an id of 64 bits that is near those that come
   */
  WalEvents(Taker taker, String prefix, WalTables tables, Identities identities, long nextWriter) {
    this.taker = taker;
    this.prefix = prefix;
    this.keyed = identities;
    this.lastWriter = nextWriter;
    observed.putAll(tables.told());
    told.addAll(tables.names());
    this.identities = new RowIdentities(List.copyOf(observed.values()), identities);
  }

  /**
   * The catalog has other tables now, and the log has been read beyond that.
   *
   * @param others names in records of those that are others, or are told newly or no more
   */
  void redefine(WalTables now, Set<String> others) {
    observed.clear();
    observed.putAll(now.told());
    told.clear();
    told.addAll(now.names());
    identities = new RowIdentities(List.copyOf(observed.values()), keyed);
    relations.values().removeIf(each -> others.contains(each.table().identityName()));
    byName.values().removeIf(each -> others.contains(each.table().identityName()));
    taker.anew(others, Set.copyOf(told));
  }

  @Override
  public void begin(long position, int xid) {
    this.position = position;
    writer = near(Integer.toUnsignedLong(xid));
    lastWriter = Math.max(lastWriter, writer);
    inTransaction = true;
  }

  /** The id of 64 bits, of which these are the low 32, that is nearest to the last one. */
  private long near(long low) {
    long found = lastWriter / WRAPS * WRAPS + low;
    if (found - lastWriter > WRAPS / 2) {
      return found - WRAPS;
    }
    return lastWriter - found > WRAPS / 2 ? found + WRAPS : found;
  }

  @Override
  public void commit(long end) {
    rows.removeIf(row -> anew.contains(row.table().name()));
    if (!rows.isEmpty() || partTold) {
      taker.changes(writer, position, true, rows);
    }
    rows = new ArrayList<>();
    partTold = false;
    inTransaction = false;
    if (!anew.isEmpty()) {
      taker.anew(Set.copyOf(anew), Set.copyOf(told));
      anew.clear();
    }
    String passed = message;
    message = null;
    if (passed != null) {
      taker.passed(passed, end);
    }
  }

  @Override
  public void relation(PgOutput.Relation relation) {
    String name = WalTables.name(relation.schema(), relation.name());
    ObservedTable table = observed.get(name);
    WalTable before = byName.remove(name);
    WalTable renamed = relations.remove(relation.id());
    if (renamed != null && !renamed.equals(before)) {
      byName.values().remove(renamed);
      anew.add(renamed.table().identityName());
    }
    if (before != null) {
      relations.remove(before.relation().id());
    }
    if (table == null) {
      return;
    }
    WalTable now = WalTable.of(table, relation);
    if (now == null) {
      leaveOut(table);
      return;
    }
    if (before != null && !now.hasKeysOf(before)) {
      anew.add(table.identityName());
    }
    byName.put(name, now);
    relations.put(relation.id(), now);
  }

  /** Nothing more is told of a table. */
  private void leaveOut(ObservedTable table) {
    anew.add(table.identityName());
    told.remove(table.identityName());
    observed.values().remove(table);
    relations.values().removeIf(each -> each.table().equals(table));
  }

  @Override
  public void insert(int relation, PgOutput.Values row) {
    WalTable table = relations.get(relation);
    if (table != null) {
      add(table, table.inserted(row, identities));
    }
  }

  @Override
  public void update(int relation, PgOutput.@Nullable Values before, PgOutput.Values after) {
    WalTable table = relations.get(relation);
    if (table != null) {
      add(table, table.updated(before, after, identities));
    }
  }

  @Override
  public void delete(int relation, PgOutput.Values before) {
    WalTable table = relations.get(relation);
    if (table != null) {
      add(table, table.deleted(before, identities));
    }
  }

  private void add(WalTable table, @Nullable List<RowChange> changes) {
    if (changes == null) {
      leaveOut(table.table());
      return;
    }
    rows.addAll(changes);
    if (rows.size() >= MOST_ROWS) {
      taker.changes(writer, position, false, rows);
      rows = new ArrayList<>();
      partTold = true;
    }
  }

  @Override
  public void truncate(List<Integer> emptied) {
    for (int each : emptied) {
      WalTable table = relations.get(each);
      if (table != null) {
        anew.add(table.table().identityName());
      }
    }
  }

  @Override
  public void message(String prefix, String content) {
    if (!prefix.equals(this.prefix)) {
      return;
    }
    if (inTransaction) {
      message = content;
    } else {
      taker.passed(content, 0);
    }
  }
}
