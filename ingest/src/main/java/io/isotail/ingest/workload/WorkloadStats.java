package io.isotail.ingest.workload;

/**
 * What a workload has done.
 *
 * @param committed transactions whose commit succeeded
 * @param wrote those of them that wrote, the making of the registers apart
 * @param aborted transactions rolled back, by choice or because the database refused them
 * @param retried transactions begun again after a serialization failure or a deadlock
 * @param cut connections that were cut on purpose
 * @param errors failures of any other kind
 * @param conflicts pairs of transactions that were under way at the same time and came to the same
 *     register, at least one of them to write it
 */
public record WorkloadStats(
    long committed,
    long wrote,
    long aborted,
    long retried,
    long cut,
    long errors,
    long conflicts) {}
