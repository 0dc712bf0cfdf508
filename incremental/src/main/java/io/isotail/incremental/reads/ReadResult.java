package io.isotail.incremental.reads;

import io.isotail.incremental.anomaly.UndecidedReason;
import io.isotail.incremental.window.Transaction;

/** What became of one read. */
sealed interface ReadResult permits ReadResult.From, ReadResult.Undecided, BadRead {

  /**
   * It is known who wrote the version.
   *
   * @param writer the initial transaction, the reader itself, or another transaction
   */
  record From(Transaction writer) implements ReadResult {}

  /**
   * Nothing was decided.
   *
   * @param reason why
   */
  record Undecided(UndecidedReason reason) implements ReadResult {}
}
