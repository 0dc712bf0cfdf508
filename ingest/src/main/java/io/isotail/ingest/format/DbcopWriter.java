package io.isotail.ingest.format;

import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.incremental.record.VersionKind;
import it.unimi.dsi.fastutil.longs.Long2ObjectRBTreeMap;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Writes a dbcop file. Counts come before what they count, so each session goes to a file of its
 * own first, in a folder beside the result that is removed at the end; sessions are then joined in
 * the order of their numbers.
 *
 * <p>Has no place for unknown outcomes, unknown versions, the version 0 (it stands for the initial
 * one), deletes, opaque writes, undone operations and list reads; drops names, numbers of sessions
 * and transactions other than their positions from 0, levels, times and statements.
 */
final class DbcopWriter implements HistoryWriter {
  private final FormatLimits limits;
  private final Path file;
  private final Path parts;
  private final Long2ObjectRBTreeMap<Session> sessions =
      new Long2ObjectRBTreeMap<>(Long::compareUnsigned);

  DbcopWriter(Path path, Fidelity fidelity) throws IOException {
    this.limits = new FormatLimits(DbcopFormat.LABEL, fidelity);
    this.file = Files.isDirectory(path) ? path.resolve(DbcopReader.FILE_NAME) : path;
    Path beside = file.toAbsolutePath().getParent();
    this.parts = Files.createTempDirectory(beside == null ? file : beside, ".sessions-");
  }

  private static final class Session {
    final TransactionRecord first;
    final SpooledBytes transactions;
    long count;

    Session(TransactionRecord first, Path path) {
      this.first = first;
      this.transactions = new SpooledBytes(path);
    }
  }

  @Override
  public void write(TransactionRecord transaction) throws IOException {
    require(transaction);
    long id = transaction.session().id();
    Session session = sessions.get(id);
    if (session == null) {
      session = new Session(transaction, parts.resolve(Long.toUnsignedString(id)));
      sessions.put(id, session);
    }
    limits.drop(
        transaction.transaction() != session.count,
        transaction,
        "a number that is not its position in the session, %d,".formatted(session.count));
    session.count++;
    SpooledBytes out = session.transactions;
    Operations operations = transaction.operations();
    out.putLittleEndian(operations.size());
    for (int i = 0; i < operations.size(); i++) {
      boolean initial = operations.versionKind(i) == VersionKind.INITIAL;
      out.put(operations.kind(i) == OperationKind.WRITE ? 1 : 0);
      out.putLittleEndian(operations.key(i));
      out.putLittleEndian(initial ? 0 : operations.version(i));
      out.put(1);
    }
    out.put(transaction.outcome() == Outcome.COMMITTED ? 1 : 0);
  }

  @Override
  public void close() throws IOException {
    try {
      long position = 0;
      for (Session session : sessions.values()) {
        limits.drop(
            session.first.session().id() != position++,
            session.first,
            "a session number that is not its position among the sessions");
      }
      join();
    } finally {
      for (Session session : sessions.values()) {
        Files.deleteIfExists(session.transactions.path());
      }
      Files.deleteIfExists(parts);
    }
  }

  private void join() throws IOException {
    Files.deleteIfExists(file);
    SpooledBytes out = new SpooledBytes(file);
    long most = sessions.values().stream().mapToLong(s -> s.count).max().orElse(0);
    out.putLittleEndian(0); // Id of the history.
    out.putLittleEndian(sessions.size());
    out.putLittleEndian(0); // Variables: a parameter of dbcop's generator, not of the history.
    out.putLittleEndian(most);
    out.putLittleEndian(0); // Events a transaction: another one.
    for (int i = 0; i < 3; i++) {
      out.putLittleEndian(0); // What made the history, when it began and when it ended.
    }
    out.putLittleEndian(sessions.size());
    for (Session session : sessions.values()) {
      out.putLittleEndian(session.count);
      out.flush();
      session.transactions.flush();
      try (OutputStream whole = Files.newOutputStream(file, StandardOpenOption.APPEND)) {
        Files.copy(session.transactions.path(), whole);
      }
    }
    out.flush();
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
  }
}
