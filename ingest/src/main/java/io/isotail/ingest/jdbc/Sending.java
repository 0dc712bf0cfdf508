package io.isotail.ingest.jdbc;

import io.isotail.ingest.capture.SessionCapture;
import io.isotail.ingest.sql.AnalyzedSql;
import io.isotail.ingest.sql.CommentedSql;
import io.isotail.ingest.sql.Operand;
import io.isotail.ingest.sql.Placeholders;
import io.isotail.ingest.sql.Rewriting;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** How a statement is sent: as it is, or with columns added that the application does not see. */
final class Sending {

  /** Where the rows go that the driver gives as generated keys. */
  enum Keys {
    /** There are none, or they are not concerned. */
    NONE,
    /** Nowhere: only isotail has asked for them. */
    HIDDEN,
    /** To the application, with columns that it does not see. */
    SHARED
  }

  private final AnalyzedSql sql;
  private final CommentedSql told;
  private final String text;
  private final @Nullable String asked;
  private final Keys keys;

  /** How it was rewritten last: it is likely to be so again. */
  private @Nullable Sending latest;

  private Sending(
      AnalyzedSql sql, CommentedSql told, String text, @Nullable String asked, Keys keys) {
    this.sql = sql;
    this.told = told;
    this.text = text;
    this.asked = asked;
    this.keys = keys;
  }

  /** The statement as it is followed. */
  AnalyzedSql sql() {
    return sql;
  }

  /** The application's text. */
  CommentedSql told() {
    return told;
  }

  /** The text for the server. */
  String text() {
    return text;
  }

  /** Where a write's answer goes. */
  Keys keys() {
    return keys;
  }

  /**
   * A statement that is sent as it is.
   *
   * @param asked the columns that the application wants of generated keys, as in RETURNING; null if
   *     it wants none
   */
  static Sending asItIs(
      SessionCapture session, String text, Placeholders placeholders, @Nullable String asked) {
    session.refreshBeforeText(text); // the statement before may have made its tables
    CommentedSql told = CommentedSql.of(text);
    return new Sending(session.analyze(told, placeholders), told, text, asked, Keys.NONE);
  }

  /** Whether the text differs from that of the application. */
  boolean isRewritten() {
    return sql.rewriting() != null && sql.analysis() == sql.rewriting().addition().analysis();
  }

  /** A failure as it would be if the statement had been sent as it is. */
  Throwable restored(Throwable failure) {
    Rewriting rewriting = sql.rewriting();
    return rewriting == null ? failure : DriverErrors.without(failure, rewriting);
  }

  /**
   * A failure of one execution as it would be if the statement had been sent as it is.
   *
   * @param prepared whether the driver has put numbers in place of question marks
   */
  Throwable placed(Throwable failure, boolean prepared) {
    Rewriting rewriting = isRewritten() && asked == null ? sql.rewriting() : null;
    return rewriting == null ? failure : ErrorPlace.without(failure, told, rewriting, prepared);
  }

  /** Number of columns at the end of each row that the application does not see. */
  int hidden() {
    return isRewritten() ? sql.hiddenColumns() : 0;
  }

  /**
   * How to send it at this moment: what the catalog, the names and the limits of the statement
   * allow may change from one execution to the next.
   *
   * @param on the statement that it is executed on
   * @param executions the parameters of each execution, as for {@link Operand#value}
   * @param inPortions whether the driver can take in portions what a write answers; asked only
   *     where nobody knows how much that is
   */
  Sending on(
      Statement on,
      SessionCapture session,
      List<IntFunction<Object>> executions,
      BooleanSupplier inPortions) {
    Rewriting of = sql.rewriting();
    if (of == null || isRewritten()) {
      return this;
    }
    Keys answers = answers(of);
    try {
      boolean limited = on.getFetchSize() != 0 || on.getMaxRows() != 0;
      boolean updatable = on.getResultSetConcurrency() != ResultSet.CONCUR_READ_ONLY;
      // With a limit the driver does not get to the end of what a write returns, nor to its count.
      // To have read what it returns may complete a statement that is then to be closed.
      if (updatable || ((limited || on.isCloseOnCompletion()) && answers != Keys.NONE)) {
        return this;
      }
      if (asked != null && of.givesNoKeys()) {
        return this;
      }
    } catch (SQLException e) {
      return this;
    }
    boolean portions = answers == Keys.HIDDEN && of.isOpenEnded() && inPortions.getAsBoolean();
    Rewriting rewriting = session.rewriting(sql, asked == null ? executions : List.of(), portions);
    return rewriting == null || !areBounded(rewriting, executions) ? this : as(rewriting, answers);
  }

  /** Whether it answers isotail alone, with as many rows as it writes: nobody knows how many. */
  boolean isOpenEnded() {
    Rewriting rewriting = sql.rewriting();
    return keys == Keys.HIDDEN && rewriting != null && rewriting.isOpenEnded();
  }

  /** How it will be sent unless its parameters or limits are unusual. */
  Sending probable(SessionCapture session) {
    Rewriting of = sql.rewriting();
    if (of == null || isRewritten() || (asked != null && of.givesNoKeys())) {
      return this;
    }
    Rewriting rewriting = session.probableRewriting(sql);
    return rewriting == null ? this : as(rewriting, answers(of));
  }

  private Keys answers(Rewriting of) {
    return asked != null && of.isOfWrite() ? Keys.SHARED : of.isWrite() ? Keys.HIDDEN : Keys.NONE;
  }

  @SuppressWarnings("ReferenceEquality") // The analyzer keeps one for each text.
  private Sending as(Rewriting rewriting, Keys answers) {
    Sending known = latest;
    if (known == null || known.sql.rewriting() != rewriting || known.keys != answers) {
      String rewritten = asked == null ? rewriting.text() : rewriting.textAsking(asked);
      known = new Sending(sql.rewritten(rewriting), told, told.around(rewritten), asked, answers);
      latest = known;
    }
    return known;
  }

  private static boolean areBounded(Rewriting rewriting, List<IntFunction<Object>> executions) {
    for (IntFunction<Object> parameters : executions) {
      if (!rewriting.isBounded(parameters)) {
        return false;
      }
    }
    return true;
  }
}
