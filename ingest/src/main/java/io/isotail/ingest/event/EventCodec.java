package io.isotail.ingest.event;

import com.google.protobuf.InvalidProtocolBufferException;
import io.isotail.incremental.record.Control;
import io.isotail.incremental.record.Gap;
import io.isotail.incremental.record.Goodbye;
import io.isotail.incremental.record.Heartbeat;
import io.isotail.incremental.record.Heartbeat.OpenTransaction;
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
import java.util.ArrayList;
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
  public static final int SCHEMA_MAJOR = 1;

  /** Minor schema version: readers ignore what a newer one adds. */
  public static final int SCHEMA_MINOR = 3;

  private EventCodec() {}

  /** The Kafka key of every record of a history: one history, one partition. */
  public static byte[] key(String history) {
    return history.getBytes(StandardCharsets.UTF_8);
  }

  /** The history that a Kafka key names. */
  public static String history(byte[] key) {
    return new String(key, StandardCharsets.UTF_8);
  }

  /**
   * The Kafka value of a record.
   *
   * @throws IllegalArgumentException for a list read: schema 1 has none, since no proxy sees one
   */
  public static byte[] encode(StreamRecord record) {
    return new EventEncoder().encode(record);
  }

  /**
   * The record that a Kafka value holds.
   *
   * @throws BadRecordException if the bytes are no record, or one of a newer major version or of an
   *     unknown kind
   */
  public static StreamRecord decode(byte[] value) throws BadRecordException {
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
      case TRANSACTION -> transaction(envelope.getTransaction());
      case HELLO -> {
        var hello = envelope.getHello();
        yield new Hello(
            hello.getProxy(),
            hello.getService(),
            hello.getInstance(),
            hello.getHeartbeatIntervalMs(),
            hello.hasOldestRunning() ? hello.getOldestRunning() : Hello.NOT_KNOWN);
      }
      case HEARTBEAT -> heartbeat(envelope.getHeartbeat());
      case GOODBYE -> new Goodbye(envelope.getGoodbye().getProxy());
      case GAP -> gap(envelope.getGap());
      case CONTROL -> new Control(envelope.getControl().getSettingsMap());
      case RECORD_NOT_SET ->
          throw new BadRecordException(
              "event of schema %d.%s without a record of a known kind; expected one of transaction,"
                      .formatted(major, Integer.toUnsignedString(envelope.getSchemaMinor()))
                  + " hello, heartbeat, goodbye, gap, control");
    };
  }

  private static TransactionRecord transaction(Transaction message) throws BadRecordException {
    if (!message.hasSession()) {
      throw new BadRecordException("transaction without a session; expected one");
    }
    if (message.getSequence() < 0 || message.getChunk() < 0) {
      throw new BadRecordException(
          "transaction with sequence=%d chunk=%d; expected neither below 0"
              .formatted(message.getSequence(), message.getChunk()));
    }
    return new TransactionRecord(
        session(message.getSession()),
        message.getSequence(),
        message.getTransaction(),
        message.getChunk(),
        outcome(message),
        message.hasRanAt() ? message.getRanAt() : null,
        message.hasBeginNs() ? message.getBeginNs() : TransactionRecord.NO_TIME,
        message.hasEndNs() ? message.getEndNs() : TransactionRecord.NO_TIME,
        message.hasClock() ? message.getClock() : null,
        OperationsCodec.decode(message.getOperations()),
        message.hasOrigin() ? origin(message.getOrigin()) : null);
  }

  private static @Nullable Origin origin(io.isotail.ingest.event.proto.Origin message) {
    return Origin.of(
        message.hasApplication() ? message.getApplication() : null,
        message.hasEndpoint() ? message.getEndpoint() : null,
        message.hasTrace() ? message.getTrace() : null);
  }

  private static Outcome outcome(Transaction message) throws BadRecordException {
    return switch (message.getOutcome()) {
      case OUTCOME_COMMITTED -> Outcome.COMMITTED;
      case OUTCOME_ABORTED -> Outcome.ABORTED;
      case OUTCOME_UNKNOWN -> Outcome.UNKNOWN;
      case OUTCOME_OPEN -> Outcome.OPEN;
      case OUTCOME_UNSPECIFIED, UNRECOGNIZED ->
          throw new BadRecordException(
              "transaction with outcome number %d; expected 1 to 4"
                  .formatted(message.getOutcomeValue()));
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
        message.getBackendPid());
  }

  private static Heartbeat heartbeat(io.isotail.ingest.event.proto.Heartbeat message)
      throws BadRecordException {
    int count = message.getOpenSessionsCount();
    if (count != message.getOpenTransactionsCount()) {
      throw new BadRecordException(
          "heartbeat with %d open sessions and %d open transactions; expected as many"
              .formatted(count, message.getOpenTransactionsCount()));
    }
    List<OpenTransaction> open = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      open.add(new OpenTransaction(message.getOpenSessions(i), message.getOpenTransactions(i)));
    }
    return new Heartbeat(
        message.getProxy(),
        message.getNumber(),
        open,
        message.hasCounts() ? CountsCodec.decode(message.getCounts()) : null);
  }

  private static Gap gap(io.isotail.ingest.event.proto.Gap message) throws BadRecordException {
    if (message.getLostRecords() < 1) {
      throw new BadRecordException(
          "gap of %d records; expected at least 1".formatted(message.getLostRecords()));
    }
    return new Gap(message.getProxy(), message.getLostRecords());
  }
}
