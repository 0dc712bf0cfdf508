package io.isotail.incremental.changes;

import io.isotail.incremental.record.LoggedTable;
import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Statement;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.incremental.record.VersionKind;
import it.unimi.dsi.fastutil.ints.Int2LongLinkedOpenHashMap;
import it.unimi.dsi.fastutil.ints.Int2LongMap;
import it.unimi.dsi.fastutil.ints.Int2ObjectOpenHashMap;
import it.unimi.dsi.fastutil.longs.Long2IntOpenHashMap;
import it.unimi.dsi.fastutil.longs.Long2LongMap;
import it.unimi.dsi.fastutil.longs.Long2LongMaps;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The operations of a captured transaction, with what the log tells of them.
 *
 * <ul>
 *   <li>A read of a content becomes one of the version that its writer left, if the log has only
 *       one that it may be; so does the absence of a row.
 *   <li>What the transaction wrote becomes what the log shows that it left, at the last place where
 *       it may have been written. A removed row is a version, too.
 *   <li>A read of a row that the transaction may have written before is its own version if it
 *       returned what that left, and nothing can have been written behind. So it is where a
 *       statement before names the row, or may have written any of its table, and no other version
 *       has that content.
 *   <li>Such a read is of another version if the transaction never left its content, no such
 *       statement stands before it, and one behind may have written the row. The transaction is
 *       supposed to see what a trigger of its own has written.
 *   <li>Else such a read is not known.
 * </ul>
 */
final class CapturedByLog {
  /** Of what the last part of a transaction left, if that part has no operation. */
  private static final int NO_PLACE = -1;

  private final LoggedRows rows;
  private final long firstWriter;
  private final boolean baseIsInitial;
  private final Reader reader;
  private final TransactionRecord record;
  private final Operations ops;
  private final @Nullable LoggedTransaction logged;

  /** Whether rows show ids: then reads and writes name them. */
  private final boolean showsIds;

  private final PartVersions parts;

  /** The last write so far that the log shows instead. */
  private int lastReplaced = NO_PLACE;

  /** The last write so far of a row that is shown itself. */
  private final Long2IntOpenHashMap lastKept = new Long2IntOpenHashMap();

  private final WritePlaces writes;

  /** Whether the log has nothing of it, as the server has told. */
  private final boolean loggedNothing;

  /**
   * The statements that left a row as they found it, which the transaction had seen otherwise, with
   * the writer of what they found.
   */
  private final Int2LongLinkedOpenHashMap unchanging = new Int2LongLinkedOpenHashMap();

  /** What the rows show that it left, as of a {@link LoggedRow}. */
  private final Long2LongMap shown;

  /** The first read that has certainly returned what it left of a row, by the row's key. */
  private final Long2IntOpenHashMap firstOwnRead = new Long2IntOpenHashMap();

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
    this.record = record;
    this.showsIds = rows.shownIds.areShown();
    this.parts = new PartVersions(rows);
    this.ops = showsIds ? parts.withoutReplaced(record.operations()) : record.operations();
    this.logged = logged;
    this.reader = new Reader(own(), beganMs, record.clock(), record.endNs());
    this.shown =
        showsIds && logged != null ? new Claim(record, 0, 0).shown : Long2LongMaps.EMPTY_MAP;
    this.writes = new WritePlaces(ops, showsIds);
    this.loggedNothing = !showsIds && ops.loggedNothing();
  }

  /** The operations as the log completes them. */
  Operations operations() {
    if (logged != null) {
      findUnchanged(logged);
      indexOwnReads();
      for (long key : logged.rows.keySet()) {
        if (isNamed(key) && isCertain(key)) {
          continue;
        }
        behind.computeIfAbsent(place(key), place -> new LongArrayList()).add(key);
      }
    }
    Operations.Builder all = new Operations.Builder();
    for (int i = 0; i < ops.size(); i++) {
      if (isReplaced(i)) {
        lastReplaced = i;
      } else if (ops.kind(i) == OperationKind.OPAQUE) {
        addOpaque(all, ops, i, loggedNothing);
      } else {
        add(all, i);
      }
      addLeft(all, i);
    }
    addLeft(all, NO_PLACE);
    addUnchanging(all);
    return all.build();
  }

  /**
   * Finds the rows that it wrote and left as it found them, where it had read something else of
   * them. The log tells nothing of such a write, and it overwrites what its transaction has not
   * seen like any other.
   */
  private void findUnchanged(LoggedTransaction logged) {
    Long2IntOpenHashMap firstRead = new Long2IntOpenHashMap();
    for (int i = 0; !showsIds && record.chunk() == 0 && i < ops.size(); i++) {
      long key = ops.key(i);
      String table = ops.statement(i).table();
      if (ops.readsKnown(i) && ops.statement(i).readsContents()) {
        firstRead.putIfAbsent(key, i);
      }
      int read = ops.tellsContent(i) ? firstRead.getOrDefault(key, NO_PLACE) : NO_PLACE;
      if (read == NO_PLACE
          || table == null
          || logged.rows.containsKey(key)
          || writes.anyOfRowBefore(i, key, table)
          || writes.anyUndoneBefore(i)) {
        continue;
      }
      long readFrom = contentOf(read, table, key);
      long found =
          readFrom < LoggedRows.BASE
              ? LoggedRows.NOBODY
              : rows.leftUnchanged(
                  table,
                  key,
                  ops.statement(i).columns(),
                  ops.version(i),
                  readFrom,
                  logged.writer,
                  reader);
      if (found != LoggedRows.NOBODY && logged.writer != LoggedRows.NOBODY) {
        logged.rows.put(key, rows.table(key));
      } else if (found != LoggedRows.NOBODY) {
        unchanging.put(i, found);
      }
    }
  }

  private long contentOf(int read, String table, long key) {
    return rows.writerOf(table, key, ops.statement(read).columns(), ops.version(read), reader);
  }

  /**
   * Adds the writes of which the log has nothing, and that have no name. Its reads behind them were
   * of its snapshot all the same: InnoDB shows a transaction what it has changed, and no more.
   */
  private void addUnchanging(Operations.Builder all) {
    for (Int2LongMap.Entry each : unchanging.int2LongEntrySet()) {
      int i = each.getIntKey();
      all.statement(ops.statement(i).resolved()).writeUnknown(ops.key(i));
      all.replaces(version(each.getLongValue()));
      all.names(ops.keyName(i), null);
    }
  }

  /** Whether a write names what it left of a row, by the id that the row showed then. */
  private boolean isNamed(long key) {
    return showsIds
        && logged != null
        && shown.containsKey(key)
        && !rows.left(logged.writer, key, List.of(), null);
  }

  /** Whether that is certain: it was its own id, or no other write came behind. */
  private boolean isCertain(long key) {
    return shown.get(key) >= 0 || shown.get(key) == LoggedRow.uncertain(version(own()));
  }

  /** Adds what it left, as far as that stands behind an operation. */
  private void addLeft(Operations.Builder all, int place) {
    LongArrayList left = behind.get(place);
    if (left != null && logged != null) {
      Statement of = place < 0 ? Statement.NONE : ops.statement(place);
      for (long key : left) {
        all.statement(statement(key, of));
        if (isNamed(key)) {
          all.writeUnknown(key);
        } else {
          addWrite(all, key, logged.writer, rows);
        }
      }
    }
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
      all.replaces(before);
    }
  }

  /**
   * Adds a statement that may have written, of which the log tells nothing: the content that it
   * tells is of no use then.
   *
   * @param loggedNothing whether it has certainly changed nothing
   */
  static void addOpaque(Operations.Builder all, Operations ops, int i, boolean loggedNothing) {
    if (loggedNothing) {
      return;
    }
    if (!ops.statement(i).readsContents()) {
      all.addOne(ops, i);
      return;
    }
    Statement statement = ops.statement(i);
    all.statement(new Statement(statement.table(), statement.fingerprint())).opaque(ops.key(i));
    if (ops.undone(i)) {
      all.undoFrom(all.size() - 1);
    }
    all.names(ops.keyName(i), null);
  }

  /** The id of a writer as a version: its low 32 bits. */
  static long version(long writer) {
    return writer & 0xFFFF_FFFFL;
  }

  /** Whether an operation is a write that the log shows instead. */
  private boolean isReplaced(int i) {
    if (logged == null || !WritePlaces.isWrite(ops, i)) {
      return false;
    }
    String table = ops.statement(i).table();
    boolean named = Claim.isNamed(ops, i) && (showsIds || !ops.undone(i));
    return !named && rows.isLogged(table);
  }

  private void add(Operations.Builder all, int i) {
    Statement statement = ops.statement(i);
    boolean absent =
        ops.readsInitial(i) && rows.isLogged(statement.table()) && !ops.surelyInitial(i);
    boolean content = ops.readsKnown(i) && statement.readsContents();
    if (showsIds && isOfReplaced(i)) {
      PartVersions.addUnknown(all, ops, i);
      return;
    }
    if (showsIds && parts.isRead(ops, i)) {
      if (logged == null && (record.chunk() > 0 || writes.mayBeWrittenBefore(i, ops.key(i)))) {
        PartVersions.addUnknown(all, ops, i); // It may have left it for a while itself.
      } else {
        parts.add(all, ops, i, reader);
      }
      return;
    }
    if (ops.kind(i) != OperationKind.READ || (!absent && !content && !statement.readsContents())) {
      all.addOne(ops, i);
      if (Claim.isNamed(ops, i)) {
        lastKept.put(ops.key(i), i);
        addReplaced(all, i);
      }
      return;
    }
    long key = ops.key(i);
    String table = statement.table();
    long writer = LoggedRows.UNCLEAR;
    if ((absent || content) && table != null) {
      writer =
          mayBeOwn(i, key, absent)
              ? ownOrOther(i, absent)
              : absent ? removerOf(i, table, key) : contentOf(i, table, key);
    }
    long base = version(firstWriter - 1);
    boolean initial = writer == LoggedRows.BASE && baseIsInitial && base != 0;
    if (showsIds && !initial && writer < 0 && rows.isUnchanged(key) && !mayBeOwn(i, key, absent)) {
      all.addOne(ops, i); // As if there was no log.
      return;
    }
    all.statement(statement.resolved());
    if (initial) {
      all.read(key, base); // Of before capture, a row that was not there, too.
    } else if (writer >= 0) {
      all.read(key, version(writer));
    } else {
      all.add(OperationKind.READ, key, VersionKind.UNKNOWN, 0);
    }
    if (ops.undone(i)) {
      all.undoFrom(all.size() - 1);
    }
    all.names(ops.keyName(i), null);
  }

  /** Whether a read perhaps returned what a write left whose place the log has taken. */
  private boolean isOfReplaced(int read) {
    int kept = lastKept.getOrDefault(ops.key(read), NO_PLACE);
    if (logged == null
        || !ops.readsKnown(read)
        || lastReplaced == NO_PLACE
        || kept > lastReplaced) {
      return false;
    }
    long key = ops.key(read);
    long version = ops.version(read);
    if (version == version(logged.writer)) {
      boolean added = logged.rows.containsKey(key) && !isNamed(key) && lastPlace(key) < read;
      return !added && (kept == NO_PLACE || version != ops.version(kept));
    }
    return kept == NO_PLACE
        ? rows.shownIds.mayBePartOf(logged.writer, version)
        : version != ops.version(kept);
  }

  /** The first write of a row tells what it replaced, as the log has it. */
  private void addReplaced(Operations.Builder all, int i) {
    if (showsIds
        && writes.isFirstShown(i)
        && logged != null
        && !ops.replaces(i)
        && logged.rows.containsKey(ops.key(i))) {
      long before = rows.before(logged.writer, ops.key(i));
      if (before != LoggedRows.UNCLEAR) {
        all.replaces(before);
      }
    }
  }

  private long own() {
    return logged == null ? LoggedRows.BASE : logged.writer;
  }

  /**
   * Whether the transaction may have written a row before an operation: any of its writes may have,
   * by a trigger, unless the log shows that it has not.
   *
   * @param absent whether it would have to have removed the row
   */
  private boolean mayBeOwn(int read, long key, boolean absent) {
    if (showsIds && logged == null && record.chunk() == 0) {
      return writes.mayBeWrittenBefore(read, key);
    }
    boolean wrote = logged == null || logged.rows.containsKey(key);
    if (absent
        && logged != null
        && !logged.removed.contains(key)
        && !writes.anyUndoneBefore(read)) {
      return false;
    }
    return wrote && (record.chunk() > 0 || writes.anyBefore(read));
  }

  private int lastPlace(long key) {
    return writes.last(key, table(key));
  }

  /** Who removed a row that it did not find, and has not removed itself. */
  private long removerOf(int read, String table, long key) {
    boolean unordered = firstOwnRead.containsKey(key) && read > place(key);
    return unordered ? LoggedRows.UNCLEAR : rows.removerOf(table, key, reader);
  }

  /** Finds the reads that have returned what it left, where no other write tells their place. */
  private void indexOwnReads() {
    for (int i = 0; !showsIds && i < ops.size(); i++) {
      long key = ops.key(i);
      if (writes.anyBefore(i)
          && ops.readsKnown(i)
          && ops.statement(i).readsContents()
          && ops.statement(i).table() != null
          && !firstOwnRead.containsKey(key)
          && mayBeOwn(i, key, false)
          && ownOrOther(i, false) == own()) {
        firstOwnRead.put(key, i);
      }
    }
  }

  /** Where to put what it left of a row: before it has read that, and behind all other reads. */
  private int place(long key) {
    int last = lastPlace(key);
    return firstOwnRead.containsKey(key) ? writes.lastBefore(firstOwnRead.get(key), last) : last;
  }

  /**
   * Who left what a read returned of a row that the transaction has written, at a time that is not
   * known; see {@link LoggedRows#writerOf}.
   */
  private long ownOrOther(int read, boolean absent) {
    long key = ops.key(read);
    String table = ops.statement(read).table();
    if (absent
        || showsIds
        || logged == null
        || table == null
        || record.chunk() > 0
        || logged.rewritten.contains(key)
        || writes.anyUndoneBefore(read)) {
      return ownIfCertain(read, absent);
    }
    List<String> columns = ops.statement(read).columns();
    long content = ops.version(read);
    long other = rows.writerOf(table, key, columns, content, reader);
    boolean writtenBefore = writes.anyOfRowBefore(read, key, table);
    if (rows.mayHaveLeft(logged.writer, key, columns, content)) {
      boolean sure = rows.left(logged.writer, key, columns, content);
      return sure && writtenBefore && other == LoggedRows.NOBODY
          ? logged.writer
          : ownIfCertain(read, false);
    }
    return writtenBefore || read > place(key) ? LoggedRows.UNCLEAR : other;
  }

  /** Its own id if it has certainly read what it left. */
  private long ownIfCertain(int read, boolean absent) {
    if (logged == null) {
      return LoggedRows.UNCLEAR;
    }
    long key = ops.key(read);
    boolean own =
        logged.rows.containsKey(key) && read > lastPlace(key) && writes.isWrittenBefore(read, key);
    Long content = absent ? null : ops.version(read);
    return own && rows.left(logged.writer, key, ops.statement(read).columns(), content)
        ? logged.writer
        : LoggedRows.UNCLEAR;
  }
}
