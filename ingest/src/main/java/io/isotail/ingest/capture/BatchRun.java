package io.isotail.ingest.capture;

import io.isotail.incremental.record.Outcome;
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
  private static final long NOT_COUNTED = -1;

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
      runs = begin();
    }
  }

  /** The batch succeeded with one update count for each element. */
  public void after(long[] counts) {
    if (whole != null) {
      session.afterUpdate(whole, -1);
    } else {
      session.guarded(() -> succeeded(counts));
    }
  }

  /** The batch failed. */
  public void failed(Failure failure) {
    if (whole != null) {
      session.statementFailed(whole, failure);
    } else {
      session.guarded(() -> failedElements(failure));
    }
  }

  private List<@Nullable StatementRun> begin() {
    List<@Nullable StatementRun> begun = new ArrayList<>();
    session.guarded(
        () -> {
          for (int i = 0; i < statements.size(); i++) {
            AnalyzedSql sql = statements.get(i);
            begun.add(
                i == 0
                    ? session.transactions().begin(sql, parameters.get(i))
                    : session.transactions().beginNext(sql, parameters.get(i)));
          }
        });
    return begun;
  }

  private void succeeded(long[] counts) {
    for (int i = 0; i < runs.size(); i++) {
      StatementRun run = runs.get(i);
      if (run != null) {
        long counted = i < counts.length ? counts[i] : NOT_COUNTED;
        // The driver counts no rows where a statement answers with them.
        long count = counted == 0 && run.answersRows() ? NOT_COUNTED : counted;
        session.guarded(run.transaction(), () -> session.updated(run, count));
      }
    }
  }

  /** In autocommit mode some of the elements may have been committed. */
  private void failedElements(Failure failure) {
    TransactionCapture shared = null;
    for (StatementRun run : runs) {
      if (run == null) {
        continue;
      }
      TransactionCapture tx = run.transaction();
      tx.busy(false);
      session.noteRefusal(run, failure);
      session.guarded(tx, () -> failed(run, failure));
      shared = tx.single() ? shared : tx;
    }
    if (shared != null) {
      session.transactions().failed(shared, failure);
    }
  }

  private void failed(StatementRun run, Failure failure) {
    SessionTransactions transactions = session.transactions();
    if (run.transaction().single()) {
      session.effects().intended(run);
      transactions.finish(run.transaction(), Outcome.UNKNOWN);
    } else if (transactions.dialect().undoesFailedBatches()) {
      session.undo(run, failure);
    } else {
      session.effects().possible(run);
    }
  }
}
