package io.isotail.incremental.window;

import io.isotail.incremental.record.RecordWriter;
import io.isotail.incremental.record.Times;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.incremental.snapshot.BackReferenceWriter;
import io.isotail.incremental.snapshot.IdentityReferenceWriter;
import io.isotail.incremental.snapshot.StateWriter;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Writes transactions and what hangs together with them, each once, however often it is mentioned.
 *
 * <p>At its first mention only a transaction's identity is written, and the same of a session; what
 * changes in them, which leads on to others, follows in {@link #rest} one after the other. So no
 * chain of transactions is followed by recursion, and {@link GraphReader} has a transaction to
 * point to at its first mention. Versions are written whole, since they lead to identities only.
 */
public final class GraphWriter {
  /** The numbers, flags and texts that need no identity. */
  public final StateWriter out;

  private final RecordWriter records;
  private final IdentityReferenceWriter<Transaction> transactions =
      new IdentityReferenceWriter<>(Transaction.OF_NO_STREAM);
  private final BackReferenceWriter<SessionState> sessions = new BackReferenceWriter<>();
  private final IdentityReferenceWriter<Version> versions =
      new IdentityReferenceWriter<>(List.of());
  private final Neighbours last = new Neighbours();

  /** Numbers of the transaction before, which those of the next are close to. */
  static final class Neighbours {
    long arrival;
    long offset;
    long beginNs;
    long endNs;
    @Nullable String clock;
    long deliveredAt;
    long waitingSinceMs;
  }

  /** Writes to {@code out}. */
  public GraphWriter(StateWriter out) {
    this.out = out;
    this.records = new RecordWriter(out);
  }

  /** A transaction, or null. */
  public void transaction(@Nullable Transaction t) {
    if (!transactions.refer(out, t) || t == null) {
      return;
    }
    session(t.session);
    out.number(t.number);
    out.number(t.arrival - last.arrival);
    out.number(t.offset - last.offset);
    out.constant(t.outcome);
    out.text(t.ranAt);
    out.constant(t.promise);
    times(t.guess);
    out.flag(t.lostChunk);
    out.number(t.slot);
    out.number(t.seq);
    records.operations(t.operations);
    records.origin(t.origin);
    last.arrival = t.arrival;
    last.offset = t.offset;
  }

  private void times(Times times) {
    boolean known = !times.equals(Times.NONE);
    out.flag(known);
    if (!known) {
      return;
    }
    boolean begin = times.beginNs() != TransactionRecord.NO_TIME;
    out.flag(begin);
    if (begin) {
      out.number(times.beginNs() - last.beginNs);
      last.beginNs = times.beginNs();
    }
    out.flag(times.hasEnd());
    if (times.hasEnd()) {
      out.number(times.endNs() - last.endNs);
      last.endNs = times.endNs();
    }
    boolean sameClock = Objects.equals(times.clock(), last.clock);
    out.flag(sameClock);
    if (!sameClock) {
      out.text(times.clock());
      last.clock = times.clock();
    }
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

  /** A session. */
  public void session(SessionState session) {
    if (sessions.refer(out, session)) {
      records.session(session.info);
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

  /** What changes in everything that was mentioned, directly or by what this writes. */
  public void rest() {
    int t = Transaction.OF_NO_STREAM.size();
    int s = 0;
    while (t < transactions.size() || s < sessions.size()) {
      if (t < transactions.size()) {
        TransactionState.save(transactions.get(t++), this, last);
      } else {
        sessions.get(s++).save(this, records);
      }
    }
  }
}
