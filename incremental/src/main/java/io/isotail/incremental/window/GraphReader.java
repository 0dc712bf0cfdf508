package io.isotail.incremental.window;

import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.RecordReader;
import io.isotail.incremental.record.Times;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.incremental.state.Restored;
import io.isotail.incremental.state.StateReader;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads what {@link GraphWriter} wrote. */
public final class GraphReader {
  /** The numbers, flags and texts that need no identity. */
  public final StateReader in;

  private final RecordReader records;
  private final Restored<Txn> transactions =
      new Restored<>(this::newTransaction, List.of(Txn.INITIAL));
  private final Restored<SessionState> sessions = new Restored<>(this::newSession, List.of());
  private final Restored<Version> versions = new Restored<>(() -> Version.load(this), List.of());
  private final Restored<Edge> edges = new Restored<>(() -> Edge.load(this), List.of());
  private final Restored<Clock> clocks = new Restored<>(this::newClock, List.of());
  private final Restored<long[]> chunks = new Restored<>(() -> Clock.loadChunk(this), List.of());
  private final Restored<int[]> numbers =
      new Restored<>(() -> SlotNumbers.loadChunk(this), List.of());
  private Clock lastClock = Clock.NOTHING_SEEN;
  private final GraphWriter.Neighbours last = new GraphWriter.Neighbours();

  /** Reads from {@code in}. */
  public GraphReader(StateReader in) {
    this.in = in;
    this.records = new RecordReader(in);
  }

  /** See {@link GraphWriter#transaction}; what changes in it is there after {@link #rest}. */
  public @Nullable Txn transactionOrNull() {
    return transactions.refer(in);
  }

  /** The same where there must be one. */
  public Txn transaction() {
    return in.required(transactionOrNull(), "transaction");
  }

  /** See {@link GraphWriter#transactions}. */
  public @Nullable List<Txn> transactionsOrNull() {
    int n = in.count() - 1;
    if (n < 0) {
      return null;
    }
    List<Txn> all = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      all.add(transaction());
    }
    return all;
  }

  /** The same where there must be a list. */
  public List<Txn> transactions() {
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

  /** See {@link GraphWriter#edge}. */
  public @Nullable Edge edgeOrNull() {
    return edges.refer(in);
  }

  /** The same where there must be one. */
  public Edge edge() {
    return in.required(edgeOrNull(), "edge");
  }

  /** See {@link GraphWriter#clock}. */
  public @Nullable Clock clockOrNull() {
    return in.flag() ? Clock.NOTHING_SEEN : clocks.refer(in);
  }

  /** The same where there must be one. */
  public Clock clock() {
    return in.required(clockOrNull(), "clock");
  }

  /** See {@link GraphWriter#chunk}. */
  long @Nullable [] chunkOrNull() {
    return chunks.refer(in);
  }

  /** See {@link GraphWriter#numbers}. */
  int @Nullable [] numbersOrNull() {
    return numbers.refer(in);
  }

  /** See {@link GraphWriter#rest}. */
  public void rest() {
    int t = 1;
    int s = 0;
    while (t < transactions.size() || s < sessions.size()) {
      if (t < transactions.size()) {
        transactions.get(t++).load(this, last);
      } else {
        sessions.get(s++).load(this, records);
      }
    }
  }

  private Txn newTransaction() {
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
    return new Txn(
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

  private Clock newClock() {
    lastClock = Clock.load(this, lastClock);
    return lastClock;
  }
}
