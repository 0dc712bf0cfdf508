package io.isotail.ingest.capture;

import io.isotail.incremental.record.Outcome;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Transactions that this process has prepared, until one of its connections commits them or rolls
 * them back. Thread-safe.
 *
 * <p>Bounds: {@value #MAX_HELD} transactions, each for {@value #MAX_HELD_SECONDS} s. What comes
 * beyond is recorded with an unknown outcome, as is what another process decides.
 */
final class PreparedTransactions {
  static final int MAX_HELD = 1_024;
  static final int MAX_HELD_SECONDS = 60;

  private final Map<String, CompletableFuture<Outcome>> held = new ConcurrentHashMap<>();

  /**
   * A transaction was prepared.
   *
   * @param name its identifier in the database; null when it is not known
   */
  void add(@Nullable String name, PreparedTransaction transaction) {
    if (name == null || held.size() >= MAX_HELD) {
      transaction.decided(Outcome.UNKNOWN);
      return;
    }
    CompletableFuture<Outcome> outcome = new CompletableFuture<>();
    CompletableFuture<Outcome> former = held.put(name, outcome);
    if (former != null) {
      former.complete(Outcome.UNKNOWN);
    }
    CompletableFuture<Void> recorded =
        outcome.thenAccept(
            decision -> {
              held.remove(name, outcome);
              transaction.decided(decision);
            });
    if (!recorded.isDone()) {
      outcome.completeOnTimeout(Outcome.UNKNOWN, MAX_HELD_SECONDS, TimeUnit.SECONDS);
    }
  }

  /** A transaction was committed or rolled back; does nothing if it is not held. */
  void decide(@Nullable String name, Outcome outcome) {
    CompletableFuture<Outcome> waiting = name == null ? null : held.get(name);
    if (waiting != null) {
      waiting.complete(outcome);
    }
  }

  /** Records all that are held, with an unknown outcome. */
  void giveUp() {
    List.copyOf(held.values()).forEach(waiting -> waiting.complete(Outcome.UNKNOWN));
  }
}
