package io.isotail.incremental.window;

import io.isotail.incremental.level.IsolationLevel;
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
      new BackReferenceReader<>(this::newTransaction, Transaction.OF_NO_STREAM);
  private final BackReferenceReader<SessionState> sessions =
      new BackReferenceReader<>(this::newSession, List.of());
  private final BackReferenceReader<Version> versions =
      new BackReferenceReader<>(() -> Version.load(this), List.of());
  private final GraphWriter.Neighbours last = new GraphWriter.Neighbours();

  /** Reads from {@code in}. */
  public GraphReader(StateReader in) {
    this.in = in;
    this.records = new RecordReader(in);
  }

  /** See {@link GraphWriter#transaction}; what changes in it is there after {@link #rest}. */
  public @Nullable Transaction transactionOrNull() {
    return transactions.refer(in);
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

  /** See {@link GraphWriter#session}. */
  public SessionState session() {
    return in.required(sessions.refer(in), "session");
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

  /** See {@link GraphWriter#rest}. */
  public void rest() {
    int t = Transaction.OF_NO_STREAM.size();
    int s = 0;
    while (t < transactions.size() || s < sessions.size()) {
      if (t < transactions.size()) {
        TransactionState.load(transactions.get(t++), this, last);
      } else {
        sessions.get(s++).load(this, records);
      }
    }
  }

  private Transaction newTransaction() {
    SessionState session = session();
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
            records.operations(),
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
    return new SessionState(records.session());
  }
}
