package io.isotail.ingest.event;

import static io.isotail.ingest.event.proto.BatchedSession.BACKEND_PID_FIELD_NUMBER;
import static io.isotail.ingest.event.proto.BatchedSession.DATABASE_FIELD_NUMBER;
import static io.isotail.ingest.event.proto.BatchedSession.DATABASE_HOST_FIELD_NUMBER;
import static io.isotail.ingest.event.proto.BatchedSession.ID_FIELD_NUMBER;
import static io.isotail.ingest.event.proto.BatchedSession.INSTANCE_FIELD_NUMBER;
import static io.isotail.ingest.event.proto.BatchedSession.NAME_FIELD_NUMBER;
import static io.isotail.ingest.event.proto.BatchedSession.OLDEST_RUNNING_FIELD_NUMBER;
import static io.isotail.ingest.event.proto.BatchedSession.PROXY_FIELD_NUMBER;
import static io.isotail.ingest.event.proto.BatchedSession.SERVICE_FIELD_NUMBER;
import static io.isotail.ingest.event.proto.Transactions.APPLICATION_OF_FIELD_NUMBER;
import static io.isotail.ingest.event.proto.Transactions.BEGINS_NS_FIELD_NUMBER;
import static io.isotail.ingest.event.proto.Transactions.CHUNKS_FIELD_NUMBER;
import static io.isotail.ingest.event.proto.Transactions.CLOCK_OF_FIELD_NUMBER;
import static io.isotail.ingest.event.proto.Transactions.ENDPOINT_OF_FIELD_NUMBER;
import static io.isotail.ingest.event.proto.Transactions.ENDS_NS_FIELD_NUMBER;
import static io.isotail.ingest.event.proto.Transactions.OPERATIONS_FIELD_NUMBER;
import static io.isotail.ingest.event.proto.Transactions.OPERATION_COUNTS_FIELD_NUMBER;
import static io.isotail.ingest.event.proto.Transactions.OUTCOMES_FIELD_NUMBER;
import static io.isotail.ingest.event.proto.Transactions.RAN_AT_OF_FIELD_NUMBER;
import static io.isotail.ingest.event.proto.Transactions.SEQUENCES_FIELD_NUMBER;
import static io.isotail.ingest.event.proto.Transactions.SESSIONS_FIELD_NUMBER;
import static io.isotail.ingest.event.proto.Transactions.SESSION_OF_FIELD_NUMBER;
import static io.isotail.ingest.event.proto.Transactions.TEXTS_FIELD_NUMBER;
import static io.isotail.ingest.event.proto.Transactions.TRACE_OF_FIELD_NUMBER;
import static io.isotail.ingest.event.proto.Transactions.TRANSACTIONS_FIELD_NUMBER;
import static io.isotail.ingest.event.proto.Transactions.VERSION_OF_FIELD_NUMBER;

import io.isotail.incremental.record.Hello;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Origin;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.SessionInfo;
import io.isotail.incremental.record.Statement;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.ingest.event.proto.Envelope;
import java.util.IdentityHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Records of transactions that become one Kafka record: what they have in common, their sessions
 * and the texts of their statements, is written once for all. For one thread.
 *
 * <p>Bound: {@value #MOST_RECORDS} records, and about {@value #MOST_BYTES} bytes, or fewer if so
 * told, unless a single record has more.
 */
public final class TransactionBatch {
  /** What is common costs little when so many share it. */
  public static final int MOST_RECORDS = 64;

  private static final int MOST_BYTES = 48 << 10;

  /** Major schema version of a batch in which nobody read a content. */
  private static final int MAJOR_WITHOUT_CONTENTS = 3;

  /** Major schema version of a batch in which nobody read a list either. */
  private static final int MAJOR_WITHOUT_LISTS = 2;

  /** Minor schema version of a batch in which nobody read a content. */
  private static final int MINOR_WITHOUT_CONTENTS = 3;

  /** Minor schema version of a batch in which nobody tells what version was replaced either. */
  private static final int MINOR_WITHOUT_REPLACED = 2;

  /** Minor schema version of a batch in which nobody tells a version of the application either. */
  private static final int MINOR_WITHOUT_VERSIONS = 1;

  /** Minor schema version of a batch in which no session tells its database either. */
  private static final int MINOR_WITHOUT_DATABASES = 0;

  /** What the beginnings of all columns take at most. */
  private static final int FRAME_BYTES = 128;

  /** What a session takes at most beside its texts. */
  private static final int SESSION_BYTES = 96;

  /** What a record or a statement takes at most beside its operations and texts. */
  private static final int RECORD_BYTES = 64;

  /** What an operation takes at most beside its names: its key, its version, kind and numbers. */
  private static final int OPERATION_BYTES = 24;

  /** What it takes at most to tell of an operation which version it replaced. */
  private static final int REPLACED_BYTES = 13;

  /** What a text takes at most beside its characters, and a character of it. */
  private static final int TEXT_BYTES = 6;

  private static final int MOST_BYTES_OF_CHAR = 3;

  private final int mostBytes;
  private final IdentityHashMap<SessionInfo, Integer> sessionIndexes = new IdentityHashMap<>();
  private final NumberedTexts texts = new NumberedTexts(TEXTS_FIELD_NUMBER);
  private final MessageBytes sessions = new MessageBytes();
  private final MessageBytes sessionOf = new MessageBytes();
  private final MessageBytes sequences = new MessageBytes();
  private final MessageBytes transactions = new MessageBytes();
  private final MessageBytes chunks = new MessageBytes();
  private final MessageBytes outcomes = new MessageBytes();
  private final MessageBytes ranAtOf = new MessageBytes();
  private final MessageBytes beginsNs = new MessageBytes();
  private final MessageBytes endsNs = new MessageBytes();
  private final MessageBytes clockOf = new MessageBytes();
  private final MessageBytes applicationOf = new MessageBytes();
  private final MessageBytes endpointOf = new MessageBytes();
  private final MessageBytes traceOf = new MessageBytes();
  private final MessageBytes versionOf = new MessageBytes();
  private final MessageBytes operationCounts = new MessageBytes();
  private final OperationColumns operations = new OperationColumns();

  /** A session, and both messages, while they are written: no memory is taken for each. */
  private final MessageBytes session = new MessageBytes();

  private final MessageBytes message = new MessageBytes();
  private final MessageBytes envelope = new MessageBytes();
  private int size;
  private int bytesWithoutTexts;
  private boolean anyChunk;
  private boolean anyLevel;
  private boolean anyTime;
  private boolean anyClock;
  private boolean anyOrigin;
  private boolean anyVersion;
  private boolean anyDatabase;

  /** Empty, with the usual bounds. */
  public TransactionBatch() {
    this(MOST_BYTES);
  }

  /**
   * Empty.
   *
   * @param mostBytes about how many bytes several records may have together, if that is less than
   *     usual
   */
  public TransactionBatch(int mostBytes) {
    this.mostBytes = Math.min(mostBytes, MOST_BYTES);
  }

  /** Records that it holds. */
  public int size() {
    return size;
  }

  /**
   * Adds a record if there is room for it; there always is in an empty batch.
   *
   * @return whether it was added
   */
  public boolean offer(TransactionRecord record) {
    if (size == MOST_RECORDS || (size > 0 && mostBytes() + mostBytes(record) > mostBytes)) {
      return false;
    }
    operations.add(record.operations());
    sessionOf.addVarint(session(record.session()));
    sequences.addVarint(record.sequence());
    transactions.addVarint(record.transaction());
    chunks.addVarint(record.chunk());
    outcomes.addByte(number(record.outcome()));
    ranAtOf.addVarint(texts.number(record.ranAt()));
    beginsNs.addFixed64(record.beginNs());
    endsNs.addFixed64(record.endNs());
    clockOf.addVarint(texts.number(record.clock()));
    Origin origin = record.origin();
    applicationOf.addVarint(origin == null ? 0 : texts.number(origin.application()));
    endpointOf.addVarint(origin == null ? 0 : texts.number(origin.endpoint()));
    traceOf.addVarint(origin == null ? 0 : texts.number(origin.trace()));
    versionOf.addVarint(origin == null ? 0 : texts.number(origin.version()));
    operationCounts.addVarint(record.operations().size());
    size++;
    bytesWithoutTexts += RECORD_BYTES + mostBytesWithoutTexts(record.operations());
    anyChunk |= record.chunk() != 0;
    anyLevel |= record.ranAt() != null;
    anyTime |=
        record.beginNs() != TransactionRecord.NO_TIME
            || record.endNs() != TransactionRecord.NO_TIME;
    anyClock |= record.clock() != null;
    anyOrigin |= origin != null;
    anyVersion |= origin != null && origin.version() != null;
    return true;
  }

  /**
   * The Kafka value of what was added; then it is empty again.
   *
   * @throws IllegalStateException if nothing was added
   */
  public byte[] take() {
    if (size == 0) {
      throw new IllegalStateException("a batch without a record; expected one at least");
    }
    envelope.clear();
    // Whoever does not know list reads goes on reading what has none.
    envelope.addVarintField(Envelope.SCHEMA_MAJOR_FIELD_NUMBER, major());
    envelope.addVarintField(Envelope.SCHEMA_MINOR_FIELD_NUMBER, minor());
    envelope.addMessageField(Envelope.TRANSACTIONS_FIELD_NUMBER, message());
    clear();
    return envelope.toByteArray();
  }

  private int major() {
    if (operations.anyContent()) {
      return EventCodec.SCHEMA_MAJOR;
    }
    return operations.anyList() ? MAJOR_WITHOUT_CONTENTS : MAJOR_WITHOUT_LISTS;
  }

  private int minor() {
    if (operations.anyContent()) {
      return EventCodec.SCHEMA_MINOR;
    }
    if (operations.anyReplaced()) {
      return MINOR_WITHOUT_CONTENTS;
    }
    if (anyVersion) {
      return MINOR_WITHOUT_REPLACED;
    }
    return anyDatabase ? MINOR_WITHOUT_VERSIONS : MINOR_WITHOUT_DATABASES;
  }

  private MessageBytes message() {
    message.clear();
    message.addAll(texts.written());
    message.addAll(sessions);
    message.addColumnField(SESSION_OF_FIELD_NUMBER, sessionOf);
    message.addColumnField(SEQUENCES_FIELD_NUMBER, sequences);
    message.addColumnField(TRANSACTIONS_FIELD_NUMBER, transactions);
    if (anyChunk) {
      message.addColumnField(CHUNKS_FIELD_NUMBER, chunks);
    }
    message.addColumnField(OUTCOMES_FIELD_NUMBER, outcomes);
    if (anyLevel) {
      message.addColumnField(RAN_AT_OF_FIELD_NUMBER, ranAtOf);
    }
    if (anyTime) {
      message.addColumnField(BEGINS_NS_FIELD_NUMBER, beginsNs);
      message.addColumnField(ENDS_NS_FIELD_NUMBER, endsNs);
    }
    if (anyClock) {
      message.addColumnField(CLOCK_OF_FIELD_NUMBER, clockOf);
    }
    if (anyOrigin) {
      message.addColumnField(APPLICATION_OF_FIELD_NUMBER, applicationOf);
      message.addColumnField(ENDPOINT_OF_FIELD_NUMBER, endpointOf);
      message.addColumnField(TRACE_OF_FIELD_NUMBER, traceOf);
    }
    message.addColumnField(OPERATION_COUNTS_FIELD_NUMBER, operationCounts);
    message.addMessageField(OPERATIONS_FIELD_NUMBER, operations.message());
    if (anyVersion) {
      message.addColumnField(VERSION_OF_FIELD_NUMBER, versionOf);
    }
    return message;
  }

  private void clear() {
    sessionIndexes.clear();
    texts.clear();
    sessions.clear();
    sessionOf.clear();
    sequences.clear();
    transactions.clear();
    chunks.clear();
    outcomes.clear();
    ranAtOf.clear();
    beginsNs.clear();
    endsNs.clear();
    clockOf.clear();
    applicationOf.clear();
    endpointOf.clear();
    traceOf.clear();
    versionOf.clear();
    operationCounts.clear();
    operations.clear();
    size = 0;
    bytesWithoutTexts = 0;
    anyChunk = false;
    anyLevel = false;
    anyTime = false;
    anyClock = false;
    anyOrigin = false;
    anyVersion = false;
    anyDatabase = false;
  }

  private int session(SessionInfo info) {
    Integer known = sessionIndexes.get(info);
    return known == null ? addSession(info) : known;
  }

  private int addSession(SessionInfo info) {
    int index = sessionIndexes.size();
    sessionIndexes.put(info, index);
    session.clear();
    session.addFixed64Field(ID_FIELD_NUMBER, info.id());
    session.addVarintField(NAME_FIELD_NUMBER, texts.number(info.name()));
    session.addVarintField(PROXY_FIELD_NUMBER, texts.number(info.proxy()));
    session.addVarintField(SERVICE_FIELD_NUMBER, texts.number(info.service()));
    session.addVarintField(INSTANCE_FIELD_NUMBER, texts.number(info.instance()));
    session.addVarintField(DATABASE_HOST_FIELD_NUMBER, texts.number(info.databaseHost()));
    session.addVarintField(BACKEND_PID_FIELD_NUMBER, info.backendPid());
    if (info.database() != SessionInfo.NO_DATABASE) {
      anyDatabase = true;
      session.addFixed64Field(DATABASE_FIELD_NUMBER, info.database());
    }
    if (info.oldestRunning() != Hello.NOT_KNOWN) {
      session.addFixed64Field(OLDEST_RUNNING_FIELD_NUMBER, info.oldestRunning());
    }
    sessions.addMessageField(SESSIONS_FIELD_NUMBER, session);
    return index;
  }

  /** At most so many bytes are what was added. */
  private int mostBytes() {
    return FRAME_BYTES
        + bytesWithoutTexts
        + texts.written().size()
        + sessions.size()
        + operations.textBytes();
  }

  private static int mostBytesWithoutTexts(Operations ops) {
    return (ops.anyReplaced() ? OPERATION_BYTES + REPLACED_BYTES : OPERATION_BYTES) * ops.size();
  }

  /** At most so many bytes are what a record adds: as many as if it were the first one. */
  private static int mostBytes(TransactionRecord record) {
    Operations ops = record.operations();
    int sum = RECORD_BYTES + mostBytesWithoutTexts(ops);
    sum += mostBytes(record.ranAt()) + mostBytes(record.clock());
    SessionInfo info = record.session();
    sum += SESSION_BYTES + mostBytes(info.name()) + mostBytes(info.proxy());
    sum += mostBytes(info.service()) + mostBytes(info.instance());
    sum += mostBytes(info.databaseHost());
    for (Statement statement : ops.statements()) {
      sum += RECORD_BYTES + mostBytes(statement.table()) + mostBytes(statement.fingerprint());
      for (String column : statement.columns()) {
        sum += mostBytes(column);
      }
    }
    for (int i = 0; i < ops.size(); i++) {
      sum += mostBytes(ops.keyName(i)) + mostBytes(ops.versionName(i));
    }
    Origin origin = record.origin();
    if (origin != null) {
      sum += mostBytes(origin.application()) + mostBytes(origin.endpoint());
      sum += mostBytes(origin.trace()) + mostBytes(origin.version());
    }
    return sum;
  }

  /** At most so many bytes is a text. */
  private static int mostBytes(@Nullable String text) {
    return text == null ? 0 : TEXT_BYTES + MOST_BYTES_OF_CHAR * text.length();
  }

  private static byte number(Outcome outcome) {
    return switch (outcome) {
      case COMMITTED -> io.isotail.ingest.event.proto.Outcome.OUTCOME_COMMITTED_VALUE;
      case ABORTED -> io.isotail.ingest.event.proto.Outcome.OUTCOME_ABORTED_VALUE;
      case UNKNOWN -> io.isotail.ingest.event.proto.Outcome.OUTCOME_UNKNOWN_VALUE;
      case OPEN -> io.isotail.ingest.event.proto.Outcome.OUTCOME_OPEN_VALUE;
    };
  }
}
