package io.isotail.incremental.record;

/**
 * A proxy stops in good order: everything that it observed is in the stream before this record.
 *
 * @param proxy id of the proxy incarnation
 */
public record Goodbye(String proxy) implements StreamRecord {}
