package io.isotail.incremental.reads;

import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.window.GraphReader;
import io.isotail.incremental.window.GraphWriter;
import io.isotail.incremental.window.Transaction;
import io.isotail.incremental.window.Window;
import it.unimi.dsi.fastutil.longs.Long2IntOpenHashMap;
import java.util.Arrays;
import java.util.function.IntPredicate;

/**
 * Which keys were written by transactions that have left the window, for as long as one of these
 * may be connected with a transaction that is in it or comes into it.
 *
 * <p>That is so while a version of the key that it wrote may still be read, or a level holds it;
 * and from then on until all have left the window that are in it at that time, since they may have
 * read the version. So what is remembered is bounded by the versions that are remembered, what the
 * levels hold, and the writes of one window.
 *
 * <p>All of that stands in queues, with the table of each key. By key it is counted for the tables
 * alone of which an absence has been read; when another one becomes such a table, the queues are
 * gone through ({@link #count}).
 */
public final class LeftWriters {
  static final long[] NOTHING = {};

  private final boolean applies;
  private final Window window;

  /** The tables of which absences are read. */
  private final AbsenceTables tables = new AbsenceTables();

  /** For each key of these tables, how many reasons there are to remember it. */
  private final Long2IntOpenHashMap reasons = new Long2IntOpenHashMap();

  /** Those that a level holds, with what no version tells of. */
  private final HeldWriters held = new HeldWriters();

  /** A place of the window, a table and a key: forgotten once the window begins later. */
  private final LongQueue fading = new LongQueue();

  /** Nobody has left. Remembers nothing where nothing is concluded from absences. */
  public LeftWriters(CheckerConfig config, Window window) {
    this.applies = Absences.decides(config);
    this.window = window;
  }

  /** The tables of which absences are read. */
  AbsenceTables tables() {
    return tables;
  }

  /** Number of the table that an operation is on. */
  int table(Operations ops, int i) {
    return applies ? tables.number(ops.statement(i).table()) : AbsenceTables.ANY;
  }

  /**
   * Whether somebody who has left the window wrote the key, of a table of which absences are read,
   * and may matter.
   */
  boolean any(long key) {
    return reasons.containsKey(key);
  }

  /** A version of a key is remembered whose writer has left the window, or leaves it. */
  void retired(long table, long key) {
    if (tables.isAsked((int) table)) {
      reasons.addTo(key, 1);
    }
  }

  /** One that was told of is remembered no longer. */
  void forgotten(long table, long key) {
    if (applies) {
      fading.enqueue(window.lastPlace());
      fading.enqueue(table);
      fading.enqueue(key);
    }
  }

  /**
   * A transaction that has not aborted is about to leave the window, and is not stripped yet.
   *
   * @param entered whether its versions stay in their table as long as a level holds it
   * @return the table and the key, in turn, of each write that does not: what is to be remembered
   *     while a level holds the transaction
   */
  long[] leaves(Transaction transaction, boolean entered) {
    long[] unversioned = NOTHING;
    if (!entered || transaction.everyWrite() != null) {
      Operations ops = transaction.operations;
      for (int i = 0; i < transaction.writeCount(); i++) {
        int write = transaction.finalWrite(i);
        if (!ops.installs(write)) {
          // Nobody can read it, but for who may have found the row gone.
          retired(table(ops, write), ops.key(write));
          forgotten(table(ops, write), ops.key(write));
        }
        if (!entered || !ops.installs(write)) {
          int n = unversioned.length;
          unversioned = Arrays.copyOf(unversioned, n + 2);
          unversioned[n] = table(ops, write);
          unversioned[n + 1] = ops.key(write);
        }
      }
    }
    while (fading.size() > 0 && fading.first() < window.oldestPlace()) {
      fading.dequeueLong();
      int table = (int) fading.dequeueLong();
      long key = fading.dequeueLong();
      if (tables.isAsked(table) && reasons.addTo(key, -1) == 1) {
        reasons.remove(key);
      }
    }
    return unversioned;
  }

  /**
   * A transaction that has not aborted has left the window.
   *
   * @param unversioned what {@link #leaves} returned
   */
  void left(Transaction transaction, long[] unversioned) {
    if (transaction.held > 0) {
      held.add(transaction, unversioned, this::retired);
    }
    held.sweep(this::forgotten);
  }

  /** Counts what is remembered of these tables, of which nothing is counted yet. */
  void count(IntPredicate ofTables, VersionTable versions) {
    KeyOfTable counted =
        (table, key) -> {
          if (ofTables.test((int) table)) {
            reasons.addTo(key, 1);
          }
        };
    versions.forEachRetired(counted);
    held.forEach(counted);
    fading.forEachTriple((place, table, key) -> counted.accept(table, key));
  }

  void save(GraphWriter graph) {
    tables.save(graph.out);
    held.save(graph);
    graph.out.later(fading.cut());
  }

  /** Takes back what {@link #save} saved; the table of versions has been read. */
  void load(GraphReader graph, VersionTable versions) {
    tables.load(graph.in);
    held.load(graph);
    fading.load(graph.in);
    count(tables::isAsked, versions);
  }

  /** Takes a key, and the number of its table. */
  interface KeyOfTable {
    void accept(long table, long key);
  }
}
