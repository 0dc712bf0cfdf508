package io.isotail.ingest.capture;

import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.incremental.record.VersionKind;
import io.isotail.ingest.emit.TransactionSink;
import io.isotail.ingest.event.EventCodec;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Keeps what is recorded, and describes it in the notation of the scenarios. */
public final class RecordingSink implements TransactionSink {
  private final List<TransactionRecord> records = new ArrayList<>();
  private final List<String> announced = new ArrayList<>();

  @Override
  public synchronized void writeStarted(long session, long transaction) {
    announced.add(session + "/" + transaction);
  }

  @Override
  public synchronized void transaction(TransactionRecord record) {
    records.add(record);
  }

  public synchronized List<TransactionRecord> records() {
    return List.copyOf(records);
  }

  /** Transactions announced to write, without repetition removed. */
  public synchronized List<String> announced() {
    return List.copyOf(announced);
  }

  /** Fingerprints of the statements of all operations, in order. */
  public synchronized List<String> fingerprints() {
    List<String> fingerprints = new ArrayList<>();
    for (TransactionRecord record : records) {
      for (int i = 0; i < record.operations().size(); i++) {
        fingerprints.add(record.operations().statement(i).fingerprint());
      }
    }
    return fingerprints;
  }

  /** All bytes of the encoded records, each as one character. */
  public synchronized String texts() {
    StringBuilder texts = new StringBuilder();
    for (TransactionRecord record : records) {
      texts.append(new String(EventCodec.encode(record), StandardCharsets.ISO_8859_1)).append('\n');
    }
    return texts.toString();
  }

  public synchronized void clear() {
    records.clear();
    announced.clear();
  }

  /** Every announcement was made once and has its end, and sequences have no holes. */
  public synchronized void checkContract() {
    Set<String> open = new HashSet<>();
    for (String transaction : announced) {
      if (!open.add(transaction)) {
        throw new AssertionError("announced twice: " + transaction);
      }
    }
    records.forEach(r -> open.remove(r.session().id() + "/" + r.transaction()));
    if (!open.isEmpty()) {
      throw new AssertionError("announced and never ended: " + open);
    }
  }

  /**
   * All records as text, such as {@code committed: r1=10 w1=11}: r, w, d for read, write, delete; a
   * key; the version, {@code -} for absence, {@code ?} for unknown; {@code opaque(table)}; in
   * brackets what was undone.
   */
  public synchronized List<String> described() {
    return records.stream().map(RecordingSink::describe).toList();
  }

  private static String describe(TransactionRecord record) {
    StringBuilder text =
        new StringBuilder(record.outcome().name().toLowerCase(java.util.Locale.ROOT)).append(':');
    Operations operations = record.operations();
    for (int i = 0; i < operations.size(); i++) {
      text.append(' ');
      text.append(
          operations.undone(i) ? "[" + describe(operations, i) + "]" : describe(operations, i));
    }
    return text.toString();
  }

  private static String describe(Operations operations, int i) {
    if (operations.kind(i) == OperationKind.OPAQUE) {
      String table = operations.statement(i).table();
      return "opaque(" + (table == null ? "*" : table) + ")";
    }
    String key = operations.keyName(i);
    return switch (operations.kind(i)) {
          case READ -> "r";
          case WRITE -> "w";
          default -> "d";
        }
        + key
        + (operations.kind(i) == OperationKind.DELETE
            ? ""
            : "="
                + (operations.versionKind(i) == VersionKind.KNOWN
                    ? operations.versionName(i)
                    : operations.versionKind(i) == VersionKind.INITIAL ? "-" : "?"));
  }
}
