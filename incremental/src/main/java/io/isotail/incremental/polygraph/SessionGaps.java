package io.isotail.incremental.polygraph;

import io.isotail.incremental.window.SessionState;
import io.isotail.incremental.window.Transaction;
import it.unimi.dsi.fastutil.objects.Reference2ObjectOpenHashMap;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The transactions of each session that are no part of a level's graph, as far as they stand in a
 * row. Of a session whose every transaction violates the level, as one that reads from a stuck
 * replica, the walk back from the next one to the last that is part of the graph skips them.
 */
final class SessionGaps {
  /** A walk over no more than so many is not worth noting. */
  private static final int SHORT = 2;

  private final Predicate<Transaction> isPart;
  private final Map<SessionState, Gap> latest = new Reference2ObjectOpenHashMap<>();

  /**
   * What is no part of the graph.
   *
   * @param from its last transaction in session order
   * @param before the transaction before its first one, null if there is none
   */
  private record Gap(Transaction from, @Nullable Transaction before) {}

  SessionGaps(Predicate<Transaction> isPart) {
    this.isPart = isPart;
  }

  /** The last one in the window before a transaction in its session, or null. */
  @Nullable Transaction before(Transaction transaction) {
    Gap gap = latest.isEmpty() ? null : latest.get(transaction.session);
    Transaction at = transaction.soPrev;
    int passed = 0;
    while (at != null && !isPart.test(at)) {
      at = gap != null && at == gap.from ? gap.before : at.soPrev;
      passed++;
    }
    if (passed > SHORT && transaction.soPrev != null) {
      latest.put(transaction.session, new Gap(transaction.soPrev, at));
    }
    return at;
  }

  /** A transaction is added between others of its session. */
  void filled(Transaction transaction) {
    latest.remove(transaction.session);
  }

  /** A transaction leaves the window; it is still linked to those of its session. */
  void forget(Transaction transaction) {
    if (latest.isEmpty()) {
      return;
    }
    Gap gap = latest.get(transaction.session);
    if (gap != null && gap.from == transaction) {
      latest.remove(transaction.session);
    } else if (gap != null && gap.before == transaction) {
      // One that was promoted late may come before it and be in the window still.
      latest.put(transaction.session, new Gap(gap.from, transaction.soPrev));
    }
  }
}
