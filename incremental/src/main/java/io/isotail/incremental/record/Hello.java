package io.isotail.incremental.record;

/**
 * A proxy starts: from here on it promises heartbeats.
 *
 * @param proxy id of the proxy incarnation
 * @param service name of the application
 * @param instance which instance of the application
 * @param heartbeatIntervalMs longest pause between two heartbeats in normal work, in ms
 */
public record Hello(String proxy, String service, String instance, long heartbeatIntervalMs)
    implements StreamRecord {}
