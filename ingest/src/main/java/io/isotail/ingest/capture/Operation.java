package io.isotail.ingest.capture;

import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Statement;
import io.isotail.incremental.record.VersionKind;
import org.jspecify.annotations.Nullable;

/** One observed operation, until its transaction is handed over. */
record Operation(
    OperationKind kind,
    long key,
    VersionKind versionKind,
    long version,
    Statement statement,
    @Nullable String keyName,
    @Nullable String versionName) {

  static Operation opaque(Statement statement) {
    return new Operation(OperationKind.OPAQUE, 0, VersionKind.UNKNOWN, 0, statement, null, null);
  }

  /** Whether it may stand for a write of another row, or of another version, than was seen. */
  boolean isUnseenWrite() {
    return kind == OperationKind.OPAQUE
        || (kind == OperationKind.WRITE && versionKind == VersionKind.UNKNOWN);
  }

  /** Whether it is a write whose version is the id of its transaction. */
  boolean namesWriter() {
    return kind == OperationKind.WRITE
        && versionKind == VersionKind.KNOWN
        && statement.namesWriters();
  }

  void addTo(Operations.Builder builder) {
    builder.statement(statement).add(kind, key, versionKind, version).names(keyName, versionName);
  }
}
