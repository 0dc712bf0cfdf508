package io.isotail.incremental.stream;

import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.incremental.window.GraphReader;
import io.isotail.incremental.window.GraphWriter;
import io.isotail.incremental.window.SessionState;
import it.unimi.dsi.fastutil.objects.ReferenceLinkedOpenHashSet;

/**
 * The chunks of all transactions whose end has not arrived. Together they hold so many operations
 * at most as {@value #TRANSACTIONS} of the longest transactions; beyond it the transactions that
 * have been open for longest lose theirs.
 */
final class OpenTransactions {
  private static final int TRANSACTIONS = 20;

  /** However short transactions must be. */
  private static final int LEAST_BOUND = 100_000;

  /** A chunk takes as much memory as so many operations, besides its own. */
  private static final int OPERATIONS_FOR_A_CHUNK = 16;

  private final long mostOperations;

  /** The sessions that hold chunks, the longest open one first. */
  private final ReferenceLinkedOpenHashSet<SessionState> sessions =
      new ReferenceLinkedOpenHashSet<>();

  private long operations;

  OpenTransactions(CheckerConfig config) {
    this.mostOperations =
        Math.max(LEAST_BOUND, (long) TRANSACTIONS * config.maxTransactionOperations());
  }

  /** Takes a chunk of the session's transaction; the last one stays only until that is built. */
  void add(SessionState session, TransactionRecord chunk) {
    session.chunks.add(chunk);
    session.chunkOperations += chunk.operations().size();
    operations += size(chunk);
    if (chunk.outcome() == Outcome.OPEN) {
      sessions.add(session);
    }
  }

  /**
   * Takes the chunks of the longest open transaction if there is too much.
   *
   * @return whether it did
   */
  boolean dropOldest() {
    if (operations <= mostOperations) {
      return false;
    }
    SessionState oldest = sessions.first();
    clear(oldest);
    oldest.chunkLost = true;
    return true;
  }

  /** Forgets the chunks of a session. */
  void clear(SessionState session) {
    if (session.chunks.isEmpty()) {
      return;
    }
    for (TransactionRecord chunk : session.chunks) {
      operations -= size(chunk);
    }
    if (session.chunks.get(0).outcome() == Outcome.OPEN) {
      sessions.remove(session);
    }
    session.chunks.clear();
    session.chunkOperations = 0;
  }

  private static int size(TransactionRecord chunk) {
    return chunk.operations().size() + OPERATIONS_FOR_A_CHUNK;
  }

  void save(GraphWriter out) {
    out.out.count(sessions.size());
    sessions.forEach(out::session);
    out.out.number(operations);
  }

  void load(GraphReader in) {
    for (int n = in.in.count(); n > 0; n--) {
      sessions.add(in.session());
    }
    operations = in.in.number();
  }
}
