package io.isotail.incremental.changes;

import io.isotail.incremental.record.Changes;
import io.isotail.incremental.record.Gap;
import io.isotail.incremental.record.Goodbye;
import io.isotail.incremental.record.Heartbeat;
import io.isotail.incremental.record.Hello;
import io.isotail.incremental.record.LogMark;
import io.isotail.incremental.record.LogStart;
import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.RecordReader;
import io.isotail.incremental.record.RecordWriter;
import io.isotail.incremental.record.RowChange;
import io.isotail.incremental.record.SessionInfo;
import io.isotail.incremental.record.Statement;
import io.isotail.incremental.record.StreamRecord;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.incremental.record.VersionKind;
import io.isotail.incremental.snapshot.StateReader;
import io.isotail.incremental.snapshot.StateWriter;
import io.isotail.incremental.stream.Horizon;
import it.unimi.dsi.fastutil.HashCommon;
import it.unimi.dsi.fastutil.ints.Int2ObjectLinkedOpenHashMap;
import it.unimi.dsi.fastutil.ints.IntOpenHashSet;
import it.unimi.dsi.fastutil.longs.Long2IntOpenHashMap;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Holds records back until the log has told what they need, and hands them on in their order.
 *
 * <p>A captured transaction is due once whoever follows the log has confirmed that all it can have
 * read is told; see {@link LogStart}. A transaction of the log is nobody's once no proxy can still
 * have it; see {@link Horizon}. So no clock is compared with another one.
 *
 * <p>If the log falls silent, or loses something, or the records that wait become too many, nothing
 * is known of contents until its next mark, from which it begins anew: what waits goes on, its
 * reads undecided. A transaction of the log that a proxy may have for too long, since one that has
 * written stays open there, is told of no more than those who read from it tell.
 *
 * <p>Bounds: {@value #MOST_HELD} records that wait, {@value #MOST_ROWS} rows of a transaction,
 * {@value #MOST_LOGGED_ROWS} of all that are kept.
 */
public final class LogFollower {
  /** Records that wait at most. */
  static final int MOST_HELD = 200_000;

  /** Rows that one transaction of the log changes at most; of a larger one nothing is known. */
  static final int MOST_ROWS = 200_000;

  /** Rows of all transactions of the log that are kept until it is known whose they are. */
  private static final int MOST_LOGGED_ROWS = 1_000_000;

  /** For so long nothing need come of the log, in ms of the stream, or half of a silent proxy's. */
  private static final long MOST_SILENT_MS = 30_000;

  /** Longest wait until it is known whether somebody has captured a transaction, in ms. */
  private static final long MOST_UNTOLD_MS = 10_000;

  /** Pause between two marks in normal work, in ms. */
  private static final long MARK_MS = 200;

  /** Level of the transactions of the log that nobody captured; none that is known. */
  private static final String RAN_AT = "log-unknown:read-committed";

  /** Takes the records that are due. */
  public interface Next {
    /**
     * Takes a record.
     *
     * @param offset where it stood in the log of records
     * @param timeMs when it was appended to that
     */
    void accept(long offset, long timeMs, StreamRecord record);
  }

  /**
   * A record that waits.
   *
   * @param begunAfterMs a transaction had not begun before then, in ms of the stream; see {@link
   *     ProxyTimes}
   * @param mayBeAny whether it counts among those that may be any of the log
   */
  private record Held(
      long position,
      long offset,
      long timeMs,
      long begunAfterMs,
      boolean mayBeAny,
      StreamRecord record) {}

  /** A transaction of the log that waits, and where it stood. */
  private static final class Told {
    final long position;
    final long offset;
    final long timeMs;
    final LoggedTransaction transaction;

    Told(long position, long offset, long timeMs, LoggedTransaction transaction) {
      this.position = position;
      this.offset = offset;
      this.timeMs = timeMs;
      this.transaction = transaction;
    }
  }

  private final LoggedRows rows = new LoggedRows();
  private final long mostSilentMs;
  private final Horizon proxies;
  private final ArrayDeque<Held> held = new ArrayDeque<>();

  /** Transactions among what is held. */
  private int waiting;

  /** Transactions of the log of which it is not known yet whether somebody has captured them. */
  private final ArrayDeque<Told> told = new ArrayDeque<>();

  /** Where marks stood, from the first on that the oldest record waits for. */
  private final ArrayDeque<Long> marks = new ArrayDeque<>();

  /** Transactions of the log that wait, and those of captured ones that do, by their versions. */
  private final Int2ObjectLinkedOpenHashMap<LoggedTransaction> logged =
      new Int2ObjectLinkedOpenHashMap<>();

  private long loggedRows;

  /** Versions of captured transactions that wait and have not been told by the log yet. */
  private final IntOpenHashSet early = new IntOpenHashSet();

  /** Ids that earlier parts of transactions have shown; see {@link #keyOf}. */
  private final Long2IntOpenHashMap idsOfParts = new Long2IntOpenHashMap();

  private final ProxyTimes times = new ProxyTimes();

  private @Nullable LogStart source;
  private long startMs;
  private @Nullable LoggedTransaction unfinished;
  private long nextSequence;
  private @Nullable LogStart givenUp;

  /** Whether a part of a transaction was the last that came of the log that was given up. */
  private boolean givenUpInside;

  private boolean beganAgain;
  private long nowMs;
  private long lastOffset;
  private long handedOffset = Long.MIN_VALUE;
  private long handedMs;
  private long markCount;
  private long lastSeenMs;
  private long lastSilenceCheckMs;
  private long position = -1;
  private long leastOldest = Long.MAX_VALUE;
  private boolean everFollowed;

  /** Whether somebody captures who does not tell since when. */
  private boolean untold;

  private boolean anyDatabase;
  private long firstDatabase;
  private boolean severalDatabases;

  /** Captured transactions that wait and may be any of the log. */
  private long withoutId;

  /**
   * Marks until all is told that captured transactions can be which were handed on before the log
   * began: until then none of it is told to be nobody's.
   */
  private int marksToOwn;

  private boolean baseUsed;
  private long revocations;
  private long lost;

  /** No log is followed yet. */
  public LogFollower(long silentAfterMs) {
    this.proxies = new Horizon(silentAfterMs);
    this.mostSilentMs = Math.min(MOST_SILENT_MS, silentAfterMs / 2);
  }

  /** How often what was taken for the initial version was no longer certain to be. */
  public long revocations() {
    return revocations;
  }

  /** How often something of the log was lost. */
  public long lost() {
    return lost;
  }

  /** Captured transactions that wait for the log. */
  public int waiting() {
    return waiting;
  }

  /** Takes the next record, and hands on what is due. */
  public void accept(long offset, long timeMs, StreamRecord record, Next next) {
    position++;
    lastOffset = offset;
    nowMs = Math.max(nowMs, timeMs);
    note(record, timeMs);
    if (record instanceof LogStart start) {
      begin(start, offset, timeMs, next);
    } else if (record instanceof Changes changes) {
      changes(changes, offset, timeMs, next);
    } else if (record instanceof LogMark || isOfSource(record)) {
      ofSource(record, offset, timeMs, next);
    } else if (!everFollowed) {
      hand(next, offset, timeMs, unresolved(record));
      return;
    } else {
      boolean mayBeAny = arrived(record);
      long begunAfterMs =
          record instanceof TransactionRecord transaction
              ? times.begunAfterMs(transaction)
              : LoggedRows.NOT_KNOWN_WHEN;
      held.add(new Held(position, offset, timeMs, begunAfterMs, mayBeAny, record));
      waiting += record instanceof TransactionRecord ? 1 : 0;
    }
    if (source != null && waitsTooLong(timeMs)) {
      lose(offset, timeMs, next);
    }
    release(next);
  }

  /** What whoever follows the log is for the checker waits in the place of what it told. */
  private void hold(long offset, long timeMs, StreamRecord record) {
    held.add(new Held(position, offset, timeMs, LoggedRows.NOT_KNOWN_WHEN, false, record));
  }

  private boolean waitsTooLong(long timeMs) {
    long waited = held.isEmpty() ? 0 : timeMs - held.element().timeMs();
    return held.size() + told.size() > MOST_HELD
        || waited > mostSilentMs + MOST_UNTOLD_MS
        || timeMs - lastSeenMs > mostSilentMs;
  }

  /** The stream has ended: nothing comes any more that a record could wait for. */
  public void finish(Next next) {
    proxies.close();
    release(next);
    if (source != null) {
      lose(lastOffset, lastSeenMs, next);
    }
  }

  private boolean isOfSource(StreamRecord record) {
    if (source == null) {
      return false;
    }
    String id = source.source();
    return (record instanceof LogMark mark && mark.source().equals(id))
        || (record instanceof Goodbye goodbye && goodbye.proxy().equals(id))
        || (record instanceof Gap gap && gap.proxy().equals(id));
  }

  private void ofSource(StreamRecord record, long offset, long timeMs, Next next) {
    if (!isOfSource(record)) {
      LogStart before = givenUp;
      if (record instanceof LogMark mark
          && !givenUpInside
          && before != null
          && before.source().equals(mark.source())) {
        beginAgain(before, mark, offset, timeMs, next);
      }
      return;
    }
    lastSeenMs = timeMs;
    if (record instanceof LogMark mark && mark.nextSequence() == nextSequence) {
      marks.add(position);
      marksToOwn = Math.max(0, marksToOwn - 1);
      Heartbeat heartbeat = new Heartbeat(mark.source(), markCount++, List.of());
      hold(offset, timeMs, heartbeat);
    } else {
      lose(offset, timeMs, next);
      givenUpInside = true; // What is missing may be the first part of a transaction.
    }
  }

  /** What tells until when a proxy may add something, and since when each is there. */
  private void note(StreamRecord record, long timeMs) {
    if (record instanceof Hello hello) {
      proxies.hello(hello.proxy(), position, timeMs);
      oldest(hello.oldestRunning());
      noteDatabase(hello.database());
    } else if (record instanceof Heartbeat heartbeat) {
      join(heartbeat.proxy(), timeMs);
      proxies.heartbeat(heartbeat, position, timeMs);
      times.heard(heartbeat, timeMs);
    } else if (record instanceof Goodbye goodbye) {
      proxies.goodbye(goodbye.proxy());
      times.left(goodbye.proxy());
    } else if (record instanceof TransactionRecord transaction) {
      SessionInfo session = transaction.session();
      if (session.proxy() == null || !proxies.knows(session.proxy())) {
        oldest(session.oldestRunning());
      }
      join(session.proxy(), timeMs);
      noteDatabase(session.database());
      if (everFollowed && session.proxy() != null && transaction.outcome() != Outcome.OPEN) {
        proxies.ended(session.proxy(), session.id(), transaction.transaction(), timeMs);
      }
    }
    if (timeMs - lastSilenceCheckMs >= 1_000) {
      lastSilenceCheckMs = timeMs;
      proxies.removeSilent(timeMs).forEach(times::left);
    }
  }

  private void join(@Nullable String proxy, long timeMs) {
    if (proxy != null && !proxies.knows(proxy)) {
      proxies.join(proxy, position, timeMs);
    }
  }

  /** A proxy begins, and tells the least id of a transaction that runs; 0 or less for none. */
  private void oldest(long id) {
    untold |= id <= 0;
    leastOldest = id > 0 ? Math.min(leastOldest, id) : leastOldest;
    if (baseUsed && source != null && (untold || source.firstWriter() > leastOldest)) {
      baseUsed = false;
      revocations++;
    }
  }

  private void noteDatabase(long database) {
    severalDatabases |= anyDatabase && database != firstDatabase;
    firstDatabase = anyDatabase ? firstDatabase : database;
    anyDatabase = true;
  }

  /**
   * A log that was given up has a mark: it is followed from there on, and what it showed first of a
   * row is not what was there before capture.
   */
  private void beginAgain(LogStart before, LogMark mark, long offset, long timeMs, Next next) {
    begin(before, offset, timeMs, next);
    nextSequence = mark.nextSequence();
    beganAgain = true;
  }

  private void begin(LogStart start, long offset, long timeMs, Next next) {
    if (source != null) {
      lose(offset, timeMs, next);
    }
    givenUp = null;
    beganAgain = false;
    source = start;
    everFollowed = true;
    nextSequence = 0;
    unfinished = null;
    startMs = timeMs;
    lastSeenMs = timeMs;
    baseUsed = false;
    marksToOwn = 2;
    rows.begin(start.tables());
    // For the checker whoever follows the log is a proxy: that of the writers nobody else has.
    Hello hello =
        new Hello(
            start.source(),
            "log",
            "log",
            MARK_MS,
            start.firstWriter(),
            start.database(),
            Hello.NOT_KNOWN);
    hold(offset, timeMs, hello);
  }

  private void changes(Changes record, long offset, long timeMs, Next next) {
    if (source == null || !source.source().equals(record.source())) {
      boolean ofGivenUp = givenUp != null && givenUp.source().equals(record.source());
      givenUpInside = ofGivenUp ? !record.last() : givenUpInside;
      return;
    }
    lastSeenMs = timeMs;
    boolean goesOn =
        record.writer() > 0 && (unfinished == null || unfinished.writer == record.writer());
    LoggedTransaction whole =
        unfinished == null ? new LoggedTransaction(record.writer()) : unfinished;
    boolean tooLarge = whole.rows.size() + record.rows().size() > MOST_ROWS;
    if (record.sequence() != nextSequence || !goesOn || tooLarge) {
      lose(offset, timeMs, next);
      givenUpInside = !record.last();
      return;
    }
    nextSequence++;
    for (RowChange change : record.rows()) {
      whole.rows.putAndMoveToLast(change.key(), change.table());
      rows.add(change, record.writer(), timeMs);
    }
    unfinished = record.last() ? null : whole;
    if (record.last()) {
      boolean known = early.remove((int) whole.writer);
      whole.captured = known || withoutId > 0 || marksToOwn > 0;
      keep(whole);
      while (logged.size() > MOST_HELD || (loggedRows > MOST_LOGGED_ROWS && logged.size() > 1)) {
        forget(logged.firstIntKey()); // Captured in parts, or by a proxy that keeps it for long.
      }
      told.add(new Told(position, offset, timeMs, whole));
    }
  }

  private void keep(LoggedTransaction transaction) {
    forget((int) transaction.writer);
    logged.putAndMoveToLast((int) transaction.writer, transaction);
    loggedRows += transaction.rows.size();
  }

  private @Nullable LoggedTransaction forget(int version) {
    LoggedTransaction known = logged.remove(version);
    loggedRows -= known == null ? 0 : known.rows.size();
    return known;
  }

  /**
   * A record that waits from now on: what it has written may be in the log already.
   *
   * @return whether it may be any transaction of the log
   */
  private boolean arrived(StreamRecord record) {
    if (source == null
        || !(record instanceof TransactionRecord transaction)
        || !isOfDatabase(transaction)) {
      return false;
    }
    int version = toldId(transaction);
    if (version != 0 && transaction.outcome() == Outcome.OPEN) {
      idsOfParts.put(keyOf(transaction), version);
    }
    if (version != 0) {
      LoggedTransaction known = logged.get(version);
      if (known == null) {
        early.add(version);
      } else {
        known.captured = true;
      }
    } else if (mayBeAny(transaction)) {
      withoutId++;
      told.forEach(each -> each.transaction.captured = true);
      return true;
    }
    return false;
  }

  /** Hash of session and number of a transaction, which all its parts have. */
  private static long keyOf(TransactionRecord part) {
    return HashCommon.murmurHash3(
        part.session().id() ^ HashCommon.murmurHash3(part.transaction() + 1));
  }

  private boolean isOfDatabase(TransactionRecord record) {
    return source != null
        && record.session().database() == source.database()
        && !(severalDatabases && source.database() == SessionInfo.NO_DATABASE);
  }

  /** The id that the server has told of a captured transaction, as a version; 0 for none. */
  private static int toldId(TransactionRecord transaction) {
    Operations ops = transaction.operations();
    for (int i = 0; transaction.outcome() != Outcome.ABORTED && i < ops.size(); i++) {
      if (ops.kind(i) == OperationKind.WRITE
          && ops.versionKind(i) == VersionKind.KNOWN
          && ops.statement(i).isOfServer()) {
        return (int) ops.version(i);
      }
    }
    return 0;
  }

  /**
   * Whether a captured transaction may be any one of the log: it may have written, and its id is
   * not known. While it waits, none of the log is told to be nobody's.
   */
  private boolean mayBeAny(TransactionRecord transaction) {
    Operations ops = transaction.operations();
    boolean ends =
        transaction.outcome() == Outcome.COMMITTED || transaction.outcome() == Outcome.UNKNOWN;
    if (!ends || idsOfParts.containsKey(keyOf(transaction))) {
      return false;
    }
    for (int i = 0; i < ops.size(); i++) {
      if (ops.mayWrite(i)) {
        return true; // The log may tell of its table later on.
      }
    }
    return transaction.chunk() > 0;
  }

  /** Nothing more is known of contents until the log begins anew. */
  private void lose(long offset, long timeMs, Next next) {
    if (source != null) {
      Goodbye goodbye = new Goodbye(source.source());
      hold(offset, timeMs, goodbye);
      givenUp = source;
      givenUpInside = unfinished != null;
    }
    source = null;
    unfinished = null;
    lost++;
    told.clear(); // Whether somebody has captured them is not known.
    release(next);
    marks.clear();
    rows.begin(Set.of());
    logged.clear();
    loggedRows = 0;
    early.clear();
    idsOfParts.clear();
    withoutId = 0;
  }

  private void release(Next next) {
    tell(next);
    for (Held first = held.peek(); first != null && isDue(first); first = held.peek()) {
      held.remove();
      StreamRecord record = first.record();
      waiting -= record instanceof TransactionRecord ? 1 : 0;
      withoutId -= first.mayBeAny() ? 1 : 0;
      hand(
          next,
          first.offset(),
          first.timeMs(),
          record instanceof TransactionRecord transaction
              ? resolved(transaction, first.begunAfterMs())
              : record);
    }
  }

  /** What is told late does not stand before what was handed on. */
  private void hand(Next next, long offset, long timeMs, StreamRecord record) {
    handedOffset = Math.max(handedOffset, offset);
    handedMs = Math.max(handedMs, timeMs);
    next.accept(handedOffset, handedMs, record);
  }

  /** Hands on the transactions of the log that nobody can have captured. */
  private void tell(Next next) {
    long passed = told.isEmpty() ? 0 : proxies.advance(position);
    for (Told first = told.peek(); first != null; first = told.peek()) {
      boolean nobodys = passed > first.position;
      if (!first.transaction.captured && !nobodys && nowMs - first.timeMs <= MOST_UNTOLD_MS) {
        return;
      }
      told.remove();
      if (!first.transaction.captured && nobodys) {
        forget((int) first.transaction.writer);
        hand(next, first.offset, first.timeMs, foreign(first.transaction));
      }
    }
  }

  /**
   * Whether a record need not wait any more: all that it can have read is told, and of each of
   * these transactions it is known whether somebody has captured it.
   */
  private boolean isDue(Held first) {
    if (source == null || !(first.record() instanceof TransactionRecord)) {
      return true;
    }
    while (!marks.isEmpty() && marks.peek() < first.position()) {
      marks.remove();
    }
    if (marks.size() < 2) {
      return false;
    }
    Iterator<Long> two = marks.iterator();
    two.next();
    long until = two.next();
    return told.isEmpty() || told.peek().position > until;
  }

  /** A captured transaction, with what the log tells of it. */
  private TransactionRecord resolved(TransactionRecord record, long begunAfterMs) {
    LogStart log = source;
    if (log == null || !isOfDatabase(record)) {
      return unresolved(record);
    }
    boolean ends = record.outcome() != Outcome.OPEN;
    int shown = toldId(record);
    int ofParts = ends ? idsOfParts.remove(keyOf(record)) : 0;
    int version = shown == 0 ? ofParts : shown;
    LoggedTransaction own = null;
    if (version != 0 && ends) {
      early.remove(version);
      own = forget(version);
    }
    boolean initial = !untold && !beganAgain && log.firstWriter() <= leastOldest;
    baseUsed |= initial;
    boolean followed = (initial || begunAfterMs >= startMs) && !isOnStandby(record);
    CapturedByLog captured =
        new CapturedByLog(
            rows,
            log.firstWriter(),
            initial,
            followed ? begunAfterMs : LoggedRows.BEFORE_LOG,
            record,
            own);
    // The log has it, so it was committed.
    boolean decided = own != null && record.outcome() == Outcome.UNKNOWN;
    return with(record, decided ? Outcome.COMMITTED : record.outcome(), captured.operations());
  }

  /** A standby may show what was there before the transaction began. */
  private static boolean isOnStandby(TransactionRecord record) {
    return record.ranAt() != null && record.ranAt().contains("-standby:");
  }

  /** A record of which nobody tells who wrote the contents that it has read. */
  private static StreamRecord unresolved(StreamRecord record) {
    return record instanceof TransactionRecord transaction ? unresolved(transaction) : record;
  }

  private static TransactionRecord unresolved(TransactionRecord record) {
    Operations ops = record.operations();
    for (Statement statement : ops.statements()) {
      if (statement.readsContents()) {
        return with(record, record.outcome(), withoutContents(ops));
      }
    }
    return record;
  }

  private static TransactionRecord with(
      TransactionRecord record, Outcome outcome, Operations operations) {
    return new TransactionRecord(
        record.session(),
        record.sequence(),
        record.transaction(),
        record.chunk(),
        outcome,
        record.ranAt(),
        record.beginNs(),
        // Its commit was never answered if the log alone tells that it was.
        outcome == record.outcome() ? record.endNs() : TransactionRecord.NO_TIME,
        record.clock(),
        operations,
        record.origin());
  }

  /** Operations of which nobody tells who wrote the contents that they have read. */
  private static Operations withoutContents(Operations ops) {
    Operations.Builder all = new Operations.Builder();
    for (int i = 0; i < ops.size(); i++) {
      if (ops.kind(i) != OperationKind.OPAQUE && ops.statement(i).readsContents()) {
        all.statement(ops.statement(i).resolved());
        all.add(OperationKind.READ, ops.key(i), VersionKind.UNKNOWN, 0);
        if (ops.undone(i)) {
          all.undoFrom(all.size() - 1);
        }
        all.names(ops.keyName(i), null);
      } else {
        all.addOne(ops, i);
      }
    }
    return all.build();
  }

  /** The record of a transaction of the log that nobody captured: what it wrote, and no more. */
  private TransactionRecord foreign(LoggedTransaction transaction) {
    Operations.Builder writes = new Operations.Builder();
    transaction.rows.forEach(
        (key, table) -> {
          writes.statement(new Statement(table.name(), "", true));
          CapturedByLog.addWrite(writes, key, transaction.writer, rows);
        });
    long database = source == null ? SessionInfo.NO_DATABASE : source.database();
    long id = HashCommon.murmurHash3(transaction.writer ^ HashCommon.murmurHash3(database));
    String proxy = source == null ? null : source.source();
    SessionInfo session =
        new SessionInfo(id, "log", proxy, "log", null, null, 0, database, Hello.NOT_KNOWN);
    return new TransactionRecord(
        session,
        0,
        transaction.writer,
        0,
        Outcome.COMMITTED,
        RAN_AT,
        TransactionRecord.NO_TIME,
        TransactionRecord.NO_TIME,
        null,
        writes.build());
  }

  /** Saves what waits, and what the log has told. */
  public void save(StateWriter out) {
    RecordWriter records = new RecordWriter(out);
    proxies.save(out);
    out.flag(everFollowed);
    out.flag(baseUsed);
    out.flag(untold);
    out.flag(anyDatabase);
    out.number(firstDatabase);
    out.flag(severalDatabases);
    out.number(withoutId);
    out.number(marksToOwn);
    long[] sessions = idsOfParts.keySet().toLongArray();
    Arrays.sort(sessions);
    out.numbers(sessions);
    for (long session : sessions) {
      out.number(idsOfParts.get(session));
    }
    out.number(nextSequence);
    out.flag(beganAgain);
    out.number(nowMs);
    out.number(lastOffset);
    out.number(handedOffset);
    out.number(handedMs);
    out.number(markCount);
    out.number(lastSeenMs);
    out.number(lastSilenceCheckMs);
    out.number(startMs);
    times.save(out);
    out.number(position);
    out.number(leastOldest);
    out.number(revocations);
    out.number(lost);
    save(source, out, records);
    save(givenUp, out, records);
    out.flag(givenUpInside);
    rows.save(out, records);
    out.count(logged.size());
    logged.values().forEach(each -> save(each, out, records));
    out.flag(unfinished != null);
    if (unfinished != null) {
      save(unfinished, out, records);
    }
    int[] waiting = early.toIntArray();
    Arrays.sort(waiting);
    out.numbers(waiting);
    out.numbers(marks.stream().mapToLong(Long::longValue).toArray());
    out.count(held.size());
    for (Held each : held) {
      out.number(each.position());
      out.number(each.offset());
      out.number(each.timeMs());
      out.number(each.begunAfterMs());
      out.flag(each.mayBeAny());
      records.stream(each.record());
    }
    out.count(told.size());
    for (Told each : told) {
      out.number(each.position);
      out.number(each.offset);
      out.number(each.timeMs);
      save(each.transaction, out, records);
    }
  }

  private static void save(@Nullable LogStart start, StateWriter out, RecordWriter records) {
    out.flag(start != null);
    if (start != null) {
      records.stream(start);
    }
  }

  private static void save(LoggedTransaction each, StateWriter out, RecordWriter records) {
    out.number(each.writer);
    out.flag(each.captured);
    out.count(each.rows.size());
    each.rows.forEach(
        (key, table) -> {
          out.number(key);
          records.table(table);
        });
  }

  /** Takes back what {@link #save} saved. */
  public void load(StateReader in) {
    RecordReader records = new RecordReader(in);
    proxies.load(in);
    everFollowed = in.flag();
    baseUsed = in.flag();
    untold = in.flag();
    anyDatabase = in.flag();
    firstDatabase = in.number();
    severalDatabases = in.flag();
    withoutId = in.number();
    marksToOwn = (int) in.number();
    for (long session : in.numbers()) {
      idsOfParts.put(session, (int) in.number());
    }
    nextSequence = in.number();
    beganAgain = in.flag();
    nowMs = in.number();
    lastOffset = in.number();
    handedOffset = in.number();
    handedMs = in.number();
    markCount = in.number();
    lastSeenMs = in.number();
    lastSilenceCheckMs = in.number();
    startMs = in.number();
    times.load(in);
    position = in.number();
    leastOldest = in.number();
    revocations = in.number();
    lost = in.number();
    source = in.flag() ? (LogStart) records.stream() : null;
    givenUp = in.flag() ? (LogStart) records.stream() : null;
    givenUpInside = in.flag();
    rows.load(in, records);
    for (int n = in.count(); n > 0; n--) {
      LoggedTransaction each = loadTransaction(in, records);
      keep(each);
    }
    unfinished = in.flag() ? loadTransaction(in, records) : null;
    for (int version : in.smallNumbers()) {
      early.add(version);
    }
    for (long mark : in.numbers()) {
      marks.add(mark);
    }
    for (int n = in.count(); n > 0; n--) {
      Held each =
          new Held(in.number(), in.number(), in.number(), in.number(), in.flag(), records.stream());
      held.add(each);
      waiting += each.record() instanceof TransactionRecord ? 1 : 0;
    }
    for (int n = in.count(); n > 0; n--) {
      long at = in.number();
      long offset = in.number();
      long timeMs = in.number();
      LoggedTransaction saved = loadTransaction(in, records);
      LoggedTransaction same = logged.get((int) saved.writer);
      boolean shared = same != null && same.writer == saved.writer;
      told.add(new Told(at, offset, timeMs, shared ? same : saved));
    }
  }

  private static LoggedTransaction loadTransaction(StateReader in, RecordReader records) {
    LoggedTransaction each = new LoggedTransaction(in.number());
    each.captured = in.flag();
    for (int n = in.count(); n > 0; n--) {
      each.rows.putAndMoveToLast(in.number(), records.table());
    }
    return each;
  }
}
