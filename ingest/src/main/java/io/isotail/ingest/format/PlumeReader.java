package io.isotail.ingest.format;

import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.SessionInfo;
import io.isotail.incremental.record.TransactionRecord;
import it.unimi.dsi.fastutil.longs.Long2LongOpenHashMap;
import it.unimi.dsi.fastutil.longs.Long2ObjectLinkedOpenHashMap;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Reads plume files; the format is in the package's description. */
final class PlumeReader {
  /** Operations of a session's aborted transactions that are handed over as one. */
  private static final int MAX_ABORTED_TOGETHER = 1_000;

  private final Path path;
  private final TransactionConsumer consumer;
  private final Scan scan;
  private final Long2ObjectLinkedOpenHashMap<Session> sessions =
      new Long2ObjectLinkedOpenHashMap<>();
  private long lastOffset;

  private PlumeReader(Path path, TransactionConsumer consumer, Scan scan) {
    this.path = path;
    this.consumer = consumer;
    this.scan = scan;
  }

  static void read(Path path, TransactionConsumer consumer)
      throws IOException, HistoryFormatException {
    new PlumeReader(path, consumer, Scan.of(path)).read();
  }

  /**
   * What only the whole file tells.
   *
   * @param zeroWritten keys to which somebody writes the value 0
   * @param idsGrow whether the transaction ids of every session grow, so that none can come back
   */
  private record Scan(LongOpenHashSet zeroWritten, boolean idsGrow) {

    static Scan of(Path path) throws IOException, HistoryFormatException {
      LongOpenHashSet zeroWritten = new LongOpenHashSet();
      Long2LongOpenHashMap lastIds = new Long2LongOpenHashMap();
      boolean idsGrow = true;
      try (LineReader lines = new LineReader(path)) {
        PlumeLine line = new PlumeLine(lines);
        while (line.next()) {
          if (line.write && line.value == 0) {
            zeroWritten.add(line.key);
          }
          if (!line.aborted) {
            long last = lastIds.put(line.session, line.transaction);
            idsGrow &= Long.compareUnsigned(last, line.transaction) <= 0;
          }
        }
      }
      return new Scan(zeroWritten, idsGrow);
    }
  }

  /** A session, its transaction under way, and operations of its aborted ones. */
  private static final class Session {
    final SessionInfo info;
    final Operations.Builder operations = new Operations.Builder();
    final Operations.Builder aborted = new Operations.Builder();
    final LongOpenHashSet ended = new LongOpenHashSet();
    long sequence;
    long transaction;
    long lastLine;

    Session(long id) {
      info = SessionInfo.ofFile(id, Long.toUnsignedString(id));
    }
  }

  private void read() throws IOException, HistoryFormatException {
    try (LineReader lines = new LineReader(path)) {
      PlumeLine line = new PlumeLine(lines);
      while (line.next()) {
        Session session = sessions.get(line.session);
        if (session == null) {
          session = new Session(line.session);
          sessions.put(line.session, session);
        }
        if (line.aborted) {
          add(session.aborted, line);
          if (session.aborted.size() >= MAX_ABORTED_TOGETHER) {
            endAborted(session);
          }
        } else {
          if (session.operations.size() > 0 && session.transaction != line.transaction) {
            end(session);
          }
          if (session.operations.size() == 0) {
            begin(session, line, lines.number());
          }
          add(session.operations, line);
        }
        session.lastLine = lines.number();
      }
    }
    List<Session> open = new ArrayList<>(sessions.values());
    open.sort(Comparator.comparingLong(s -> s.lastLine));
    open.forEach(this::end);
  }

  private void begin(Session session, PlumeLine line, long number) throws HistoryFormatException {
    session.transaction = line.transaction;
    if (!scan.idsGrow && !session.ended.add(line.transaction)) {
      throw new HistoryFormatException(
          path,
          number,
          "transaction %s of session %s again after another one"
              .formatted(Long.toUnsignedString(line.transaction), session.info.name()),
          "the lines of a transaction together");
    }
  }

  private void add(Operations.Builder operations, PlumeLine line) {
    if (line.write) {
      operations.write(line.key, line.value);
    } else if (line.value == 0 && !scan.zeroWritten.contains(line.key)) {
      operations.readInitial(line.key);
    } else {
      operations.read(line.key, line.value);
    }
  }

  private void end(Session session) {
    endAborted(session);
    if (session.operations.size() > 0) {
      emit(session, session.transaction, Outcome.COMMITTED, session.operations);
    }
  }

  private void endAborted(Session session) {
    if (session.aborted.size() > 0) {
      emit(session, PlumeLine.ABORTED, Outcome.ABORTED, session.aborted);
    }
  }

  private void emit(
      Session session, long transaction, Outcome outcome, Operations.Builder operations) {
    lastOffset = Math.max(lastOffset + 1, session.lastLine);
    consumer.accept(
        lastOffset,
        new TransactionRecord(
            session.info,
            session.sequence++,
            transaction,
            0,
            outcome,
            null,
            TransactionRecord.NO_TIME,
            TransactionRecord.NO_TIME,
            null,
            operations.build()));
    operations.clear();
  }
}
