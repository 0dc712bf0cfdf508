package io.isotail.ingest.capture;

import io.isotail.ingest.sql.Analysis;
import io.isotail.ingest.sql.AnalyzedSql;
import io.isotail.ingest.sql.StatementTrait;
import java.util.ArrayList;
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
public final class BatchRun {
  private final SessionCapture session;
  private final List<AnalyzedSql> statements = new ArrayList<>();
  private final List<IntFunction<Object>> parameters = new ArrayList<>();
  private List<@Nullable StatementRun> runs = List.of();
  private @Nullable StatementRun whole;

  BatchRun(SessionCapture session) {
    this.session = session;
  }

  /** An element, in the order in which the batch holds them. */
  public void add(AnalyzedSql sql, IntFunction<Object> values) {
    statements.add(sql);
    parameters.add(values);
  }

  /** The batch is about to be sent. */
  public void before() {
    boolean control =
        statements.stream()
            .anyMatch(
                sql ->
                    sql.analysis() instanceof Analysis.Control
                        || sql.may(StatementTrait.SEVERAL_STATEMENTS));
    if (control) {
      whole = session.beforeHiddenControl();
    } else {
      runs = session.beforeBatch(statements, parameters);
    }
  }

  /**
   * The rows that an element has answered with.
   *
   * @return null if the element is not followed
   */
  public @Nullable ResultCapture result(int element) {
    return element < runs.size() ? session.result(runs.get(element)) : null;
  }

  /** The batch succeeded with one update count for each element. */
  public void after(long[] counts) {
    if (whole != null) {
      session.afterUpdate(whole, -1);
    } else {
      session.afterBatch(runs, i -> i < counts.length ? counts[i] : -1);
    }
  }

  /** The batch failed. */
  public void failed(Failure failure) {
    if (whole != null) {
      session.statementFailed(whole, failure);
    } else {
      session.batchFailed(runs, failure);
    }
  }
}
