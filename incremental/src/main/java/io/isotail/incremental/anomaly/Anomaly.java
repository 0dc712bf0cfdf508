package io.isotail.incremental.anomaly;

import io.isotail.incremental.level.IsolationLevel;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One violation of an isolation level, with its evidence.
 *
 * @param id deterministic: a hash of history, level and the one thing that was left out
 * @param history id of the history
 * @param cause id of what it has in common with others; see {@code cause.CauseReport}
 * @param level the weakest level that it violates
 * @param kind the anomaly's name
 * @param adya Adya's name for its cycle or read, of sessions or of real time where it needs them
 *     ({@code G-single-realtime}); null where there is none
 * @param explanation one sentence in plain English
 * @param cycle the edges of the witness cycle in order; empty for a bad read
 * @param capsule the few transactions that violate the level by themselves, read as an open
 *     history; empty only for a thin-air read, and for a commit that the database's log tells
 *     otherwise
 * @param proof why the capsule violates the level, as the judge checked it; null only where the
 *     capsule is empty
 * @param evidence what the anomaly rests on that the capsule does not show; null if it shows all
 * @param table table that the anomaly is about, null when unknown
 * @param service application whose transaction observed it, null when unknown
 * @param offset log offset (file: line) of the transaction that completed it
 * @param commitTimeNs end of the transaction that completed it, in ns of its own clock; {@link
 *     io.isotail.incremental.record.TransactionRecord#NO_TIME} when unknown
 */
public record Anomaly(
    String id,
    String history,
    String cause,
    IsolationLevel level,
    AnomalyKind kind,
    @Nullable String adya,
    String explanation,
    List<CycleEdge> cycle,
    List<CapsuleTransaction> capsule,
    @Nullable Proof proof,
    @Nullable String evidence,
    @Nullable String table,
    @Nullable String service,
    long offset,
    long commitTimeNs) {

  /** Copies the lists. */
  public Anomaly {
    cycle = List.copyOf(cycle);
    capsule = List.copyOf(capsule);
  }
}
