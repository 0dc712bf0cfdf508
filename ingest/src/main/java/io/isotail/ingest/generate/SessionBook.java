package io.isotail.ingest.generate;

import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.SessionInfo;
import io.isotail.incremental.record.TransactionRecord;
import org.jspecify.annotations.Nullable;

/** A session, and what numbers its transactions. */
final class SessionBook {
  private final SessionInfo info;
  private final Numbering numbers;
  private long sequence;

  /** Of its own numbers. */
  SessionBook(long id) {
    this(id, new Numbering());
  }

  /** Of numbers that it may share with other sessions. */
  SessionBook(long id, Numbering numbers) {
    this.numbers = numbers;
    info = SessionInfo.ofFile(id, Long.toUnsignedString(id));
  }

  long id() {
    return info.id();
  }

  /** So many different ones of them, at random. */
  static SessionBook[] choose(SessionBook[] all, int count, Prng random) {
    SessionBook[] chosen = new SessionBook[count];
    for (int i = 0; i < count; ) {
      SessionBook session = all[random.nextInt(all.length)];
      boolean free = true;
      for (int j = 0; j < i; j++) {
        free &= chosen[j] != session;
      }
      if (free) {
        chosen[i++] = session;
      }
    }
    return chosen;
  }

  /** Its next transaction, without times. */
  TransactionRecord record(Outcome outcome, Operations operations) {
    return record(outcome, TransactionRecord.NO_TIME, TransactionRecord.NO_TIME, null, operations);
  }

  /** Its next transaction. */
  TransactionRecord record(
      Outcome outcome, long beginNs, long endNs, @Nullable String clock, Operations operations) {
    return new TransactionRecord(
        info, sequence++, numbers.next(), 0, outcome, null, beginNs, endNs, clock, operations);
  }
}
