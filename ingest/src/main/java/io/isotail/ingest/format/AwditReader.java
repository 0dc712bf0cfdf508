package io.isotail.ingest.format;

import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.SessionInfo;
import io.isotail.incremental.record.TransactionRecord;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Queue;

/**
 * Reads files of AWDIT's test format; the format is in the package's description.
 *
 * <p>A first pass finds what is wrong, where each session starts, and the keys to which somebody
 * writes 0. Then the sessions are read side by side, one transaction of each in turn.
 */
final class AwditReader {
  private final Path path;
  private final FileChannel channel;
  private final TransactionConsumer consumer;

  /** Of each session with operations the place of its first one, and the lines before that. */
  private final LongArrayList starts = new LongArrayList();

  private final LongArrayList linesBefore = new LongArrayList();
  private final LongOpenHashSet zeroWritten = new LongOpenHashSet();
  private long handedOver;

  private AwditReader(Path path, FileChannel channel, TransactionConsumer consumer) {
    this.path = path;
    this.channel = channel;
    this.consumer = consumer;
  }

  static void read(Path path, TransactionConsumer consumer)
      throws IOException, HistoryFormatException {
    try (FileChannel channel = HistoryBytes.channel(path)) {
      new AwditReader(path, channel, consumer).read();
    }
  }

  /** A session and the next line of it. */
  private static final class Session {
    final SessionInfo info;
    final AwditLine line;
    final Operations.Builder operations = new Operations.Builder();
    long next;

    Session(long id, AwditLine line) {
      this.info = SessionInfo.ofFile(id, Long.toUnsignedString(id));
      this.line = line;
    }
  }

  private void read() throws IOException, HistoryFormatException {
    index();
    int bufferBytes = BinaryCursor.bufferBytes(starts.size());
    Queue<Session> sessions = new ArrayDeque<>();
    for (int i = 0; i < starts.size(); i++) {
      sessions.add(new Session(i, lines(starts.getLong(i), linesBefore.getLong(i), bufferBytes)));
    }
    Session session;
    while ((session = sessions.poll()) != null) {
      if (readTransaction(session)) {
        sessions.add(session);
      }
    }
  }

  private AwditLine lines(long offset, long linesBefore, int bufferBytes) throws IOException {
    BinaryCursor cursor =
        new BinaryCursor(path, channel, offset, bufferBytes, ByteOrder.LITTLE_ENDIAN);
    return new AwditLine(path, cursor, linesBefore);
  }

  private void index() throws IOException, HistoryFormatException {
    AwditLine line = lines(0, 0, BinaryCursor.INDEX_BUFFER_BYTES);
    boolean inSession = false;
    AwditLine.Kind kind;
    while ((kind = line.next()) != AwditLine.Kind.END_OF_FILE) {
      if (kind == AwditLine.Kind.END_OF_SESSION) {
        inSession = false;
      } else if (kind != AwditLine.Kind.END_OF_TRANSACTION) {
        if (!inSession) {
          starts.add(line.start());
          linesBefore.add(line.number() - 1);
        }
        inSession = true;
        if (kind == AwditLine.Kind.WRITE && line.value == 0) {
          zeroWritten.add(line.key);
        }
      }
    }
  }

  /** Reads the session's next transaction; false if it has ended with that. */
  private boolean readTransaction(Session session) throws IOException, HistoryFormatException {
    Operations.Builder operations = session.operations;
    operations.clear();
    AwditLine line = session.line;
    while (true) {
      switch (line.next()) {
        case WRITE -> operations.write(line.key, line.value);
        case READ -> {
          if (line.value == 0 && !zeroWritten.contains(line.key)) {
            operations.readInitial(line.key);
          } else {
            operations.read(line.key, line.value);
          }
        }
        case END_OF_TRANSACTION -> {
          if (operations.size() > 0) {
            hand(session);
            return true;
          }
        }
        case END_OF_SESSION, END_OF_FILE -> {
          if (operations.size() > 0) {
            hand(session);
          }
          return false;
        }
      }
    }
  }

  private void hand(Session session) {
    long number = session.next++;
    consumer.accept(
        ++handedOver,
        new TransactionRecord(
            session.info,
            number,
            number,
            0,
            Outcome.COMMITTED,
            null,
            TransactionRecord.NO_TIME,
            TransactionRecord.NO_TIME,
            null,
            session.operations.build()));
  }
}
