package io.isotail.ingest.capture;

import io.isotail.ingest.emit.EmitterConfig;
import io.isotail.ingest.sql.ObservedTables;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What is observed and how it is recorded.
 *
 * @param history id of the history that all proxies of one database share
 * @param service name of the application
 * @param instance which instance of the application
 * @param version of the application; null when not told
 * @param tables the observed tables; if none, all that the database has and whose rows tell who
 *     wrote them
 * @param secret secret of the key and version hashes, the same in every process of the history;
 *     null derives one from the history's name, which protects nothing against guessing
 * @param clearNames whether keys and versions are also recorded in clear
 * @param harmlessFunctions functions that write no observed table, beside the built-in ones known
 * @param rewrite whether statements may be sent with columns that tell more than was asked for
 * @param chunkOperations operations after which a long transaction is handed over in chunks
 * @param queueRecords transactions that wait for the stream at most; what comes beyond is dropped
 *     and announced as a gap
 * @param kafka Kafka's bootstrap servers; null when a sink is given directly
 * @param kafkaProperties further settings of Kafka's producer, without their prefix
 */
public record CaptureConfig(
    String history,
    String service,
    String instance,
    @Nullable String version,
    ObservedTables tables,
    @Nullable String secret,
    boolean clearNames,
    Set<String> harmlessFunctions,
    boolean rewrite,
    int chunkOperations,
    int queueRecords,
    @Nullable String kafka,
    Map<String, String> kafkaProperties) {

  /** Name of the application unless configured otherwise. */
  public static final String DEFAULT_SERVICE = "application";

  /** Operations of a chunk unless configured otherwise. */
  public static final int DEFAULT_CHUNK_OPERATIONS = 10_000;

  /** Copies the collections and checks the bounds: each is at least 1. */
  public CaptureConfig {
    harmlessFunctions = Set.copyOf(harmlessFunctions);
    kafkaProperties = Map.copyOf(kafkaProperties);
    requirePositive("chunkOperations", chunkOperations);
    requirePositive("queueRecords", queueRecords);
  }

  private static void requirePositive(String name, int value) {
    if (value < 1) {
      throw new IllegalArgumentException(name + "=" + value + "; expected at least 1");
    }
  }

  /** A configuration with defaults for a carrier that brings a sink of one's own. */
  public static CaptureConfig of(String history, ObservedTables tables) {
    return new CaptureConfig(
        history,
        DEFAULT_SERVICE,
        "1",
        null,
        tables,
        null,
        false,
        Set.of(),
        true,
        DEFAULT_CHUNK_OPERATIONS,
        EmitterConfig.DEFAULT_QUEUE_RECORDS,
        null,
        Map.of());
  }

  /** A copy under another name of the application and its instance. */
  public CaptureConfig withService(String name, String ofInstance) {
    return new CaptureConfig(
        history,
        name,
        ofInstance,
        version,
        tables,
        secret,
        clearNames,
        harmlessFunctions,
        rewrite,
        chunkOperations,
        queueRecords,
        kafka,
        kafkaProperties);
  }

  /** A copy with keys and versions in clear. */
  public CaptureConfig withClearNames() {
    return new CaptureConfig(
        history,
        service,
        instance,
        version,
        tables,
        secret,
        true,
        harmlessFunctions,
        rewrite,
        chunkOperations,
        queueRecords,
        kafka,
        kafkaProperties);
  }

  /** A copy with another size of chunks. */
  public CaptureConfig withChunkOperations(int operations) {
    return new CaptureConfig(
        history,
        service,
        instance,
        version,
        tables,
        secret,
        clearNames,
        harmlessFunctions,
        rewrite,
        operations,
        queueRecords,
        kafka,
        kafkaProperties);
  }
}
