package io.isotail.incremental.record;

/**
 * How far the log of a database has been told. Mark n is sent after the broker has acknowledged
 * mark n-1, and after all of the log that there was then. So what a transaction before mark n-1 can
 * have read is before mark n. And what was told before mark n-1 is visible to whoever begins a
 * transaction after mark n was sent.
 *
 * @param source as of {@link LogStart}
 * @param nextSequence as many {@link Changes} of the source are before it
 */
public record LogMark(String source, long nextSequence) implements StreamRecord {}
