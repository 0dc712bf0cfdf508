package io.isotail.ingest.jdbc;

import io.isotail.ingest.capture.SessionCapture;
import io.isotail.ingest.sql.AnalyzedSql;
import io.isotail.ingest.sql.Rewriting;
import io.isotail.ingest.sql.Rewriting.Place;
import java.sql.ResultSet;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/**
 * How a statement is sent: as it is, or with columns added that the application does not see.
 *
 * @param sql the statement as it is followed
 * @param text its text for the server
 * @param keys whether the driver must be asked for generated keys, which a write answers with
 * @param visibleKeys whether the application has asked for them too
 */
record Sending(AnalyzedSql sql, String text, boolean keys, boolean visibleKeys) {

  /** What the application asks of the generated keys. */
  sealed interface Wanted {
    /** Nothing. */
    record None() implements Wanted {}

    /** Every column. */
    record All() implements Wanted {}

    /** The columns of these names. */
    @SuppressWarnings("ArrayRecordComponent")
    record Named(String[] columns) implements Wanted {}

    /** Something that cannot be combined with more. */
    record Other() implements Wanted {}

    /** By the argument that follows the text in {@code prepareStatement} and {@code execute}. */
    static Wanted of(Object argument) {
      if (argument instanceof Integer flag) {
        return flag == Statement.RETURN_GENERATED_KEYS ? new All() : new None();
      }
      return argument instanceof String[] names && names.length > 0
          ? new Named(names)
          : new Other();
    }
  }

  /** A statement that is sent as it is. */
  static Sending asItIs(AnalyzedSql sql, String text) {
    return new Sending(sql, text, false, false);
  }

  /** Number of columns at the end of each row that the application does not see. */
  int hidden() {
    return isRewritten() ? sql.hiddenColumns() : 0;
  }

  /** What the text has beyond that of the application; empty if nothing. */
  String added() {
    Rewriting rewriting = sql.rewriting();
    return rewriting == null || !isRewritten() ? "" : rewriting.added();
  }

  /** Whether the text differs from that of the application. */
  boolean isRewritten() {
    return sql.rewriting() != null && sql.analysis() == sql.rewriting().addition().analysis();
  }

  /** Whether the driver alone reads what the statement answers. */
  boolean answersOnlyDriver() {
    return keys && !visibleKeys;
  }

  /**
   * Chooses how to send a statement.
   *
   * @param wanted what the application asks of the generated keys
   * @param updatable whether it may change rows through the result
   */
  static Sending of(
      SessionCapture session, AnalyzedSql sql, String text, Wanted wanted, boolean updatable) {
    Rewriting rewriting =
        updatable || wanted instanceof Wanted.Other ? null : session.rewriting(sql);
    if (rewriting == null) {
      return asItIs(sql, text);
    }
    AnalyzedSql rewritten = sql.rewritten();
    if (rewriting.addition().place() != Place.RETURNING) {
      return wanted instanceof Wanted.None
          ? new Sending(rewritten, rewriting.text(), false, false)
          : asItIs(sql, text);
    }
    if (wanted instanceof Wanted.All) {
      return new Sending(rewritten, rewriting.returning("*"), true, true);
    }
    if (wanted instanceof Wanted.Named named) {
      return new Sending(rewritten, rewriting.returning(list(named.columns())), true, true);
    }
    return new Sending(rewritten, rewriting.text(), true, false);
  }

  private static String list(String[] columns) {
    StringBuilder list = new StringBuilder();
    for (String column : columns) {
      list.append(list.isEmpty() ? "\"" : ", \"").append(column.replace("\"", "\"\"")).append('"');
    }
    return list.toString();
  }

  /** Whether a result of this concurrency may be changed by the application. */
  static boolean isUpdatable(@Nullable Object concurrency) {
    return !(concurrency instanceof Integer c) || c != ResultSet.CONCUR_READ_ONLY;
  }
}
