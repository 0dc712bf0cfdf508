package io.isotail.ingest.capture;

/** Where a transaction stands, and so what can still become of it. Immutable. */
sealed interface Phase {

  /** What is known of it while no commit is on its way. */
  enum Running implements Phase {
    /** One statement in autocommit mode, which is over when its rows are. */
    SINGLE,
    /** Several statements, which a commit makes last. */
    OPEN,
    /** The database can only roll it back, unless a savepoint before the failure is returned to. */
    DOOMED,
    /** Its connection was lost before its end was asked for. */
    LOST,
    /**
     * The database may have rolled it back, so that what follows is in others. Nothing that is seen
     * later tells, but a rollback right after.
     */
    UNCERTAIN;

    @Override
    public Running running() {
      return this;
    }

    @Override
    public Phase becoming(Running next) {
      return next;
    }

    /** A transaction of one statement becomes one of several. */
    Running explicit() {
      return this == SINGLE ? OPEN : this;
    }

    /** The database says whether it can only roll it back. LOST and UNCERTAIN stay. */
    Running failed(boolean value) {
      return switch (this) {
        case OPEN, DOOMED -> value ? DOOMED : OPEN;
        case SINGLE, LOST, UNCERTAIN -> this;
      };
    }

    /** The connection was lost. */
    Running lost() {
      return this == SINGLE || this == UNCERTAIN ? this : LOST;
    }

    /** Whether a commit can only be answered with a rollback. */
    boolean isDoomed() {
      return this == DOOMED || this == LOST;
    }
  }

  /**
   * Its commit was sent and not answered: nothing else tells the outcome.
   *
   * @param running what was known of it before
   */
  record Committing(Running running) implements Phase {
    @Override
    public Phase becoming(Running next) {
      return new Committing(next);
    }
  }

  /**
   * Its end is recorded.
   *
   * @param running what was known of it before
   */
  record Ended(Running running) implements Phase {
    @Override
    public Phase becoming(Running next) {
      return this;
    }
  }

  /** What is known of it beside a commit that is on its way. */
  Running running();

  /** Where it stands once this is known of it; an end stays an end. */
  Phase becoming(Running next);
}
