package io.isotail.ingest.format;

import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.incremental.record.VersionKind;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Writes plume files, one transaction after the other.
 *
 * <p>Has no place for unknown outcomes, unknown versions, the version 0 (it stands for the initial
 * one), deletes, opaque writes, undone operations and list reads; drops names, levels, times,
 * statements, transactions without operations and numbers of aborted transactions. The numbers of
 * committed transactions are {@linkplain UniqueNumbers unique in the file}, since PolySI and AWDIT
 * know a transaction by its number alone; a lossy writer makes them so.
 */
final class PlumeWriter implements HistoryWriter {
  /** Two numbers of at most 20 digits with what stands around them. */
  private static final int MAX_TAIL_BYTES = 48;

  private final FormatLimits limits;
  private final ByteSink out;
  private final UniqueNumbers numbers;
  private final byte[] tail = new byte[MAX_TAIL_BYTES];

  PlumeWriter(Path path, Fidelity fidelity) throws IOException {
    this.limits = new FormatLimits(PlumeFormat.LABEL, fidelity);
    this.numbers = new UniqueNumbers(limits);
    this.out = new ByteSink(path);
  }

  @Override
  public void write(TransactionRecord transaction) throws IOException {
    require(transaction);
    Operations operations = transaction.operations();
    if (operations.size() == 0) {
      return;
    }
    int tailLength = tail(transaction);
    for (int i = 0; i < operations.size(); i++) {
      out.put(operations.kind(i) == OperationKind.WRITE ? 'w' : 'r');
      out.put('(');
      out.decimal(operations.key(i));
      out.put(',');
      out.decimal(operations.versionKind(i) == VersionKind.INITIAL ? 0 : operations.version(i));
      out.put(tail, tailLength);
    }
  }

  @Override
  public void close() throws IOException {
    out.close();
  }

  private void require(TransactionRecord transaction) {
    limits.requireWhole(transaction);
    limits.requireKnownOutcome(transaction);
    limits.requireReadsAndWrites(transaction);
    Operations operations = transaction.operations();
    for (int i = 0; i < operations.size(); i++) {
      if (operations.versionKind(i) == VersionKind.KNOWN && operations.version(i) == 0) {
        throw limits.refused(transaction, "the version 0, which stands for the initial one");
      }
    }
    limits.dropSessionName(transaction);
    limits.dropAnnotations(transaction);
    limits.dropTimes(transaction);
    limits.drop(operations.size() == 0, transaction, "no operations");
  }

  /** The end of each line of the transaction: {@code ,session,txn)}. */
  private int tail(TransactionRecord transaction) {
    tail[0] = ',';
    int at = Decimal.put(transaction.session().id(), tail, 1);
    tail[at++] = ',';
    if (transaction.outcome() == Outcome.ABORTED) {
      if (transaction.transaction() != PlumeLine.ABORTED) {
        limits.drop(true, transaction, "a number although it aborted");
        numbers.take(transaction.transaction());
      }
      tail[at++] = '-';
      tail[at++] = '1';
    } else {
      at = Decimal.put(numbers.of(transaction), tail, at);
    }
    tail[at++] = ')';
    tail[at++] = '\n';
    return at;
  }
}
