package io.isotail.ingest.event;

import com.google.protobuf.ByteString;
import io.isotail.incremental.record.Hello;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Origin;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.SessionInfo;
import io.isotail.incremental.record.StreamRecord;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.ingest.event.proto.BatchedSession;
import io.isotail.ingest.event.proto.Transactions;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the records of a batch; {@link TransactionBatch} has written it. */
final class BatchReader {
  private final Transactions message;
  private final List<String> texts;
  private final int size;

  private BatchReader(Transactions message) {
    this.message = message;
    this.texts = message.getTextsList();
    this.size = message.getSequencesCount();
  }

  /**
   * The records, in their order.
   *
   * @throws BadRecordException if any of them makes no sense
   */
  static List<StreamRecord> read(Transactions message) throws BadRecordException {
    BatchReader reader = new BatchReader(message);
    reader.requireColumns();
    return reader.records();
  }

  private void requireColumns() throws BadRecordException {
    if (size == 0 || size > TransactionBatch.MOST_RECORDS) {
      throw new BadRecordException(
          "batch of %d transactions; expected 1 to %d"
              .formatted(size, TransactionBatch.MOST_RECORDS));
    }
    requireColumn("session_of", message.getSessionOfCount(), false);
    requireColumn("transactions", message.getTransactionsCount(), false);
    requireColumn("chunks", message.getChunksCount(), true);
    requireColumn("outcomes", message.getOutcomes().size(), false);
    requireColumn("ran_at_of", message.getRanAtOfCount(), true);
    requireColumn("begins_ns", message.getBeginsNsCount(), true);
    requireColumn("ends_ns", message.getEndsNsCount(), true);
    requireColumn("clock_of", message.getClockOfCount(), true);
    requireColumn("application_of", message.getApplicationOfCount(), true);
    requireColumn("endpoint_of", message.getEndpointOfCount(), true);
    requireColumn("trace_of", message.getTraceOfCount(), true);
    requireColumn("version_of", message.getVersionOfCount(), true);
    requireColumn("operation_counts", message.getOperationCountsCount(), false);
  }

  private void requireColumn(String name, int found, boolean mayBeEmpty) throws BadRecordException {
    Columns.require("batch", name, found, size, mayBeEmpty);
  }

  private List<StreamRecord> records() throws BadRecordException {
    List<SessionInfo> sessions = new ArrayList<>(message.getSessionsCount());
    for (BatchedSession session : message.getSessionsList()) {
      sessions.add(session(session));
    }
    OperationsReader operations = new OperationsReader(message.getOperations());
    List<StreamRecord> records = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      records.add(record(i, sessions, operations(operations, message.getOperationCounts(i))));
    }
    if (operations.left() > 0) {
      throw new BadRecordException(
          "batch with %d operations of no transaction; expected none".formatted(operations.left()));
    }
    return records;
  }

  private static Operations operations(OperationsReader operations, int count)
      throws BadRecordException {
    if (count < 0 || count > operations.left()) {
      throw new BadRecordException(
          "transaction with %s operations of %d that are left; expected no more"
              .formatted(Integer.toUnsignedString(count), operations.left()));
    }
    return count == 0 ? Operations.EMPTY : operations.read(count);
  }

  private TransactionRecord record(int i, List<SessionInfo> sessions, Operations operations)
      throws BadRecordException {
    int session = message.getSessionOf(i);
    int chunk = message.getChunksCount() == 0 ? 0 : message.getChunks(i);
    EventCodec.requireNumbers(message.getSequences(i), chunk);
    return new TransactionRecord(
        Columns.at(sessions, session, session, "transaction", "session"),
        message.getSequences(i),
        message.getTransactions(i),
        chunk,
        outcome(message.getOutcomes(), i),
        message.getRanAtOfCount() == 0 ? null : text(message.getRanAtOf(i)),
        message.getBeginsNsCount() == 0 ? TransactionRecord.NO_TIME : message.getBeginsNs(i),
        message.getEndsNsCount() == 0 ? TransactionRecord.NO_TIME : message.getEndsNs(i),
        message.getClockOfCount() == 0 ? null : text(message.getClockOf(i)),
        operations,
        Origin.of(
            message.getApplicationOfCount() == 0 ? null : text(message.getApplicationOf(i)),
            message.getEndpointOfCount() == 0 ? null : text(message.getEndpointOf(i)),
            message.getTraceOfCount() == 0 ? null : text(message.getTraceOf(i)),
            message.getVersionOfCount() == 0 ? null : text(message.getVersionOf(i))));
  }

  private static Outcome outcome(ByteString outcomes, int i) throws BadRecordException {
    return EventCodec.outcome(
        io.isotail.ingest.event.proto.Outcome.forNumber(outcomes.byteAt(i)), outcomes.byteAt(i));
  }

  private SessionInfo session(BatchedSession session) throws BadRecordException {
    String name = text(session.getName());
    return new SessionInfo(
        session.getId(),
        name == null ? "" : name,
        text(session.getProxy()),
        text(session.getService()),
        text(session.getInstance()),
        text(session.getDatabaseHost()),
        session.getBackendPid(),
        session.getDatabase(),
        session.hasOldestRunning() ? session.getOldestRunning() : Hello.NOT_KNOWN);
  }

  private @Nullable String text(int number) throws BadRecordException {
    return Columns.entry(texts, number, "batch", "text");
  }
}
