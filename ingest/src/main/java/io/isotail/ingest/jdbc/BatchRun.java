package io.isotail.ingest.jdbc;

import io.isotail.ingest.sql.Analysis;
import io.isotail.ingest.sql.AnalyzedSql;
import io.isotail.ingest.sql.ObservedTable;
import io.isotail.ingest.sql.StatementTrait;
import io.isotail.ingest.sql.Uninterpreted;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * One execution of a batch.
 *
 * <p>In a transaction of the application, each element is a statement of it. In autocommit mode the
 * driver decides whether the batch is one transaction or several, and does not say; each element is
 * then recorded as a transaction of its own, which claims less than the database may give.
 */
final class BatchRun {
  private final SessionCapture session;
  private final List<AnalyzedSql> statements = new ArrayList<>();
  private final List<IntFunction<Object>> parameters = new ArrayList<>();
  private List<@Nullable StatementRun> runs = List.of();
  private @Nullable StatementRun whole;

  BatchRun(SessionCapture session) {
    this.session = session;
  }

  void add(AnalyzedSql sql, IntFunction<Object> values) {
    statements.add(sql);
    parameters.add(values);
  }

  /** The batch is about to be sent. */
  void before() {
    boolean control =
        statements.stream()
            .anyMatch(
                sql ->
                    sql.analysis() instanceof Analysis.Control
                        || sql.may(StatementTrait.SEVERAL_STATEMENTS));
    if (control) {
      whole = session.beforeStatement(severalStatements(), SessionCapture::noParameter);
    } else {
      runs = session.beforeBatch(statements, parameters);
    }
  }

  /** Transaction control inside a batch hides where transactions end. */
  private AnalyzedSql severalStatements() {
    List<ObservedTable> tables = session.capture().config().tables().all();
    Analysis analysis =
        tables.isEmpty()
            ? new Analysis.Harmless()
            : new Analysis.Opaque(tables, Uninterpreted.SEVERAL_STATEMENTS);
    return new AnalyzedSql(analysis, "", List.of(), EnumSet.allOf(StatementTrait.class));
  }

  /** The batch succeeded with one update count for each element. */
  void after(long[] counts) {
    if (whole != null) {
      session.afterUpdate(whole, -1);
    } else {
      session.afterBatch(runs, i -> i < counts.length ? counts[i] : -1);
    }
  }

  /** The batch failed. */
  void failed(Throwable failure) {
    Throwable cause =
        failure instanceof SQLException e && e.getSQLState() == null && e.getCause() != null
            ? e.getCause()
            : failure;
    if (whole != null) {
      session.statementFailed(whole, cause);
    } else {
      session.batchFailed(runs, cause);
    }
  }
}
