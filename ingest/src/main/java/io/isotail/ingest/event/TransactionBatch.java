package io.isotail.ingest.event;

import com.google.protobuf.UnsafeByteOperations;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Origin;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.SessionInfo;
import io.isotail.incremental.record.Statement;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.ingest.event.proto.BatchedSession;
import io.isotail.ingest.event.proto.Transactions;
import java.util.Arrays;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
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

  /** What a record takes at most beside its operations and texts. */
  private static final int RECORD_BYTES = 64;

  /** What an operation takes beside its names: its key, its version, its kind and statement. */
  private static final int OPERATION_BYTES = 20;

  private static final int MOST_BYTES_OF_CHAR = 3;

  private final int mostBytes;
  private final Map<String, Integer> texts = new HashMap<>();
  private final IdentityHashMap<SessionInfo, Integer> sessions = new IdentityHashMap<>();
  private final byte[] outcomes = new byte[MOST_RECORDS];
  private Transactions.Builder message = Transactions.newBuilder();
  private OperationColumns operations = new OperationColumns();
  private int size;
  private int bytes;
  private boolean anyChunk;
  private boolean anyLevel;
  private boolean anyTime;
  private boolean anyClock;
  private boolean anyOrigin;

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
   * @throws IllegalArgumentException for a list read, and then nothing is added: the stream has
   *     none, since no proxy sees one
   */
  public boolean offer(TransactionRecord record) {
    int more = bytes(record);
    if (size == MOST_RECORDS || (size > 0 && bytes + more > mostBytes)) {
      return false;
    }
    operations.add(record.operations());
    bytes += more;
    Origin origin = record.origin();
    message
        .addSessionOf(session(record.session()))
        .addSequences(record.sequence())
        .addTransactions(record.transaction())
        .addChunks(record.chunk())
        .addRanAtOf(text(record.ranAt()))
        .addBeginsNs(record.beginNs())
        .addEndsNs(record.endNs())
        .addClockOf(text(record.clock()))
        .addApplicationOf(origin == null ? 0 : text(origin.application()))
        .addEndpointOf(origin == null ? 0 : text(origin.endpoint()))
        .addTraceOf(origin == null ? 0 : text(origin.trace()))
        .addOperationCounts(record.operations().size());
    outcomes[size++] = number(record.outcome());
    anyChunk |= record.chunk() != 0;
    anyLevel |= record.ranAt() != null;
    anyTime |=
        record.beginNs() != TransactionRecord.NO_TIME
            || record.endNs() != TransactionRecord.NO_TIME;
    anyClock |= record.clock() != null;
    anyOrigin |= origin != null;
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
    message
        .setOutcomes(UnsafeByteOperations.unsafeWrap(Arrays.copyOf(outcomes, size)))
        .setOperations(operations.build());
    dropEmptyColumns();
    byte[] value = EventCodec.envelope().setTransactions(message).build().toByteArray();
    message = Transactions.newBuilder();
    operations = new OperationColumns();
    texts.clear();
    sessions.clear();
    size = 0;
    bytes = 0;
    anyChunk = false;
    anyLevel = false;
    anyTime = false;
    anyClock = false;
    anyOrigin = false;
    return value;
  }

  private void dropEmptyColumns() {
    if (!anyChunk) {
      message.clearChunks();
    }
    if (!anyLevel) {
      message.clearRanAtOf();
    }
    if (!anyTime) {
      message.clearBeginsNs().clearEndsNs();
    }
    if (!anyClock) {
      message.clearClockOf();
    }
    if (!anyOrigin) {
      message.clearApplicationOf().clearEndpointOf().clearTraceOf();
    }
  }

  private int session(SessionInfo info) {
    Integer known = sessions.get(info);
    if (known != null) {
      return known;
    }
    int index = message.getSessionsCount();
    message.addSessions(
        BatchedSession.newBuilder()
            .setId(info.id())
            .setName(text(info.name()))
            .setProxy(text(info.proxy()))
            .setService(text(info.service()))
            .setInstance(text(info.instance()))
            .setDatabaseHost(text(info.databaseHost()))
            .setBackendPid(info.backendPid()));
    sessions.put(info, index);
    return index;
  }

  private int text(@Nullable String text) {
    return text == null
        ? 0
        : texts.computeIfAbsent(text, added -> message.addTexts(added).getTextsCount());
  }

  /** About how many bytes the record adds. */
  private int bytes(TransactionRecord record) {
    Operations ops = record.operations();
    int sum = RECORD_BYTES + OPERATION_BYTES * ops.size();
    sum += newLength(record.ranAt()) + newLength(record.clock());
    SessionInfo session = record.session();
    if (!sessions.containsKey(session)) {
      sum += RECORD_BYTES + newLength(session.name()) + newLength(session.proxy());
      sum += newLength(session.service()) + newLength(session.instance());
      sum += newLength(session.databaseHost());
    }
    for (Statement statement : ops.statements()) {
      if (!operations.has(statement)) {
        sum += statement.fingerprint().length() + length(statement.table());
      }
    }
    for (int i = 0; i < ops.size(); i++) {
      sum += length(ops.keyName(i)) + length(ops.versionName(i));
    }
    Origin origin = record.origin();
    if (origin != null) {
      sum += newLength(origin.application()) + newLength(origin.endpoint());
      sum += newLength(origin.trace());
    }
    return sum;
  }

  /** Of a text that is not written yet. */
  private int newLength(@Nullable String text) {
    return text == null || texts.containsKey(text) ? 0 : length(text);
  }

  /** At most so many bytes of UTF-8. */
  private static int length(@Nullable String text) {
    return text == null ? 0 : MOST_BYTES_OF_CHAR * text.length();
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
