package io.isotail.incremental.witness;

import io.isotail.incremental.anomaly.EdgeKind;
import io.isotail.incremental.polygraph.ListRead;
import io.isotail.incremental.window.Transaction;
import java.util.List;

/**
 * An edge of a cycle of a proof from {@code prefix} on. Its transactions are those of the capsule,
 * with the operations that the capsule has.
 *
 * @param first the transaction that comes first
 * @param later the transaction that comes later
 * @param kind why
 * @param key that it is about, 0 for session order and real time
 * @param source who wrote the version that was read, or directly succeeded; the initial transaction
 *     otherwise
 * @param earlierWriter for ww and rw: the writer whose place before {@code later} it rests on; the
 *     initial transaction where that is no question
 * @param isAssumed whether nobody saw that {@code earlierWriter} comes before {@code later}
 * @param shownBy the list reads that show what it rests on
 */
record Dependency(
    Transaction first,
    Transaction later,
    EdgeKind kind,
    long key,
    Transaction source,
    Transaction earlierWriter,
    boolean isAssumed,
    List<ListRead> shownBy) {}
