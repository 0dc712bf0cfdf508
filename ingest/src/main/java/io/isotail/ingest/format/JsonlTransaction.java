package io.isotail.ingest.format;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.SessionInfo;
import io.isotail.incremental.record.Statement;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.incremental.record.VersionKind;
import java.io.IOException;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** One line of a jsonl file, read token by token. */
final class JsonlTransaction {
  private static final String FIELDS = "session, txn, clock, begin, end, level, outcome or ops";
  private static final String OPERATION =
      "[\"r\",key,version], [\"r\",key,[version,…]], [\"w\",key,version], [\"d\",key] or"
          + " [\"o\",table]";

  private final JsonParser parser;
  private final Operations.Builder operations = new Operations.Builder();
  private @Nullable Name session;
  private @Nullable Name transaction;
  private @Nullable String clock;
  private @Nullable String level;
  private Outcome outcome = Outcome.COMMITTED;
  private long beginNs = TransactionRecord.NO_TIME;
  private long endNs = TransactionRecord.NO_TIME;
  private boolean anyOperations;

  JsonlTransaction(JsonParser parser) {
    this.parser = parser;
  }

  /** What a string or a number stands for; {@code text} is null for a number. */
  private record Name(long id, @Nullable String text) {}

  /** The line departs from the format. */
  static final class UnexpectedException extends IOException {
    private static final long serialVersionUID = 1L;
    final String found;
    final String expected;

    UnexpectedException(String found, String expected) {
      super(found);
      this.found = found;
      this.expected = expected;
    }
  }

  private String level() throws IOException {
    String text = text("level: a string");
    boolean known =
        Arrays.stream(IsolationLevel.values()).anyMatch(each -> each.label().equals(text));
    if (!known && !text.contains(":")) {
      throw new UnexpectedException(
          "the level \"" + text + "\"",
          "one of "
              + Arrays.stream(IsolationLevel.values())
                  .map(IsolationLevel::label)
                  .collect(Collectors.joining(", "))
              + ", or DATABASE:LEVEL");
    }
    return text;
  }

  long sessionId() {
    return Objects.requireNonNull(session).id();
  }

  TransactionRecord record(long sequence) {
    Name of = Objects.requireNonNull(session);
    Name number = Objects.requireNonNull(transaction);
    String name = of.text() == null ? Long.toUnsignedString(of.id()) : of.text();
    return new TransactionRecord(
        SessionInfo.ofFile(of.id(), name),
        sequence,
        number.text() == null ? number.id() : sequence,
        0,
        outcome,
        level,
        beginNs,
        endNs,
        clock,
        operations.build());
  }

  void read() throws IOException {
    expect(parser.nextToken() == JsonToken.START_OBJECT, "an object");
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String field = parser.currentName();
      parser.nextToken();
      switch (field) {
        case "session" -> session = name("session: a string or an unsigned number", false);
        case "txn" -> transaction = name("txn: a string or a number", true);
        case "clock" -> clock = text("clock: a string");
        case "level" -> level = level();
        case "begin" -> beginNs = time("begin: a time in ns");
        case "end" -> endNs = time("end: a time in ns");
        case "outcome" -> outcome = outcome();
        case "ops" -> readOperations();
        default -> throw new UnexpectedException("field '" + shortened(field) + "'", FIELDS);
      }
    }
    require(session != null, "session");
    require(transaction != null, "txn");
    require(anyOperations, "ops");
    expect(parser.nextToken() == null, "the end of the line after the object");
  }

  private void readOperations() throws IOException {
    anyOperations = true;
    expect(parser.currentToken() == JsonToken.START_ARRAY, "ops: an array");
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      expect(parser.currentToken() == JsonToken.START_ARRAY, "an operation " + OPERATION);
      parser.nextToken();
      expect(parser.currentToken() == JsonToken.VALUE_STRING, OPERATION);
      switch (parser.getText()) {
        case "r" -> readOperation(OperationKind.READ);
        case "w" -> readOperation(OperationKind.WRITE);
        case "d" -> readOperation(OperationKind.DELETE);
        case "o" -> readOpaque();
        default ->
            throw new UnexpectedException(
                "operation '" + shortened(parser.getText()) + "'", OPERATION);
      }
    }
  }

  private void readOperation(OperationKind kind) throws IOException {
    parser.nextToken();
    Name key = name("a key: a string or an unsigned number", false);
    JsonToken next = parser.nextToken();
    VersionKind versionKind = VersionKind.UNKNOWN;
    Name version = new Name(0, null);
    if (next == JsonToken.VALUE_NULL) {
      expect(kind == OperationKind.READ, "a version that is written");
      versionKind = VersionKind.INITIAL;
      next = parser.nextToken();
    } else if (next == JsonToken.VALUE_NUMBER_INT || next == JsonToken.VALUE_STRING) {
      expect(kind != OperationKind.DELETE, "a delete without a version");
      version = name("a version: a string, an unsigned number or null", false);
      versionKind = VersionKind.KNOWN;
      next = parser.nextToken();
    } else if (next == JsonToken.START_ARRAY) {
      expect(kind == OperationKind.READ, "one version");
      readList(key);
      return;
    }
    Extras extras = extras(next, null);
    add(kind, key, versionKind, version, extras);
    if (extras.replaces != null) {
      if (kind == OperationKind.READ) {
        throw new UnexpectedException("field 'replaces' of a read", "it of a write or a delete");
      }
      operations.replaces(extras.replaces.id());
    }
  }

  /**
   * An empty list is the initial version; the last version of any other is the one that was read.
   * Null in front says that what follows is the first version ever.
   */
  private void readList(Name key) throws IOException {
    List<Name> versions = new ArrayList<>();
    boolean whole = parser.nextToken() == JsonToken.VALUE_NULL;
    if (whole) {
      expect(parser.nextToken() != JsonToken.END_ARRAY, "a version in a list after null");
    }
    while (parser.currentToken() != JsonToken.END_ARRAY) {
      versions.add(name("a version in a list: a string or an unsigned number", false));
      parser.nextToken();
    }
    Extras extras = extras(parser.nextToken(), null);
    if (versions.isEmpty()) {
      add(OperationKind.READ, key, VersionKind.INITIAL, new Name(0, null), extras);
      return;
    }
    String lastName = extras.version;
    extras.version = null;
    Name last = versions.remove(versions.size() - 1);
    if (whole) {
      add(OperationKind.LISTED, key, VersionKind.INITIAL, new Name(0, null), extras);
    } else if (versions.isEmpty()) {
      // One element is a list too.
      add(OperationKind.LISTED, key, VersionKind.UNKNOWN, new Name(0, null), extras);
    }
    versions.forEach(each -> add(OperationKind.LISTED, key, VersionKind.KNOWN, each, extras));
    extras.version = lastName;
    add(OperationKind.READ, key, VersionKind.KNOWN, last, extras);
  }

  private void add(
      OperationKind kind, Name key, VersionKind versionKind, Name version, Extras extras) {
    operations.statement(extras.statement());
    operations.add(kind, key.id(), versionKind, version.id());
    String keyName = extras.key == null ? key.text() : extras.key;
    String versionName = extras.version == null ? version.text() : extras.version;
    if (keyName != null || versionName != null) {
      operations.names(keyName, versionName);
    }
    if (extras.undone) {
      operations.undoFrom(operations.size() - 1);
    }
  }

  private void readOpaque() throws IOException {
    JsonToken next = parser.nextToken();
    String table = null;
    if (next == JsonToken.VALUE_STRING || next == JsonToken.VALUE_NULL) {
      table = next == JsonToken.VALUE_NULL ? null : parser.getText();
      next = parser.nextToken();
    }
    Extras extras = extras(next, table);
    operations.statement(extras.statement()).opaque();
    if (extras.undone) {
      operations.undoFrom(operations.size() - 1);
    }
  }

  /** What the object at the end of an operation says. */
  private static final class Extras {
    @Nullable String table;
    @Nullable String fingerprint;
    @Nullable String key;
    @Nullable String version;
    @Nullable Name replaces;
    boolean undone;
    boolean namesWriters;
    boolean inserts;

    @Nullable Statement statement() {
      return table == null && fingerprint == null && !namesWriters && !inserts
          ? null
          : new Statement(table, fingerprint == null ? "" : fingerprint, namesWriters, inserts);
    }
  }

  private Extras extras(@Nullable JsonToken at, @Nullable String table) throws IOException {
    Extras extras = new Extras();
    extras.table = table;
    JsonToken last = at;
    if (at == JsonToken.START_OBJECT) {
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        String field = parser.currentName();
        parser.nextToken();
        switch (field) {
          case "undone" -> extras.undone = flag("undone: true or false");
          case "names-writers" -> extras.namesWriters = flag("names-writers: true or false");
          case "inserts" -> extras.inserts = flag("inserts: true or false");
          case "table" -> extras.table = text("table: a string");
          case "statement" -> extras.fingerprint = text("statement: a string");
          case "key" -> extras.key = text("key: a name");
          case "version" -> extras.version = text("version: a name");
          case "replaces" ->
              extras.replaces = name("replaces: a version: a string or an unsigned number", false);
          default ->
              throw new UnexpectedException(
                  "field '" + shortened(field) + "' of an operation",
                  "undone, table, statement, names-writers, inserts, replaces, key or version");
        }
      }
      last = parser.nextToken();
    }
    expect(last == JsonToken.END_ARRAY, "the end of the operation " + OPERATION);
    return extras;
  }

  private boolean flag(String expected) throws IOException {
    expect(parser.currentToken().isBoolean(), expected);
    return parser.getBooleanValue();
  }

  private Name name(String expected, boolean mayBeNegative) throws IOException {
    if (parser.currentToken() == JsonToken.VALUE_STRING) {
      String text = parser.getText();
      return new Name(ClearName.hash(text), text);
    }
    expect(parser.currentToken() == JsonToken.VALUE_NUMBER_INT, expected);
    if (parser.getNumberType() != JsonParser.NumberType.BIG_INTEGER) {
      long value = parser.getLongValue();
      if (value < 0 && !mayBeNegative) {
        throw new UnexpectedException("a negative number", expected);
      }
      return new Name(value, null);
    }
    BigInteger value = parser.getBigIntegerValue();
    if (value.signum() < 0 || value.bitLength() > Long.SIZE) {
      throw new UnexpectedException("a number of more than 64 bits", expected);
    }
    return new Name(value.longValue(), null);
  }

  private String text(String expected) throws IOException {
    expect(parser.currentToken() == JsonToken.VALUE_STRING, expected);
    return parser.getText();
  }

  private long time(String expected) throws IOException {
    expect(
        parser.currentToken() == JsonToken.VALUE_NUMBER_INT
            && parser.getNumberType() != JsonParser.NumberType.BIG_INTEGER,
        expected);
    return parser.getLongValue();
  }

  private Outcome outcome() throws IOException {
    String expected = "outcome: committed, aborted or unknown";
    return switch (text(expected)) {
      case "committed" -> Outcome.COMMITTED;
      case "aborted" -> Outcome.ABORTED;
      case "unknown" -> Outcome.UNKNOWN;
      default ->
          throw new UnexpectedException("outcome '" + shortened(parser.getText()) + "'", expected);
    };
  }

  private void expect(boolean holds, String expected) throws IOException {
    if (!holds) {
      JsonToken token = parser.currentToken();
      throw new UnexpectedException(
          token == null
              ? "the end of the line"
              : "%s at column %d"
                  .formatted(describe(token), parser.currentTokenLocation().getColumnNr()),
          expected);
    }
  }

  private static String describe(JsonToken token) {
    return switch (token) {
      case START_OBJECT, END_OBJECT, START_ARRAY, END_ARRAY, VALUE_TRUE, VALUE_FALSE, VALUE_NULL ->
          "'" + token.asString() + "'";
      case VALUE_STRING -> "a string";
      case VALUE_NUMBER_INT -> "a whole number";
      case VALUE_NUMBER_FLOAT -> "a fraction";
      default -> "something else";
    };
  }

  private static void require(boolean there, String field) throws UnexpectedException {
    if (!there) {
      throw new UnexpectedException("no field " + field, "session, txn and ops");
    }
  }

  private static String shortened(String text) {
    return text.length() <= 40 ? text : text.substring(0, 40) + "…";
  }
}
