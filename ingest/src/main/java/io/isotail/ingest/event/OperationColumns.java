package io.isotail.ingest.event;

import static io.isotail.ingest.event.proto.Operations.KEYS_FIELD_NUMBER;
import static io.isotail.ingest.event.proto.Operations.KEY_NAME_OF_FIELD_NUMBER;
import static io.isotail.ingest.event.proto.Operations.KINDS_FIELD_NUMBER;
import static io.isotail.ingest.event.proto.Operations.NAMES_FIELD_NUMBER;
import static io.isotail.ingest.event.proto.Operations.REPLACED_FIELD_NUMBER;
import static io.isotail.ingest.event.proto.Operations.REPLACING_FIELD_NUMBER;
import static io.isotail.ingest.event.proto.Operations.STATEMENTS_FIELD_NUMBER;
import static io.isotail.ingest.event.proto.Operations.STATEMENT_OF_FIELD_NUMBER;
import static io.isotail.ingest.event.proto.Operations.VERSIONS_FIELD_NUMBER;
import static io.isotail.ingest.event.proto.Operations.VERSION_NAME_OF_FIELD_NUMBER;
import static io.isotail.ingest.event.proto.Statement.COLUMNS_FIELD_NUMBER;
import static io.isotail.ingest.event.proto.Statement.FINGERPRINT_FIELD_NUMBER;
import static io.isotail.ingest.event.proto.Statement.INSERTS_FIELD_NUMBER;
import static io.isotail.ingest.event.proto.Statement.TABLE_FIELD_NUMBER;
import static io.isotail.ingest.event.proto.Statement.VERSIONS_NAME_WRITERS_FIELD_NUMBER;

import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Statement;
import io.isotail.incremental.record.VersionKind;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The operations of several records, one after the other, as they are written; the layout is in
 * {@code event.proto}. {@link OperationsReader} reads them back.
 */
final class OperationColumns {
  static final int VERSION_KIND_SHIFT = 2;
  static final int UNDONE_BIT = 1 << 4;

  /** A version of a list read before its last, which is the read behind it. Since schema 3. */
  static final int LISTED_BIT = 1 << 5;

  private final Map<Statement, Integer> statementNumbers = new HashMap<>();
  private final MessageBytes statements = new MessageBytes();
  private final NumberedTexts names = new NumberedTexts(NAMES_FIELD_NUMBER);
  private final MessageBytes kinds = new MessageBytes();
  private final MessageBytes keys = new MessageBytes();
  private final MessageBytes versions = new MessageBytes();
  private final MessageBytes statementOf = new MessageBytes();
  private final MessageBytes keyNameOf = new MessageBytes();
  private final MessageBytes versionNameOf = new MessageBytes();
  private final MessageBytes replacing = new MessageBytes();
  private final MessageBytes replaced = new MessageBytes();

  /** Operations since the last one that replaced a known version. */
  private int sinceReplacing;

  /** A statement, and the message, while they are written: no memory is taken for each. */
  private final MessageBytes statement = new MessageBytes();

  private final MessageBytes message = new MessageBytes();
  private boolean anyStatement;
  private boolean anyKeyName;
  private boolean anyVersionName;
  private boolean anyList;
  private boolean anyContent;

  /** How many bytes the statements and names take. */
  int textBytes() {
    return statements.size() + names.written().size();
  }

  /** Whether a list read is among what was added. */
  boolean anyList() {
    return anyList;
  }

  /** Whether a statement of what was added reads contents. */
  boolean anyContent() {
    return anyContent;
  }

  /** Whether an operation of what was added knows the version that it replaced. */
  boolean anyReplaced() {
    return replaced.size() > 0;
  }

  /** Adds the operations of a record. */
  void add(Operations operations) {
    int[] numbers = numbers(operations.statements());
    for (int i = 0; i < operations.size(); i++) {
      kinds.addByte(
          kindNumber(operations.kind(i))
              | versionKindNumber(operations.versionKind(i)) << VERSION_KIND_SHIFT
              | (operations.undone(i) ? UNDONE_BIT : 0));
      anyList |= operations.kind(i) == OperationKind.LISTED;
      keys.addFixed64(operations.key(i));
      versions.addFixed64(operations.version(i));
      int statement = operations.statementIndex(i);
      statementOf.addVarint(statement < 0 ? 0 : numbers[statement]);
      anyStatement |= statement >= 0;
      int keyName = names.number(operations.keyName(i));
      keyNameOf.addVarint(keyName);
      anyKeyName |= keyName > 0;
      int versionName = names.number(operations.versionName(i));
      versionNameOf.addVarint(versionName);
      anyVersionName |= versionName > 0;
      if (operations.replaces(i)) {
        replacing.addVarint(sinceReplacing);
        replaced.addFixed64(operations.replaced(i));
        sinceReplacing = 0;
      } else {
        sinceReplacing++;
      }
    }
  }

  private int[] numbers(List<Statement> added) {
    int[] numbers = new int[added.size()];
    for (int i = 0; i < numbers.length; i++) {
      Statement statement = added.get(i);
      Integer known = statementNumbers.get(statement);
      numbers[i] = known == null ? number(statement) : known;
    }
    return numbers;
  }

  private int number(Statement added) {
    int number = statementNumbers.size() + 1;
    statementNumbers.put(added, number);
    statement.clear();
    if (added.table() != null) {
      statement.addTextField(TABLE_FIELD_NUMBER, added.table());
    }
    if (!added.fingerprint().isEmpty()) {
      statement.addTextField(FINGERPRINT_FIELD_NUMBER, added.fingerprint());
    }
    statement.addVarintField(VERSIONS_NAME_WRITERS_FIELD_NUMBER, added.namesWriters() ? 1 : 0);
    statement.addVarintField(INSERTS_FIELD_NUMBER, added.inserts() ? 1 : 0);
    for (String column : added.columns()) {
      statement.addTextField(COLUMNS_FIELD_NUMBER, column);
    }
    anyContent |= added.readsContents();
    statements.addMessageField(STATEMENTS_FIELD_NUMBER, statement);
    return number;
  }

  /** The message of what was added, until it is asked for again. */
  MessageBytes message() {
    message.clear();
    message.addColumnField(KINDS_FIELD_NUMBER, kinds);
    message.addColumnField(KEYS_FIELD_NUMBER, keys);
    message.addColumnField(VERSIONS_FIELD_NUMBER, versions);
    message.addAll(statements);
    if (anyStatement) {
      message.addColumnField(STATEMENT_OF_FIELD_NUMBER, statementOf);
    }
    message.addAll(names.written());
    if (anyKeyName) {
      message.addColumnField(KEY_NAME_OF_FIELD_NUMBER, keyNameOf);
    }
    if (anyVersionName) {
      message.addColumnField(VERSION_NAME_OF_FIELD_NUMBER, versionNameOf);
    }
    if (anyReplaced()) {
      message.addColumnField(REPLACING_FIELD_NUMBER, replacing);
      message.addColumnField(REPLACED_FIELD_NUMBER, replaced);
    }
    return message;
  }

  /** Forgets what was added. */
  void clear() {
    statementNumbers.clear();
    statements.clear();
    names.clear();
    kinds.clear();
    keys.clear();
    versions.clear();
    statementOf.clear();
    keyNameOf.clear();
    versionNameOf.clear();
    replacing.clear();
    replaced.clear();
    sinceReplacing = 0;
    anyStatement = false;
    anyKeyName = false;
    anyVersionName = false;
    anyList = false;
    anyContent = false;
  }

  private static int kindNumber(OperationKind kind) {
    return switch (kind) {
      case READ -> 0;
      case WRITE -> 1;
      case DELETE -> 2;
      case OPAQUE -> 3;
      case LISTED -> LISTED_BIT;
    };
  }

  private static int versionKindNumber(VersionKind kind) {
    return switch (kind) {
      case KNOWN -> 0;
      case INITIAL -> 1;
      case UNKNOWN -> 2;
    };
  }
}
