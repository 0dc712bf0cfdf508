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

  void addTo(Operations.Builder builder) {
    builder.statement(statement).add(kind, key, versionKind, version).names(keyName, versionName);
  }
}
