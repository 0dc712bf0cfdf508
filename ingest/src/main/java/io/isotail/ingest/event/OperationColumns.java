package io.isotail.ingest.event;

import com.google.protobuf.ByteString;
import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Statement;
import io.isotail.incremental.record.VersionKind;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The operations of several records, one after the other, as they are written; the layout is in
 * {@code event.proto}. {@link OperationsReader} reads them back.
 */
final class OperationColumns {
  static final int VERSION_KIND_SHIFT = 2;
  static final int UNDONE_BIT = 1 << 4;

  private final io.isotail.ingest.event.proto.Operations.Builder message =
      io.isotail.ingest.event.proto.Operations.newBuilder();
  private final Map<Statement, Integer> statements = new HashMap<>();
  private final Map<String, Integer> names = new HashMap<>();
  private byte[] kinds = new byte[64];
  private int size;
  private boolean anyStatement;

  /** Whether the text of a statement is written already. */
  boolean has(Statement statement) {
    return statements.containsKey(statement);
  }

  /**
   * Adds the operations of a record.
   *
   * @throws IllegalArgumentException for a list read, and then nothing is added: the stream has
   *     none, since no proxy sees one
   */
  void add(Operations operations) {
    addKinds(operations);
    int[] statementNumbers = numbers(operations);
    for (int i = 0; i < operations.size(); i++) {
      message.addKeys(operations.key(i)).addVersions(operations.version(i));
      int statement = operations.statementIndex(i);
      message.addStatementOf(statement < 0 ? 0 : statementNumbers[statement]);
      anyStatement |= statement >= 0;
      addNames(operations.keyName(i), operations.versionName(i));
    }
  }

  private void addKinds(Operations operations) {
    int added = operations.size();
    if (size + added > kinds.length) {
      kinds = Arrays.copyOf(kinds, Math.max(2 * kinds.length, size + added));
    }
    for (int i = 0; i < added; i++) {
      kinds[size + i] =
          (byte)
              (kindNumber(operations.kind(i))
                  | versionKindNumber(operations.versionKind(i)) << VERSION_KIND_SHIFT
                  | (operations.undone(i) ? UNDONE_BIT : 0));
    }
    size += added;
  }

  private int[] numbers(Operations operations) {
    int[] numbers = new int[operations.statements().size()];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] =
          statements.computeIfAbsent(
              operations.statements().get(i),
              statement -> message.addStatements(encoded(statement)).getStatementsCount());
    }
    return numbers;
  }

  private static io.isotail.ingest.event.proto.Statement encoded(Statement statement) {
    var encoded =
        io.isotail.ingest.event.proto.Statement.newBuilder()
            .setFingerprint(statement.fingerprint())
            .setVersionsNameWriters(statement.namesWriters());
    if (statement.table() != null) {
      encoded.setTable(statement.table());
    }
    return encoded.build();
  }

  /** A column of names begins with the first of them. */
  private void addNames(@Nullable String keyName, @Nullable String versionName) {
    if (keyName != null) {
      int number = nameNumber(keyName);
      padKeyNames(message.getKeysCount() - 1);
      message.addKeyNameOf(number);
    }
    if (versionName != null) {
      int number = nameNumber(versionName);
      padVersionNames(message.getKeysCount() - 1);
      message.addVersionNameOf(number);
    }
  }

  private void padKeyNames(int count) {
    while (message.getKeyNameOfCount() < count) {
      message.addKeyNameOf(0);
    }
  }

  private void padVersionNames(int count) {
    while (message.getVersionNameOfCount() < count) {
      message.addVersionNameOf(0);
    }
  }

  private int nameNumber(String name) {
    return names.computeIfAbsent(name, added -> message.addNames(added).getNamesCount());
  }

  /** What was added. Nothing is to be added after it. */
  io.isotail.ingest.event.proto.Operations build() {
    message.setKinds(ByteString.copyFrom(kinds, 0, size));
    if (!anyStatement) {
      message.clearStatementOf();
    }
    if (message.getKeyNameOfCount() > 0) {
      padKeyNames(size);
    }
    if (message.getVersionNameOfCount() > 0) {
      padVersionNames(size);
    }
    return message.build();
  }

  private static int kindNumber(OperationKind kind) {
    return switch (kind) {
      case READ -> 0;
      case WRITE -> 1;
      case DELETE -> 2;
      case OPAQUE -> 3;
      case LISTED ->
          throw new IllegalArgumentException(
              "a list read; expected none in a live stream: no schema has a kind for it");
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
