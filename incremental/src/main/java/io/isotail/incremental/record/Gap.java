package io.isotail.incremental.record;

/**
 * Records of a proxy were lost before this point of its stream.
 *
 * @param proxy id of the proxy incarnation; empty when the reader of the log had to skip records,
 *     whoever wrote them
 * @param lostRecords how many transaction records were lost since the previous gap record, at least
 *     1
 */
public record Gap(String proxy, long lostRecords) implements StreamRecord {}
