package io.isotail.ingest.chaos;

import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a client process knows of each of its transactions, in a file that outlives it. A line is
 * written by one call to the system before the client goes on, so that {@code kill -9} loses none.
 */
final class Ledger implements AutoCloseable {
  private final FileOutputStream file;

  /** What a client was told of a transaction. */
  enum Told {
    /** It was committed. */
    COMMITTED,
    /** It was refused or rolled back, or it was never asked to commit. */
    NOT_COMMITTED,
    /** It was asked to commit, and no answer came. */
    UNKNOWN
  }

  /**
   * A transaction.
   *
   * @param id key of the row of {@code booking} that it inserted
   * @param port of the proxy that it went through
   * @param beginMs wall time before its first statement
   * @param endMs wall time after the last answer, or of the last thing that the client did
   */
  record Entry(long id, Told told, int port, long beginMs, long endMs) {}

  Ledger(Path path) throws IOException {
    file = new FileOutputStream(path.toFile(), true);
  }

  void begins(long id, int port) throws IOException {
    line("begins " + id + " " + port);
  }

  void asksToCommit(long id) throws IOException {
    line("asks " + id);
  }

  void told(long id, Told told) throws IOException {
    line(told + " " + id);
  }

  private synchronized void line(String text) throws IOException {
    file.write((System.currentTimeMillis() + " " + text + "\n").getBytes(StandardCharsets.UTF_8));
  }

  /** Adds what a file tells. */
  static void read(Path path, Map<Long, Entry> entries) throws IOException {
    Map<Long, Entry> own = new TreeMap<>();
    for (String line : Files.readAllLines(path)) {
      String[] parts = line.split(" ");
      long ms = Long.parseLong(parts[0]);
      long id = Long.parseLong(parts[2]);
      Entry before = own.get(id);
      if (before == null) {
        own.put(id, new Entry(id, Told.NOT_COMMITTED, Integer.parseInt(parts[3]), ms, ms));
      } else {
        Told told = parts[1].equals("asks") ? Told.UNKNOWN : Told.valueOf(parts[1]);
        own.put(id, new Entry(id, told, before.port(), before.beginMs(), ms));
      }
    }
    entries.putAll(own);
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
