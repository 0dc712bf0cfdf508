package io.isotail.incremental.changes;

import io.isotail.incremental.anomaly.AnomalyKind;
import io.isotail.incremental.record.TransactionRecord;

/**
 * A captured transaction that ended otherwise in the log than its client was told.
 *
 * @param kind {@link AnomalyKind#LOST_COMMIT} or {@link AnomalyKind#UNASKED_COMMIT}
 * @param offset where its record stood in the stream
 * @param transaction the whole of it
 * @param operation one of its writes that shows it
 */
public record CommitFault(
    AnomalyKind kind, long offset, TransactionRecord transaction, int operation) {}
