package io.isotail.ingest.format;

import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.SessionInfo;
import io.isotail.incremental.record.TransactionRecord;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Queue;

/**
 * Reads dbcop files; the format is in the package's description.
 *
 * <p>The file holds one session after the other. Handed over like that, every read of a later
 * session's write would wait for most of the file. So a first pass, which skips the events, notes
 * where each session starts; then sessions are read side by side, one transaction of each in turn,
 * which is about how they ran, and few transactions wait.
 */
final class DbcopReader {
  static final String FILE_NAME = "history.bincode";

  /** A write flag, a key, a value and a success flag. */
  static final int EVENT_BYTES = 1 + Long.BYTES + Long.BYTES + 1;

  private static final int HEADER_NUMBERS = 5;
  private static final int HEADER_STRINGS = 3;

  private final Path path;
  private final FileChannel channel;
  private final TransactionConsumer consumer;
  private long handedOver;

  private DbcopReader(Path path, FileChannel channel, TransactionConsumer consumer) {
    this.path = path;
    this.channel = channel;
    this.consumer = consumer;
  }

  static void read(Path path, TransactionConsumer consumer)
      throws IOException, HistoryFormatException {
    Path file = Files.isDirectory(path) ? path.resolve(FILE_NAME) : path;
    try (FileChannel channel = HistoryBytes.channel(file)) {
      new DbcopReader(file, channel, consumer).read();
    }
  }

  /** A session and how many of its transactions are left. */
  private static final class Session {
    final SessionInfo info;
    final BinaryCursor cursor;
    final long transactions;
    long next;

    Session(long id, BinaryCursor cursor, long transactions) {
      this.info = SessionInfo.ofFile(id, Long.toUnsignedString(id));
      this.cursor = cursor;
      this.transactions = transactions;
    }
  }

  private void read() throws IOException, HistoryFormatException {
    LongArrayList starts = index();
    int bufferBytes = BinaryCursor.bufferBytes(starts.size());
    Queue<Session> sessions = new ArrayDeque<>();
    for (int i = 0; i < starts.size(); i++) {
      BinaryCursor cursor =
          new BinaryCursor(path, channel, starts.getLong(i), bufferBytes, ByteOrder.LITTLE_ENDIAN);
      long transactions = cursor.nextLong("the number of a session's transactions");
      if (transactions != 0) {
        sessions.add(new Session(i, cursor, transactions));
      }
    }
    Operations.Builder operations = new Operations.Builder();
    Session session;
    while ((session = sessions.poll()) != null) {
      readTransaction(session, operations);
      if (session.next < session.transactions) {
        sessions.add(session);
      }
    }
  }

  /** Where each session starts; every count in the file fits it after that. */
  private LongArrayList index() throws IOException, HistoryFormatException {
    BinaryCursor cursor =
        new BinaryCursor(
            path, channel, 0, BinaryCursor.INDEX_BUFFER_BYTES, ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < HEADER_NUMBERS; i++) {
      cursor.nextLong("the header: five numbers of 64 bits");
    }
    for (int i = 0; i < HEADER_STRINGS; i++) {
      cursor.skip(count(cursor, 1, "bytes of a string of the header"));
    }
    long sessions = count(cursor, Long.BYTES, "sessions");
    LongArrayList starts = new LongArrayList();
    for (long s = 0; s < sessions; s++) {
      starts.add(cursor.offset());
      long transactions = count(cursor, Long.BYTES + 1, "transactions of a session");
      for (long t = 0; t < transactions; t++) {
        cursor.skip(EVENT_BYTES * count(cursor, EVENT_BYTES, "events of a transaction"));
        cursor.nextByte("whether the transaction committed");
      }
    }
    if (cursor.remaining() > 0) {
      throw cursor.unexpected(
          cursor.offset(),
          "%d more bytes".formatted(cursor.remaining()),
          "the end of the file after the last session");
    }
    return starts;
  }

  /** A count of things that take so many bytes each at least. */
  private static long count(BinaryCursor cursor, int leastBytes, String what)
      throws IOException, HistoryFormatException {
    long offset = cursor.offset();
    long count = cursor.nextLong("the number of " + what);
    long most = cursor.remaining() / leastBytes;
    if (Long.compareUnsigned(count, most) > 0) {
      throw cursor.unexpected(
          offset,
          "a number of %s of %s".formatted(what, Long.toUnsignedString(count)),
          "at most %d, for what is left of the file".formatted(most));
    }
    return count;
  }

  private void readTransaction(Session session, Operations.Builder operations)
      throws IOException, HistoryFormatException {
    BinaryCursor cursor = session.cursor;
    operations.clear();
    long events = count(cursor, EVENT_BYTES, "events of a transaction");
    for (long e = 0; e < events; e++) {
      boolean write = flag(cursor, "whether the event is a write");
      long key = cursor.nextLong("a key");
      long offset = cursor.offset();
      long value = cursor.nextLong("a value");
      if (!flag(cursor, "whether the event succeeded")) {
        continue;
      }
      if (!write && value == 0) {
        operations.readInitial(key);
      } else if (!write) {
        operations.read(key, value);
      } else if (value != 0) {
        operations.write(key, value);
      } else {
        throw cursor.unexpected(
            offset, "a write of the value 0", "another one: 0 is the initial version");
      }
    }
    Outcome outcome =
        flag(cursor, "whether the transaction committed") ? Outcome.COMMITTED : Outcome.ABORTED;
    long number = session.next++;
    consumer.accept(
        ++handedOver,
        new TransactionRecord(
            session.info,
            number,
            number,
            0,
            outcome,
            null,
            TransactionRecord.NO_TIME,
            TransactionRecord.NO_TIME,
            null,
            operations.build()));
  }

  private static boolean flag(BinaryCursor cursor, String what)
      throws IOException, HistoryFormatException {
    long offset = cursor.offset();
    int value = cursor.nextByte(what);
    if (value > 1) {
      throw cursor.unexpected(offset, "byte 0x%02x".formatted(value), what + ": 0 or 1");
    }
    return value == 1;
  }
}
