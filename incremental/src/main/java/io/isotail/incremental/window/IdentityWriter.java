package io.isotail.incremental.window;

import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.RecordWriter;
import io.isotail.incremental.record.Times;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.incremental.snapshot.IdentityReferenceWriter;
import io.isotail.incremental.snapshot.StateWriter;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Writes what a {@link GraphWriter} has noted, and what the things are that it has mentioned; none
 * of that changes, so that the checker may go on meanwhile, on another thread.
 */
public final class IdentityWriter {
  /** What was noted and is more than one thing. */
  @FunctionalInterface
  public interface Noted {
    /** Writes it. */
    void write(IdentityWriter to);
  }

  /** The numbers, flags and texts that need no identity. */
  public final StateWriter out;

  private final GraphWriter noted;
  private final RecordWriter records;
  private final IdentityReferenceWriter<Transaction> transactions;
  private final IdentityReferenceWriter<SessionState> sessions;
  final Neighbours last = new Neighbours();

  /** Numbers of the transaction before, which those of the next are close to. */
  static final class Neighbours {
    long arrival;
    long offset;
    long beginNs;
    long endNs;
    @Nullable String clock;
    long deliveredAt;
  }

  private IdentityWriter(GraphWriter noted, StateWriter out) {
    this.out = out;
    this.noted = noted;
    this.records = new RecordWriter(out);
    this.transactions = noted.transactions;
    this.sessions = noted.sessions;
  }

  /** Writes all that was noted; what is whole comes first. */
  public static void write(GraphWriter noted, StateWriter out) {
    new IdentityWriter(noted, out).write();
  }

  private void write() {
    out.count(noted.infos.size());
    noted.infos.forEach(records::session);
    if (noted.window != null) {
      noted.window.forEach(transactions::add);
    }
    int first = Transaction.OF_NO_STREAM.size();
    int whole = transactions.size();
    out.count(whole - first);
    for (int i = first; i < whole; i++) {
      identity(transactions.get(i));
    }
    write(noted.out);
  }

  private void write(StateWriter part) {
    out.append(part, this::write);
  }

  private void write(@Nullable Object thing) {
    if (thing == null) {
      out.text(null);
    } else if (thing instanceof Transaction t) {
      transaction(t);
    } else if (thing instanceof String text) {
      out.text(text);
    } else if (thing instanceof Operations operations) {
      records.operations(operations);
    } else if (thing instanceof Noted noted) {
      noted.write(this);
    } else if (thing instanceof SessionState session) {
      session(session);
    } else if (thing instanceof TransactionRecord record) {
      records.record(record);
    } else if (thing instanceof StateWriter part) {
      write(part);
    } else {
      throw new IllegalArgumentException("cannot write a " + thing.getClass());
    }
  }

  /** A transaction, or null. One that is not whole has left the window. */
  public void transaction(@Nullable Transaction t) {
    if (transactions.refer(out, t) && t != null) {
      identity(t);
      out.flag(t.committed);
      out.number(t.deliveredAt - last.deliveredAt);
      last.deliveredAt = t.deliveredAt;
    }
  }

  /** Operations that are there. */
  public void operations(@Nullable Operations operations) {
    records.operations(Objects.requireNonNull(operations));
  }

  /** A session; of one that was not noted nothing comes any more, or nobody captured it. */
  private void session(SessionState session) {
    if (sessions.refer(out, session)) {
      records.session(session.info);
      out.number(session.nextSequence);
      out.flag(session.chunkLost);
    }
  }

  private void identity(Transaction t) {
    noted.requireInForce();
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
}
