package io.isotail.ingest.capture;

import io.isotail.incremental.record.OperationKind;
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
 * driver decides whether the batch is one transaction or several, and does not say. Where it is
 * {@linkplain #together known to be one}, it is recorded so, if what the server answers agrees.
 * Else each element is recorded as a transaction of its own, which claims less than the database
 * may give.
 */
public final class BatchRun {
  private static final long NOT_COUNTED = -1;

  private final SessionCapture session;
  private final boolean together;
  private final List<AnalyzedSql> statements = new ArrayList<>();
  private final List<IntFunction<Object>> parameters = new ArrayList<>();
  private List<@Nullable StatementRun> runs = List.of();
  private @Nullable StatementRun whole;
  private @Nullable BatchAnswers answers;

  /**
   * A batch.
   *
   * @param together whether all elements certainly run in one transaction
   */
  BatchRun(SessionCapture session, boolean together) {
    this.session = session;
    this.together = together;
  }

  /** An element, in the order in which the batch holds them. */
  public void add(AnalyzedSql sql, IntFunction<Object> values) {
    statements.add(sql);
    parameters.add(values);
  }

  /** The batch is about to be sent. May wait for the stream to begin. */
  public void before() {
    session.awaitStream(statements);
    boolean control =
        statements.stream()
            .anyMatch(
                sql ->
                    sql.analysis() instanceof Analysis.Control
                        || sql.may(StatementTrait.SEVERAL_STATEMENTS));
    if (control) {
      whole = session.beforeUnseenStatements();
    } else {
      runs = begin();
    }
  }

  /**
   * A row that the elements have answered with in columns that isotail has added. It is called for
   * each row before {@link #after}.
   *
   * @param counts the update count of each element
   */
  public void answered(Row row, long[] counts) {
    session.guarded(
        () -> {
          BatchAnswers of = answers;
          if (of == null) {
            of = new BatchAnswers(session.capture(), runs, counts);
            answers = of;
          }
          of.row(row);
        });
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
          SessionTransactions transactions = session.transactions();
          StatementRun first = null;
          for (int i = 0; i < statements.size(); i++) {
            AnalyzedSql sql = statements.get(i);
            IntFunction<Object> values = parameters.get(i);
            StatementRun run =
                first == null
                    ? transactions.begin(sql, values)
                    : together
                        ? transactions.beginWith(sql, values, first.transaction())
                        : transactions.beginNext(sql, values);
            first = first == null ? run : first;
            if (!together && run.isSingle()) {
              run.transaction().oneOfSeveral();
            }
            begun.add(run);
          }
        });
    return begun;
  }

  private void succeeded(long[] counts) {
    TransactionCapture single = together ? singleOfAll() : null;
    for (int i = 0; i < runs.size(); i++) {
      StatementRun run = runs.get(i);
      if (run != null) {
        long counted = i < counts.length ? counts[i] : NOT_COUNTED;
        // The driver counts no rows where a statement answers with them.
        long count = counted == 0 && run.answersRows() ? NOT_COUNTED : counted;
        session.guarded(
            run.transaction(),
            () -> {
              if (single == null) {
                session.updated(run, count, false);
              } else {
                session.capture().wrote(run.sql(), count);
                session.effects().afterUpdate(run, count);
              }
            });
      }
    }
    if (single != null) {
      single.busy(false);
      if (!writesAgree()) {
        single.poison();
      }
      session.transactions().finish(single, Outcome.COMMITTED);
    }
  }

  /** The transaction of all elements in autocommit mode; null if they have no one of their own. */
  private @Nullable TransactionCapture singleOfAll() {
    StatementRun first = runs.isEmpty() ? null : runs.get(0);
    return first != null && first.transaction().single() ? first.transaction() : null;
  }

  /** Whether, by what the server answered, one transaction has written all rows. */
  private boolean writesAgree() {
    return runs.stream()
            .flatMap(run -> run == null ? null : run.operations().stream())
            .filter(operation -> operation.kind() != OperationKind.READ)
            .filter(operation -> operation.kind() != OperationKind.OPAQUE)
            .map(Operation::version)
            .distinct()
            .count()
        <= 1;
  }

  /** In autocommit mode some of the elements may have been committed. */
  private void failedElements(Failure failure) {
    TransactionCapture shared = null;
    TransactionCapture single = together ? singleOfAll() : null;
    for (StatementRun run : runs) {
      if (run == null) {
        continue;
      }
      TransactionCapture tx = run.transaction();
      tx.busy(false);
      session.noteRefusal(run, failure, false);
      session.guarded(
          tx,
          () -> {
            if (single == null) {
              failed(run, failure);
            } else {
              session.effects().possible(run);
            }
          });
      shared = tx.single() ? shared : tx;
    }
    if (single != null) {
      session.transactions().finish(single, Outcome.UNKNOWN);
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
