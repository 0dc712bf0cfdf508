package io.isotail.incremental.record;

import io.isotail.incremental.snapshot.BackReferenceReader;
import io.isotail.incremental.snapshot.StateReader;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads what {@link RecordWriter} wrote. */
public final class RecordReader {
  private static final OperationKind[] KINDS = OperationKind.values();
  private static final VersionKind[] VERSION_KINDS = VersionKind.values();
  private static final int KIND_BITS = 0x07;
  private static final int VERSION_KIND_BITS = 0x03;

  private final StateReader in;
  private final BackReferenceReader<Statement> statements =
      new BackReferenceReader<>(this::newStatement, List.of());
  private final BackReferenceReader<SessionInfo> sessions =
      new BackReferenceReader<>(this::newSession, List.of());
  private final Operations.Builder builder = new Operations.Builder();

  /** Reads from {@code in}. */
  public RecordReader(StateReader in) {
    this.in = in;
  }

  /** See {@link RecordWriter#record}. */
  public TransactionRecord record() {
    return new TransactionRecord(
        session(),
        in.number(),
        in.number(),
        in.count(),
        in.constant(Outcome.class),
        in.text(),
        in.number(),
        in.number(),
        in.text(),
        operations(),
        origin());
  }

  /** See {@link RecordWriter#origin}. */
  public @Nullable Origin origin() {
    return in.flag() ? new Origin(in.text(), in.text(), in.text(), in.text()) : null;
  }

  /** See {@link RecordWriter#session}. */
  public SessionInfo session() {
    return in.required(sessions.refer(in), "session");
  }

  /** See {@link RecordWriter#operations}. */
  public Operations operations() {
    int n = in.count();
    int database = in.smallNumber();
    int distinct = in.count();
    List<Statement> used = new ArrayList<>();
    builder.clear().inDatabase(database);
    for (int i = 0; i < distinct; i++) {
      Statement statement = in.required(statements.refer(in), "statement");
      used.add(statement);
      builder.statement(statement);
    }
    boolean named = in.flag();
    if (n == 0 && distinct == 0) {
      return Operations.EMPTY;
    }
    int current = distinct - 1;
    for (int i = 0; i < n; i++) {
      int what = in.octet();
      int kind = (what >> RecordWriter.KIND_SHIFT) & KIND_BITS;
      int versionKind = what & VERSION_KIND_BITS;
      in.require(
          kind < KINDS.length && versionKind < VERSION_KINDS.length,
          "operation of unknown kind " + what);
      long key = in.number();
      long version = in.number();
      boolean replaces = (what & RecordWriter.REPLACES) != 0;
      in.require(
          !replaces || KINDS[kind] == OperationKind.WRITE || KINDS[kind] == OperationKind.DELETE,
          "operation that replaces nothing " + what);
      long replaced = replaces ? in.number() : 0;
      int index = distinct == 0 ? -1 : in.smallNumber();
      in.require(index < distinct, "statement " + index + " of " + distinct);
      if (index != current) {
        builder.statement(index < 0 ? null : used.get(index));
        current = index;
      }
      builder.add(KINDS[kind], key, VERSION_KINDS[versionKind], version);
      if (replaces) {
        builder.replaces(replaced);
      }
      if ((what & RecordWriter.UNDONE) != 0) {
        builder.undoFrom(builder.size() - 1);
      }
      if ((what & RecordWriter.SURELY_INITIAL) != 0) {
        builder.surelyInitial();
      }
      if (named) {
        builder.names(in.text(), in.text());
      }
    }
    return builder.build();
  }

  private Statement newStatement() {
    return new Statement(in.text(), in.requiredText(), in.flag(), in.flag());
  }

  private SessionInfo newSession() {
    return new SessionInfo(
        in.number(),
        in.requiredText(),
        in.text(),
        in.text(),
        in.text(),
        in.text(),
        in.smallNumber(),
        in.number(),
        in.number());
  }
}
