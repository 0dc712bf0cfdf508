package io.isotail.ingest.postgres;

import io.isotail.ingest.capture.Failure;
import io.isotail.ingest.capture.ResultCapture;
import io.isotail.ingest.capture.Server.TransactionState;
import io.isotail.ingest.capture.SessionCapture;
import io.isotail.ingest.capture.StatementRun;
import io.isotail.ingest.sql.Analysis;
import io.isotail.ingest.sql.StatementTrait;
import io.isotail.ingest.sql.TransactionControl;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * The executions of a conversation as its capture sees them: one after another, although the client
 * may send several before the first is answered. One that is sent ahead begins when the one before
 * it is answered.
 *
 * <p>Statements that follow each other without a Sync between, while no transaction is open, are
 * one transaction, which ends at the Sync. For one thread.
 */
final class Executions {
  /** The connection was lost before the answer. */
  private static final Failure LOST = new Failure("08006", 0);

  /** Something else has failed, and what was executed before with it. */
  private static final Failure IN_FAILED_TRANSACTION = new Failure("25P02", 0);

  /** Nothing is known of how it ended. */
  private static final Failure NOT_TOLD = new Failure(null, 0);

  private static final String ROLLED_BACK = "ROLLBACK";

  private final SessionCapture session;
  private final Talk talk;
  private final WireServer server;
  private final ArrayDeque<Portal> ahead = new ArrayDeque<>();

  /** The execution that is to be answered next; null if none is. */
  private @Nullable Portal current;

  /** The last one since the server was ready, answered or not. */
  private @Nullable StatementRun last;

  /** The first one since the server was ready, if it is a transaction of its own. */
  private @Nullable StatementRun implicit;

  private @Nullable Failure failure;
  private long count;

  Executions(SessionCapture session, Talk talk) {
    this.session = session;
    this.talk = talk;
    this.server = talk.server;
  }

  /** The execution of a statement is about to be sent. */
  void sends(Portal portal) {
    if (portal.sent) {
      return; // It goes on.
    }
    portal.sent = true;
    portal.sentNs = Math.min(talk.sinceNs, SessionCapture.nowNs());
    portal.late = portal.boundAfter >= 0 && portal.boundAfter != count;
    count++;
    if (current == null && ahead.isEmpty() && failure == null && !talk.awaitsReady()) {
      begin(portal);
    } else {
      ahead.add(portal);
      session.ahead(ahead.size());
    }
  }

  /** How many executions were sent. */
  long count() {
    return count;
  }

  private void begin(Portal portal) {
    current = portal;
    session.sends(portal.prepared().told());
    StatementRun first = implicit;
    if (first != null && portal.prepared().sql().analysis() instanceof Analysis.Control) {
      // BEGIN takes what came before into its transaction, COMMIT ends it: how it ends is not seen.
      session.statementFailed(first, NOT_TOLD);
      implicit = null;
      first = null;
    }
    StatementRun run =
        first != null
            ? session.beforeStatementOf(first, portal.followed(), portal.parameters)
            : session.beforeStatement(portal.followed(), portal.parameters, portal.sentNs);
    if (first == null && run != null && run.isSingle()) {
      implicit = run;
    }
    portal.run = run;
    last = run == null ? last : run;
  }

  /** Rows of a statement are about to come. */
  private @Nullable ResultCapture result(Portal portal) {
    StatementRun run = portal.run;
    ResultCapture result = portal.result;
    if (result == null && run != null) {
      if (!portal.swallowsRows()) {
        session.afterQuery(run);
      }
      result = session.result(run);
      portal.result = result;
    }
    return result;
  }

  /** Whether a row that a statement answers with is to be read. */
  boolean reads(Portal portal) {
    ResultCapture result = result(portal);
    boolean readable = portal.prepared().hidden().length > 0 || portal.described() != null;
    return result != null && result.reads() && readable;
  }

  /** A statement answers with a row that is not read. */
  void passed(Portal portal) {
    portal.passedRows = true;
    StatementRun run = portal.run;
    if (run != null) {
      session.rowPassed(run);
    }
  }

  /** A statement answers with a row. */
  void row(Portal portal, WireRow row) {
    portal.rows++;
    ResultCapture result = result(portal);
    if (result != null) {
      result.row(row);
    }
  }

  /** The portal gives no more rows for now: its client has asked for so many. */
  void suspended(Portal portal) {
    StatementRun run = portal.run;
    if (run != null && portal.prepared().sql().may(StatementTrait.LOCKS_ROWS)) {
      run.lockLater();
    }
    result(portal);
    answered(portal);
  }

  /**
   * A statement was executed.
   *
   * @param tag what the server says of it, as {@code UPDATE 3}; empty for an empty query
   * @param byQuery whether a Query executes it, which may have several statements
   */
  void completed(Portal portal, String tag, boolean byQuery) {
    StatementRun run = portal.run;
    boolean ends = !byQuery || !portal.prepared().sql().may(StatementTrait.SEVERAL_STATEMENTS);
    // What may be followed by others of its text ends when the server is ready.
    if (run != null && ends) {
      completed(portal, run, tag);
    }
    if (portal.parameters instanceof BoundValues bound) {
      talk.kept.done(bound);
    }
    answered(portal);
  }

  private void completed(Portal portal, StatementRun run, String tag) {
    Analysis analysis = portal.prepared().sql().analysis();
    ResultCapture result = portal.result;
    long count = count(tag);
    if (analysis instanceof Analysis.Control control) {
      controlled(run, control.control(), tag);
    } else if (portal.swallowsRows() && portal.addedBefore() == 0) {
      ResultCapture written = result(portal);
      if (written != null && count > 0) {
        written.answered(portal.rows == count);
      }
      session.answered(run, count);
    } else if (result != null || tag.startsWith("SELECT")) {
      ResultCapture rows = result(portal);
      if (rows != null) {
        rows.answered(!portal.passedRows);
      }
    } else {
      session.answered(run, count);
    }
  }

  private void controlled(StatementRun run, TransactionControl control, String tag) {
    TransactionControl.Kind kind = control.kind();
    boolean endsTransaction =
        kind == TransactionControl.Kind.COMMIT || kind == TransactionControl.Kind.PREPARE;
    if (endsTransaction && tag.equals(ROLLED_BACK)) {
      session.rolledBackInstead(run);
    } else {
      session.answered(run, -1);
    }
    switch (kind) {
      case BEGIN -> server.state(TransactionState.OPEN);
      case COMMIT, ROLLBACK, PREPARE ->
          server.state(control.chain() ? TransactionState.OPEN : TransactionState.IDLE);
      default -> {}
    }
    implicit = null;
  }

  private static long count(String tag) {
    int space = tag.lastIndexOf(' ');
    try {
      return space < 0 ? -1 : Long.parseLong(tag.substring(space + 1));
    } catch (NumberFormatException e) {
      return -1;
    }
  }

  private void answered(Portal portal) {
    if (portal == current) {
      current = null;
      next();
    }
  }

  /** What was sent next begins, unless the server is to be ready before. */
  private void next() {
    Portal next = ahead.peek();
    if (current == null && next != null && talk.executesBeforeReady(next)) {
      ahead.remove();
      begin(next);
      session.ahead(ahead.size());
    }
  }

  /**
   * The server has refused something.
   *
   * @param portal what it was about to execute; null if it was not about to execute anything
   * @param of what it was about to parse, bind or describe; null if that is not known
   * @param skipped what it will not execute, because it skips all until the next Sync
   */
  void failed(
      @Nullable Portal portal, @Nullable Prepared of, Failure failed, Iterable<Portal> skipped) {
    for (Portal each : skipped) {
      ahead.remove(each);
    }
    // What was executed before is not to blame for it.
    failure = portal == null && last != null ? IN_FAILED_TRANSACTION : failed;
    if (portal == null && of != null && last == null) {
      begin(new Portal(of, SessionCapture::noParameter, Formats.TEXT));
      session.ahead(ahead.size());
    }
  }

  /** The server has answered everything up to a Sync, a Query or a function call. */
  void ready(TransactionState state) {
    session.ahead(ahead.size());
    server.state(state);
    StatementRun run = last;
    Failure failed = failure;
    if (run != null && failed != null) {
      session.statementFailed(run, failed);
    } else if (run != null) {
      if (!run.isAnswered()) {
        session.answered(run, -1);
      }
      session.rowsEnded(run);
    }
    session.ready();
    failure = null;
    last = null;
    implicit = null;
    current = null;
    next();
    session.ahead(ahead.size());
  }

  /** The connection is gone: what was sent may have been executed. */
  void lost() {
    StatementRun run = last;
    if (!ahead.isEmpty()) {
      session.lostAhead(ahead.stream().flatMap(each -> each.all().stream()).toList());
      ahead.clear();
    } else if (run != null && (current != null || implicit != null)) {
      session.statementFailed(run, LOST);
    }
    session.ahead(0);
    session.closed();
  }
}
