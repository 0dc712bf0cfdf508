package io.isotail.incremental.check;

import io.isotail.incremental.window.Transaction;
import it.unimi.dsi.fastutil.objects.Object2IntOpenHashMap;

/**
 * The clocks that stamped the transactions in the window which were promised {@code
 * strict-serializable}: how many transactions each one stamped.
 */
final class ClocksInWindow {
  private final Object2IntOpenHashMap<String> transactions = new Object2IntOpenHashMap<>();

  /** A transaction is delivered. */
  void add(Transaction t) {
    String clock = t.times.clock();
    if (isStamped(t) && clock != null) {
      transactions.addTo(clock, 1);
    }
  }

  /** A transaction that was delivered leaves the window. */
  void remove(Transaction t) {
    String clock = t.times.clock();
    if (isStamped(t) && clock != null && transactions.addTo(clock, -1) == 1) {
      transactions.removeInt(clock);
    }
  }

  /** Whether there are several. */
  boolean several() {
    return transactions.size() > 1;
  }

  private static boolean isStamped(Transaction t) {
    return t.promise.followsRealTime() && t.times.orderable();
  }
}
