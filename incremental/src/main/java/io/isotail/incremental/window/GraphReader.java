package io.isotail.incremental.window;

import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.RecordReader;
import io.isotail.incremental.record.Times;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.incremental.snapshot.BackReferenceReader;
import io.isotail.incremental.snapshot.StateReader;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads what {@link GraphWriter} wrote. */
public final class GraphReader {
  /** The numbers, flags and texts that need no identity. */
  public final StateReader in;

  private final RecordReader records;
  private final BackReferenceReader<Transaction> transactions =
      new BackReferenceReader<>(this::truncated, Transaction.OF_NO_STREAM);
  private final BackReferenceReader<SessionState> sessions =
      new BackReferenceReader<>(this::newSession, List.of());
  private final BackReferenceReader<Version> versions =
      new BackReferenceReader<>(() -> Version.load(this), List.of());
  private final IdentityWriter.Neighbours last = new IdentityWriter.Neighbours();

  /** Stream time when the one before began to wait, in ms. */
  long waitingSinceMs;

  /** Reads from {@code in}: at once what the things are that are whole. */
  public GraphReader(StateReader in) {
    this.in = in;
    this.records = new RecordReader(in);
    for (int n = in.count(); n > 0; n--) {
      sessions.add(new SessionState(records.session()));
    }
    for (int n = in.count(); n > 0; n--) {
      Transaction t = newTransaction();
      if (t.uncaptured()) {
        // Nothing else is of its session, of which the slots know.
        t.session.slot = t.slot;
        t.session.held = 1;
      }
      transactions.add(t);
    }
  }

  /** See {@link GraphWriter#transaction}; one that is whole may not be it yet. */
  public @Nullable Transaction transactionOrNull() {
    return transactions.refer(in);
  }

  /** Every transaction that has been read, in the order in which they were mentioned. */
  public List<Transaction> everyTransaction() {
    List<Transaction> all = new ArrayList<>();
    for (int i = Transaction.OF_NO_STREAM.size(); i < transactions.size(); i++) {
      all.add(transactions.get(i));
    }
    return all;
  }

  /** A transaction that must be there. */
  public Transaction transaction() {
    return in.required(transactionOrNull(), "transaction");
  }

  /** See {@link GraphWriter#transactions}. */
  public @Nullable List<Transaction> transactionsOrNull() {
    int n = in.count() - 1;
    if (n < 0) {
      return null;
    }
    List<Transaction> all = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      all.add(transaction());
    }
    return all;
  }

  /** A list of transactions that must be there. */
  public List<Transaction> transactions() {
    return in.required(transactionsOrNull(), "list of transactions");
  }

  /** What is left of the operations of one that has left the window. */
  public void left(Transaction t) {
    requireOfStream(t);
    t.arrived(records.operations());
  }

  /** See {@link GraphWriter#left}. */
  public Transaction left() {
    Transaction t = transaction();
    left(t);
    return t;
  }

  /** See {@link GraphWriter#waiting}. */
  public List<Transaction> waiting() {
    List<Transaction> all = new ArrayList<>();
    for (int n = in.count(); n > 0; n--) {
      Transaction t = transaction();
      if (in.flag()) {
        state(t);
        t.waiting = in.flag() ? Wait.load(this) : null;
      }
      all.add(t);
    }
    return all;
  }

  void state(Transaction t) {
    requireOfStream(t);
    TransactionState.load(t, this, records, last);
  }

  /** Those of no stream are shared by all checkers of this process. */
  void requireOfStream(Transaction t) {
    in.require(!Transaction.OF_NO_STREAM.contains(t), "state of a transaction of no stream");
  }

  /** See {@link GraphWriter#session}. */
  public SessionState session() {
    SessionState session = in.required(sessions.refer(in), "session");
    if (in.flag()) {
      session.load(this, records);
    }
    return session;
  }

  /** See {@link GraphWriter#version}. */
  public Version version() {
    return in.required(versions.refer(in), "version");
  }

  /** See {@link GraphWriter#versions}. */
  @Nullable List<Version> versionsOrNull() {
    int n = in.count() - 1;
    if (n < 0) {
      return null;
    }
    List<Version> all = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      all.add(version());
    }
    return all;
  }

  private Transaction truncated() {
    Transaction transaction = newTransaction();
    transaction.strip();
    transaction.committed = in.flag();
    last.deliveredAt += in.number();
    transaction.deliveredAt = last.deliveredAt;
    return transaction;
  }

  private Transaction newTransaction() {
    SessionState session = in.required(sessions.refer(in), "session");
    long number = in.number();
    last.arrival += in.number();
    last.offset += in.number();
    Outcome outcome = in.constant(Outcome.class);
    String ranAt = in.text();
    IsolationLevel promise = in.constant(IsolationLevel.class);
    Times times = times();
    boolean lostChunk = in.flag();
    int slot = in.smallNumber();
    int seq = in.smallNumber();
    Transaction transaction =
        new Transaction(
            session,
            number,
            last.arrival,
            last.offset,
            outcome,
            ranAt,
            promise,
            times,
            Operations.EMPTY,
            lostChunk,
            slot,
            seq);
    transaction.origin = records.origin();
    return transaction;
  }

  private Times times() {
    boolean known = in.flag();
    if (!known) {
      return Times.NONE;
    }
    long beginNs = TransactionRecord.NO_TIME;
    if (in.flag()) {
      last.beginNs += in.number();
      beginNs = last.beginNs;
    }
    long endNs = TransactionRecord.NO_TIME;
    if (in.flag()) {
      last.endNs += in.number();
      endNs = last.endNs;
    }
    if (!in.flag()) {
      last.clock = in.text();
    }
    return new Times(beginNs, endNs, last.clock);
  }

  private SessionState newSession() {
    SessionState session = new SessionState(records.session());
    session.nextSequence = in.number();
    session.chunkLost = in.flag();
    return session;
  }
}
