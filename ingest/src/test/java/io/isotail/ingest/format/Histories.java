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
    return read(file, format);
  }

  static List<TransactionRecord> read(Path path, HistoryFormat format)
      throws IOException, HistoryFormatException {
    Collected collected = new Collected();
    format.read(path, collected);
    return collected.transactions;
  }

  /** Starts again when it is told to, and sees to it that lines grow. */
  private static final class Collected implements TransactionConsumer {
    final List<TransactionRecord> transactions = new ArrayList<>();
    private long last;
    private boolean restarted;

    @Override
    public void accept(long line, TransactionRecord transaction) {
      if (line <= last) {
        throw new AssertionError("line " + line + " after " + last);
      }
      last = line;
      transactions.add(transaction);
    }

    @Override
    public void restart() {
      if (restarted) {
        throw new AssertionError("a second start");
      }
      restarted = true;
      last = 0;
      transactions.clear();
    }
  }
}
