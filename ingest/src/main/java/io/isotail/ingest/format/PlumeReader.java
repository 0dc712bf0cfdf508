package io.isotail.ingest.format;

import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.SessionInfo;
import io.isotail.incremental.record.TransactionRecord;
import it.unimi.dsi.fastutil.longs.Long2ObjectLinkedOpenHashMap;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads plume files; the format is in the package's description.
 *
 * <p>Two facts take the whole file to know: to which keys somebody writes the value 0, and whether
 * a session's transaction ids may come back. The first pass assumes the usual: nobody, and that
 * they grow. Where a line contradicts that, the rest of the file is scanned for both facts, and
 * reading starts again with them.
 */
final class PlumeReader {
  /** Operations of a session's aborted transactions that are handed over as one. */
  private static final int MAX_ABORTED_TOGETHER = 1_000;

  private final Path path;
  private final FileOrder order;
  private final LongConsumer progress;

  /** Null while the usual is assumed. */
  private final @Nullable PlumeFacts facts;

  private final Long2ObjectLinkedOpenHashMap<Session> sessions =
      new Long2ObjectLinkedOpenHashMap<>();

  /** Keys of which a value 0 was read as the initial version, and those to which 0 was written. */
  private final LongOpenHashSet initialReads = new LongOpenHashSet();

  private final LongOpenHashSet zeroWritten;

  private PlumeReader(Path path, TransactionConsumer consumer, @Nullable PlumeFacts facts) {
    this.path = path;
    this.order = new FileOrder(consumer);
    this.progress = consumer::readBytes;
    this.facts = facts;
    this.zeroWritten = facts == null ? new LongOpenHashSet() : facts.zeroWritten();
  }

  static void read(Path path, TransactionConsumer consumer)
      throws IOException, HistoryFormatException {
    if (!new PlumeReader(path, consumer, null).read()) {
      PlumeFacts facts = PlumeFacts.of(path);
      consumer.restart();
      if (!new PlumeReader(path, consumer, facts).read()) {
        throw new IOException(path + " changed while it was read");
      }
    }
  }

  /** A session, its transaction under way, and operations of its aborted ones. */
  private static final class Session {
    final SessionInfo info;
    final Operations.Builder operations = new Operations.Builder();
    final Operations.Builder aborted = new Operations.Builder();
    final LongOpenHashSet ended = new LongOpenHashSet();
    long sequence;
    boolean begun;
    long transaction;
    FileOrder.@Nullable Place place;
    long lastLine;
    long firstAbortedLine;
    long lastAbortedLine;

    Session(long id) {
      info = SessionInfo.ofFile(id, Long.toUnsignedString(id));
    }
  }

  /** Returns false, early, if a line contradicts what is assumed. */
  private boolean read() throws IOException, HistoryFormatException {
    try (LineReader lines = new LineReader(path, progress)) {
      PlumeLine line = new PlumeLine(lines);
      Session session = null;
      while (line.next()) {
        if (session == null || session.info.id() != line.session) {
          session = session(line.session);
        }
        if (line.aborted) {
          if (session.aborted.size() == 0) {
            session.firstAbortedLine = lines.number();
          }
          if (!add(session.aborted, line)) {
            return false;
          }
          session.lastAbortedLine = lines.number();
          if (session.aborted.size() >= MAX_ABORTED_TOGETHER) {
            endAborted(session);
          }
        } else {
          if (session.operations.size() > 0 && session.transaction != line.transaction) {
            end(session);
          }
          if (session.operations.size() == 0 && !begin(session, line, lines.number())) {
            return false;
          }
          if (!add(session.operations, line)) {
            return false;
          }
          session.lastLine = lines.number();
        }
      }
    }
    List<Session> open = new ArrayList<>(sessions.values());
    open.sort(Comparator.comparingLong(s -> Math.max(s.lastLine, s.lastAbortedLine)));
    open.forEach(this::end);
    return true;
  }

  private Session session(long id) {
    Session known = sessions.get(id);
    if (known == null) {
      known = new Session(id);
      sessions.put(id, known);
    }
    return known;
  }

  private boolean begin(Session session, PlumeLine line, long number)
      throws HistoryFormatException {
    endAborted(session);
    boolean grows =
        !session.begun || Long.compareUnsigned(session.transaction, line.transaction) < 0;
    session.begun = true;
    session.transaction = line.transaction;
    session.place = order.begin();
    if (facts == null) {
      return grows;
    }
    if (!facts.idsGrow() && !session.ended.add(line.transaction)) {
      throw new HistoryFormatException(
          path,
          number,
          "transaction %s of session %s again after another one"
              .formatted(Long.toUnsignedString(line.transaction), session.info.name()),
          "the lines of a transaction together");
    }
    return grows || !facts.idsGrow();
  }

  private boolean add(Operations.Builder operations, PlumeLine line) {
    if (line.value != 0) {
      if (line.write) {
        operations.write(line.key, line.value);
      } else {
        operations.read(line.key, line.value);
      }
      return true;
    }
    if (line.write) {
      operations.write(line.key, 0);
      zeroWritten.add(line.key);
      return !initialReads.contains(line.key);
    }
    if (zeroWritten.contains(line.key)) {
      operations.read(line.key, 0);
    } else {
      operations.readInitial(line.key);
      initialReads.add(line.key);
    }
    return true;
  }

  /** Aborted operations stand before the transaction unless they came after its last one. */
  private void end(Session session) {
    FileOrder.Place place = session.place;
    if (place != null) {
      if (session.aborted.size() > 0 && session.firstAbortedLine < session.lastLine) {
        addAborted(session, place);
      }
      long lastLine = session.lastLine;
      order.add(
          place,
          record(session, session.transaction, Outcome.COMMITTED, session.operations),
          lastLine);
      session.place = null;
      order.end(place);
    }
    endAborted(session);
  }

  /** Aborted operations that are not part of the story of a transaction under way. */
  private void endAborted(Session session) {
    if (session.aborted.size() > 0) {
      FileOrder.Place under = session.place;
      FileOrder.Place place = under == null ? order.begin() : under;
      addAborted(session, place);
      if (under == null) {
        order.end(place);
      }
    }
  }

  private void addAborted(Session session, FileOrder.Place place) {
    order.add(
        place,
        record(session, PlumeLine.ABORTED, Outcome.ABORTED, session.aborted),
        session.lastAbortedLine);
  }

  private static TransactionRecord record(
      Session session, long transaction, Outcome outcome, Operations.Builder operations) {
    TransactionRecord record =
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
            operations.build());
    operations.clear();
    return record;
  }
}
