package io.isotail.ingest.event;

import com.google.protobuf.ByteString;
import io.isotail.incremental.record.Control;
import io.isotail.incremental.record.Gap;
import io.isotail.incremental.record.Goodbye;
import io.isotail.incremental.record.Heartbeat;
import io.isotail.incremental.record.Heartbeat.OpenTransaction;
import io.isotail.incremental.record.Hello;
import io.isotail.incremental.record.Origin;
import io.isotail.incremental.record.SessionInfo;
import io.isotail.incremental.record.StreamRecord;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.ingest.event.proto.Envelope;
import io.isotail.ingest.event.proto.Session;
import io.isotail.ingest.event.proto.Statement;
import io.isotail.ingest.event.proto.Transaction;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Turns stream records into bytes, one after another. What many records of a stream have in common,
 * their sessions and statements, is encoded once and kept: at most {@value #MAX_KEPT} of each, the
 * latest ones. For one thread.
 */
public final class EventEncoder {
  static final int MAX_KEPT = 1_000;

  private final Map<SessionInfo, Session> sessions = new Kept<>();
  private final Map<io.isotail.incremental.record.Statement, Statement> statements = new Kept<>();

  /** Forgets its oldest entry for each one too many. */
  private static final class Kept<K, V> extends LinkedHashMap<K, V> {
    private static final long serialVersionUID = 1;

    @Override
    protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
      return size() > MAX_KEPT;
    }
  }

  /**
   * The Kafka value of a record.
   *
   * @throws IllegalArgumentException for a list read: schema 1 has none, since no proxy sees one
   */
  public byte[] encode(StreamRecord record) {
    Envelope.Builder envelope =
        Envelope.newBuilder()
            .setSchemaMajor(EventCodec.SCHEMA_MAJOR)
            .setSchemaMinor(EventCodec.SCHEMA_MINOR);
    if (record instanceof TransactionRecord transaction) {
      envelope.setTransaction(transaction(transaction));
    } else if (record instanceof Hello hello) {
      envelope
          .getHelloBuilder()
          .setProxy(hello.proxy())
          .setService(hello.service())
          .setInstance(hello.instance())
          .setHeartbeatIntervalMs(hello.heartbeatIntervalMs());
      if (hello.oldestRunning() != Hello.NOT_KNOWN) {
        envelope.getHelloBuilder().setOldestRunning(hello.oldestRunning());
      }
    } else if (record instanceof Heartbeat heartbeat) {
      var message = envelope.getHeartbeatBuilder();
      message.setProxy(heartbeat.proxy()).setNumber(heartbeat.number());
      for (OpenTransaction open : heartbeat.open()) {
        message.addOpenSessions(open.session()).addOpenTransactions(open.transaction());
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

  private Transaction transaction(TransactionRecord record) {
    Transaction.Builder message =
        Transaction.newBuilder()
            .setSession(sessions.computeIfAbsent(record.session(), EventEncoder::session))
            .setSequence(record.sequence())
            .setTransaction(record.transaction())
            .setChunk(record.chunk())
            .setOutcome(
                switch (record.outcome()) {
                  case COMMITTED -> io.isotail.ingest.event.proto.Outcome.OUTCOME_COMMITTED;
                  case ABORTED -> io.isotail.ingest.event.proto.Outcome.OUTCOME_ABORTED;
                  case UNKNOWN -> io.isotail.ingest.event.proto.Outcome.OUTCOME_UNKNOWN;
                  case OPEN -> io.isotail.ingest.event.proto.Outcome.OUTCOME_OPEN;
                })
            .setOperations(OperationsCodec.encode(record.operations(), this::statement));
    if (record.ranAt() != null) {
      message.setRanAt(record.ranAt());
    }
    if (record.beginNs() != TransactionRecord.NO_TIME) {
      message.setBeginNs(record.beginNs());
    }
    if (record.endNs() != TransactionRecord.NO_TIME) {
      message.setEndNs(record.endNs());
    }
    if (record.clock() != null) {
      message.setClock(record.clock());
    }
    if (record.origin() != null) {
      message.setOrigin(origin(record.origin()));
    }
    return message.build();
  }

  private static io.isotail.ingest.event.proto.Origin origin(Origin origin) {
    var message = io.isotail.ingest.event.proto.Origin.newBuilder();
    if (origin.application() != null) {
      message.setApplication(origin.application());
    }
    if (origin.endpoint() != null) {
      message.setEndpoint(origin.endpoint());
    }
    if (origin.trace() != null) {
      message.setTrace(origin.trace());
    }
    return message.build();
  }

  private static Session session(SessionInfo info) {
    Session.Builder message =
        Session.newBuilder()
            .setId(info.id())
            .setNameBytes(text(info.name()))
            .setBackendPid(info.backendPid());
    if (info.proxy() != null) {
      message.setProxyBytes(text(info.proxy()));
    }
    if (info.service() != null) {
      message.setServiceBytes(text(info.service()));
    }
    if (info.instance() != null) {
      message.setInstanceBytes(text(info.instance()));
    }
    if (info.databaseHost() != null) {
      message.setDatabaseHostBytes(text(info.databaseHost()));
    }
    return message.build();
  }

  private Statement statement(io.isotail.incremental.record.Statement statement) {
    return statements.computeIfAbsent(statement, EventEncoder::encoded);
  }

  private static Statement encoded(io.isotail.incremental.record.Statement statement) {
    Statement.Builder message =
        Statement.newBuilder()
            .setFingerprintBytes(text(statement.fingerprint()))
            .setVersionsNameWriters(statement.namesWriters());
    if (statement.table() != null) {
      message.setTableBytes(text(statement.table()));
    }
    return message.build();
  }

  /** A text as it is kept: as bytes, so that it is not encoded again for each record. */
  private static ByteString text(String text) {
    return ByteString.copyFromUtf8(text);
  }
}
