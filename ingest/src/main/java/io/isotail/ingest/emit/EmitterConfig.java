package io.isotail.ingest.emit;

import io.isotail.incremental.record.Hello;
import io.isotail.incremental.record.SessionInfo;
import io.isotail.ingest.event.EventCodec;
import java.util.Map;
import java.util.Objects;

/**
 * Where an emitter sends, and its bounds.
 *
 * @param bootstrapServers Kafka's {@code host:port} list
 * @param topic topic of the events
 * @param history id of the history; all proxies of one database use the same
 * @param service name of the application
 * @param instance which instance of the application
 * @param queueCapacityRecords records that wait for the sender; what comes beyond is dropped
 * @param heartbeatIntervalMs from one heartbeat to the next, in ms; when a heartbeat takes long,
 *     transactions are given as much time after it, up to 1 s beyond the interval
 * @param closeDeadlineMs how long closing may wait for the broker, in ms
 * @param oldestRunning every transaction of the database with a lower id had ended when the proxy
 *     began; {@code Hello.NOT_KNOWN} where ids are not known
 * @param database which database that is; {@code SessionInfo.NO_DATABASE} where it is not known
 * @param nextId each transaction of the database with this id, or a higher one, ends after those
 *     below {@code oldestRunning} had ended; {@code Hello.NOT_KNOWN} where ids are not known
 * @param producerProperties settings of Kafka's producer that override the emitter's own, for
 *     instance security; {@code acks}, idempotence and serializers cannot be changed
 */
public record EmitterConfig(
    String bootstrapServers,
    String topic,
    String history,
    String service,
    String instance,
    int queueCapacityRecords,
    long heartbeatIntervalMs,
    long closeDeadlineMs,
    long oldestRunning,
    long database,
    long nextId,
    Map<String, String> producerProperties) {

  /** Records that wait for the sender unless configured otherwise. */
  public static final int DEFAULT_QUEUE_RECORDS = 32_768;

  /** Checks the bounds and copies the map. */
  public EmitterConfig {
    Objects.requireNonNull(bootstrapServers);
    Objects.requireNonNull(topic);
    Objects.requireNonNull(history);
    Objects.requireNonNull(service);
    Objects.requireNonNull(instance);
    producerProperties = Map.copyOf(producerProperties);
    requireAtLeast("queueCapacityRecords", queueCapacityRecords, 1);
    requireAtLeast("heartbeatIntervalMs", heartbeatIntervalMs, 1);
    requireAtLeast("closeDeadlineMs", closeDeadlineMs, 0);
  }

  /** The defaults: topic {@link EventCodec#TOPIC}, {@link #DEFAULT_QUEUE_RECORDS}, 100 ms, 5 s. */
  public static EmitterConfig of(
      String bootstrapServers, String history, String service, String instance) {
    return new EmitterConfig(
        bootstrapServers,
        EventCodec.TOPIC,
        history,
        service,
        instance,
        DEFAULT_QUEUE_RECORDS,
        100,
        5_000,
        Hello.NOT_KNOWN,
        SessionInfo.NO_DATABASE,
        Hello.NOT_KNOWN,
        Map.of());
  }

  /** A copy with another topic. */
  public EmitterConfig withTopic(String name) {
    return new EmitterConfig(
        bootstrapServers,
        name,
        history,
        service,
        instance,
        queueCapacityRecords,
        heartbeatIntervalMs,
        closeDeadlineMs,
        oldestRunning,
        database,
        nextId,
        producerProperties);
  }

  /**
   * A copy with a database.
   *
   * @param oldest the least id of a transaction that runs in it
   * @param next one more than the greatest id of a transaction that has ended
   */
  public EmitterConfig withDatabase(long number, long oldest, long next) {
    return new EmitterConfig(
        bootstrapServers,
        topic,
        history,
        service,
        instance,
        queueCapacityRecords,
        heartbeatIntervalMs,
        closeDeadlineMs,
        oldest,
        number,
        next,
        producerProperties);
  }

  /** A copy with another capacity of the queue. */
  public EmitterConfig withQueueCapacity(int records) {
    return new EmitterConfig(
        bootstrapServers,
        topic,
        history,
        service,
        instance,
        records,
        heartbeatIntervalMs,
        closeDeadlineMs,
        oldestRunning,
        database,
        nextId,
        producerProperties);
  }

  /** A copy with another pause between heartbeats. */
  public EmitterConfig withHeartbeatInterval(long intervalMs) {
    return new EmitterConfig(
        bootstrapServers,
        topic,
        history,
        service,
        instance,
        queueCapacityRecords,
        intervalMs,
        closeDeadlineMs,
        oldestRunning,
        database,
        nextId,
        producerProperties);
  }

  /** A copy with another deadline for closing. */
  public EmitterConfig withCloseDeadline(long deadlineMs) {
    return new EmitterConfig(
        bootstrapServers,
        topic,
        history,
        service,
        instance,
        queueCapacityRecords,
        heartbeatIntervalMs,
        deadlineMs,
        oldestRunning,
        database,
        nextId,
        producerProperties);
  }

  /** A copy with other settings of Kafka's producer. */
  public EmitterConfig withProducerProperties(Map<String, String> properties) {
    return new EmitterConfig(
        bootstrapServers,
        topic,
        history,
        service,
        instance,
        queueCapacityRecords,
        heartbeatIntervalMs,
        closeDeadlineMs,
        oldestRunning,
        database,
        nextId,
        properties);
  }

  private static void requireAtLeast(String name, long value, long least) {
    if (value < least) {
      throw new IllegalArgumentException(
          "%s=%d; expected at least %d".formatted(name, value, least));
    }
  }
}
