package io.isotail.ingest.event;

import com.google.protobuf.UnsafeByteOperations;
import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Statement;
import io.isotail.incremental.record.VersionKind;
import io.isotail.ingest.event.proto.Operations;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The operations of a transaction by column; the layout is in {@code event.proto}. */
final class OperationsCodec {
  private static final int VERSION_KIND_SHIFT = 2;
  private static final int UNDONE_BIT = 1 << 4;
  private static final int MASK = 3;
  private static final int LAST_KNOWN_BITS = 0b1_1111;

  private OperationsCodec() {}

  /**
   * Encodes operations.
   *
   * @param encoded the form of each statement
   */
  static Operations encode(
      io.isotail.incremental.record.Operations operations,
      Function<Statement, io.isotail.ingest.event.proto.Statement> encoded) {
    int size = operations.size();
    Operations.Builder message = Operations.newBuilder();
    byte[] kinds = new byte[size];
    boolean anyStatement = false;
    boolean anyKeyName = false;
    boolean anyVersionName = false;
    for (int i = 0; i < size; i++) {
      kinds[i] =
          (byte)
              (kindNumber(operations.kind(i))
                  | versionKindNumber(operations.versionKind(i)) << VERSION_KIND_SHIFT
                  | (operations.undone(i) ? UNDONE_BIT : 0));
      message.addKeys(operations.key(i)).addVersions(operations.version(i));
      anyStatement |= operations.statementIndex(i) >= 0;
      anyKeyName |= operations.keyName(i) != null;
      anyVersionName |= operations.versionName(i) != null;
    }
    message.setKinds(UnsafeByteOperations.unsafeWrap(kinds));
    for (Statement statement : operations.statements()) {
      message.addStatements(encoded.apply(statement));
    }
    Map<String, Integer> names = anyKeyName || anyVersionName ? new HashMap<>() : Map.of();
    for (int i = 0; i < size; i++) {
      if (anyStatement) {
        message.addStatementOf(operations.statementIndex(i) + 1);
      }
      if (anyKeyName) {
        message.addKeyNameOf(nameNumber(operations.keyName(i), names, message));
      }
      if (anyVersionName) {
        message.addVersionNameOf(nameNumber(operations.versionName(i), names, message));
      }
    }
    return message.build();
  }

  static io.isotail.incremental.record.Operations decode(Operations message)
      throws BadRecordException {
    byte[] kinds = message.getKinds().toByteArray();
    int size = kinds.length;
    requireColumn("keys", message.getKeysCount(), size, false);
    requireColumn("versions", message.getVersionsCount(), size, false);
    requireColumn("statement_of", message.getStatementOfCount(), size, true);
    requireColumn("key_name_of", message.getKeyNameOfCount(), size, true);
    requireColumn("version_name_of", message.getVersionNameOfCount(), size, true);
    var builder = new io.isotail.incremental.record.Operations.Builder();
    List<Statement> statements = new ArrayList<>(message.getStatementsCount());
    for (var part : message.getStatementsList()) {
      Statement statement =
          new Statement(
              part.hasTable() ? part.getTable() : null,
              part.getFingerprint(),
              part.getVersionsNameWriters());
      statements.add(statement);
      builder.statement(statement);
    }
    builder.statement(null);
    List<String> names = message.getNamesList();
    int lastStatement = 0;
    for (int i = 0; i < size; i++) {
      int statement = message.getStatementOfCount() == 0 ? 0 : message.getStatementOf(i);
      if (statement != lastStatement) {
        builder.statement(entry(statements, statement, "statement"));
        lastStatement = statement;
      }
      add(builder, kinds[i], message.getKeys(i), message.getVersions(i));
      String keyName =
          message.getKeyNameOfCount() == 0 ? null : entry(names, message.getKeyNameOf(i), "name");
      String versionName =
          message.getVersionNameOfCount() == 0
              ? null
              : entry(names, message.getVersionNameOf(i), "name");
      if (keyName != null || versionName != null) {
        builder.names(keyName, versionName);
      }
    }
    return builder.build();
  }

  private static void add(
      io.isotail.incremental.record.Operations.Builder builder, byte bits, long key, long version)
      throws BadRecordException {
    if ((bits & ~LAST_KNOWN_BITS) != 0) {
      throw new BadRecordException(
          "operation with kind bits 0x%02x; expected none above 0x%02x"
              .formatted(bits & 0xff, LAST_KNOWN_BITS));
    }
    OperationKind kind =
        switch (bits & MASK) {
          case 0 -> OperationKind.READ;
          case 1 -> OperationKind.WRITE;
          case 2 -> OperationKind.DELETE;
          default -> OperationKind.OPAQUE;
        };
    VersionKind versionKind =
        switch (bits >> VERSION_KIND_SHIFT & MASK) {
          case 0 -> VersionKind.KNOWN;
          case 1 -> VersionKind.INITIAL;
          case 2 -> VersionKind.UNKNOWN;
          default -> throw new BadRecordException("version kind 3; expected 0 to 2");
        };
    builder.add(kind, key, versionKind, version);
    if ((bits & UNDONE_BIT) != 0) {
      builder.undoFrom(builder.size() - 1);
    }
  }

  private static int kindNumber(OperationKind kind) {
    return switch (kind) {
      case READ -> 0;
      case WRITE -> 1;
      case DELETE -> 2;
      case OPAQUE -> 3;
      case LISTED ->
          throw new IllegalArgumentException(
              "a list read; expected none in a live stream: schema 1 has no kind for it");
    };
  }

  private static int versionKindNumber(VersionKind kind) {
    return switch (kind) {
      case KNOWN -> 0;
      case INITIAL -> 1;
      case UNKNOWN -> 2;
    };
  }

  private static int nameNumber(
      @Nullable String name, Map<String, Integer> numbers, Operations.Builder message) {
    if (name == null) {
      return 0;
    }
    Integer known = numbers.get(name);
    if (known != null) {
      return known;
    }
    message.addNames(name);
    int number = message.getNamesCount();
    numbers.put(name, number);
    return number;
  }

  private static <T> @Nullable T entry(List<T> entries, int number, String what)
      throws BadRecordException {
    if (number == 0) {
      return null;
    }
    if (number < 0 || number > entries.size()) {
      throw new BadRecordException(
          "operation with %s %s of %d; expected one that is there"
              .formatted(what, Integer.toUnsignedString(number), entries.size()));
    }
    return entries.get(number - 1);
  }

  private static void requireColumn(String name, int found, int expected, boolean mayBeEmpty)
      throws BadRecordException {
    if (found != expected && !(mayBeEmpty && found == 0)) {
      throw new BadRecordException(
          "operations with %d entries of %s; expected %d".formatted(found, name, expected));
    }
  }
}
