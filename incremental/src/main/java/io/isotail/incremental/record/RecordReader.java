package io.isotail.incremental.record;

import io.isotail.incremental.snapshot.BackReferenceReader;
import io.isotail.incremental.snapshot.StateReader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
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
  private final BackReferenceReader<LoggedTable> tables =
      new BackReferenceReader<>(this::newTable, List.of());
  private final Operations.Builder builder = new Operations.Builder();

  /** Reads from {@code in}. */
  public RecordReader(StateReader in) {
    this.in = in;
  }

  /** See {@link RecordWriter#stream}. */
  public StreamRecord stream() {
    int kind = in.octet();
    return switch (kind) {
      case RecordWriter.TRANSACTION -> record();
      case RecordWriter.HELLO ->
          new Hello(
              in.requiredText(),
              in.requiredText(),
              in.requiredText(),
              in.number(),
              in.number(),
              in.number(),
              in.number());
      case RecordWriter.HEARTBEAT -> heartbeat();
      case RecordWriter.GOODBYE -> new Goodbye(in.requiredText());
      case RecordWriter.GAP -> new Gap(in.requiredText(), in.number());
      case RecordWriter.CONTROL -> {
        Map<String, String> settings = new LinkedHashMap<>();
        for (int n = in.count(); n > 0; n--) {
          settings.put(in.requiredText(), in.requiredText());
        }
        yield new Control(settings);
      }
      case RecordWriter.LOG_START ->
          new LogStart(
              in.requiredText(),
              in.number(),
              in.number(),
              in.number(),
              in.flag(),
              Set.copyOf(texts()),
              in.text(),
              Set.copyOf(texts()));
      default -> throw in.damaged("record of unknown kind " + kind);
    };
  }

  private Heartbeat heartbeat() {
    String proxy = in.requiredText();
    long number = in.number();
    List<Heartbeat.OpenTransaction> open = new ArrayList<>();
    for (int n = in.count(); n > 0; n--) {
      open.add(new Heartbeat.OpenTransaction(in.number(), in.number()));
    }
    long madeNs = in.number();
    return new Heartbeat(proxy, number, open, in.flag() ? counts() : null, madeNs);
  }

  private CaptureCounts counts() {
    String service = in.requiredText();
    long captured = in.number();
    List<NotCaptured> rest = new ArrayList<>();
    for (int n = in.count(); n > 0; n--) {
      rest.add(
          new NotCaptured(
              in.requiredText(),
              in.constant(NotCaptured.Kind.class),
              in.requiredText(),
              in.number(),
              in.number()));
    }
    return new CaptureCounts(service, captured, rest);
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

  private List<String> texts() {
    List<String> texts = new ArrayList<>();
    for (int n = in.count(); n > 0; n--) {
      texts.add(in.requiredText());
    }
    return texts;
  }

  /** See {@link RecordWriter#table}. */
  public LoggedTable table() {
    return in.required(tables.refer(in), "table of a log");
  }

  /** See {@link RecordWriter#content}. */
  public long @Nullable [] content() {
    return in.flag() ? in.numbers() : null;
  }

  private LoggedTable newTable() {
    return new LoggedTable(in.requiredText(), texts());
  }

  private Statement newStatement() {
    return new Statement(in.text(), in.requiredText(), in.flag(), in.flag(), texts());
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
