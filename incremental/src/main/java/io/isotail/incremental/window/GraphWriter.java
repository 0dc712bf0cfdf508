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
 * mention one costs next to nothing. What one that has not left the window has become is noted with
 * the window, or with those that wait.
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

  /** Stream time when the one before began to wait, in ms. */
  long waitingSinceMs;

  @Nullable WindowCut window;

  private volatile boolean givenUp;

  /** Fails whoever writes what was noted, from now on. */
  public void giveUp() {
    givenUp = true;
  }

  /** What was noted is being written. */
  void requireInForce() {
    if (givenUp) {
      throw new IllegalStateException(
          "the state is not written any more: it was saved again since");
    }
  }

  /** A transaction, or null. */
  public void transaction(@Nullable Transaction t) {
    out.later(t);
  }

  void window(WindowCut cut) {
    window = cut;
    out.later(cut);
  }

  /** One that waits, with what it has become since it arrived; or that has waited. */
  public void waiting(Transaction t) {
    out.later(t);
    boolean first = t.state == Transaction.State.PENDING && transactions.add(t);
    out.flag(first);
    if (first) {
      out.later(new TransactionState(t, -1));
      out.flag(t.waiting != null);
      if (t.waiting != null) {
        t.waiting.save(this);
      }
    }
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

  /** Transactions that wait, or have waited, in order. */
  public void waiting(Collection<Transaction> all) {
    out.count(all.size());
    all.forEach(this::waiting);
  }

  /** A session. */
  public void session(SessionState session) {
    out.later(session);
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
