package io.isotail.monitor.metrics;

/**
 * One scrape's answer.
 *
 * @param contentType value of the Content-Type header
 * @param body the metrics
 */
@SuppressWarnings("ArrayRecordComponent") // written to the socket at once, compared by nobody
public record Exposition(String contentType, byte[] body) {}
