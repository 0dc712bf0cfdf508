package io.isotail.ingest.event;

import com.google.protobuf.InvalidProtocolBufferException;
import io.isotail.incremental.record.Hello;
import io.isotail.incremental.record.Origin;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.SessionInfo;
import io.isotail.incremental.record.StreamRecord;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.ingest.event.proto.Envelope;
import io.isotail.ingest.event.proto.Session;
import io.isotail.ingest.event.proto.Transaction;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Turns stream records into bytes and back.
 *
 * <p>Every record carries the schema version that wrote it. A reader understands its own major
 * version and older ones; a newer minor version only adds fields that it ignores. Whatever the
 * bytes are, {@link #decode} returns a record or throws {@link BadRecordException}, nothing else.
 */
public final class EventCodec {

  /** Topic of the events of all histories. */
  public static final String TOPIC = "isotail.events";

  /** Major schema version: readers refuse a newer one. */
  public static final int SCHEMA_MAJOR = 4;

  /** Minor schema version: readers ignore what a newer one adds. */
  public static final int SCHEMA_MINOR = 0;

  private EventCodec() {}

  /** The Kafka key of every record of a history: one history, one partition. */
  public static byte[] key(String history) {
    return history.getBytes(StandardCharsets.UTF_8);
  }

  /** The history that a Kafka key names. */
  public static String history(byte[] key) {
    return new String(key, StandardCharsets.UTF_8);
  }

  /** The Kafka value of a record; of a transaction, as a batch of one. */
  public static byte[] encode(StreamRecord record) {
    if (record instanceof TransactionRecord transaction) {
      TransactionBatch batch = new TransactionBatch();
      boolean unused = batch.offer(transaction); // there is room in an empty one
      return batch.take();
    }
    return LogRecords.isOne(record) ? LogRecords.encode(record) : OwnRecords.encode(record);
  }

  /** An envelope of this schema, without a record. */
  static Envelope.Builder envelope() {
    return Envelope.newBuilder().setSchemaMajor(SCHEMA_MAJOR).setSchemaMinor(SCHEMA_MINOR);
  }

  /**
   * The records that a Kafka value holds, in their order; at least one.
   *
   * @throws BadRecordException if the bytes are no record, or one of a newer major version or of an
   *     unknown kind
   */
  public static List<StreamRecord> decode(byte[] value) throws BadRecordException {
    Envelope envelope;
    try {
      envelope = Envelope.parseFrom(value);
    } catch (InvalidProtocolBufferException e) {
      throw new BadRecordException(
          "%d bytes that are no event: %s; expected an envelope of schema %d.x"
              .formatted(value.length, e.getMessage(), SCHEMA_MAJOR),
          e);
    }
    int major = envelope.getSchemaMajor();
    if (major < 1 || major > SCHEMA_MAJOR) {
      throw new BadRecordException(
          "event of schema %s.%s; expected 1 to %d; a proxy newer than this reader?"
              .formatted(
                  Integer.toUnsignedString(major),
                  Integer.toUnsignedString(envelope.getSchemaMinor()),
                  SCHEMA_MAJOR));
    }
    return switch (envelope.getRecordCase()) {
      case TRANSACTIONS -> BatchReader.read(envelope.getTransactions());
      case TRANSACTION -> List.of(transaction(envelope.getTransaction()));
      case HELLO, HEARTBEAT, GOODBYE, GAP, CONTROL -> List.of(OwnRecords.decode(envelope));
      case LOG_START, CHANGES, LOG_MARK -> List.of(LogRecords.decode(envelope));
      case RECORD_NOT_SET ->
          throw new BadRecordException(
              "event of schema %d.%s without a record of a known kind; expected one of transactions,"
                      .formatted(major, Integer.toUnsignedString(envelope.getSchemaMinor()))
                  + " transaction, hello, heartbeat, goodbye, gap, control, log_start, changes, log_mark");
    };
  }

  private static TransactionRecord transaction(Transaction message) throws BadRecordException {
    if (!message.hasSession()) {
      throw new BadRecordException("transaction without a session; expected one");
    }
    requireNumbers(message.getSequence(), message.getChunk());
    OperationsReader operations = new OperationsReader(message.getOperations());
    return new TransactionRecord(
        session(message.getSession()),
        message.getSequence(),
        message.getTransaction(),
        message.getChunk(),
        outcome(message.getOutcome(), message.getOutcomeValue()),
        message.hasRanAt() ? message.getRanAt() : null,
        message.hasBeginNs() ? message.getBeginNs() : TransactionRecord.NO_TIME,
        message.hasEndNs() ? message.getEndNs() : TransactionRecord.NO_TIME,
        message.hasClock() ? message.getClock() : null,
        operations.read(operations.left()),
        message.hasOrigin() ? origin(message.getOrigin()) : null);
  }

  private static @Nullable Origin origin(io.isotail.ingest.event.proto.Origin message) {
    return Origin.of(
        message.hasApplication() ? message.getApplication() : null,
        message.hasEndpoint() ? message.getEndpoint() : null,
        message.hasTrace() ? message.getTrace() : null);
  }

  static void requireNumbers(long sequence, int chunk) throws BadRecordException {
    if (sequence < 0 || chunk < 0) {
      throw new BadRecordException(
          "transaction with sequence=%d chunk=%d; expected neither below 0"
              .formatted(sequence, chunk));
    }
  }

  /** The outcome that a number stands for; null is none that is known. */
  static Outcome outcome(io.isotail.ingest.event.proto.@Nullable Outcome outcome, int number)
      throws BadRecordException {
    return switch (outcome == null ? io.isotail.ingest.event.proto.Outcome.UNRECOGNIZED : outcome) {
      case OUTCOME_COMMITTED -> Outcome.COMMITTED;
      case OUTCOME_ABORTED -> Outcome.ABORTED;
      case OUTCOME_UNKNOWN -> Outcome.UNKNOWN;
      case OUTCOME_OPEN -> Outcome.OPEN;
      case OUTCOME_UNSPECIFIED, UNRECOGNIZED ->
          throw new BadRecordException(
              "transaction with outcome number %d; expected 1 to 4".formatted(number));
    };
  }

  private static SessionInfo session(Session message) {
    return new SessionInfo(
        message.getId(),
        message.getName(),
        message.hasProxy() ? message.getProxy() : null,
        message.hasService() ? message.getService() : null,
        message.hasInstance() ? message.getInstance() : null,
        message.hasDatabaseHost() ? message.getDatabaseHost() : null,
        message.getBackendPid(),
        message.getDatabase(),
        message.hasOldestRunning() ? message.getOldestRunning() : Hello.NOT_KNOWN);
  }
}
