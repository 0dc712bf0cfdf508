package io.isotail.incremental.changes;

import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.RecordReader;
import io.isotail.incremental.record.RecordWriter;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.incremental.record.VersionKind;
import io.isotail.incremental.snapshot.StateReader;
import io.isotail.incremental.snapshot.StateWriter;
import it.unimi.dsi.fastutil.HashCommon;
import it.unimi.dsi.fastutil.ints.Int2ObjectLinkedOpenHashMap;
import it.unimi.dsi.fastutil.ints.IntOpenHashSet;
import it.unimi.dsi.fastutil.longs.Long2IntOpenHashMap;
import it.unimi.dsi.fastutil.longs.Long2LongMap;
import it.unimi.dsi.fastutil.longs.LongIterator;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Which transactions of the log are captured ones, by the ids that the server has told of these.
 *
 * <p>A captured transaction that may have written and shows no id may be any one that the log tells
 * until two marks behind it; see {@link #told}. One that names its rows may be one of those that
 * have changed them; see {@link Claim}. So no transaction of the log is told to be nobody's that a
 * captured one may be.
 *
 * <p>Bounds: {@value #MOST_LOGGED} transactions of the log with {@value #MOST_ROWS} rows, the
 * oldest are forgotten first; as many ids of open transactions; {@value #MOST_UNDECIDED} of those
 * that were handed on.
 */
final class CapturedTransactions {
  /** Transactions of the log that are kept until it is known what captured them. */
  static final int MOST_LOGGED = 200_000;

  private static final long MOST_ROWS = 1_000_000;

  /** Ids of captured transactions that were handed on undecided; if there are more, any may be. */
  private static final int MOST_UNDECIDED = 50_000;

  /** Small ones that are kept when they are settled. */
  private static final int MOST_SETTLED = 5_000;

  private static final int MOST_SETTLED_ROWS = 100;

  private static final long LOW_BITS = 0xFFFF_FFFFL;

  private static final long NOT_KNOWN = Long.MAX_VALUE;

  /** Versions of ids further apart are not compared, as they come again. */
  private static final long FARTHEST = 1L << 30;

  /** After so many marks the log has told all that was committed before the first of them. */
  private static final int MARKS = 2;

  /** Transactions of the log, by their versions. */
  private final Int2ObjectLinkedOpenHashMap<LoggedTransaction> logged =
      new Int2ObjectLinkedOpenHashMap<>();

  private long loggedRows;

  /** When the last one came that was forgotten to make room, in ms of the stream. */
  private long droppedMs = Long.MIN_VALUE;

  /** From this id on all that the log told is kept; {@link #NOT_KNOWN} for none. */
  private long wholeFrom = NOT_KNOWN;

  /** Versions of captured transactions that wait and have not been told by the log yet. */
  private final IntOpenHashSet early = new IntOpenHashSet();

  /** Ids that earlier parts of transactions have shown; see {@link #keyOf}. */
  private final Long2IntOpenHashMap idsOfParts = new Long2IntOpenHashMap();

  /** These ids. */
  private final IntOpenHashSet partIds = new IntOpenHashSet();

  /** Captured transactions that wait and may be any of the log. */
  private long withoutId;

  /** Versions of captured transactions that were handed on without what the log tells of them. */
  private final IntOpenHashSet undecided = new IntOpenHashSet();

  /** Whether one of these may be any of the log, or may have read from any. */
  private boolean undecidedAny;

  /** Marks until all is told that they can be. */
  private int marks = MARKS;

  private final LoggedRows rows;

  /** Ids of captured ones that were handed on: a log that begins again may tell them again. */
  private final NamedIds handedOn = new NamedIds();

  /** Those of the log that were told to be nobody's. */
  private final NamedIds nobodys = new NamedIds();

  /**
   * Those of the log that seemed to be nobody's, or a captured one that had not shown the id: small
   * ones, the last of them.
   */
  private final Int2ObjectLinkedOpenHashMap<LoggedTransaction> settled =
      new Int2ObjectLinkedOpenHashMap<>();

  /** Those that have shown ids which may be of their parts. */
  private final Claims claims = new Claims();

  /**
   * Nothing is captured yet.
   *
   * @param rows which are told what ids they show, where they do
   */
  CapturedTransactions(LoggedRows rows) {
    this.rows = rows;
  }

  /** The log begins, and of transactions with this id and higher ones nothing is missing. */
  void begin(long nextWriter) {
    wholeFrom = nextWriter;
  }

  /** A log of another database begins, whose ids are others. */
  void otherDatabase() {
    nobodys.clear();
    handedOn.clear();
    settled.clear();
    rows.begins.clear();
  }

  /** Nothing of the log is known, and what waited was handed on. */
  void clear() {
    pause();
    wholeFrom = NOT_KNOWN;
    logged.clear();
    loggedRows = 0;
    forgetParts();
  }

  /** What waited was handed on, and so is what comes, without what the log would tell of it. */
  void pause() {
    undecided.addAll(early);
    undecided.addAll(idsOfParts.values());
    undecidedAny |= !claims.isEmpty();
    claims.clear();
    early.clear();
    withoutId = 0;
    marks = MARKS;
  }

  /** Another one follows the log, whose marks know nothing of those before. */
  void goesOn() {
    marks = marks > 0 ? MARKS : 0;
  }

  /** The log may tell what was not told for a while: any of that may have been handed on. */
  void mayBeToldAgain() {
    undecidedAny = true;
    marks = MARKS;
  }

  /** The log has a mark. */
  void mark() {
    marks = Math.max(0, marks - 1);
    claims.mark();
    if (marks == 0) {
      undecided.clear();
      undecidedAny = false;
    }
  }

  /** A captured transaction is handed on, without what the log would tell of it. */
  void handedOn(TransactionRecord transaction) {
    noteHandedOn(transaction);
    if (!undecidedAny) {
      int version = idOf(transaction);
      undecidedAny = namesWriters(transaction) || (version == 0 && mayBeAny(transaction));
      undecidedAny |= undecided.size() >= MOST_UNDECIDED;
      if (undecidedAny) {
        undecided.clear(); // They are among any.
      } else if (version != 0) {
        undecided.add(version);
        noteOfPart(transaction, version);
      }
    }
    if (!(logged.isEmpty() && early.isEmpty() && idsOfParts.isEmpty())) {
      LoggedTransaction unused = of(transaction); // It is not asked for any more.
    }
  }

  /** The log tells a transaction. */
  void told(LoggedTransaction whole) {
    int version = (int) whole.writer;
    boolean named = rows.shownIds.areShown();
    Claim claim = named ? claimed(whole, version) : null;
    boolean owned = early.remove(version) || claim != null;
    boolean any = withoutId > 0 || (undecidedAny && marks > 0);
    boolean maybe = any || undecided.contains(version) || handedOn.contains(version);
    whole.captured = owned || maybe;
    whole.owned = claim != null && claim.ids.contains(version);
    if (named) {
      rows.shownIds.add(version);
      if (claim != null && !claim.handedOn) {
        rows.name(whole.writer, claim.shown);
      } else if (claim != null || maybe || partIds.contains(version)) {
        rows.doubt(whole);
      }
    } else if (wholeFrom == NOT_KNOWN) {
      wholeFrom = whole.writer;
    }
    if (wholeFrom != NOT_KNOWN && whole.writer - wholeFrom > FARTHEST) {
      wholeFrom = whole.writer - FARTHEST;
    }
    keep(whole);
    while (logged.size() > MOST_LOGGED || (loggedRows > MOST_ROWS && logged.size() > 1)) {
      LoggedTransaction first = logged.get(logged.firstIntKey());
      wholeFrom = Math.max(wholeFrom, first.writer + 1);
      droppedMs = Math.max(droppedMs, first.toldMs);
      forget(logged.firstIntKey()); // Captured in parts, or by a proxy that keeps it for long.
    }
  }

  /** Takes the claim away that is of a transaction of the log; null if there is none. */
  private @Nullable Claim claimed(LoggedTransaction whole, int version) {
    Claim found = claims.removeOf(version);
    LongIterator keys = whole.rows.keySet().iterator();
    while (found == null && keys.hasNext()) {
      long key = keys.nextLong();
      long removed = rows.removedBy(whole.writer, key);
      found = removed == LoggedRows.UNCLEAR ? null : claims.removeOfRemoval(key, removed);
    }
    return found;
  }

  private void keep(LoggedTransaction transaction) {
    forget((int) transaction.writer);
    logged.putAndMoveToLast((int) transaction.writer, transaction);
    loggedRows += transaction.rows.size();
  }

  /** A transaction of the log is told to be nobody's. */
  void nobodys(LoggedTransaction transaction) {
    nobodys.add((int) transaction.writer);
    LoggedTransaction unused = forget((int) transaction.writer);
    settle(transaction);
  }

  /**
   * Whether a captured transaction was told to be nobody's, since its proxy had been silent for
   * long.
   */
  boolean isNobodys(TransactionRecord transaction) {
    Operations ops = transaction.operations();
    for (int i = 0; i < ops.size(); i++) {
      if (Claim.isNamed(ops, i) && nobodys.contains((int) ops.version(i))) {
        return rows.shownIds.areShown() || ops.statement(i).isOfServer();
      }
    }
    return false;
  }

  /** A transaction of the log is not asked for any more. */
  @Nullable LoggedTransaction forget(int version) {
    LoggedTransaction known = logged.remove(version);
    loggedRows -= known == null ? 0 : known.rows.size();
    return known;
  }

  /**
   * A captured transaction, or a part of one, waits from now on: what it has written may be in the
   * log already.
   *
   * @return whether it may be any transaction of the log
   */
  boolean arrived(TransactionRecord transaction) {
    if (rows.shownIds.areShown()) {
      return claims(transaction);
    }
    int version = idOf(transaction);
    if (version == 0) {
      boolean mayBeAny = mayBeAny(transaction);
      withoutId += mayBeAny ? 1 : 0;
      return mayBeAny;
    }
    noteOfPart(transaction, version);
    rows.begins.add(version, transaction);
    LoggedTransaction known = logged.get(version);
    if (known == null) {
      early.add(version);
    } else {
      known.captured = true;
    }
    return false;
  }

  /**
   * A captured transaction, or a part of one, waits from now on that shows ids under which it has
   * written rows, if any.
   *
   * @return whether it may be any transaction of the log
   */
  private boolean claims(TransactionRecord transaction) {
    Claim claim = claimOf(transaction);
    if (transaction.outcome() == Outcome.OPEN) {
      if (!claim.ids.isEmpty()) {
        noteOfPart(transaction, claim.ids.firstInt());
        early.add(claim.ids.firstInt());
      }
      return false;
    }
    if (transaction.outcome() == Outcome.ABORTED || claim.isEmpty()) {
      return false;
    }
    claim.ids.forEach(id -> rows.begins.add(id, transaction));
    if (claim.isAny()) {
      withoutId++;
      return true;
    }
    LoggedTransaction known = find(claim);
    if (known == null) {
      claims.add(keyOf(transaction), claim);
      return false;
    }
    known.captured = true;
    known.owned |= claim.ids.contains((int) known.writer);
    if (transaction.chunk() > 0) {
      rows.doubt(known); // What the parts before have left is not looked at again.
    } else {
      rows.name(known.writer, claim.shown);
    }
    return false;
  }

  private Claim claimOf(TransactionRecord transaction) {
    int ofParts = idsOfParts.get(keyOf(transaction));
    Claim claim = new Claim(transaction, shownId(transaction), ofParts);
    claim.removed.replaceAll((key, version) -> rows.shown(version));
    return claim;
  }

  /** The transaction of the log whose id is among those that were shown. */
  private @Nullable LoggedTransaction find(Claim claim) {
    for (int id : claim.ids) {
      LoggedTransaction known = logged.get(id);
      if (known != null) {
        return known;
      }
    }
    for (Long2LongMap.Entry removed : claim.removed.long2LongEntrySet()) {
      long remover = rows.removerOfVersion(removed.getLongKey(), removed.getLongValue());
      LoggedTransaction known = remover == LoggedRows.UNCLEAR ? null : find(remover);
      if (known != null && !known.owned) {
        return known;
      }
    }
    return null;
  }

  /** Whether one that has shown rows, and not its id, may be a transaction of the log. */
  Claims.Answer claimed(LoggedTransaction logged) {
    return claims.of(logged);
  }

  /** The last part of a transaction need not show its id again. */
  private void noteOfPart(TransactionRecord transaction, int version) {
    if (transaction.outcome() == Outcome.OPEN) {
      if (idsOfParts.size() >= MOST_LOGGED) {
        forgetParts(); // Of proxies that have ended, but for few.
      }
      putPart(keyOf(transaction), version);
    }
  }

  /** One that may be any of the log waits no more. */
  void released() {
    withoutId = Math.max(0, withoutId - 1);
  }

  /**
   * What the log tells of a captured transaction, for which all is told; null if that is not known,
   * or it has not ended. One that the log does not tell has changed no row that it tells of.
   */
  @Nullable LoggedTransaction of(TransactionRecord transaction) {
    noteHandedOn(transaction);
    if (transaction.outcome() == Outcome.OPEN) {
      return null;
    }
    if (rows.shownIds.areShown()) {
      return ofClaim(transaction);
    }
    int version = idOf(transaction);
    int unused = removePart(keyOf(transaction));
    if (version == 0) {
      boolean nothing = transaction.chunk() == 0 && transaction.operations().loggedNothing();
      return nothing ? new LoggedTransaction(LoggedRows.NOBODY) : null;
    }
    early.remove(version);
    LoggedTransaction known = forget(version);
    return known == null ? nothing(version) : known;
  }

  /** What a transaction has changed that the log does not tell; null if that is not known. */
  private @Nullable LoggedTransaction nothing(int version) {
    boolean whole = wholeFrom != NOT_KNOWN && version - (int) wholeFrom >= 0;
    return whole ? new LoggedTransaction(version & LOW_BITS) : null;
  }

  /**
   * Whether a committed transaction that {@link #of} does not know is none of those that the log
   * has told, though it shows ids that these would have.
   *
   * @param begunAfterMs it had not begun before then, in ms of the stream
   */
  boolean isMissing(TransactionRecord transaction, long begunAfterMs) {
    if (transaction.chunk() > 0 || droppedMs >= begunAfterMs) {
      return false;
    }
    Claim claim = claimOf(transaction);
    if (claim.ids.isEmpty() || find(claim) != null || isNobodys(transaction)) {
      return false;
    }
    return !anyMayBe(logged, claim, begunAfterMs) && !anyMayBe(settled, claim, begunAfterMs);
  }

  /** Whether a claim may be of one that came since; it may have shown ids of its parts alone. */
  private static boolean anyMayBe(
      Int2ObjectLinkedOpenHashMap<LoggedTransaction> told, Claim claim, long begunAfterMs) {
    if (told.isEmpty()) {
      return false;
    }
    var all = told.int2ObjectEntrySet();
    var newestFirst = all.iterator(all.last());
    while (newestFirst.hasPrevious()) {
      LoggedTransaction each = newestFirst.previous().getValue();
      if (each.toldMs < begunAfterMs) {
        return false;
      }
      // One that was nobody's had been asked for by no claim.
      boolean mayBe = each.captured && !each.owned && claim.mayBe(each);
      if (mayBe || claim.ids.contains((int) each.writer)) {
        return true;
      }
    }
    return false;
  }

  /** Keeps one for a while that is forgotten, in the order in which the log told them. */
  private void settle(LoggedTransaction transaction) {
    if (transaction.rows.size() > MOST_SETTLED_ROWS) {
      noteDropped(transaction);
      return;
    }
    if (!settled.isEmpty() && settled.get(settled.lastIntKey()).toldMs > transaction.toldMs) {
      transaction.toldMs = settled.get(settled.lastIntKey()).toldMs; // Later is on the safe side.
    }
    settled.putAndMoveToLast((int) transaction.writer, transaction);
    if (settled.size() > MOST_SETTLED) {
      noteDropped(settled.removeFirst());
    }
  }

  private void noteDropped(LoggedTransaction forgotten) {
    droppedMs = forgotten.captured ? Math.max(droppedMs, forgotten.toldMs) : droppedMs;
  }

  /**
   * The write of a transaction that the log has told as committed; negative if it has told none.
   *
   * @param begunAfterMs it had not begun before then, in ms of the stream
   */
  int loggedWrite(TransactionRecord transaction, long begunAfterMs) {
    Operations ops = transaction.operations();
    for (int i = 0; i < ops.size(); i++) {
      if (Claim.isNamed(ops, i)) {
        int id = (int) ops.version(i);
        LoggedTransaction known = logged.containsKey(id) ? logged.get(id) : settled.get(id);
        if (known != null && known.toldMs >= begunAfterMs && known.rows.containsKey(ops.key(i))) {
          return i;
        }
      }
    }
    return -1;
  }

  private void noteHandedOn(TransactionRecord transaction) {
    int id = shownId(transaction);
    if (id != 0) {
      handedOn.add(id);
    }
    if (rows.shownIds.areShown()) {
      handedOn.add(transaction.operations());
    }
  }

  private void putPart(long transaction, int id) {
    partIds.remove(idsOfParts.put(transaction, id));
    partIds.add(id);
  }

  private int removePart(long transaction) {
    int id = idsOfParts.remove(transaction);
    partIds.remove(id);
    return id;
  }

  private void forgetParts() {
    idsOfParts.clear();
    partIds.clear();
  }

  private @Nullable LoggedTransaction ofClaim(TransactionRecord transaction) {
    long key = keyOf(transaction);
    Claim claim = claimOf(transaction);
    early.remove(removePart(key));
    Claim unused = claims.remove(key);
    if (transaction.outcome() == Outcome.ABORTED) {
      return null;
    }
    LoggedTransaction known = find(claim);
    if (known == null) { // It may be one under another id.
      boolean told = claim.exact && transaction.chunk() == 0;
      boolean ended = transaction.outcome() == Outcome.COMMITTED;
      if (transaction.outcome() == Outcome.UNKNOWN) {
        claims.keep(key, claim); // It may be committed yet.
      }
      return told && ended ? nothing(claim.ids.firstInt()) : null;
    }
    forget((int) known.writer);
    if (!claim.ids.contains((int) known.writer)) {
      settle(known);
    }
    if (transaction.chunk() > 0) {
      rows.doubt(known);
      return null;
    }
    return known;
  }

  /** The id that a transaction, or an earlier part of it, has shown; 0 for none. */
  private int idOf(TransactionRecord transaction) {
    int shown = shownId(transaction);
    return shown == 0 && transaction.outcome() != Outcome.ABORTED
        ? idsOfParts.get(keyOf(transaction))
        : shown;
  }

  /** Hash of session and number of a transaction, which all its parts have. */
  private static long keyOf(TransactionRecord part) {
    return HashCommon.murmurHash3(
        part.session().id() ^ HashCommon.murmurHash3(part.transaction() + 1));
  }

  /** Whether a transaction reads or writes rows that show ids, and has not told its own. */
  private static boolean namesWriters(TransactionRecord transaction) {
    Operations ops = transaction.operations();
    return ops.anyNamesWriters() && shownId(transaction) == 0 && !ops.loggedNothing();
  }

  /** The id that the server has told of a captured transaction, as a version; 0 for none. */
  private static int shownId(TransactionRecord transaction) {
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
    if (!ends || ops.loggedNothing() || idsOfParts.containsKey(keyOf(transaction))) {
      return false;
    }
    for (int i = 0; i < ops.size(); i++) {
      if (ops.mayWrite(i)) {
        return true; // The log may tell of its table later on.
      }
    }
    return transaction.chunk() > 0;
  }

  /** The transaction of the log with this writer, if it is kept. */
  @Nullable LoggedTransaction find(long writer) {
    LoggedTransaction same = logged.get((int) writer);
    return same != null && same.writer == writer ? same : null;
  }

  void save(StateWriter out, RecordWriter records) {
    out.number(withoutId);
    out.number(wholeFrom);
    out.number(droppedMs);
    out.number(marks);
    out.flag(undecidedAny);
    claims.save(out);
    nobodys.save(out);
    handedOn.save(out);
    out.count(settled.size());
    settled.values().forEach(each -> each.save(out, records));
    int[] handedOn = undecided.toIntArray();
    Arrays.sort(handedOn);
    out.numbers(handedOn);
    long[] parts = idsOfParts.keySet().toLongArray();
    Arrays.sort(parts);
    out.numbers(parts);
    for (long part : parts) {
      out.number(idsOfParts.get(part));
    }
    int[] waiting = early.toIntArray();
    Arrays.sort(waiting);
    out.numbers(waiting);
    out.count(logged.size());
    logged.values().forEach(each -> each.save(out, records));
  }

  void load(StateReader in, RecordReader records) {
    withoutId = in.number();
    wholeFrom = in.number();
    droppedMs = in.number();
    marks = (int) in.number();
    undecidedAny = in.flag();
    claims.load(in);
    nobodys.load(in);
    handedOn.load(in);
    for (int n = in.count(); n > 0; n--) {
      LoggedTransaction each = LoggedTransaction.load(in, records);
      settled.putAndMoveToLast((int) each.writer, each);
    }
    for (int version : in.smallNumbers()) {
      undecided.add(version);
    }
    for (long part : in.numbers()) {
      putPart(part, (int) in.number());
    }
    for (int version : in.smallNumbers()) {
      early.add(version);
    }
    for (int n = in.count(); n > 0; n--) {
      keep(LoggedTransaction.load(in, records));
    }
  }
}
