package io.isotail.ingest.workload;

/**
 * What a workload has done.
 *
 * @param committed transactions whose commit succeeded
 * @param aborted transactions rolled back, by choice or because the database refused them
 * @param retried transactions begun again after a serialization failure or a deadlock
 * @param errors failures of any other kind
 */
public record WorkloadStats(long committed, long aborted, long retried, long errors) {}
