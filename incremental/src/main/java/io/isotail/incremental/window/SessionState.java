package io.isotail.incremental.window;

import io.isotail.incremental.record.RecordReader;
import io.isotail.incremental.record.SessionInfo;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.incremental.snapshot.Numbered;
import io.isotail.incremental.snapshot.StateWriter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Frontier of one session: what has arrived of it, and its place in the vector clocks.
 *
 * <p>A session holds a slot while any of its transactions waits or is in the window. Slots are
 * reused, and numbering goes on where the previous owner stopped, so that a clock entry made for
 * the previous owner never covers a transaction of the next one.
 */
public final class SessionState extends Numbered {
  /** Latest description of the session. */
  public SessionInfo info;

  /** Assembly: sequence number of the next record. */
  public long nextSequence;

  /** Assembly: chunks of the transaction under way. */
  public final List<TransactionRecord> chunks = new ArrayList<>();

  /** Assembly: operations in {@link #chunks}. */
  public int chunkOperations;

  /**
   * Assembly: a chunk of the transaction under way was lost, or dropped because it grew too long.
   */
  public boolean chunkLost;

  /** Assembly: id of the clock of its latest transaction, to be shared by the next one. */
  public @Nullable String clock;

  /**
   * Where in the stream the proxy that captured its latest transaction became known; the greatest
   * number while no proxy is known that could have told of a transaction before it ended.
   */
  public long proxySince = Long.MAX_VALUE;

  /** Slot in the vector clocks, -1 while the session holds none. */
  public int slot = -1;

  /** Transactions of the session that wait or are in the window; at 0 the slot is given back. */
  public int held;

  /** Delivery: the last committed transaction that arrived and is not truncated. */
  public @Nullable Transaction lastCommitted;

  /** A session of which nothing has arrived. */
  public SessionState(SessionInfo info) {
    this.info = info;
  }

  /** Saves what changes as long as anything comes of it. */
  void save(GraphWriter graph) {
    StateWriter out = graph.out;
    out.number(nextSequence);
    out.count(chunks.size());
    chunks.forEach(out::later);
    out.number(chunkOperations);
    out.flag(chunkLost);
    out.flag(proxySince != Long.MAX_VALUE);
    if (proxySince != Long.MAX_VALUE) {
      out.number(proxySince);
    }
    out.number(slot);
    out.number(held);
    graph.transaction(lastCommitted);
  }

  void load(GraphReader in, RecordReader records) {
    nextSequence = in.in.number();
    int waiting = in.in.count();
    for (int i = 0; i < waiting; i++) {
      chunks.add(records.record());
    }
    chunkOperations = in.in.smallNumber();
    chunkLost = in.in.flag();
    proxySince = in.in.flag() ? in.in.number() : Long.MAX_VALUE;
    slot = in.in.smallNumber();
    held = in.in.smallNumber();
    lastCommitted = in.transactionOrNull();
  }
}
