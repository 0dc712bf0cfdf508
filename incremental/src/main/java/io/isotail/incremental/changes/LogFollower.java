package io.isotail.incremental.changes;

import io.isotail.incremental.anomaly.AnomalyKind;
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
import io.isotail.incremental.stream.HeardTime;
import io.isotail.incremental.stream.Horizon;
import it.unimi.dsi.fastutil.HashCommon;
import java.util.ArrayDeque;
import java.util.BitSet;
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
 * <p>If the log falls silent or ends, or the records that wait become too many, there is a pause
 * until its next mark: what waits goes on, its reads undecided. What was told of rows stays known,
 * also where another follower goes on with the log. If something of it is lost, nothing is known
 * any more, and it begins anew with its next mark. A transaction of the log that a proxy may have
 * for too long, since one that has written stays open there, is told of no more than those who read
 * from it tell.
 *
 * <p>Bounds: {@value #MOST_HELD} records that wait, {@value #MOST_ROWS} rows of a transaction.
 */
public final class LogFollower {
  /** Records that wait at most. */
  static final int MOST_HELD = 200_000;

  /** Rows that one transaction of the log changes at most; of a larger one nothing is known. */
  static final int MOST_ROWS = 200_000;

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

    /** A transaction that was handed on before ended otherwise than its client was told. */
    void fault(CommitFault fault);
  }

  /**
   * A record that waits.
   *
   * @param heardMs since when it waits, by {@link HeardTime}
   * @param begunAfterMs a transaction had not begun before then, in ms of the stream; see {@link
   *     ProxyTimes}
   * @param mayBeAny whether it counts among those that may be any of the log
   */
  private record Held(
      long position,
      long offset,
      long timeMs,
      long heardMs,
      long begunAfterMs,
      boolean mayBeAny,
      StreamRecord record) {}

  /** A transaction of the log that waits, and where it stood. */
  private static final class Told {
    final long position;
    final long offset;
    final long timeMs;
    final long heardMs;
    final LoggedTransaction transaction;

    /** Marks when it was not known yet whether it is a captured one; no answer changes before. */
    long askedAtMark = -1;

    Told(long position, long offset, long timeMs, long heardMs, LoggedTransaction transaction) {
      this.position = position;
      this.offset = offset;
      this.timeMs = timeMs;
      this.heardMs = heardMs;
      this.transaction = transaction;
    }
  }

  private final LoggedRows rows = new LoggedRows();
  private final long mostSilentMs;
  private final HeardTime heard;
  private final Horizon proxies;
  private final ArrayDeque<Held> held = new ArrayDeque<>();

  /** Transactions among what is held. */
  private int waiting;

  /** Transactions of the log of which it is not known yet whether somebody has captured them. */
  private final ArrayDeque<Told> told = new ArrayDeque<>();

  /** Where marks stood, from the first on that the oldest record waits for. */
  private final ArrayDeque<Long> marks = new ArrayDeque<>();

  private final CapturedTransactions captured = new CapturedTransactions(rows);

  private final ProxyTimes times = new ProxyTimes();

  private final CommitWitness commits = new CommitWitness();

  private @Nullable LogStart source;

  /** Whether nothing waits for the log until its next mark. */
  private boolean paused;

  /** The first id of the log. */
  private long firstWriter;

  /** The first id since which it is known without a hole. */
  private long nextWriter;

  /** Where the last transaction of the log stood; those up to there are not taken again. */
  private long greatestTold;

  /** That of all logs of the database. */
  private long greatestEver;

  private long everDatabase = SessionInfo.NO_DATABASE;

  /** That of the logs before this one: what they told is not told again to the checker. */
  private long toldBefore;

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
  private long lastHeardMs;
  private long lastSilenceCheckMs;
  private long position = -1;
  private long leastOldest = Long.MAX_VALUE;
  private boolean everFollowed;

  /** Whether somebody captures who does not tell since when. */
  private boolean untold;

  private boolean anyDatabase;
  private long firstDatabase;
  private boolean severalDatabases;

  private boolean baseUsed;
  private long revocations;
  private long lost;

  /** No log is followed yet. */
  public LogFollower(long silentAfterMs) {
    this.proxies = new Horizon(silentAfterMs);
    this.heard = new HeardTime(silentAfterMs);
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
    heard.hear(timeMs);
    note(record, timeMs);
    if (record instanceof LogStart start) {
      start(start, offset, timeMs, next);
    } else if (record instanceof Changes changes) {
      changes(changes, offset, timeMs, next);
    } else if (record instanceof LogMark || isOfSource(record)) {
      ofSource(record, offset, timeMs, next);
    } else if (!everFollowed) {
      if (record instanceof TransactionRecord transaction) {
        captured.handedOn(transaction);
      }
      hand(next, offset, timeMs, unresolved(record));
      return;
    } else {
      boolean mayBeAny = arrived(record);
      long begunAfterMs =
          record instanceof TransactionRecord transaction
              ? times.begunAfterMs(transaction)
              : LoggedRows.NOT_KNOWN_WHEN;
      held.add(new Held(position, offset, timeMs, heard.nowMs(), begunAfterMs, mayBeAny, record));
      waiting += record instanceof TransactionRecord ? 1 : 0;
    }
    if (source != null && !paused && waitsTooLong()) {
      pause(offset, timeMs, next);
    }
    release(next);
  }

  /** What whoever follows the log is for the checker waits in the place of what it told. */
  private void hold(long offset, long timeMs, StreamRecord record) {
    held.add(
        new Held(
            position, offset, timeMs, heard.nowMs(), LoggedRows.NOT_KNOWN_WHEN, false, record));
  }

  /** Whoever follows the log has told something. */
  private void seen(long timeMs) {
    lastSeenMs = timeMs;
    lastHeardMs = heard.nowMs();
  }

  private boolean waitsTooLong() {
    long waited = held.isEmpty() ? 0 : heard.nowMs() - held.element().heardMs();
    return held.size() + told.size() > MOST_HELD
        || waited > mostSilentMs + MOST_UNTOLD_MS
        || heard.nowMs() - lastHeardMs > mostSilentMs;
  }

  /** The stream has ended: nothing comes any more that a record could wait for. */
  public void finish(Next next) {
    proxies.close();
    release(next);
    if (source != null && !paused) {
      pause(lastOffset, lastSeenMs, next);
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
    seen(timeMs);
    if (record instanceof LogMark mark && mark.nextSequence() == nextSequence) {
      if (paused) {
        paused = false;
        hello(offset, timeMs);
      }
      marks.add(position);
      rows.mark(timeMs);
      captured.mark();
      commits.mark().forEach(next::fault);
      Heartbeat heartbeat = new Heartbeat(mark.source(), markCount++, List.of());
      hold(offset, timeMs, heartbeat);
    } else if (record instanceof Goodbye) {
      pause(offset, timeMs, next);
    } else {
      lose(offset, timeMs, next);
      givenUpInside = true; // What is missing may be the first part of a transaction.
    }
  }

  /** What tells until when a proxy may add something, and since when each is there. */
  private void note(StreamRecord record, long timeMs) {
    if (record instanceof Hello hello) {
      proxies.hello(hello.proxy(), position, heard.nowMs());
      oldest(hello.oldestRunning());
      noteDatabase(hello.database());
    } else if (record instanceof Heartbeat heartbeat) {
      join(heartbeat.proxy());
      proxies.heartbeat(heartbeat, position, heard.nowMs());
      times.heard(heartbeat, timeMs);
    } else if (record instanceof Goodbye goodbye) {
      proxies.goodbye(goodbye.proxy());
      times.left(goodbye.proxy());
    } else if (record instanceof TransactionRecord transaction) {
      SessionInfo session = transaction.session();
      if (session.proxy() == null || !proxies.knows(session.proxy())) {
        oldest(session.oldestRunning());
      }
      join(session.proxy());
      noteDatabase(session.database());
      if (showsIds(transaction)) {
        rows.shownIds.add(transaction.operations());
      }
      if (everFollowed && session.proxy() != null && transaction.outcome() != Outcome.OPEN) {
        proxies.ended(session.proxy(), session.id(), transaction.transaction(), heard.nowMs());
      }
    }
    if (heard.nowMs() - lastSilenceCheckMs >= 1_000) {
      lastSilenceCheckMs = heard.nowMs();
      proxies.removeSilent(heard.nowMs()).forEach(times::left);
    }
  }

  /** Whether rows that a transaction reads and writes show ids that a log tells, or has told. */
  private boolean showsIds(TransactionRecord transaction) {
    return rows.shownIds.areShown() && transaction.session().database() == everDatabase;
  }

  private void join(@Nullable String proxy) {
    if (proxy != null && !proxies.knows(proxy)) {
      proxies.join(proxy, position, heard.nowMs());
    }
  }

  /** A proxy begins, and tells the least id of a transaction that runs; 0 or less for none. */
  private void oldest(long id) {
    untold |= id <= 0;
    leastOldest = id > 0 ? Math.min(leastOldest, id) : leastOldest;
    if (baseUsed && source != null && (untold || nextWriter > leastOldest)) {
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
    rows.shownIds.forget(before.tables());
    nextSequence = mark.nextSequence();
    captured.clear(); // Where it is followed from is known by what it tells first.
    beganAgain = true;
  }

  private void start(LogStart start, long offset, long timeMs, Next next) {
    LogStart before = source;
    boolean mayTellAgain = everFollowed;
    if (before != null
        && unfinished == null
        && before.source().equals(start.goesOn())
        && before.database() == start.database()) {
      mayTellAgain = beganAgain; // What was told before is known by its position.
      goOn(start, offset, timeMs);
    } else {
      begin(start, offset, timeMs, next);
    }
    if (mayTellAgain) {
      captured.mayBeToldAgain();
    }
  }

  /** What was told of rows stays known, but for tables that are others now. */
  private void goOn(LogStart start, long offset, long timeMs) {
    commits.broken(timeMs);
    goodbye(offset, timeMs);
    source = start;
    nextSequence = 0;
    seen(timeMs);
    marks.clear(); // Whose marks they were may not have known of what stands before.
    captured.goesOn();
    rows.goOn(start, timeMs);
    if (!paused) {
      hello(offset, timeMs);
    }
  }

  private void begin(LogStart start, long offset, long timeMs, Next next) {
    if (source != null) {
      lose(offset, timeMs, next);
    }
    givenUp = null;
    beganAgain = false;
    paused = false;
    source = start;
    commits.broken(timeMs);
    everFollowed = true;
    nextSequence = 0;
    firstWriter = start.firstWriter();
    nextWriter = start.nextWriter();
    greatestTold = 0;
    greatestEver = start.database() == everDatabase ? greatestEver : 0;
    if (start.database() != everDatabase) {
      captured.otherDatabase();
    }
    if (start.database() != everDatabase || !start.rowsNameWriters()) {
      rows.shownIds.end();
    }
    everDatabase = start.database();
    toldBefore = greatestEver;
    unfinished = null;
    startMs = timeMs;
    seen(timeMs);
    baseUsed = false;
    rows.begin(start.tables());
    if (start.rowsNameWriters()) {
      rows.shownIds.begin(start.firstWriter(), start.nextWriter());
    }
    captured.begin(start.nextWriter());
    hello(offset, timeMs);
  }

  /** The checker waits no more for who has followed the log. */
  private void goodbye(long offset, long timeMs) {
    if (source != null && !paused) {
      Goodbye goodbye = new Goodbye(source.source());
      hold(offset, timeMs, goodbye);
    }
  }

  /** For the checker whoever follows the log is a proxy: that of the writers nobody else has. */
  private void hello(long offset, long timeMs) {
    if (source != null) {
      Hello hello =
          new Hello(
              source.source(),
              "log",
              "log",
              MARK_MS,
              firstWriter,
              source.database(),
              Hello.NOT_KNOWN);
      hold(offset, timeMs, hello);
    }
  }

  private void changes(Changes record, long offset, long timeMs, Next next) {
    if (source == null || !source.source().equals(record.source())) {
      boolean ofGivenUp = givenUp != null && givenUp.source().equals(record.source());
      givenUpInside = ofGivenUp ? !record.last() : givenUpInside;
      return;
    }
    seen(timeMs);
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
    if (record.position() <= greatestTold) {
      return; // Who goes on with a log begins where it is certain to know no more.
    }
    for (RowChange change : record.rows()) {
      if (whole.rows.putAndMoveToLast(change.key(), change.table()) != null) {
        whole.rewritten.add(change.key());
      }
      if (change.after() == null) {
        whole.removed.add(change.key());
      }
      rows.add(change, record.writer());
    }
    unfinished = record.last() ? null : whole;
    if (record.last()) {
      greatestTold = record.position();
      greatestEver = Math.max(greatestEver, greatestTold);
      whole.toldMs = nowMs;
      captured.told(whole);
      whole.captured |= greatestTold <= toldBefore;
      told.add(new Told(position, offset, timeMs, heard.nowMs(), whole));
    }
  }

  /**
   * A record that waits from now on.
   *
   * @return whether it may be any transaction of the log
   */
  private boolean arrived(StreamRecord record) {
    if (!(record instanceof TransactionRecord transaction) || !isOfDatabase(transaction)) {
      return false;
    }
    rows.baseIsInitial = isBaseInitial();
    boolean mayBeAny = captured.arrived(transaction);
    if (mayBeAny) {
      told.forEach(each -> doubt(each.transaction));
    }
    return mayBeAny;
  }

  private boolean isOfDatabase(TransactionRecord record) {
    return source != null
        && record.session().database() == source.database()
        && !(severalDatabases && source.database() == SessionInfo.NO_DATABASE);
  }

  /** Nothing waits any more until the next mark. */
  private void pause(long offset, long timeMs, Next next) {
    goodbye(offset, timeMs);
    paused = true;
    commits.broken(timeMs);
    told.forEach(each -> doubt(each.transaction)); // Who has captured them is not known.
    told.clear();
    release(next);
    marks.clear();
    captured.pause();
  }

  /** Nothing more is known of contents until the log begins anew. */
  private void lose(long offset, long timeMs, Next next) {
    pause(offset, timeMs, next);
    givenUp = source;
    givenUpInside = unfinished != null;
    source = null;
    unfinished = null;
    lost++;
    rows.begin(Set.of());
    captured.clear();
  }

  private void release(Next next) {
    tell(next);
    for (Held first = held.peek(); first != null && isDue(first); first = held.peek()) {
      held.remove();
      StreamRecord record = first.record();
      waiting -= record instanceof TransactionRecord ? 1 : 0;
      if (first.mayBeAny()) {
        captured.released();
      }
      StreamRecord due =
          record instanceof TransactionRecord transaction ? resolved(first, transaction) : record;
      hand(next, first.offset(), first.timeMs(), due);
    }
  }

  /** What is told late does not stand before what was handed on. */
  private void hand(Next next, long offset, long timeMs, StreamRecord record) {
    handedOffset = Math.max(handedOffset, offset);
    handedMs = Math.max(handedMs, timeMs);
    next.accept(handedOffset, handedMs, record);
  }

  /** A transaction of the log may be a captured one, of which it is not told. */
  private void doubt(LoggedTransaction transaction) {
    transaction.captured = true;
    if (rows.shownIds.areShown()) {
      rows.doubt(transaction);
    }
  }

  /** Hands on the transactions of the log that nobody can have captured. */
  private void tell(Next next) {
    long passed = told.isEmpty() ? 0 : proxies.advance(position);
    for (Told first = told.peek(); first != null; first = told.peek()) {
      boolean nobodys = passed > first.position;
      if (!first.transaction.captured) {
        boolean late = heard.nowMs() - first.heardMs > MOST_UNTOLD_MS;
        if (!nobodys && !late) {
          return;
        }
        if (first.askedAtMark == markCount && !late) {
          return; // Asking is a look at each claim that waits.
        }
        Claims.Answer answer = captured.claimed(first.transaction);
        if (answer == Claims.Answer.NOT_YET && !late) {
          first.askedAtMark = markCount;
          return;
        }
        if (!nobodys || answer != Claims.Answer.NOBODYS) {
          doubt(first.transaction);
        }
      }
      told.remove();
      if (!first.transaction.captured && nobodys) {
        captured.nobodys(first.transaction);
        hand(next, first.offset, first.timeMs, foreign(first.transaction));
      }
    }
  }

  /**
   * Whether a record need not wait any more: all that it can have read is told, and of each of
   * these transactions it is known whether somebody has captured it.
   */
  private boolean isDue(Held first) {
    if (source == null || paused || !(first.record() instanceof TransactionRecord)) {
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
  private TransactionRecord resolved(Held held, TransactionRecord record) {
    TransactionRecord resolved = byLog(held, record);
    boolean twice = source != null && isOfDatabase(record) && captured.isNobodys(record);
    // What it has written was told already: only what it has read before that is new.
    return twice ? with(record, record.outcome(), beforeWrites(resolved.operations())) : resolved;
  }

  private static Operations beforeWrites(Operations ops) {
    BitSet reads = new BitSet();
    for (int i = 0; i < ops.size() && ops.kind(i) == OperationKind.READ; i++) {
      reads.set(i);
    }
    return ops.only(reads);
  }

  private TransactionRecord byLog(Held held, TransactionRecord record) {
    if (paused || !isOfDatabase(record)) {
      if (source == null || isOfDatabase(record)) {
        captured.handedOn(record);
        if (rows.shownIds.areShown()) {
          told.forEach(each -> doubt(each.transaction)); // It may be one, or have read from one.
        }
      }
      return unresolved(record);
    }
    LoggedTransaction own = captured.of(record);
    witness(held, record, own);
    long begunAfterMs = held.begunAfterMs();
    boolean initial = isBaseInitial();
    baseUsed |= initial;
    boolean followed = (initial || begunAfterMs >= startMs) && !isOnStandby(record);
    CapturedByLog byLog =
        new CapturedByLog(
            rows,
            firstWriter,
            initial,
            followed ? begunAfterMs : LoggedRows.BEFORE_LOG,
            record,
            own);
    // The log has it, so it was committed.
    boolean decided = own != null && !own.rows.isEmpty() && record.outcome() == Outcome.UNKNOWN;
    return with(record, decided ? Outcome.COMMITTED : record.outcome(), byLog.operations());
  }

  /** Holds the end of a captured transaction, as its client was told it, against the log. */
  private void witness(Held held, TransactionRecord record, @Nullable LoggedTransaction own) {
    if (!rows.shownIds.areShown() || isOnStandby(record)) {
      return;
    }
    long begunAfterMs = held.begunAfterMs();
    if (record.outcome() == Outcome.ABORTED) {
      int write = captured.loggedWrite(record, begunAfterMs);
      if (write >= 0 && commits.oughtToTell(record, begunAfterMs, table(record, write))) {
        commits.doubt(AnomalyKind.UNASKED_COMMIT, held.offset(), record, write);
      }
    } else if (record.outcome() == Outcome.COMMITTED && own != null && !own.rows.isEmpty()) {
      commits.told(record, begunAfterMs, own);
    } else if (record.outcome() == Outcome.COMMITTED) {
      int write = firstLoggedWrite(record.operations());
      if (write >= 0
          && commits.oughtToTell(record, begunAfterMs, table(record, write))
          && captured.isMissing(record, begunAfterMs)) {
        commits.doubt(AnomalyKind.LOST_COMMIT, held.offset(), record, write);
      }
    }
  }

  private static @Nullable String table(TransactionRecord record, int operation) {
    return record.operations().statement(operation).table();
  }

  /** A write that the log would tell; negative if there is none. */
  private int firstLoggedWrite(Operations ops) {
    for (int i = 0; i < ops.size(); i++) {
      if (Claim.isNamed(ops, i) && !ops.undone(i) && rows.isLogged(ops.statement(i).table())) {
        return i;
      }
    }
    return -1;
  }

  /** Whether what was there before the log is what was there before capture. */
  private boolean isBaseInitial() {
    return !untold && !beganAgain && nextWriter <= leastOldest;
  }

  /** A standby may show what was there before the transaction began. */
  private static boolean isOnStandby(TransactionRecord record) {
    return record.ranAt() != null && record.ranAt().contains("-standby:");
  }

  /** A record of which nobody tells who wrote the contents that it has read. */
  private StreamRecord unresolved(StreamRecord record) {
    return record instanceof TransactionRecord transaction ? unresolved(transaction) : record;
  }

  private TransactionRecord unresolved(TransactionRecord record) {
    Operations ops = record.operations();
    if (showsIds(record)) {
      return with(record, record.outcome(), new PartVersions(rows).known(ops));
    }
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
    boolean loggedNothing = ops.loggedNothing();
    for (int i = 0; i < ops.size(); i++) {
      if (ops.kind(i) == OperationKind.OPAQUE) {
        CapturedByLog.addOpaque(all, ops, i, loggedNothing);
      } else if (ops.statement(i).readsContents()) {
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
    captured.save(out, records);
    commits.save(out, records);
    out.flag(paused);
    out.number(firstWriter);
    out.number(nextWriter);
    out.number(greatestTold);
    out.number(greatestEver);
    out.number(everDatabase);
    out.number(toldBefore);
    out.number(nextSequence);
    out.flag(beganAgain);
    out.number(nowMs);
    out.number(lastOffset);
    out.number(handedOffset);
    out.number(handedMs);
    out.number(markCount);
    heard.save(out);
    out.number(lastSeenMs);
    out.number(lastHeardMs);
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
    out.flag(unfinished != null);
    if (unfinished != null) {
      unfinished.save(out, records);
    }
    out.numbers(marks.stream().mapToLong(Long::longValue).toArray());
    out.count(held.size());
    for (Held each : held) {
      out.number(each.position());
      out.number(each.offset());
      out.number(each.timeMs());
      out.number(each.heardMs());
      out.number(each.begunAfterMs());
      out.flag(each.mayBeAny());
      records.stream(each.record());
    }
    out.count(told.size());
    for (Told each : told) {
      out.number(each.position);
      out.number(each.offset);
      out.number(each.timeMs);
      out.number(each.heardMs);
      out.number(each.askedAtMark);
      each.transaction.save(out, records);
    }
  }

  private static void save(@Nullable LogStart start, StateWriter out, RecordWriter records) {
    out.flag(start != null);
    if (start != null) {
      records.stream(start);
    }
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
    captured.load(in, records);
    commits.load(in, records);
    paused = in.flag();
    firstWriter = in.number();
    nextWriter = in.number();
    greatestTold = in.number();
    greatestEver = in.number();
    everDatabase = in.number();
    toldBefore = in.number();
    nextSequence = in.number();
    beganAgain = in.flag();
    nowMs = in.number();
    lastOffset = in.number();
    handedOffset = in.number();
    handedMs = in.number();
    markCount = in.number();
    heard.load(in);
    lastSeenMs = in.number();
    lastHeardMs = in.number();
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
    unfinished = in.flag() ? LoggedTransaction.load(in, records) : null;
    for (long mark : in.numbers()) {
      marks.add(mark);
    }
    for (int n = in.count(); n > 0; n--) {
      Held each =
          new Held(
              in.number(),
              in.number(),
              in.number(),
              in.number(),
              in.number(),
              in.flag(),
              records.stream());
      held.add(each);
      waiting += each.record() instanceof TransactionRecord ? 1 : 0;
    }
    for (int n = in.count(); n > 0; n--) {
      long at = in.number();
      long offset = in.number();
      long timeMs = in.number();
      long heardMs = in.number();
      long askedAtMark = in.number();
      LoggedTransaction saved = LoggedTransaction.load(in, records);
      LoggedTransaction same = captured.find(saved.writer);
      Told each = new Told(at, offset, timeMs, heardMs, same == null ? saved : same);
      each.askedAtMark = askedAtMark;
      told.add(each);
    }
  }
}
