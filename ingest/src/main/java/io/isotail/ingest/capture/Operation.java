package io.isotail.ingest.capture;

import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Statement;
import io.isotail.incremental.record.VersionKind;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * One observed operation, until its transaction is handed over.
 *
 * @param replaced version of the row that a write or delete replaced; null if that is not known
 */
record Operation(
    OperationKind kind,
    long key,
    VersionKind versionKind,
    long version,
    Statement statement,
    @Nullable String keyName,
    @Nullable String versionName,
    @Nullable Long replaced) {

  Operation(
      OperationKind kind,
      long key,
      VersionKind versionKind,
      long version,
      Statement statement,
      @Nullable String keyName,
      @Nullable String versionName) {
    this(kind, key, versionKind, version, statement, keyName, versionName, null);
  }

  static Operation opaque(Statement statement) {
    return new Operation(OperationKind.OPAQUE, 0, VersionKind.UNKNOWN, 0, statement, null, null);
  }

  /** A statement that names a row, and may have changed it. */
  static Operation opaque(RowKey key, Statement statement) {
    return new Operation(
        OperationKind.OPAQUE, key.id(), VersionKind.UNKNOWN, 0, statement, key.name(), null);
  }

  /** A statement that names a row, and may have changed it: it has this content now. */
  static Operation opaque(RowKey key, long content, Statement statement) {
    return new Operation(
        OperationKind.OPAQUE, key.id(), VersionKind.KNOWN, content, statement, key.name(), null);
  }

  /** The server has told that its log has nothing of the transaction. */
  static Operation loggedNothing() {
    return opaque(new Statement(Statement.ELSEWHERE, "", true));
  }

  /**
   * A write of a row of which nothing is known, and nobody else writes: what the transaction reads
   * from then on may be its own.
   */
  static Operation elsewhere(String fingerprint) {
    return new Operation(
        OperationKind.WRITE,
        ThreadLocalRandom.current().nextLong(),
        VersionKind.UNKNOWN,
        0,
        new Statement(Statement.ELSEWHERE, fingerprint),
        null,
        null);
  }

  /** Whether it returned a row that tells who wrote it. */
  boolean readsWriter() {
    return kind == OperationKind.READ && statement.namesWriters();
  }

  /** Whether it may stand for a write of another row, or of another version, than was seen. */
  boolean isUnseenWrite() {
    return kind == OperationKind.OPAQUE
        || (kind == OperationKind.WRITE && versionKind == VersionKind.UNKNOWN);
  }

  /** Whether it names a row that it may have written, and tells what that has now. */
  boolean tellsContent() {
    return kind == OperationKind.OPAQUE && versionKind == VersionKind.KNOWN;
  }

  /** Whether it is a write whose version is the id of its transaction. */
  boolean namesWriter() {
    return kind == OperationKind.WRITE
        && versionKind == VersionKind.KNOWN
        && statement.namesWriters();
  }

  /** The operation, of which it is known which version it replaced; null if it is not. */
  Operation replacing(@Nullable Long before) {
    return before == null
        ? this
        : new Operation(kind, key, versionKind, version, statement, keyName, versionName, before);
  }

  void addTo(Operations.Builder builder) {
    builder.statement(statement).add(kind, key, versionKind, version).names(keyName, versionName);
    if (replaced != null) {
      builder.replaces(replaced);
    }
  }
}
