package io.isotail.incremental.events;

import io.isotail.incremental.record.TransactionRecord;
import io.isotail.incremental.window.Txn;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A transaction in a level's graph. */
final class Member {
  final Txn txn;
  final Event begin;
  final Event commit;

  /** Where it stands among the writers of each key that it wrote. */
  final List<VersionSlot> writes = new ArrayList<>(2);

  /** Its reads from others. */
  final List<Reading> reads = new ArrayList<>(2);

  Member(Txn txn, boolean oneEvent) {
    this.txn = txn;
    this.begin = new Event(this);
    this.commit = oneEvent ? begin : new Event(this);
  }

  /**
   * When it committed, as far as is told: its own clock's time, or its place in delivery order,
   * which agrees with session order and reads, and with a file's order as far as that does.
   */
  long hint() {
    return txn.endNs != TransactionRecord.NO_TIME ? txn.endNs : txn.deliveredAt;
  }

  /** Where it stands among the writers of {@code key}; null if it did not write it. */
  @Nullable VersionSlot slotOf(long key) {
    for (VersionSlot slot : writes) {
      if (slot.key.key == key) {
        return slot;
      }
    }
    return null;
  }

  /** Whether it reads from another one, or comes after it in the same session. */
  boolean follows(Member other) {
    if (txn.session == other.txn.session) {
      return other.txn.number < txn.number;
    }
    for (Reading reading : reads) {
      if (reading.version.writer == other) {
        return true;
      }
    }
    return false;
  }

  @Override
  public String toString() {
    return txn.name();
  }
}
