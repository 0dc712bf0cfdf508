package io.isotail.ingest.event;

import io.isotail.incremental.record.Control;
import io.isotail.incremental.record.Gap;
import io.isotail.incremental.record.Goodbye;
import io.isotail.incremental.record.Heartbeat;
import io.isotail.incremental.record.Heartbeat.OpenTransaction;
import io.isotail.incremental.record.Hello;
import io.isotail.incremental.record.SessionInfo;
import io.isotail.incremental.record.StreamRecord;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.ingest.event.proto.Envelope;
import java.util.ArrayList;
import java.util.List;

/**
 * Records that tell of a proxy or of the checker, and not of a transaction. Schema 2 has left their
 * form as it was: they say that they are of the last schema before, and its readers take them.
 */
final class OwnRecords {
  private static final int SCHEMA_MAJOR = 1;
  private static final int SCHEMA_MINOR = 6;

  private OwnRecords() {}

  /** The Kafka value of a record. */
  static byte[] encode(StreamRecord record) {
    Envelope.Builder envelope =
        Envelope.newBuilder().setSchemaMajor(SCHEMA_MAJOR).setSchemaMinor(SCHEMA_MINOR);
    if (record instanceof Hello hello) {
      envelope
          .getHelloBuilder()
          .setProxy(hello.proxy())
          .setService(hello.service())
          .setInstance(hello.instance())
          .setHeartbeatIntervalMs(hello.heartbeatIntervalMs());
      if (hello.oldestRunning() != Hello.NOT_KNOWN) {
        envelope.getHelloBuilder().setOldestRunning(hello.oldestRunning());
      }
      if (hello.database() != SessionInfo.NO_DATABASE) {
        envelope.getHelloBuilder().setDatabase(hello.database());
      }
      if (hello.nextId() != Hello.NOT_KNOWN) {
        envelope.getHelloBuilder().setNextId(hello.nextId());
      }
    } else if (record instanceof Heartbeat heartbeat) {
      var message = envelope.getHeartbeatBuilder();
      message.setProxy(heartbeat.proxy()).setNumber(heartbeat.number());
      for (OpenTransaction open : heartbeat.open()) {
        message.addOpenSessions(open.session()).addOpenTransactions(open.transaction());
      }
      if (heartbeat.madeNs() != TransactionRecord.NO_TIME) {
        message.setMadeNs(heartbeat.madeNs());
      }
      if (heartbeat.counts() != null) {
        message.setCounts(CountsCodec.encode(heartbeat.counts()));
      }
    } else if (record instanceof Goodbye goodbye) {
      envelope.getGoodbyeBuilder().setProxy(goodbye.proxy());
    } else if (record instanceof Gap gap) {
      envelope.getGapBuilder().setProxy(gap.proxy()).setLostRecords(gap.lostRecords());
    } else if (record instanceof Control control) {
      envelope.getControlBuilder().putAllSettings(control.settings());
    }
    return envelope.build().toByteArray();
  }

  /**
   * The record that an envelope holds.
   *
   * @throws BadRecordException if it makes no sense
   */
  static StreamRecord decode(Envelope envelope) throws BadRecordException {
    return switch (envelope.getRecordCase()) {
      case HELLO -> hello(envelope.getHello());
      case HEARTBEAT -> heartbeat(envelope.getHeartbeat());
      case GOODBYE -> new Goodbye(envelope.getGoodbye().getProxy());
      case GAP -> gap(envelope.getGap());
      case CONTROL -> new Control(envelope.getControl().getSettingsMap());
      case TRANSACTION, TRANSACTIONS, LOG_START, CHANGES, LOG_MARK, RECORD_NOT_SET ->
          throw new IllegalArgumentException(envelope.getRecordCase().name());
    };
  }

  private static Hello hello(io.isotail.ingest.event.proto.Hello message) {
    return new Hello(
        message.getProxy(),
        message.getService(),
        message.getInstance(),
        message.getHeartbeatIntervalMs(),
        message.hasOldestRunning() ? message.getOldestRunning() : Hello.NOT_KNOWN,
        message.getDatabase(),
        message.hasNextId() ? message.getNextId() : Hello.NOT_KNOWN);
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
        message.hasCounts() ? CountsCodec.decode(message.getCounts()) : null,
        message.hasMadeNs() ? message.getMadeNs() : TransactionRecord.NO_TIME);
  }

  private static Gap gap(io.isotail.ingest.event.proto.Gap message) throws BadRecordException {
    if (message.getLostRecords() < 1) {
      throw new BadRecordException(
          "gap of %d records; expected at least 1".formatted(message.getLostRecords()));
    }
    return new Gap(message.getProxy(), message.getLostRecords());
  }
}
