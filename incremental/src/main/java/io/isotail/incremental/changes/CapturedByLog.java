package io.isotail.incremental.changes;

import io.isotail.incremental.record.LoggedTable;
import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Statement;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.incremental.record.VersionKind;
import it.unimi.dsi.fastutil.ints.Int2ObjectOpenHashMap;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import org.jspecify.annotations.Nullable;

/**
 * The operations of a captured transaction, with what the log tells of them.
 *
 * <ul>
 *   <li>A read of a content becomes one of the version that its writer left, if the log has only
 *       one that it may be; so does the absence of a row.
 *   <li>What the transaction wrote becomes what the log shows that it left, at the last place where
 *       it may have been written. A removed row is a version, too.
 *   <li>A read of a row that the transaction may have written before is its own version if that is
 *       what it left and nothing can have been written behind; else it is not known.
 * </ul>
 */
final class CapturedByLog {
  private final LoggedRows rows;
  private final long firstWriter;
  private final boolean baseIsInitial;
  private final long beganMs;
  private final TransactionRecord record;
  private final Operations ops;
  private final @Nullable LoggedTransaction logged;

  /** The rows that it left, by the operation behind which they are put. */
  private final Int2ObjectOpenHashMap<LongArrayList> behind = new Int2ObjectOpenHashMap<>();

  /**
   * A transaction.
   *
   * @param firstWriter id from which on the log is followed
   * @param baseIsInitial whether what was there before is what was there before capture
   * @param beganMs it had not begun before then, in ms of the stream; see {@link LoggedRows}
   * @param logged what it did by the log; null if that is not known
   */
  CapturedByLog(
      LoggedRows rows,
      long firstWriter,
      boolean baseIsInitial,
      long beganMs,
      TransactionRecord record,
      @Nullable LoggedTransaction logged) {
    this.rows = rows;
    this.firstWriter = firstWriter;
    this.baseIsInitial = baseIsInitial;
    this.beganMs = beganMs;
    this.record = record;
    this.ops = record.operations();
    this.logged = logged;
  }

  /** The operations as the log completes them. */
  Operations operations() {
    if (logged != null) {
      for (long key : logged.rows.keySet()) {
        behind.computeIfAbsent(lastPlace(key), place -> new LongArrayList()).add(key);
      }
    }
    Operations.Builder all = new Operations.Builder();
    for (int i = 0; i < ops.size(); i++) {
      if (!isReplaced(i)) {
        add(all, i);
      }
      LongArrayList left = behind.get(i);
      if (left != null && logged != null) {
        for (long key : left) {
          all.statement(statement(key, ops.statement(i)));
          addWrite(all, key, logged.writer, rows);
        }
      }
    }
    return all.build();
  }

  private Statement statement(long key, Statement of) {
    String table = table(key);
    return new Statement(table, table.equals(of.table()) ? of.fingerprint() : "", true, false);
  }

  /** Table of a row that it left. */
  private String table(long key) {
    LoggedTable table = logged == null ? null : logged.rows.get(key);
    return table == null ? "" : table.name();
  }

  /** Adds what a transaction left of a row, with the version that it replaced if that is known. */
  static void addWrite(Operations.Builder all, long key, long writer, LoggedRows rows) {
    all.write(key, version(writer));
    long before = rows.before(writer, key);
    if (before != LoggedRows.UNCLEAR) {
      all.replaces(version(before));
    }
  }

  /** The id of a writer as a version: its low 32 bits. */
  static long version(long writer) {
    return writer & 0xFFFF_FFFFL;
  }

  /** Whether an operation is a write that the log shows instead. */
  private boolean isReplaced(int i) {
    if (logged == null || !isWrite(i)) {
      return false;
    }
    String table = ops.statement(i).table();
    boolean named = ops.kind(i) == OperationKind.WRITE && isNamed(i) && !ops.undone(i);
    return !named && (table == null || rows.isLogged(table));
  }

  private boolean isNamed(int i) {
    return ops.versionKind(i) == VersionKind.KNOWN && ops.namesWriters(i);
  }

  private boolean isWrite(int i) {
    OperationKind kind = ops.kind(i);
    return kind == OperationKind.WRITE
        || kind == OperationKind.DELETE
        || kind == OperationKind.OPAQUE;
  }

  /** Whether an operation may have written a row. */
  private boolean mayWrite(int i, long key, String table) {
    OperationKind kind = ops.kind(i);
    return kind == OperationKind.OPAQUE
        ? ops.statement(i).table() == null || table.equals(ops.statement(i).table())
        : isWrite(i) && ops.key(i) == key;
  }

  /** The last operation that may have written a row; if none seems to, the last write of all. */
  private int lastPlace(long key) {
    String table = table(key);
    int last = -1;
    int any = ops.size() - 1;
    boolean found = false;
    for (int i = ops.size() - 1; i >= 0 && last < 0; i--) {
      if (mayWrite(i, key, table)) {
        last = i;
      }
      if (!found && isWrite(i)) {
        any = i;
        found = true;
      }
    }
    return last < 0 ? any : last;
  }

  private void add(Operations.Builder all, int i) {
    Statement statement = ops.statement(i);
    boolean absent =
        ops.readsInitial(i) && rows.isLogged(statement.table()) && !ops.surelyInitial(i);
    boolean content = ops.readsKnown(i) && statement.readsContents();
    if (ops.kind(i) != OperationKind.READ || (!absent && !content && !statement.readsContents())) {
      all.addOne(ops, i);
      return;
    }
    long key = ops.key(i);
    String table = statement.table();
    long writer = LoggedRows.UNCLEAR;
    if ((absent || content) && table != null) {
      writer =
          mayBeOwn(i, key, table)
              ? ownIfCertain(i, absent)
              : absent
                  ? rows.removerOf(table, key, own(), beganMs)
                  : rows.writerOf(table, key, statement.columns(), ops.version(i), own(), beganMs);
    }
    all.statement(statement.resolved());
    long base = version(firstWriter - 1);
    if (writer == LoggedRows.BASE && baseIsInitial && base != 0) {
      all.read(key, base); // Of before capture, a row that was not there, too.
    } else if (writer >= 0) {
      all.read(key, version(writer));
    } else if (absent) {
      all.readInitial(key); // Whether it was ever there is asked as of any absence.
    } else {
      all.add(OperationKind.READ, key, VersionKind.UNKNOWN, 0);
    }
    if (ops.undone(i)) {
      all.undoFrom(all.size() - 1);
    }
    all.names(ops.keyName(i), null);
  }

  private long own() {
    return logged == null ? LoggedRows.BASE : logged.writer;
  }

  /** Whether the transaction may have written a row before an operation. */
  private boolean mayBeOwn(int read, long key, String table) {
    if (logged != null && !logged.rows.containsKey(key)) {
      return false;
    }
    if (record.chunk() > 0) {
      return true; // An earlier part may have.
    }
    for (int i = 0; i < read; i++) {
      // If it has written the row, any write before may have: by a trigger.
      if (isWrite(i) && (logged != null || mayWrite(i, key, table))) {
        return true;
      }
    }
    return false;
  }

  /** Its own id if it has certainly read what it left. */
  private long ownIfCertain(int read, boolean absent) {
    if (logged == null) {
      return LoggedRows.UNCLEAR;
    }
    long key = ops.key(read);
    boolean own = logged.rows.containsKey(key) && read > lastPlace(key) && hasWritten(key, read);
    Long content = absent ? null : ops.version(read);
    return own && rows.left(logged.writer, key, ops.statement(read).columns(), content)
        ? logged.writer
        : LoggedRows.UNCLEAR;
  }

  /**
   * Whether one of the writes before a read has written a row that the transaction has written: one
   * has named it, or there is no other that can have.
   */
  private boolean hasWritten(long key, int read) {
    boolean named = false;
    boolean all = true;
    for (int i = 0; i < ops.size(); i++) {
      if (isWrite(i)) {
        boolean names = ops.kind(i) != OperationKind.OPAQUE && ops.key(i) == key && !ops.undone(i);
        named |= i < read && names;
        all &= i < read;
      }
    }
    return named || all;
  }
}
