package io.isotail.ingest.emit;

/**
 * What an emitter has done so far.
 *
 * @param emitted transaction records that the broker acknowledged
 * @param dropped transaction records that found the queue full or the emitter closed
 * @param failed transaction records that were handed to Kafka's producer and not acknowledged in
 *     time
 * @param queueDepth transaction records that wait for the sender
 * @param gaps gap records acknowledged
 * @param heartbeats heartbeats acknowledged
 */
public record EmitterStats(
    long emitted, long dropped, long failed, int queueDepth, long gaps, long heartbeats) {}
