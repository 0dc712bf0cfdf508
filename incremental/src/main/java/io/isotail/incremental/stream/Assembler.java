package io.isotail.incremental.stream;

import io.isotail.incremental.anomaly.UndecidedReason;
import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.reads.UnseenEffects;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.Times;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.incremental.verdict.VerdictLedger;
import io.isotail.incremental.window.Counters;
import io.isotail.incremental.window.GraphReader;
import io.isotail.incremental.window.GraphWriter;
import io.isotail.incremental.window.SessionState;
import io.isotail.incremental.window.Slots;
import io.isotail.incremental.window.Transaction;
import it.unimi.dsi.fastutil.longs.Long2ObjectLinkedOpenHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Puts the records of each session together to whole transactions, and notices what is missing.
 *
 * <p>A record seen before is dropped; a hole in the sequence numbers is a loss. Sessions are
 * remembered up to a bound, the least recently active ones without a transaction in the window are
 * forgotten first.
 */
final class Assembler {
  /** Sessions without a transaction in the window that are remembered. */
  private static final int MAX_IDLE_SESSIONS = 100_000;

  private final Long2ObjectLinkedOpenHashMap<SessionState> sessions =
      new Long2ObjectLinkedOpenHashMap<>();
  private final CheckerConfig config;
  private final Counters counters;
  private final UnseenEffects unseen;
  private final VerdictLedger ledger;
  private final Slots slots;
  private final Databases databases;
  private final OpenTransactions open;

  Assembler(
      CheckerConfig config,
      Counters counters,
      UnseenEffects unseen,
      VerdictLedger ledger,
      Slots slots,
      Databases databases) {
    this.config = config;
    this.databases = databases;
    this.counters = counters;
    this.unseen = unseen;
    this.ledger = ledger;
    this.slots = slots;
    this.open = new OpenTransactions(config);
  }

  /** Takes a record; returns the transaction that it completes, or null. */
  @Nullable Transaction accept(long arrival, long offset, TransactionRecord record) {
    SessionState session = session(record);
    if (record.sequence() < session.nextSequence) {
      counters.duplicateRecords++;
      return null;
    }
    if (record.sequence() > session.nextSequence) {
      counters.lostHoles += record.sequence() - session.nextSequence;
      unseen.noteLoss();
      endTransaction(session);
      session.chunkLost = record.chunk() > 0;
    }
    session.nextSequence = record.sequence() + 1;
    if (record.chunk() != session.chunks.size() && !session.chunkLost) {
      counters.badRecords++;
      session.chunkLost = true;
    }
    if (record.outcome() == Outcome.OPEN) {
      addChunk(session, record);
      while (open.dropOldest()) {
        unseen.noteLoss();
        counters.lostHoles++;
        ledger.undecidedEverywhere(UndecidedReason.CAPACITY);
      }
      return null;
    }
    Transaction transaction = complete(session, arrival, offset, record);
    endTransaction(session);
    return transaction;
  }

  private Transaction complete(
      SessionState session, long arrival, long offset, TransactionRecord record) {
    addChunk(session, record);
    Operations operations = record.operations();
    if (record.chunk() > 0 || session.chunks.isEmpty()) {
      Operations.Builder all = new Operations.Builder();
      for (TransactionRecord chunk : session.chunks) {
        all.addAll(chunk.operations());
      }
      operations = all.build();
    }
    counters.operations += operations.size();
    operations = operations.inDatabase(databases.of(session.info));
    operations = operations.withoutLongLists(Operations.MOST_ELEMENTS);
    if (config.promisesNothing(record.ranAt())) {
      operations = operations.withoutReads();
    }
    int seq = slots.next(session);
    long beginNs = session.chunks.isEmpty() ? record.beginNs() : session.chunks.get(0).beginNs();
    Times times = Times.of(record, beginNs).sharing(session.clock);
    session.clock = times.clock();
    Transaction transaction =
        new Transaction(
            session,
            record.transaction(),
            arrival,
            offset,
            record.outcome(),
            record.ranAt(),
            config.promiseOf(record.ranAt()),
            times,
            operations,
            session.chunkLost,
            session.slot,
            seq);
    transaction.origin = record.origin();
    return transaction;
  }

  private void addChunk(SessionState session, TransactionRecord record) {
    int operations = session.chunkOperations + record.operations().size();
    if (operations > config.maxTransactionOperations()) {
      session.chunkLost = true;
      unseen.noteLoss();
      counters.lostHoles++;
      return;
    }
    open.add(session, record);
  }

  private void endTransaction(SessionState session) {
    open.clear(session);
    session.chunkLost = false;
  }

  private SessionState session(TransactionRecord record) {
    SessionState session = sessions.getAndMoveToLast(record.session().id());
    if (session == null) {
      session = new SessionState(record.session());
      if (record.sequence() > 0) {
        // First seen in mid-stream: what came before is lost.
        unseen.noteLoss();
        session.nextSequence = record.sequence();
        session.chunkLost = record.chunk() > 0;
      }
      sessions.putAndMoveToLast(record.session().id(), session);
      counters.sessions++;
      if (sessions.size() > MAX_IDLE_SESSIONS) {
        forgetIdle();
      }
    }
    session.info = record.session();
    return session;
  }

  private void forgetIdle() {
    // The oldest sessions are looked at first; one that is held keeps its place near the end.
    for (int looked = 0; looked < 8 && sessions.size() > MAX_IDLE_SESSIONS; looked++) {
      long oldest = sessions.firstLongKey();
      SessionState session = sessions.get(oldest);
      if (session.held == 0 && session.chunks.isEmpty()) {
        sessions.removeFirst();
      } else {
        sessions.getAndMoveToLast(oldest);
      }
    }
  }

  /** Saves the sessions, least recently active first. */
  void save(GraphWriter out) {
    out.out.count(sessions.size());
    for (SessionState session : sessions.values()) {
      out.session(session);
    }
    open.save(out);
  }

  /** Takes back what {@link #save} saved. */
  void load(GraphReader in) {
    int n = in.in.count();
    for (int i = 0; i < n; i++) {
      SessionState session = in.session();
      sessions.putAndMoveToLast(session.info.id(), session);
    }
    open.load(in);
  }
}
