package io.isotail.ingest.capture;

import io.isotail.ingest.sql.Analysis;
import io.isotail.ingest.sql.AnalyzedSql;
import io.isotail.ingest.sql.ColumnType;
import io.isotail.ingest.sql.KeyPredicate;
import io.isotail.ingest.sql.ObservedTable;
import io.isotail.ingest.sql.Operand;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Writes that need not answer: text and parameters name the row, the update count says whether it
 * was written, and an earlier write of the transaction has told the id that is its version.
 *
 * <p>That holds for tables without triggers and partitions, outside of savepoints, which have ids
 * of their own, and where the update count tells which of the rows were written. The key must hold
 * just the value that is given: integers, UUIDs and booleans do. A text does where it is inserted
 * without a cast and meets no other row, which may equal it under its collation. Guarded by the
 * session's lock.
 */
final class StatedWrites {
  private final Capture capture;
  private final Server server;

  StatedWrites(Capture capture, Server server) {
    this.capture = capture;
    this.server = server;
  }

  /**
   * The version of the rows that a write in each of its executions states; null if it must be asked
   * what it wrote.
   *
   * @param analysis what the statement does as it was written
   */
  @Nullable RowVersion version(
      AnalyzedSql sql,
      Analysis analysis,
      List<IntFunction<Object>> executions,
      TransactionCapture tx) {
    RowVersion version = tx.writerVersion();
    if (version == null || executions.isEmpty() || !(analysis instanceof Analysis.OneTable one)) {
      return null;
    }
    if (!capture.observation().storesAsStated(one.table()) || server.setsSavepoints()) {
      return null;
    }
    for (IntFunction<Object> execution : executions) {
      if (!isStated(sql, analysis, execution)) {
        return null;
      }
    }
    return version;
  }

  private boolean isStated(AnalyzedSql sql, Analysis analysis, IntFunction<Object> values) {
    if (analysis instanceof Analysis.Update update) {
      KeyPredicate predicate = update.predicate();
      return update.returning() == null
          && predicate.keys().size() == 1
          && isStated(sql, update.table(), predicate.keys().get(0), values, false);
    }
    if (!(analysis instanceof Analysis.Insert insert) || insert.returning() != null) {
      return false;
    }
    boolean countTells =
        switch (insert.conflict()) {
          case FAIL -> true;
          case NOTHING, SAME_VERSION, SAME_VERSION_IF, OTHER_VERSION, OTHER_VERSION_IF ->
              insert.rows().size() == 1;
        };
    if (!countTells) {
      return false;
    }
    boolean stored =
        switch (insert.conflict()) {
          case FAIL, NOTHING -> true;
          case SAME_VERSION, SAME_VERSION_IF, OTHER_VERSION, OTHER_VERSION_IF -> false;
        };
    for (List<Operand> row : insert.rows()) {
      List<Operand> key = capture.catalog().keyOf(insert, row);
      if (key == null || !isStated(sql, insert.table(), key, values, stored)) {
        return false;
      }
    }
    return true;
  }

  private boolean isStated(
      AnalyzedSql sql,
      ObservedTable table,
      List<Operand> key,
      IntFunction<Object> values,
      boolean stored) {
    for (int i = 0; i < key.size(); i++) {
      ColumnType type = capture.catalog().keyType(table, i);
      Object value = key.get(i).value(sql.slots(), values);
      boolean asGiven = stored && !(key.get(i) instanceof Operand.Cast);
      if (type == null || !(asGiven ? type.storesAsGiven(value) : type.comparesAsStored(value))) {
        return false;
      }
    }
    return true;
  }
}
