package io.isotail.ingest.jdbc;

import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.SessionInfo;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.ingest.jdbc.TransactionProbe.State;
import io.isotail.ingest.sql.Analysis;
import io.isotail.ingest.sql.AnalyzedSql;
import io.isotail.ingest.sql.Operand;
import io.isotail.ingest.sql.TransactionControl;
import io.isotail.ingest.sql.Uninterpreted;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.IntToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Follows one session: where its transactions begin and end, what they did, and how they ended.
 *
 * <p>Called around the application's calls, before and after the real driver. Every method takes
 * the session's lock and none holds it while the real driver runs a statement of the application.
 * No method throws: a failure inside turns the transaction under way into an opaque write.
 *
 * <p>A transaction without an observed operation is not recorded.
 */
final class SessionCapture {
  private final Capture capture;
  private final SessionInfo info;
  private final SessionSettings settings;
  private final TransactionProbe probe;
  private final boolean postgres;
  private final Effects effects;

  private boolean autoCommit;
  private boolean begunBySql;
  private boolean closed;
  private @Nullable TransactionCapture current;
  private long nextTransaction;
  private long nextSequence;

  SessionCapture(
      Capture capture,
      Connection real,
      String database,
      SessionInfo info,
      TransactionProbe probe,
      boolean autoCommit) {
    this.capture = capture;
    this.info = info;
    this.probe = probe;
    this.postgres = database.equals("postgresql");
    this.autoCommit = autoCommit;
    this.settings = new SessionSettings(capture, real, database, probe);
    this.effects = new Effects(capture);
    guarded(() -> settings.refresh(this.autoCommit));
  }

  SessionInfo info() {
    return info;
  }

  Capture capture() {
    return capture;
  }

  /** Work of isotail that must not reach the application when it fails. */
  interface Work {
    void run() throws Exception;
  }

  private synchronized void guarded(Work work) {
    try {
      work.run();
    } catch (Throwable failure) {
      capture.stats().internalFailure(failure);
      TransactionCapture tx = current;
      if (tx != null) {
        tx.poison();
      }
    }
  }

  /**
   * A statement is about to be sent.
   *
   * @return its place in the transaction, or null after an internal failure
   */
  @Nullable StatementRun beforeStatement(AnalyzedSql sql, IntFunction<Object> parameters) {
    StatementRun[] result = new StatementRun[1];
    guarded(() -> result[0] = begin(sql, parameters));
    return result[0];
  }

  private synchronized StatementRun begin(AnalyzedSql sql, IntFunction<Object> parameters) {
    endSingle();
    TransactionCapture tx = current == null ? beginTransaction() : current;
    handOverChunk(tx, null);
    Analysis analysis = settings.effective(sql.analysis());
    if (analysis.mayWrite() && !tx.announced()) {
      tx.announce();
      capture.sink().writeStarted(info.id(), tx.number());
    }
    if (analysis instanceof Analysis.Opaque opaque) {
      capture.stats().count(opaque.reason());
    } else if (analysis instanceof Analysis.Unread unread) {
      capture.stats().count(unread.reason());
    }
    if (sql.definesTables()) {
      capture.catalog().invalidate();
    }
    StatementRun run = new StatementRun(sql, analysis, parameters, tx);
    tx.add(run);
    return run;
  }

  private TransactionCapture beginTransaction() {
    boolean single = autoCommit && !begunBySql;
    State state = probe.state();
    boolean hidden = !single && (state == State.OPEN || state == State.FAILED);
    if (!hidden) {
      settings.refresh(autoCommit);
    }
    TransactionCapture tx =
        new TransactionCapture(
            nextTransaction++,
            hidden ? TransactionRecord.NO_TIME : CaptureClock.PROCESS.nowNs(),
            settings.isolation(),
            single);
    if (hidden) {
      capture.stats().count(CaptureStats.Event.HIDDEN_STATEMENTS);
      tx.poison();
    }
    current = tx;
    return tx;
  }

  /** A batch is about to be sent. */
  List<@Nullable StatementRun> beforeBatch(
      List<AnalyzedSql> statements, List<IntFunction<Object>> parameters) {
    List<@Nullable StatementRun> runs = new ArrayList<>();
    guarded(
        () -> {
          for (int i = 0; i < statements.size(); i++) {
            runs.add(begin(statements.get(i), parameters.get(i)));
            if (current != null && current.single()) {
              current = null;
            }
          }
        });
    return runs;
  }

  /** A batch succeeded with these update counts. */
  void afterBatch(List<@Nullable StatementRun> runs, IntToLongFunction counts) {
    guarded(
        () -> {
          for (int i = 0; i < runs.size(); i++) {
            StatementRun run = runs.get(i);
            if (run != null) {
              effects.afterUpdate(run, counts.applyAsLong(i));
              if (run.transaction().single()) {
                finish(run.transaction(), Outcome.COMMITTED);
              }
            }
          }
        });
  }

  /** A batch failed: in autocommit mode some of its elements may have been committed. */
  void batchFailed(List<@Nullable StatementRun> runs, Throwable failure) {
    guarded(
        () -> {
          for (StatementRun run : runs) {
            if (run == null) {
              continue;
            }
            if (run.transaction().single()) {
              effects.intended(run);
              finish(run.transaction(), Outcome.UNKNOWN);
            } else if (postgres) {
              undo(run, failure);
            } else {
              effects.possible(run);
            }
          }
          if (current != null) {
            afterFailure(current, failure);
          }
        });
  }

  /** Something other than a statement may talk to the server, and so begin a transaction. */
  void touch() {
    guarded(
        () -> {
          if (!autoCommit && current == null) {
            beginTransaction();
          }
        });
  }

  /** A statement succeeded and answered with an update count, or with neither count nor rows. */
  void afterUpdate(@Nullable StatementRun run, long updateCount) {
    guarded(
        () -> {
          if (run == null) {
            poisonCurrent();
            return;
          }
          if (run.analysis() instanceof Analysis.Control control) {
            afterControl(run.transaction(), control.control());
            return;
          }
          effects.afterUpdate(run, updateCount);
          afterAny(run);
          endSingle();
        });
  }

  /** A statement succeeded and answered with rows that the application has yet to read. */
  void afterQuery(@Nullable StatementRun run) {
    guarded(
        () -> {
          if (run == null) {
            poisonCurrent();
            return;
          }
          effects.afterQuery(run);
          afterAny(run);
        });
  }

  private void afterAny(StatementRun run) {
    TransactionCapture tx = run.transaction();
    boolean several =
        run.analysis() instanceof Analysis.Opaque o
            && o.reason() == Uninterpreted.SEVERAL_STATEMENTS;
    if (!several) {
      return;
    }
    tx.poison();
    switch (probe.state()) {
      case OPEN, FAILED -> {
        begunBySql = autoCommit;
        tx.becomeExplicit();
      }
      case IDLE -> {
        begunBySql = false;
        finish(tx, tx.single() ? Outcome.COMMITTED : Outcome.UNKNOWN);
      }
      case UNKNOWN -> {}
    }
  }

  private void poisonCurrent() {
    TransactionCapture tx = current == null ? beginTransaction() : current;
    tx.poison();
    endSingle();
  }

  /** A statement failed. */
  void statementFailed(@Nullable StatementRun run, Throwable failure) {
    guarded(
        () -> {
          if (run == null) {
            poisonCurrent();
            return;
          }
          TransactionCapture tx = run.transaction();
          if (run.analysis() instanceof Analysis.Control control) {
            controlFailed(tx, control.control(), failure);
          } else if (tx.single()) {
            singleFailed(run, failure);
          } else {
            undo(run, failure);
            afterFailure(tx, failure);
          }
        });
  }

  private void singleFailed(StatementRun run, Throwable failure) {
    if (Failures.hadNoEffect(failure)) {
      run.undo();
      finish(run.transaction(), Outcome.ABORTED);
    } else {
      effects.intended(run);
      finish(run.transaction(), Outcome.UNKNOWN);
    }
  }

  private void undo(StatementRun run, Throwable failure) {
    if (Failures.hadNoEffect(failure) || Failures.connectionLost(failure)) {
      run.undo();
    } else {
      effects.possible(run);
    }
  }

  private void afterFailure(TransactionCapture tx, Throwable failure) {
    if (Failures.connectionLost(failure)) {
      tx.lose();
    }
    State state = probe.state();
    if (state != State.UNKNOWN) {
      tx.failed(state == State.FAILED);
    } else if (postgres) {
      tx.failed(Failures.hadNoEffect(failure));
    } else if (Failures.transactionRolledBack(failure)) {
      finish(tx, Outcome.ABORTED);
    }
  }

  private void afterControl(TransactionCapture tx, TransactionControl control) {
    switch (control.kind()) {
      case BEGIN -> {
        tx.becomeExplicit();
        begunBySql = autoCommit;
        settings.level(tx, control);
      }
      case COMMIT, ROLLBACK -> {
        boolean committed =
            control.kind() == TransactionControl.Kind.COMMIT && !tx.failed() && !tx.lost();
        String level = tx.ranAt();
        finish(tx, committed ? Outcome.COMMITTED : Outcome.ABORTED);
        begunBySql = autoCommit && control.chain();
        if (control.chain()) {
          current =
              new TransactionCapture(nextTransaction++, CaptureClock.PROCESS.nowNs(), level, false);
        }
      }
      case PREPARE -> {
        finish(tx, tx.failed() ? Outcome.ABORTED : Outcome.UNKNOWN);
        begunBySql = false;
      }
      case SAVEPOINT -> tx.savepoint(name(control));
      case ROLLBACK_TO -> tx.rollbackTo(name(control));
      case RELEASE -> tx.release(name(control));
      case SET_TRANSACTION -> settings.level(tx, control);
      case SET_SESSION, RESET_SETTINGS, SET_SEARCH_PATH -> settings.changed(control);
    }
    endSingle();
  }

  private static Object name(TransactionControl control) {
    String name = control.name();
    return name == null ? "" : name;
  }

  private void controlFailed(TransactionCapture tx, TransactionControl control, Throwable failure) {
    switch (control.kind()) {
      case COMMIT, PREPARE -> {
        begunBySql = false;
        commitFailed(tx, failure);
      }
      case ROLLBACK -> {
        begunBySql = false;
        finish(tx, Outcome.ABORTED);
      }
      default -> {
        if (tx.single()) {
          finish(tx, Outcome.ABORTED);
        } else {
          afterFailure(tx, failure);
        }
      }
    }
  }

  /** The application reads a row of a result. */
  void row(StatementRun run, Work reading) {
    guarded(
        () -> {
          if (run.detached()) {
            capture.stats().count(CaptureStats.Event.LATE_ROW);
            return;
          }
          reading.run();
          handOverChunk(run.transaction(), run);
        });
  }

  /** The application is done with the rows of a statement. */
  void rowsEnded(StatementRun run) {
    guarded(
        () -> {
          if (current == run.transaction()) {
            endSingle();
          }
        });
  }

  /** A savepoint was set. */
  void savepointSet(Object id) {
    guarded(() -> (current == null ? beginTransaction() : current).savepoint(id));
  }

  /** The transaction was rolled back to a savepoint. */
  void rolledBackTo(Object id) {
    guarded(
        () -> {
          if (current != null) {
            current.rollbackTo(id);
          }
        });
  }

  /** A savepoint was released. */
  void savepointReleased(Object id) {
    guarded(
        () -> {
          if (current != null) {
            current.release(id);
          }
        });
  }

  /** The application is about to commit. */
  void beforeCommit() {
    guarded(
        () -> {
          if (current != null && probe.state() == State.FAILED) {
            current.failed(true);
          }
        });
  }

  /** A commit succeeded as far as the driver tells. */
  void committed() {
    guarded(
        () -> {
          TransactionCapture tx = current;
          begunBySql = false;
          if (tx != null) {
            finish(tx, tx.failed() || tx.lost() ? Outcome.ABORTED : Outcome.COMMITTED);
          }
        });
  }

  /** A commit threw. */
  void commitFailed(Throwable failure) {
    guarded(
        () -> {
          TransactionCapture tx = current;
          if (tx != null && !tx.single()) {
            commitFailed(tx, failure);
          }
        });
  }

  private void commitFailed(TransactionCapture tx, Throwable failure) {
    boolean aborted = tx.failed() || tx.lost() || Failures.commitHadNoEffect(failure);
    finish(tx, aborted ? Outcome.ABORTED : Outcome.UNKNOWN);
  }

  /** The transaction under way was rolled back, or will be because its commit is never sent. */
  void rolledBack() {
    guarded(
        () -> {
          begunBySql = false;
          TransactionCapture tx = current;
          if (tx != null) {
            finish(tx, tx.single() ? Outcome.COMMITTED : Outcome.ABORTED);
          }
        });
  }

  /** The connection was closed. */
  void closed() {
    guarded(
        () -> {
          TransactionCapture tx = current;
          if (tx != null && tx.single()) {
            endSingle();
          } else if (tx != null) {
            boolean aborted = postgres || tx.failed() || tx.lost();
            finish(tx, aborted ? Outcome.ABORTED : Outcome.UNKNOWN);
          }
          if (!closed) {
            closed = true;
            capture.closeSession();
          }
        });
  }

  /** The connection switched its autocommit mode; a transaction under way is committed first. */
  void autoCommitSet(boolean on) {
    guarded(
        () -> {
          endSingle();
          if (current != null && on != autoCommit) {
            committed();
          }
          autoCommit = on;
        });
  }

  boolean autoCommit() {
    return autoCommit;
  }

  /** Whether a transaction of several statements is under way. */
  synchronized boolean inTransaction() {
    return current != null && !current.single();
  }

  void isolationSet(int jdbcLevel) {
    guarded(() -> settings.isolation(jdbcLevel));
  }

  void schemaSet(@Nullable String schema) {
    guarded(() -> settings.schema(schema));
  }

  private void endSingle() {
    TransactionCapture tx = current;
    if (tx != null && tx.single()) {
      finish(tx, Outcome.COMMITTED);
    }
  }

  private void handOverChunk(TransactionCapture tx, @Nullable StatementRun keep) {
    int limit = capture.config().chunkOperations();
    if (tx.operationCount() < limit) {
      return;
    }
    if (tx.hasSavepoints()) {
      if (tx.operationCount() >= 4L * limit) {
        capture.stats().count(CaptureStats.Event.TOO_MANY_OPERATIONS);
        tx.poison();
      }
      return;
    }
    emit(tx, Outcome.OPEN, TransactionRecord.NO_TIME, keep);
  }

  private void finish(TransactionCapture tx, Outcome outcome) {
    if (current == tx) {
      current = null;
    }
    if (!tx.single()) {
      settings.transactionEnded();
    }
    boolean nothing = tx.operationCount() == 0 && !tx.poisoned() && !tx.announced();
    if (nothing && tx.chunks() == 0) {
      tx.take(null);
      return;
    }
    boolean known = outcome != Outcome.UNKNOWN;
    emit(tx, outcome, known ? CaptureClock.PROCESS.nowNs() : TransactionRecord.NO_TIME, null);
  }

  private void emit(
      TransactionCapture tx, Outcome outcome, long endNs, @Nullable StatementRun keep) {
    long sequence = nextSequence++;
    int chunk = tx.chunks();
    Operations operations = tx.take(keep);
    capture
        .sink()
        .transaction(
            new TransactionRecord(
                info,
                sequence,
                tx.number(),
                chunk,
                outcome,
                tx.ranAt(),
                tx.beginNs(),
                endNs,
                CaptureClock.PROCESS.id(),
                operations));
    capture.stats().count(CaptureStats.Event.RECORDS);
    capture.stats().add(CaptureStats.Event.OPERATIONS, operations.size());
  }

  /** A parameter source of a statement without parameters. */
  static Object noParameter(int index) {
    return Operand.UNKNOWN;
  }
}
