package io.isotail.ingest.capture;

import io.isotail.ingest.sql.Analysis;
import io.isotail.ingest.sql.AnalyzedSql;
import io.isotail.ingest.sql.StatementTrait;
import io.isotail.ingest.sql.TransactionControl.Kind;
import io.isotail.ingest.sql.Uninterpreted;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * What changes in a session when a statement is about to be sent, whatever becomes of it. Guarded
 * by the session's lock.
 */
final class StatementStart {
  private final Capture capture;
  private final SessionSettings settings;
  private final Server server;
  private @Nullable String comment;

  StatementStart(Capture capture, SessionSettings settings, Server server) {
    this.capture = capture;
    this.settings = settings;
    this.server = server;
  }

  /** The next statement has this comment. */
  void comment(String text) {
    comment = text;
  }

  /** Adds a statement to its transaction. */
  StatementRun start(AnalyzedSql sql, IntFunction<Object> parameters, TransactionCapture tx) {
    String told = comment;
    if (told != null) {
      comment = null;
      tx.comment(told);
    }
    Analysis analysis = settings.effective(sql.analysis());
    if (analysis.mayWrite()) {
      tx.announce();
    }
    if (analysis instanceof Analysis.Opaque opaque) {
      if (opaque.reason() != Uninterpreted.TOLD_BY_LOG) {
        capture.stats().count(opaque.reason());
      }
    } else if (analysis instanceof Analysis.Unread unread) {
      capture.stats().count(unread.reason());
    } else if (analysis instanceof Analysis.Query query && query.readsMore()) {
      capture.stats().count(Uninterpreted.SUBQUERY);
    } else if (analysis instanceof Analysis.Control control) {
      tx.notice(server.state());
      Kind kind = control.control().kind();
      if (kind == Kind.COMMIT || kind == Kind.PREPARE) {
        tx.commitSent();
      } else {
        tx.commitAnswered();
      }
    }
    sends(sql, analysis, tx);
    StatementRun run = new StatementRun(sql, analysis, parameters, tx);
    run.notCaptured(capture.tally().sent(sql.fingerprint(), analysis));
    tx.add(run);
    tx.busy(true);
    return run;
  }

  private void sends(AnalyzedSql sql, Analysis analysis, TransactionCapture tx) {
    tx.sends(sql.traits());
    if (takesSnapshot(sql, sql.analysis())) {
      tx.takesSnapshot();
    }
    if (sql.may(StatementTrait.COMMITS_TRANSACTION) && tx.isUnderWay()) {
      tx.uncertain();
    }
    if (sql.may(StatementTrait.COMMITS_INSIDE) && splitsTransaction(tx)) {
      tx.poison();
    }
    if (sql.may(StatementTrait.MAY_SET_LEVEL)) {
      settings.levelUnclear();
      if (!tx.single()) {
        tx.ranAt(settings.isolation());
      }
    }
    if (sql.may(StatementTrait.LOCKS_ROWS) && server.dialect().lockingReadsAreCurrent()) {
      tx.ranAt(Dialect.withLockingReads(tx.ranAt()));
    }
    if (sql.may(StatementTrait.CHANGES_SETTINGS)) {
      settings.doubt();
      boolean keepsLevel =
          server.dialect().fixesLevelBySnapshot() && !sql.may(StatementTrait.SEVERAL_STATEMENTS);
      if (!tx.single() && !keepsLevel && !(analysis instanceof Analysis.Harmless)) {
        tx.ranAt(null);
      }
    }
    if (sql.may(StatementTrait.CHANGES_ROLE)) {
      settings.roleUnclear();
    }
    if (sql.may(StatementTrait.DEFINES_TABLES)) {
      capture.changeTables();
    }
    if (sql.may(StatementTrait.DEFINES_FUNCTIONS)) {
      capture.changeFunctions();
    }
    if (sql.may(StatementTrait.MAY_DEFINE_TABLES)) {
      capture.doubtTables();
    }
    if (sql.may(StatementTrait.HIDES_TABLES)) {
      settings.tableHidden();
    }
    if (sql.may(StatementTrait.MOVES_NAMES)) {
      capture.moveNames();
    }
  }

  /** Whether a procedure that commits makes two transactions of one, each with an id of its own. */
  private boolean splitsTransaction(TransactionCapture tx) {
    return !tx.single() && server.dialect().committedIdQuery() != null;
  }

  /** False in doubt: LOCK, SET and others take none. */
  private static boolean takesSnapshot(AnalyzedSql sql, Analysis analysis) {
    boolean named =
        analysis instanceof Analysis.Query
            || analysis instanceof Analysis.Written
            || analysis instanceof Analysis.Select
            || analysis instanceof Analysis.Update
            || analysis instanceof Analysis.Insert
            || analysis instanceof Analysis.Delete;
    return named
        || (sql.may(StatementTrait.CHANGES_SETTINGS)
            && !sql.may(StatementTrait.SEVERAL_STATEMENTS)
            && !(analysis instanceof Analysis.Control));
  }
}
