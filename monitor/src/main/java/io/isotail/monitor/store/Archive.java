package io.isotail.monitor.store;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * What was published, also what memory does not keep any more. Safe for use by many threads; no
 * call waits.
 */
public interface Archive {
  /** Knows nothing. */
  Archive NONE =
      new Archive() {
        @Override
        public CompletionStage<Optional<StoredAnomaly>> anomaly(String id) {
          return CompletableFuture.completedStage(Optional.empty());
        }

        @Override
        public CompletionStage<Optional<StoredCause>> cause(String id) {
          return CompletableFuture.completedStage(Optional.empty());
        }

        @Override
        public CompletionStage<Optional<StoredIncident>> incident(String id) {
          return CompletableFuture.completedStage(Optional.empty());
        }
      };

  /** The anomaly with this id, if it was published and is not deleted; fails if nobody can tell. */
  CompletionStage<Optional<StoredAnomaly>> anomaly(String id);

  /** The cause with this id as it was published last; fails if nobody can tell. */
  CompletionStage<Optional<StoredCause>> cause(String id);

  /** The incident with this id as it was published last; fails if nobody can tell. */
  CompletionStage<Optional<StoredIncident>> incident(String id);
}
