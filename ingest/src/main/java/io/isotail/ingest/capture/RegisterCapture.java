package io.isotail.ingest.capture;

import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.Statement;
import io.isotail.ingest.emit.CaptureClock;
import io.isotail.ingest.sql.ColumnType;
import io.isotail.ingest.sql.ObservedTable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Records the transactions of one session with a store that has no SQL: whoever runs them tells
 * what was read and written, by the numbers of registers and versions. Owned by the session's
 * thread.
 *
 * <p>Sessions, sequence numbers, identities and times are those of every capture. A transaction
 * holds at most a chunk of operations, or a list that is longer, before they are handed over.
 */
public final class RegisterCapture implements AutoCloseable {
  private final Capture capture;
  private final RecordedSession session;
  private final Rows rows;
  private final ObservedTable table;
  private final Statement read;
  private final Statement write;
  private final @Nullable String ranAt;
  private final Operations.Builder operations = new Operations.Builder();
  private long nextTransaction;
  private @Nullable TransactionCapture current;
  private int chunk;

  /**
   * Follows a new session.
   *
   * @param capture of a configuration that observes one table of one key column, the registers; key
   *     and version are numbers, whatever it declares
   * @param ranAt level that transactions run at, as {@link
   *     io.isotail.incremental.record.TransactionRecord#ranAt} has it; null when unknown
   * @throws IllegalArgumentException if it observes anything else
   */
  public RegisterCapture(Capture capture, @Nullable String ranAt) {
    List<ObservedTable> observed = capture.config().tables().all();
    if (observed.size() != 1 || observed.get(0).key().size() != 1) {
      throw new IllegalArgumentException(
          "expected one observed table of one key column, found " + observed);
    }
    this.capture = capture;
    this.session = new RecordedSession(capture, capture.sessions().open(0, null));
    this.rows = new Rows(capture);
    this.table = numbered(observed.get(0));
    this.read = new Statement(table.identityName(), "read");
    this.write = new Statement(table.identityName(), "write");
    this.ranAt = ranAt;
  }

  private static ObservedTable numbered(ObservedTable table) {
    return new ObservedTable(
        table.schema(),
        table.name(),
        List.of(new ObservedTable.Column(table.key().get(0).name(), ColumnType.INTEGER)),
        new ObservedTable.Column(table.version().name(), ColumnType.INTEGER));
  }

  /** A transaction begins: nothing of it was sent yet. */
  public void begin() {
    chunk = 0;
    current =
        new TransactionCapture(
            nextTransaction++,
            CaptureClock.PROCESS.nowNs(),
            ranAt,
            false,
            tx -> capture.sink().writeStarted(session.info().id(), tx.number()));
  }

  /**
   * The store has answered a read.
   *
   * @param version null if the register was never written
   */
  public void read(long register, @Nullable Long version) {
    RowKey key = rows.key(table, List.of(register));
    add(
        version == null
            ? rows.absence(key, read)
            : rows.operation(OperationKind.READ, key, rows.version(table, key, version), read));
  }

  /**
   * The store has answered a read of a list: all versions that the register ever had, in their
   * order. A list is not split into chunks.
   */
  public void readList(long register, List<Long> versions) {
    if (versions.isEmpty()) {
      read(register, null);
      return;
    }
    makeRoom(versions.size() + 1);
    RowKey key = rows.key(table, List.of(register));
    rows.initial(OperationKind.LISTED, key, read).addTo(operations);
    for (long version : versions.subList(0, versions.size() - 1)) {
      RowVersion listed = rows.version(table, key, version);
      rows.operation(OperationKind.LISTED, key, listed, read).addTo(operations);
    }
    long last = versions.get(versions.size() - 1);
    rows.operation(OperationKind.READ, key, rows.version(table, key, last), read).addTo(operations);
  }

  /** A write is about to be sent. */
  public void write(long register, long version) {
    transaction().announce();
    RowKey key = rows.key(table, List.of(register));
    add(rows.operation(OperationKind.WRITE, key, rows.version(table, key, version), write));
  }

  /** Whether the transaction under way has written anything, or tried to. */
  public boolean wrote() {
    return transaction().announced();
  }

  private void add(Operation operation) {
    makeRoom(1);
    operation.addTo(operations);
  }

  /** Hands a chunk over, unless so many operations more fit into it. */
  private void makeRoom(int more) {
    if (operations.size() > 0 && operations.size() + more > capture.config().chunkOperations()) {
      emit(transaction(), Outcome.OPEN);
    }
  }

  /** Whether a transaction is under way. */
  public boolean inTransaction() {
    return current != null;
  }

  /**
   * The transaction under way has ended.
   *
   * @param outcome as the reply said; unknown if there was none
   */
  public void end(Outcome outcome) {
    TransactionCapture tx = transaction();
    if (operations.size() > 0 || chunk > 0) {
      emit(tx, outcome);
    }
    current = null;
  }

  private void emit(TransactionCapture tx, Outcome outcome) {
    session.emit(tx, chunk++, outcome, operations.build());
    operations.clear();
  }

  private TransactionCapture transaction() {
    TransactionCapture tx = current;
    if (tx == null) {
      throw new IllegalStateException("no transaction is under way; expected begin() before");
    }
    return tx;
  }

  /** The session is over. */
  @Override
  public void close() {
    capture.sessions().close();
  }
}
