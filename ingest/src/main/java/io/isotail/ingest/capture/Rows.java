package io.isotail.ingest.capture;

import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Statement;
import io.isotail.incremental.record.VersionKind;
import io.isotail.ingest.sql.Analysis;
import io.isotail.ingest.sql.ColumnType;
import io.isotail.ingest.sql.ObservedTable;
import io.isotail.ingest.sql.Operand;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes identities and operations out of column values. Thread-safe. */
final class Rows {
  private final Capture capture;

  Rows(Capture capture) {
    this.capture = capture;
  }

  /** The key with these column values. */
  RowKey key(ObservedTable table, List<Object> values) {
    RowIdentities identities = capture.identities();
    boolean clearNames = capture.config().clearNames();
    if (!clearNames && values.size() == 1 && values.get(0) instanceof Long number) {
      if (identities.keyType(table, 0) == ColumnType.INTEGER) {
        return new RowKey(true, identities.id(table, number), null);
      }
    }
    List<String> canonical = identities.canonical(table, values);
    if (canonical == null) {
      return RowKey.UNKNOWN;
    }
    String name = clearNames ? String.join(",", canonical) : null;
    return new RowKey(true, identities.id(table, canonical), name);
  }

  /**
   * The version of a row with this value of its version column, or null when it has no identity.
   */
  @Nullable RowVersion version(ObservedTable table, RowKey key, Object value) {
    String text = capture.identities().versionText(table, value);
    if (text == null) {
      return null;
    }
    if (table.namesWriters()) {
      return new RowVersion(
          Long.parseUnsignedLong(text), capture.config().clearNames() ? text : null);
    }
    return new RowVersion(
        capture.identities().version(key.id(), text), capture.config().clearNames() ? text : null);
  }

  /**
   * Adds what a statement that names a row has set of it.
   *
   * @param columns takes the names of the columns, as the log has them
   * @return the sum of their hashes
   */
  long content(StatementRun run, Analysis.Update update, RowKey key, List<String> columns) {
    long sum = 0;
    for (Analysis.Assigned each : update.assigned()) {
      Object value = run.value(each.value());
      String told = value == Operand.UNKNOWN ? null : each.column().told(value);
      if (told != null) {
        columns.add(each.column().label());
        sum += capture.identities().version(key.id(), told);
      }
    }
    return sum;
  }

  /** The version of the rows that the transaction of this id wrote. */
  RowVersion writer(long id) {
    return new RowVersion(id, capture.config().clearNames() ? Long.toString(id) : null);
  }

  /** An operation; a null version is an unknown one. */
  Operation operation(
      OperationKind kind, RowKey key, @Nullable RowVersion version, Statement statement) {
    return new Operation(
        kind,
        key.id(),
        version == null ? VersionKind.UNKNOWN : VersionKind.KNOWN,
        version == null ? 0 : version.id(),
        statement,
        key.name(),
        version == null ? null : version.name());
  }

  /** A read that found no row. */
  Operation absence(RowKey key, Statement statement) {
    return initial(OperationKind.READ, key, statement);
  }

  /** An operation on a row as it was before anybody wrote it. */
  Operation initial(OperationKind kind, RowKey key, Statement statement) {
    return new Operation(kind, key.id(), VersionKind.INITIAL, 0, statement, key.name(), null);
  }
}
