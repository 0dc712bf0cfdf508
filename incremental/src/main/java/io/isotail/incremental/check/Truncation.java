package io.isotail.incremental.check;

import io.isotail.incremental.reads.Absences;
import io.isotail.incremental.reads.UnseenEffects;
import io.isotail.incremental.reads.UnseenWrites;
import io.isotail.incremental.reads.VersionTable;
import io.isotail.incremental.verdict.VerdictLedger;
import io.isotail.incremental.window.Counters;
import io.isotail.incremental.window.Slots;
import io.isotail.incremental.window.Transaction;
import org.jspecify.annotations.Nullable;

/** Takes a transaction that leaves the window out of everything that knows it. */
public final class Truncation {
  private final Counters counters;
  private final VersionTable versions;
  private final Absences absences;
  private final UnseenWrites unseenWrites;
  private final UnseenEffects unseen;
  private final Slots slots;
  private final VerdictLedger ledger;
  private final WeakLevels weakLevels;
  private final StrongLevels strongLevels;

  /** Truncates what these stages know. */
  public Truncation(
      Counters counters,
      VersionTable versions,
      Absences absences,
      UnseenWrites unseenWrites,
      UnseenEffects unseen,
      Slots slots,
      VerdictLedger ledger,
      WeakLevels weakLevels,
      StrongLevels strongLevels) {
    this.counters = counters;
    this.versions = versions;
    this.absences = absences;
    this.unseenWrites = unseenWrites;
    this.unseen = unseen;
    this.slots = slots;
    this.ledger = ledger;
    this.weakLevels = weakLevels;
    this.strongLevels = strongLevels;
  }

  /** The window holds the transaction no longer; keeps its writes where a graph needs them. */
  public void truncate(Transaction t) {
    counters.truncated += t.uncaptured() ? 0 : 1;
    long[] unversioned = absences.leaves(t);
    versions.retire(t);
    unseenWrites.retire(t);
    if (t.committed) {
      if (!t.uncaptured()) {
        ledger.left(t);
      }
      unseen.noteTruncated(t);
      weakLevels.remove(t);
    }
    // It is out of the relation before its neighbours are joined: no search leads through it.
    @Nullable Transaction next = t.soNext;
    @Nullable Transaction previous = t.soPrev;
    // Its predecessor has left before it, but for one that was promoted late.
    if (next != null) {
      next.changed();
      next.soPrev = previous;
    }
    if (previous != null) {
      previous.soNext = next;
    }
    if (previous != null && next != null) {
      weakLevels.closeRanks(previous, next);
    }
    if (t.session.lastCommitted == t) {
      t.session.lastCommitted = previous;
    }
    slots.release(t.session);
    strongLevels.removed(t);
    weakLevels.removed(t);
    absences.left(t, unversioned);
  }
}
