package io.isotail.monitor.partition;

import io.isotail.monitor.publish.CheckpointMetadata;
import java.util.Optional;

/**
 * What the group knows of a partition: what the last commit said, where its saved state stands, and
 * what is being committed. Owned by the pipeline's thread.
 */
final class CommitLedger {
  private CheckpointMetadata committed;
  private SavedState saved;
  private Commit commit = new Settled();

  /** A state on the state topic, from which the next owner reads on. */
  sealed interface SavedState {
    /** The offset at which it stands. */
    long offset();

    /** The leader's epoch of the record before that. */
    Optional<Integer> epoch();
  }

  /** One that a task may go on from. */
  private record Sound(long offset, Optional<Integer> epoch) implements SavedState {}

  /** One that does not know that the log was cut back: nothing is committed but with another. */
  private record Doubtful(long offset, Optional<Integer> epoch) implements SavedState {}

  /** Whether it is known what is committed. */
  private sealed interface Commit {}

  /** It is. */
  private record Settled() implements Commit {}

  /** A commit was begun of which it is not known whether it was made. */
  private record Attempted(CheckpointMetadata metadata, SavedState saved) implements Commit {}

  /** The group says this of a partition whose saved state stands at that offset. */
  CommitLedger(CheckpointMetadata committed, long offset) {
    this.committed = committed;
    this.saved = new Sound(offset, Optional.empty());
  }

  CheckpointMetadata committed() {
    return committed;
  }

  SavedState saved() {
    return saved;
  }

  /** Whether nothing may be committed but together with the state. */
  boolean mustSave() {
    return saved instanceof Doubtful;
  }

  /** The saved state stands behind a record of that epoch of the leader's. */
  void begin(Optional<Integer> epoch) {
    saved = new Sound(saved.offset(), epoch);
  }

  /** The log ends here: nothing is published beyond, and the saved state does not know of it. */
  void cutBack(long end) {
    saved = new Doubtful(Math.min(saved.offset(), end), saved.epoch());
    if (committed.published() > end) {
      committed = committed.withPublished(end, -1, committed.attempt());
    }
  }

  /**
   * A commit is about to be made that leaves the saved state as it is.
   *
   * @return the state that it points to
   */
  SavedState attempt(CheckpointMetadata next) {
    commit = new Attempted(next, saved);
    return saved;
  }

  /**
   * A commit is about to be made with a state of its own.
   *
   * @return the state that it points to
   */
  SavedState attempt(CheckpointMetadata next, long offset, Optional<Integer> epoch) {
    SavedState state = new Sound(offset, epoch);
    commit = new Attempted(next, state);
    return state;
  }

  /** Whether this is what was attempted, and not known to be made. */
  boolean attempted(CheckpointMetadata found) {
    return commit instanceof Attempted attempt && attempt.metadata().equals(found);
  }

  /**
   * The attempted commit was made.
   *
   * @return false if none was attempted
   */
  boolean succeeded() {
    if (commit instanceof Attempted attempt) {
      committed = attempt.metadata();
      saved = attempt.saved();
      commit = new Settled();
      return true;
    }
    return false;
  }

  /** The attempted commit was not made. */
  void failed() {
    commit = new Settled();
  }
}
