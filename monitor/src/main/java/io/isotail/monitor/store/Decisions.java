package io.isotail.monitor.store;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** What was decided about causes, on whichever instance. Safe for use by many threads. */
public interface Decisions {
  /** Nothing was decided, and nothing can be. */
  Decisions NONE =
      new Decisions() {
        @Override
        public Optional<Decision> of(String cause) {
          return Optional.empty();
        }

        @Override
        public CompletionStage<Void> decide(Decision decision) {
          return CompletableFuture.failedStage(new IllegalStateException("nobody keeps it"));
        }

        @Override
        public CompletionStage<Void> lift(String cause) {
          return CompletableFuture.failedStage(new IllegalStateException("nobody keeps it"));
        }
      };

  /** What holds now of a cause. */
  Optional<Decision> of(String cause);

  /** Decides for all instances; ends when that is kept. May wait for the broker for a second. */
  CompletionStage<Void> decide(Decision decision);

  /** Takes back what was decided of a cause; else as {@link #decide}. */
  CompletionStage<Void> lift(String cause);

  /** Whether a cause is muted now. */
  default boolean isMuted(String cause) {
    return of(cause).filter(decision -> decision.state() == Decision.State.MUTED).isPresent();
  }
}
