package io.isotail.incremental.record;

import io.isotail.incremental.snapshot.BackReferenceWriter;
import io.isotail.incremental.snapshot.StateWriter;
import java.util.List;
import java.util.TreeMap;
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

  // The kinds of records.
  static final int TRANSACTION = 0;
  static final int HELLO = 1;
  static final int HEARTBEAT = 2;
  static final int GOODBYE = 3;
  static final int GAP = 4;
  static final int CONTROL = 5;
  static final int LOG_START = 6;

  private final StateWriter out;
  private final BackReferenceWriter<Statement> statements = new BackReferenceWriter<>();
  private final BackReferenceWriter<SessionInfo> sessions = new BackReferenceWriter<>();
  private final BackReferenceWriter<LoggedTable> tables = new BackReferenceWriter<>();

  /** Writes to {@code out}. */
  public RecordWriter(StateWriter out) {
    this.out = out;
  }

  /** Any record of the stream but changes of a log. */
  public void stream(StreamRecord record) {
    if (record instanceof TransactionRecord transaction) {
      out.octet(TRANSACTION);
      record(transaction);
    } else if (record instanceof Hello hello) {
      out.octet(HELLO);
      out.text(hello.proxy());
      out.text(hello.service());
      out.text(hello.instance());
      out.number(hello.heartbeatIntervalMs());
      out.number(hello.oldestRunning());
      out.number(hello.database());
      out.number(hello.nextId());
    } else if (record instanceof Heartbeat heartbeat) {
      heartbeat(heartbeat);
    } else if (record instanceof Goodbye goodbye) {
      out.octet(GOODBYE);
      out.text(goodbye.proxy());
    } else if (record instanceof Gap gap) {
      out.octet(GAP);
      out.text(gap.proxy());
      out.number(gap.lostRecords());
    } else if (record instanceof Control control) {
      out.octet(CONTROL);
      out.count(control.settings().size());
      new TreeMap<>(control.settings())
          .forEach(
              (name, value) -> {
                out.text(name);
                out.text(value);
              });
    } else if (record instanceof LogStart start) {
      out.octet(LOG_START);
      out.text(start.source());
      out.number(start.database());
      out.number(start.firstWriter());
      out.number(start.nextWriter());
      out.flag(start.rowsNameWriters());
      out.set(start.tables());
      out.text(start.goesOn());
      out.set(start.anew());
    } else {
      throw new IllegalArgumentException(record + " is kept in no snapshot");
    }
  }

  private void heartbeat(Heartbeat heartbeat) {
    out.octet(HEARTBEAT);
    out.text(heartbeat.proxy());
    out.number(heartbeat.number());
    out.count(heartbeat.open().size());
    for (Heartbeat.OpenTransaction open : heartbeat.open()) {
      out.number(open.session());
      out.number(open.transaction());
    }
    out.number(heartbeat.madeNs());
    CaptureCounts counts = heartbeat.counts();
    out.flag(counts != null);
    if (counts != null) {
      out.text(counts.service());
      out.number(counts.captured());
      out.count(counts.notCaptured().size());
      for (NotCaptured each : counts.notCaptured()) {
        out.text(each.fingerprint());
        out.constant(each.kind());
        out.text(each.reason());
        out.number(each.statements());
        out.number(each.reads());
      }
    }
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

  private void texts(List<String> texts) {
    out.count(texts.size());
    texts.forEach(out::text);
  }

  /** A table of a log. */
  public void table(LoggedTable table) {
    if (tables.refer(out, table)) {
      out.text(table.name());
      texts(table.columns());
    }
  }

  /** The content of a row; null if there is none. */
  public void content(long @Nullable [] content) {
    out.flag(content != null);
    if (content != null) {
      out.numbers(content);
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
        texts(statement.columns());
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
