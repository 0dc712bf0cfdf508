package io.isotail.ingest.format;

import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.SessionInfo;
import io.isotail.incremental.record.TransactionRecord;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;

/**
 * Reads directories of cobra logs; the format is in the package's description.
 *
 * <p>All logs are open at a time and read side by side, one transaction of each in turn: one log
 * after the other would let every read of a later log's write wait for most of the history.
 */
final class CobraReader {
  static final String SUFFIX = ".log";

  /** Write ids of the initial version: not written yet, and written by the loader. */
  static final long INITIAL = 0xbebeebeeL;

  static final long INITIAL_LOADED = 0xdeadbeefL;

  private static final int BUFFER_BYTES = 1 << 16;

  private CobraReader() {}

  /** The logs of a directory, in the order of their names. */
  static List<Path> logs(Path directory) throws IOException {
    List<Path> logs = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "*" + SUFFIX)) {
      files.forEach(logs::add);
    }
    Collections.sort(logs);
    return logs;
  }

  static void read(Path directory, TransactionConsumer consumer)
      throws IOException, HistoryFormatException {
    if (!Files.isDirectory(directory)) {
      throw new HistoryFormatException(
          directory, 0, "a file", "the directory of a cobra history's logs");
    }
    List<Path> logs = logs(directory);
    if (logs.isEmpty()) {
      throw new HistoryFormatException(directory, 0, "no *" + SUFFIX, "one log a session");
    }
    Queue<Log> open = new ArrayDeque<>();
    try {
      for (Path log : logs) {
        open.add(new Log(log));
      }
      Operations.Builder operations = new Operations.Builder();
      long handedOver = 0;
      Log log;
      while ((log = open.peek()) != null) {
        if (log.cursor.remaining() == 0) {
          open.remove();
          log.channel.close();
          continue;
        }
        consumer.accept(++handedOver, log.read(operations));
        open.add(open.remove());
      }
    } finally {
      for (Log log : open) {
        log.channel.close();
      }
    }
  }

  /** One session. */
  private static final class Log {
    final FileChannel channel;
    final BinaryCursor cursor;
    private final SessionInfo session;
    private long sequence;

    Log(Path path) throws IOException {
      channel = FileChannel.open(path);
      cursor = new BinaryCursor(path, channel, 0, BUFFER_BYTES, ByteOrder.BIG_ENDIAN);
      String file = String.valueOf(path.getFileName());
      session = sessionOf(file.substring(0, file.length() - SUFFIX.length()));
    }

    TransactionRecord read(Operations.Builder operations)
        throws IOException, HistoryFormatException {
      long at = cursor.offset();
      int kind = cursor.nextByte("'S'");
      if (kind != 'S') {
        throw cursor.unexpected(
            at, LineReader.describeByte(kind), "'S', the start of a transaction");
      }
      long number = cursor.nextLong("a transaction id");
      operations.clear();
      while (true) {
        at = cursor.offset();
        kind = cursor.nextByte("'R', 'W', 'C' or 'A' in transaction " + number);
        switch (kind) {
          case 'R' -> readRead(operations);
          case 'W' -> readWrite(operations);
          case 'A' -> {
            return transaction(number, Outcome.ABORTED, operations);
          }
          case 'C' -> {
            at = cursor.offset();
            long committed = cursor.nextLong("the id of the transaction that committed");
            if (committed != number) {
              throw cursor.unexpected(
                  at, "the commit of transaction " + committed, "that of " + number);
            }
            return transaction(number, Outcome.COMMITTED, operations);
          }
          default ->
              throw cursor.unexpected(
                  at,
                  LineReader.describeByte(kind),
                  "'R', 'W', 'C' or 'A' in transaction " + number);
        }
      }
    }

    private void readRead(Operations.Builder operations)
        throws IOException, HistoryFormatException {
      cursor.nextLong("the transaction that wrote what is read");
      long version = cursor.nextLong("the id of the write that is read");
      long key = cursor.nextLong("a key's hash");
      cursor.nextLong("a value's hash");
      if (isInitial(version)) {
        operations.readInitial(key);
      } else {
        operations.read(key, version);
      }
    }

    private void readWrite(Operations.Builder operations)
        throws IOException, HistoryFormatException {
      long at = cursor.offset();
      long version = cursor.nextLong("a write's id");
      long key = cursor.nextLong("a key's hash");
      cursor.nextLong("a value's hash");
      if (isInitial(version)) {
        throw cursor.unexpected(
            at,
            "the write id 0x%x".formatted(version),
            "another one: it stands for the initial version");
      }
      operations.write(key, version);
    }

    private TransactionRecord transaction(
        long number, Outcome outcome, Operations.Builder operations) {
      return new TransactionRecord(
          session,
          sequence++,
          number,
          0,
          outcome,
          null,
          TransactionRecord.NO_TIME,
          TransactionRecord.NO_TIME,
          null,
          operations.build());
    }
  }

  static boolean isInitial(long version) {
    return version == INITIAL || version == INITIAL_LOADED;
  }

  /** A number stands for itself, any other name for its hash. */
  static SessionInfo sessionOf(String name) {
    try {
      long id = Long.parseUnsignedLong(name);
      if (Long.toUnsignedString(id).equals(name)) {
        return SessionInfo.ofFile(id, name);
      }
    } catch (NumberFormatException e) {
      // Not a number: a name.
    }
    return SessionInfo.ofFile(ClearName.hash(name), name);
  }
}
