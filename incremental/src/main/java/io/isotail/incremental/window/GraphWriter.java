package io.isotail.incremental.window;

import io.isotail.incremental.record.SessionInfo;
import io.isotail.incremental.snapshot.IdentityReferenceWriter;
import io.isotail.incremental.snapshot.StateWriter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Notes transactions and what hangs together with them, each once, however often it is mentioned,
 * as a part of a snapshot that {@link IdentityWriter} appends.
 *
 * <p>What changes is written here, and what a transaction is, which never changes, there: to
 * mention one costs next to nothing. One that has not left the window must be {@link #whole}
 * somewhere; others have {@link #left}.
 */
public final class GraphWriter {
  /** The numbers, flags and texts that need no identity. */
  public final StateWriter out = StateWriter.part();

  final IdentityReferenceWriter<Transaction> transactions =
      new IdentityReferenceWriter<>(Transaction.OF_NO_STREAM);
  final IdentityReferenceWriter<SessionState> sessions = new IdentityReferenceWriter<>(List.of());

  /** How each of the sessions is described. */
  final List<SessionInfo> infos = new ArrayList<>();

  private final IdentityReferenceWriter<Version> versions =
      new IdentityReferenceWriter<>(List.of());
  final TransactionState.Neighbours last = new TransactionState.Neighbours();
  private volatile boolean givenUp;

  /** Fails whoever writes what was noted, from now on. */
  public void giveUp() {
    givenUp = true;
  }

  /** What was noted is being written. */
  void requireInForce() {
    if (givenUp) {
      throw new IllegalStateException("the state is not written any more: it was saved again since");
    }
  }

  /** A transaction, or null. */
  public void transaction(@Nullable Transaction t) {
    out.later(t);
  }

  /** A transaction with what it has become since it arrived. */
  public void whole(Transaction t) {
    out.later(t);
    TransactionState.save(t, this, transactions.add(t));
  }

  /** A transaction that has left the window, with what is left of its operations. */
  public void left(Transaction t) {
    out.later(t);
    out.later(t.operations);
  }

  /** Transactions in order; null stays apart from none. */
  public void transactions(@Nullable Collection<? extends @Nullable Transaction> all) {
    out.count(all == null ? 0 : all.size() + 1);
    if (all != null) {
      for (Transaction t : all) {
        transaction(t);
      }
    }
  }

  /** Transactions in order, whole. */
  public void wholes(Collection<Transaction> all) {
    out.count(all.size());
    all.forEach(this::whole);
  }

  /** A session. */
  public void session(SessionState session) {
    out.later(session);
    contents(session);
  }

  /** What changes in a session, unless it was written before. */
  void contents(SessionState session) {
    boolean first = sessions.add(session);
    out.flag(first);
    if (first) {
      infos.add(session.info);
      session.save(this);
    }
  }

  /** A version. */
  public void version(Version version) {
    if (versions.refer(out, version)) {
      version.save(this);
    }
  }

  /** Versions in order; null stays apart from none. */
  void versions(@Nullable Collection<Version> all) {
    out.count(all == null ? 0 : all.size() + 1);
    if (all != null) {
      for (Version version : all) {
        version(version);
      }
    }
  }
}
