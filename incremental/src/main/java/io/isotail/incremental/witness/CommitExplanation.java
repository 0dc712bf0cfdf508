package io.isotail.incremental.witness;

import io.isotail.incremental.anomaly.AnomalyKind;
import io.isotail.incremental.anomaly.OperationText;
import io.isotail.incremental.changes.CommitFault;
import io.isotail.incremental.window.Transaction;
import java.util.List;

/** How a commit is told that the database's log tells otherwise than its client was told. */
final class CommitExplanation {
  /** What such an anomaly rests on: no capsule shows it. */
  static final String EVIDENCE =
      "the database's log was followed without a gap since before the transaction began; it has told transactions of the same session before and behind it, and other captured writes of the same table";

  private CommitExplanation() {}

  /** Its name and sentence; there is no cycle. */
  static Explanation of(CommitFault fault, Transaction t) {
    String wrote =
        OperationText.of(t.operations, t.ranAt).assignment(t.operations, fault.operation());
    String sentence =
        fault.kind() == AnomalyKind.LOST_COMMIT
            ? "%s wrote %s and was committed, as its client was told; the database's log has no such transaction."
            : "%s wrote %s and was rolled back, as its client was told; the database's log has the write as committed.";
    return new Explanation(fault.kind(), null, sentence.formatted(t.name(), wrote), List.of());
  }
}
