package io.isotail.incremental.reads;

import io.isotail.incremental.anomaly.UndecidedReason;
import io.isotail.incremental.window.Transaction;

/** What became of one read. */
sealed interface ReadResult
    permits ReadResult.From, ReadResult.LeftOut, ReadResult.Undecided, BadRead {

  /**
   * The writer of the version is known.
   *
   * @param writer the initial transaction, the reader itself, or another transaction
   */
  record From(Transaction writer) implements ReadResult {}

  /** The writer of the version is known, but that is a violation by itself and proves nothing. */
  enum LeftOut implements ReadResult {
    /** Reading closes a causality cycle, which is reported. */
    CLOSES_A_CAUSALITY_CYCLE
  }

  /**
   * Nothing was decided.
   *
   * @param reason why
   */
  record Undecided(UndecidedReason reason) implements ReadResult {}
}
