package io.isotail.ingest.capture;

import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.SessionInfo;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The records of one session's transactions, handed over in their order. A transaction without an
 * observed operation is not recorded. Guarded by the session's lock.
 */
final class TransactionRecords {
  /** A builder that has held more operations is not kept for the next record. */
  private static final int MOST_KEPT = 64;

  private final Capture capture;
  private final Server server;
  private RecordedSession session;
  private @Nullable PreparedTransaction prepared;
  private Operations.Builder builder = new Operations.Builder();
  private long nextTransaction;

  /** Transactions that have begun and not ended. */
  private int open;

  private @Nullable String applicationName;

  /** The session in which {@link #aheadTransaction} was announced; null if none was. */
  private @Nullable SessionInfo aheadOf;

  private long aheadTransaction;

  /** What {@link #applicationName} tells. */
  private ApplicationName application;

  TransactionRecords(Capture capture, SessionInfo info, Server server) {
    this.capture = capture;
    this.server = server;
    this.session = new RecordedSession(capture, info);
    this.application = new ApplicationName(null, capture.config());
  }

  /**
   * The next transaction is in this database. A session is in one: a connection that was carried on
   * to another one, or to a promoted standby, goes on as another session.
   */
  void inDatabase(DatabaseIds ids) {
    SessionInfo info = session.info();
    if (ids.database() == info.database() || open > 0 || aheadOf != null) {
      return;
    }
    SessionInfo next = session.isEmpty() ? info : capture.sessions().next(info);
    session = new RecordedSession(capture, next.in(ids.database(), ids.oldestRunning()));
  }

  /** Id of the session that records are of now. */
  long id() {
    return session.info().id();
  }

  /** A transaction that begins. */
  TransactionCapture begin(long beginNs, @Nullable String level, boolean single) {
    open++;
    return new TransactionCapture(
        nextTransaction++,
        beginNs,
        level,
        single,
        tx -> capture.sink().writeStarted(placeOf(tx).info().id(), tx.number()));
  }

  /** A transaction has imported a snapshot: it is recorded as the only one of a session. */
  void setAside(TransactionCapture tx) {
    if (tx.chunks() == 0 && !tx.announced()) {
      SessionInfo own = capture.sessions().aside(session().info());
      tx.importSnapshot(new RecordedSession(capture, own));
    }
  }

  private RecordedSession placeOf(TransactionCapture tx) {
    RecordedSession aside = tx.aside();
    return aside == null ? session() : aside;
  }

  /**
   * Statements were sent that have not begun here. A reader of the stream waits for the last
   * transaction that they may be: it names all before it.
   *
   * @param statements how many
   * @param current the transaction under way, null if none is
   */
  void announceAhead(int statements, @Nullable TransactionCapture current) {
    long last = nextTransaction + statements - 1;
    SessionInfo of = session().info();
    if (!of.equals(aheadOf) || last != aheadTransaction) {
      capture.sink().writeStarted(of.id(), last);
      endAhead(current);
      aheadOf = of;
      aheadTransaction = last;
    }
  }

  /** No statement is ahead any more. */
  void endAhead(@Nullable TransactionCapture current) {
    SessionInfo of = aheadOf;
    if (of == null) {
      return;
    }
    aheadOf = null;
    boolean announcedItself =
        current != null
            && current.number() == aheadTransaction
            && current.announced()
            && current.aside() == null;
    if (!announcedItself) {
      capture.sink().writeEnded(of.id(), aheadTransaction);
    }
  }

  /**
   * Where the next transaction is recorded. A connection goes on without a transaction that it has
   * prepared: until that is decided, neither comes before the other, and what comes next is another
   * session.
   */
  private RecordedSession session() {
    PreparedTransaction before = prepared;
    prepared = null;
    if (before != null && before.isOpen()) {
      session = new RecordedSession(capture, capture.sessions().next(session.info()));
    }
    return session;
  }

  /**
   * Hands over what a long transaction has collected. {@code reading} may get more rows of a query,
   * unless a later statement is handed over with it: those rows would come too late in the program
   * order. What replaces the cautious record of a write would come too late as well.
   */
  void handOverChunk(TransactionCapture tx, @Nullable StatementRun reading) {
    int limit = capture.config().chunkOperations();
    if (tx.operationCount() < limit) {
      return;
    }
    if (!tx.hasSavepoints()) {
      boolean keep = reading != null && tx.isLast(reading) && !reading.analysis().mayWrite();
      emit(tx, Outcome.OPEN, keep ? reading : null);
    } else if (tx.operationCount() >= 4L * limit) {
      capture.stats().count(CaptureStats.Event.TOO_MANY_OPERATIONS);
      tx.poison();
    }
  }

  /** A transaction has ended. */
  void ended(TransactionCapture tx, Outcome outcome) {
    open--;
    boolean nothing = tx.operationCount() == 0 && !tx.poisoned() && !tx.announced();
    if (nothing && tx.chunks() == 0) {
      take(tx, null);
      return;
    }
    if (outcome == Outcome.UNKNOWN && tx.isPrepared()) {
      nameApplication(tx);
      RecordedSession place = placeOf(tx);
      PreparedTransaction left = new PreparedTransaction(place, tx, tx.chunks(), take(tx, null));
      prepared = left;
      capture.prepared().add(tx.preparedAs(), left);
    } else {
      emit(tx, outcome, null);
    }
  }

  private void nameApplication(TransactionCapture tx) {
    String name = server.applicationName();
    if (!Objects.equals(name, applicationName)) {
      applicationName = name;
      application = new ApplicationName(name, capture.config());
    }
    tx.application(application);
  }

  private void emit(TransactionCapture tx, Outcome outcome, @Nullable StatementRun keep) {
    nameApplication(tx);
    RecordedSession place = placeOf(tx);
    int chunk = tx.chunks();
    place.emit(tx, chunk, outcome, take(tx, keep));
  }

  private Operations take(TransactionCapture tx, @Nullable StatementRun keep) {
    Operations taken = tx.take(builder, keep);
    if (taken.size() > MOST_KEPT || capture.config().clearNames()) {
      builder = new Operations.Builder(); // Names of rows do not outlive their record.
    } else {
      builder.clear();
    }
    return taken;
  }
}
