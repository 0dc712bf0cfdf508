package io.isotail.ingest.event;

import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Statement;
import io.isotail.incremental.record.VersionKind;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads the operations of one record after the other; {@link OperationColumns} has written them.
 */
final class OperationsReader {
  private static final int MASK = 3;
  private static final int LAST_KNOWN_BITS = 0b11_1111;

  private final io.isotail.ingest.event.proto.Operations message;
  private final byte[] kinds;
  private final List<Statement> statements;
  private final List<String> names;
  private final Operations.Builder builder = new Operations.Builder();
  private int next;

  /** The next entry of what replaced a known version, and the operation that it is of. */
  private int nextReplaced;

  private int replacing = -1;

  /**
   * At the first operation.
   *
   * @throws BadRecordException if the columns do not fit together
   */
  OperationsReader(io.isotail.ingest.event.proto.Operations message) throws BadRecordException {
    this.message = message;
    this.kinds = message.getKinds().toByteArray();
    int size = kinds.length;
    Columns.require("operations", "keys", message.getKeysCount(), size, false);
    Columns.require("operations", "versions", message.getVersionsCount(), size, false);
    Columns.require("operations", "statement_of", message.getStatementOfCount(), size, true);
    Columns.require("operations", "key_name_of", message.getKeyNameOfCount(), size, true);
    Columns.require("operations", "version_name_of", message.getVersionNameOfCount(), size, true);
    this.statements = new ArrayList<>(message.getStatementsCount());
    for (var part : message.getStatementsList()) {
      statements.add(
          new Statement(
              part.hasTable() ? part.getTable() : null,
              part.getFingerprint(),
              part.getVersionsNameWriters(),
              part.getInserts(),
              part.getColumnsList()));
    }
    this.names = message.getNamesList();
    Columns.require(
        "operations", "replaced", message.getReplacedCount(), message.getReplacingCount(), false);
    findReplacing(0);
  }

  private void findReplacing(int from) throws BadRecordException {
    replacing = -1;
    if (nextReplaced < message.getReplacingCount()) {
      int between = message.getReplacing(nextReplaced);
      if (between < 0 || between >= kinds.length - from) {
        throw new BadRecordException(
            "operations with replacing=%s behind operation %d; expected one of %d"
                .formatted(Integer.toUnsignedString(between), from, kinds.length));
      }
      replacing = from + between;
    }
  }

  /** Operations that were not read yet. */
  int left() {
    return kinds.length - next;
  }

  /**
   * The next operations.
   *
   * @param count no more than are left
   * @throws BadRecordException if one makes no sense
   */
  Operations read(int count) throws BadRecordException {
    builder.clear();
    int end = next + count;
    int lastStatement = 0;
    for (; next < end; next++) {
      int statement = message.getStatementOfCount() == 0 ? 0 : message.getStatementOf(next);
      if (statement != lastStatement) {
        builder.statement(Columns.entry(statements, statement, "operation", "statement"));
        lastStatement = statement;
      }
      add(kinds[next], message.getKeys(next), message.getVersions(next));
      String keyName =
          message.getKeyNameOfCount() == 0
              ? null
              : Columns.entry(names, message.getKeyNameOf(next), "operation", "name");
      String versionName =
          message.getVersionNameOfCount() == 0
              ? null
              : Columns.entry(names, message.getVersionNameOf(next), "operation", "name");
      if (keyName != null || versionName != null) {
        builder.names(keyName, versionName);
      }
      if (next == replacing) {
        addReplaced();
      }
    }
    return builder.build();
  }

  private void addReplaced() throws BadRecordException {
    int kind = kinds[next] & MASK;
    if (kind != 1 && kind != 2) {
      throw new BadRecordException(
          "operation with kind bits 0x%02x that replaced a version; expected a write or a delete"
              .formatted(kinds[next] & 0xff));
    }
    builder.replaces(message.getReplaced(nextReplaced));
    nextReplaced++;
    findReplacing(next + 1);
  }

  private void add(byte bits, long key, long version) throws BadRecordException {
    if ((bits & ~LAST_KNOWN_BITS) != 0) {
      throw new BadRecordException(
          "operation with kind bits 0x%02x; expected none above 0x%02x"
              .formatted(bits & 0xff, LAST_KNOWN_BITS));
    }
    boolean listed = (bits & OperationColumns.LISTED_BIT) != 0;
    if (listed && (bits & MASK) != 0) {
      throw new BadRecordException(
          "operation with kind bits 0x%02x; expected a listed version to be read"
              .formatted(bits & 0xff));
    }
    OperationKind kind =
        switch (bits & MASK) {
          case 0 -> listed ? OperationKind.LISTED : OperationKind.READ;
          case 1 -> OperationKind.WRITE;
          case 2 -> OperationKind.DELETE;
          default -> OperationKind.OPAQUE;
        };
    VersionKind versionKind =
        switch (bits >> OperationColumns.VERSION_KIND_SHIFT & MASK) {
          case 0 -> VersionKind.KNOWN;
          case 1 -> VersionKind.INITIAL;
          case 2 -> VersionKind.UNKNOWN;
          default -> throw new BadRecordException("version kind 3; expected 0 to 2");
        };
    builder.add(kind, key, versionKind, version);
    if ((bits & OperationColumns.UNDONE_BIT) != 0) {
      builder.undoFrom(builder.size() - 1);
    }
  }
}
