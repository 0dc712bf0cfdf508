package io.isotail.monitor.metrics;

/**
 * What this instance checks of the log that its group shares.
 *
 * @param cluster id of the Kafka cluster; empty if it tells none
 * @param group consumer group
 * @param held partitions that this instance checks, or goes on with when the broker answers again
 * @param all partitions of the events topic
 */
public record PartitionShare(String cluster, String group, int held, int all) {}
