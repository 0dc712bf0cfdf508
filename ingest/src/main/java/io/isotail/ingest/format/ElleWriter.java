package io.isotail.ingest.format;

import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.SessionInfo;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.incremental.record.VersionKind;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Writes elle files of registers, in EDN: for each transaction an invocation and a completion.
 *
 * <p>Has no place for list reads (records do not tell an append from a write), unknown versions,
 * deletes, opaque writes and undone operations; drops levels, statements, names that are not what
 * is hashed, and times of another clock than Jepsen's. The transaction's number goes to {@code
 * :txn}, because {@code :index} counts the file's operations. Without times, other tools read the
 * order of the lines as real time; it is the order in which the transactions came here.
 */
final class ElleWriter implements HistoryWriter {
  private final FormatLimits limits;
  private final ByteSink out;
  private long index;

  ElleWriter(Path path, Fidelity fidelity) throws IOException {
    this.limits = new FormatLimits(ElleFormat.LABEL, fidelity);
    this.out = new ByteSink(path);
  }

  @Override
  public void write(TransactionRecord transaction) throws IOException {
    require(transaction);
    boolean timed = isTimed(transaction);
    boolean unknown = transaction.outcome() == Outcome.UNKNOWN;
    line(transaction, "invoke", timed ? transaction.beginNs() : TransactionRecord.NO_TIME, false);
    line(
        transaction,
        switch (transaction.outcome()) {
          case COMMITTED -> "ok";
          case ABORTED -> "fail";
          case UNKNOWN, OPEN -> "info";
        },
        timed && !unknown ? transaction.endNs() : TransactionRecord.NO_TIME,
        true);
  }

  @Override
  public void close() throws IOException {
    out.close();
  }

  private void require(TransactionRecord transaction) {
    limits.requireWhole(transaction);
    limits.requireReadsAndWrites(transaction);
    limits.dropStatementsAndLevel(transaction);
    Operations operations = transaction.operations();
    for (int i = 0; i < operations.size(); i++) {
      limits.dropNames(
          transaction,
          isLost(operations.keyName(i), operations.key(i))
              || isLost(operations.versionName(i), operations.version(i)));
    }
    SessionInfo session = transaction.session();
    limits.drop(
        !FormatLimits.isNumbered(transaction) && isLost(session.name(), session.id()),
        transaction,
        "a session name that is not what its number is the hash of");
    if (!isTimed(transaction)) {
      limits.dropTimes(transaction);
    }
    limits.drop(
        transaction.outcome() == Outcome.UNKNOWN
            && transaction.endNs() != TransactionRecord.NO_TIME,
        transaction,
        "an end although its outcome is unknown");
  }

  private static boolean isTimed(TransactionRecord transaction) {
    return ElleReader.CLOCK.equals(transaction.clock())
        && (transaction.beginNs() != TransactionRecord.NO_TIME
            || transaction.endNs() != TransactionRecord.NO_TIME);
  }

  private static boolean isLost(@Nullable String name, long id) {
    return name != null && ClearName.hash(name) != id;
  }

  private void line(TransactionRecord transaction, String type, long timeNs, boolean completed)
      throws IOException {
    out.put("{:index ");
    out.decimal(index++);
    out.put(", :type :");
    out.put(type);
    out.put(", :process ");
    SessionInfo session = transaction.session();
    value(session.id(), FormatLimits.isNumbered(transaction) ? null : session.name());
    out.put(", :f :txn, :txn ");
    out.put(Long.toString(transaction.transaction()));
    if (timeNs != TransactionRecord.NO_TIME) {
      out.put(", :time ");
      out.put(Long.toString(timeNs));
    }
    out.put(", :value [");
    Operations operations = transaction.operations();
    for (int i = 0; i < operations.size(); i++) {
      micro(operations, i, completed, transaction.outcome() == Outcome.COMMITTED);
    }
    out.put("]}\n");
  }

  /**
   * A read of nil says something in a committed transaction only: elsewhere it is an empty list.
   */
  private void micro(Operations operations, int i, boolean completed, boolean committed)
      throws IOException {
    boolean write = operations.kind(i) == OperationKind.WRITE;
    out.put(i == 0 ? "[:" : " [:");
    out.put(write ? 'w' : 'r');
    out.put(' ');
    value(operations.key(i), operations.keyName(i));
    out.put(' ');
    if (!write && (!completed || operations.versionKind(i) == VersionKind.INITIAL)) {
      out.put(completed && !committed ? "[]" : "nil");
    } else {
      value(operations.version(i), operations.versionName(i));
    }
    out.put(']');
  }

  /** A name that the number is the hash of, as a string; else the number. */
  private void value(long id, @Nullable String name) throws IOException {
    if (name == null || isLost(name, id)) {
      out.decimal(id);
      return;
    }
    StringBuilder text = new StringBuilder("\"");
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      if (c == '"' || c == '\\') {
        text.append('\\').append(c);
      } else if (c < ' ' || c > '~') {
        text.append("\\u%04x".formatted((int) c));
      } else {
        text.append(c);
      }
    }
    out.put(text.append('"').toString());
  }
}
