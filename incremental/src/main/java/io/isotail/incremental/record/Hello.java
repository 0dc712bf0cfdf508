package io.isotail.incremental.record;

/**
 * A proxy starts: from here on it promises heartbeats.
 *
 * @param proxy id of the proxy incarnation
 * @param service name of the application
 * @param instance which instance of the application
 * @param heartbeatIntervalMs pause between two heartbeats in normal work, in ms; with a slow broker
 *     up to 1 s longer
 */
public record Hello(String proxy, String service, String instance, long heartbeatIntervalMs)
    implements StreamRecord {}
