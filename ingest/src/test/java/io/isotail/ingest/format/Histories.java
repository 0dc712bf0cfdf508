package io.isotail.ingest.format;

import io.isotail.incremental.record.TransactionRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A history as text, read as a file. */
final class Histories {
  private Histories() {}

  static List<TransactionRecord> read(Path folder, HistoryFormat format, String text)
      throws IOException, HistoryFormatException {
    Path file = folder.resolve("history." + format.label());
    Files.writeString(file, text);
    List<TransactionRecord> transactions = new ArrayList<>();
    long[] last = {0};
    format.read(
        file,
        (line, transaction) -> {
          if (line <= last[0]) {
            throw new AssertionError("line " + line + " after " + last[0]);
          }
          last[0] = line;
          transactions.add(transaction);
        });
    return transactions;
  }
}
