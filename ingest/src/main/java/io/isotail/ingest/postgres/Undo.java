package io.isotail.ingest.postgres;

/** What becomes of something that was taken for done before the server has answered it. */
interface Undo {
  /**
   * Takes it back.
   *
   * @param skipped whether the server has not even tried it, for something before it failed
   */
  void undo(boolean skipped);

  /** The server has answered it: what was kept to take it back is no longer needed. */
  default void done() {}

  /** Nothing was taken for done. */
  Undo NOTHING = skipped -> {};

  /** With what is to be done once the server has answered. */
  default Undo withDone(Runnable done) {
    Undo undo = this;
    return new Undo() {
      @Override
      public void undo(boolean skipped) {
        undo.undo(skipped);
      }

      @Override
      public void done() {
        undo.done();
        done.run();
      }
    };
  }

  /** Takes this back, and then another. */
  default Undo before(Undo other) {
    Undo both =
        skipped -> {
          undo(skipped);
          other.undo(skipped);
        };
    return this == NOTHING ? other : both.withDone(this::done).withDone(other::done);
  }
}
