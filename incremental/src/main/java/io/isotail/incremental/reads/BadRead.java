package io.isotail.incremental.reads;

import io.isotail.incremental.anomaly.AnomalyKind;
import io.isotail.incremental.window.Transaction;
import io.isotail.incremental.window.Version;
import org.jspecify.annotations.Nullable;

/**
 * A read that breaks an axiom of read consistency.
 *
 * @param kind which
 * @param reader the transaction
 * @param operation its read
 * @param ownWrite the reader's own write that makes it bad, or -1
 * @param source the writer of what was read, null for a thin-air read
 */
public record BadRead(
    AnomalyKind kind,
    Transaction reader,
    int operation,
    int ownWrite,
    Version.@Nullable Candidate source)
    implements ReadResult {}
