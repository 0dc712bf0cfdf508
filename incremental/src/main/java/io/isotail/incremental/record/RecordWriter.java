package io.isotail.incremental.record;

import io.isotail.incremental.snapshot.BackReferenceWriter;
import io.isotail.incremental.snapshot.StateWriter;
import org.jspecify.annotations.Nullable;

/**
 * Writes records, and parts of them, into a snapshot; equal statements are written once. The order
 * of the constants of {@link OperationKind} and {@link VersionKind} is part of the form.
 */
public final class RecordWriter {
  static final int UNDONE = 0x80;
  static final int SURELY_INITIAL = 0x08;
  static final int REPLACES = 0x04;
  static final int KIND_SHIFT = 4;

  private final StateWriter out;
  private final BackReferenceWriter<Statement> statements = new BackReferenceWriter<>();
  private final BackReferenceWriter<SessionInfo> sessions = new BackReferenceWriter<>();

  /** Writes to {@code out}. */
  public RecordWriter(StateWriter out) {
    this.out = out;
  }

  /** A transaction record. */
  public void record(TransactionRecord record) {
    session(record.session());
    out.number(record.sequence());
    out.number(record.transaction());
    out.count(record.chunk());
    out.constant(record.outcome());
    out.text(record.ranAt());
    out.number(record.beginNs());
    out.number(record.endNs());
    out.text(record.clock());
    operations(record.operations());
    origin(record.origin());
  }

  /** Which code ran a transaction. */
  public void origin(@Nullable Origin origin) {
    out.flag(origin != null);
    if (origin != null) {
      out.text(origin.application());
      out.text(origin.endpoint());
      out.text(origin.trace());
      out.text(origin.version());
    }
  }

  /** The description of a session. */
  public void session(SessionInfo info) {
    if (sessions.refer(out, info)) {
      out.number(info.id());
      out.text(info.name());
      out.text(info.proxy());
      out.text(info.service());
      out.text(info.instance());
      out.text(info.databaseHost());
      out.number(info.backendPid());
      out.number(info.database());
      out.number(info.oldestRunning());
    }
  }

  /** Operations in program order. */
  public void operations(Operations ops) {
    out.count(ops.size());
    out.number(ops.database());
    out.count(ops.statements().size());
    for (Statement statement : ops.statements()) {
      if (statements.refer(out, statement)) {
        out.text(statement.table());
        out.text(statement.fingerprint());
        out.flag(statement.namesWriters());
        out.flag(statement.inserts());
      }
    }
    boolean named = false;
    for (int i = 0; i < ops.size(); i++) {
      named |= ops.keyName(i) != null || ops.versionName(i) != null;
    }
    out.flag(named);
    for (int i = 0; i < ops.size(); i++) {
      out.octet(
          ops.kind(i).ordinal() << KIND_SHIFT
              | ops.versionKind(i).ordinal()
              | (ops.undone(i) ? UNDONE : 0)
              | (ops.surelyInitial(i) ? SURELY_INITIAL : 0)
              | (ops.replaces(i) ? REPLACES : 0));
      out.number(ops.key(i));
      out.number(ops.version(i));
      if (ops.replaces(i)) {
        out.number(ops.replaced(i));
      }
      if (!ops.statements().isEmpty()) {
        out.number(ops.statementIndex(i));
      }
      if (named) {
        out.text(ops.keyName(i));
        out.text(ops.versionName(i));
      }
    }
  }
}
