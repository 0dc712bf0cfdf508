package io.isotail.ingest.emit;

/**
 * What an emitter has done so far.
 *
 * @param emitted transaction records that the broker acknowledged
 * @param dropped transaction records that found the queue full or the emitter closed
 * @param failed transaction records that were handed to Kafka's producer and not acknowledged in
 *     time
 * @param queueDepth transaction records that wait for the sender
 * @param queueCapacity transaction records that may wait for the sender
 * @param gaps gap records acknowledged
 * @param heartbeats heartbeats acknowledged
 * @param errors records of the log, of any kind, that Kafka's producer gave up
 * @param silentMs for how long the broker has acknowledged nothing, in ms; it gets a heartbeat
 *     several times a second
 */
public record EmitterStats(
    long emitted,
    long dropped,
    long failed,
    int queueDepth,
    int queueCapacity,
    long gaps,
    long heartbeats,
    long errors,
    long silentMs) {

  /** Of a stream that has not begun, or is none on Kafka. */
  public static final EmitterStats NONE = new EmitterStats(0, 0, 0, 0, 0, 0, 0, 0, 0);
}
