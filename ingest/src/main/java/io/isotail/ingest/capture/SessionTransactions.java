package io.isotail.ingest.capture;

import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.SessionInfo;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.ingest.capture.Server.TransactionState;
import io.isotail.ingest.emit.CaptureClock;
import io.isotail.ingest.sql.Analysis;
import io.isotail.ingest.sql.AnalyzedSql;
import io.isotail.ingest.sql.Rewriting;
import io.isotail.ingest.sql.StatementTrait;
import io.isotail.ingest.sql.TransactionControl;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Where the transactions of one session begin and end. Guarded by the session's lock.
 *
 * <p>In autocommit mode a statement is a transaction of its own (<em>single</em>), which lasts
 * until the application is done with its rows or sends the next statement.
 */
final class SessionTransactions {
  private final Capture capture;
  private final TransactionRecords records;
  private final StatementStart starts;
  private final WriterQuestion writerQuestion;
  private final SizeQuestion sizeQuestion;
  private final StatedWrites stated;
  private final SessionSettings settings;
  private final Server server;
  private final Dialect dialect;

  private boolean autoCommit;

  /** The level of the next transaction alone was set, which a question of ours would use up. */
  private boolean levelOfNext;

  /** That level as records name it, where the database sets it so; else null. */
  private @Nullable String nextLevel;

  private boolean begunBySql;

  /**
   * The transaction whose last statement failed in a way that may have rolled it back; null once
   * another one was sent.
   */
  private @Nullable TransactionCapture doubtful;

  private boolean closed;
  private @Nullable TransactionCapture current;

  /** When the statement was sent that is about to begin; later than any time if it is not yet. */
  private long sentNs = Long.MAX_VALUE;

  SessionTransactions(
      Capture capture,
      SessionInfo info,
      SessionSettings settings,
      Server server,
      Dialect dialect,
      boolean autoCommit) {
    this.capture = capture;
    this.records = new TransactionRecords(capture, info, server);
    this.settings = settings;
    this.server = server;
    this.starts = new StatementStart(capture, settings, server);
    this.stated = new StatedWrites(capture, server);
    this.writerQuestion = new WriterQuestion(capture, server);
    this.sizeQuestion = new SizeQuestion(capture, server);
    this.dialect = dialect;
    this.autoCommit = autoCommit;
  }

  TransactionRecords records() {
    return records;
  }

  SessionSettings settings() {
    return settings;
  }

  boolean autoCommit() {
    return autoCommit;
  }

  /** The next statement has this comment. */
  void sends(String comment) {
    starts.comment(comment);
  }

  boolean inTransaction() {
    return current != null && !current.single();
  }

  Dialect dialect() {
    return dialect;
  }

  /**
   * How a statement may be rewritten now; null if not.
   *
   * @param inPortions whether its answer can be taken in portions
   */
  @Nullable Rewriting rewriting(AnalyzedSql sql, boolean inPortions) {
    Rewriting allowed = capture.allowed(sql, inPortions);
    if (allowed == null || !mayRewrite(allowed)) {
      return null;
    }
    if (server.dialect().returnsReplaced(server.majorVersion())) {
      allowed = capture.observation().tellingReplaced(allowed);
    }
    Analysis analysis = allowed.addition().analysis();
    return settings.effective(analysis) == analysis ? allowed : null;
  }

  /**
   * Whether a statement may be rewritten so: not in a transaction that has defined tables, which
   * other sessions do not see yet, not after the role was changed, whose rights are not known, and
   * not where a longer answer may cost the connection.
   */
  private boolean mayRewrite(Rewriting how) {
    TransactionCapture tx = current;
    boolean defines =
        tx != null
            && !tx.single()
            && (tx.mayHave(StatementTrait.DEFINES_TABLES)
                || tx.mayHave(StatementTrait.MAY_DEFINE_TABLES));
    boolean understood =
        !how.returnsFromMerge() || server.dialect().returnsFromMerge(server.majorVersion());
    return understood && !defines && !settings.roleChanged() && !server.limitsAnswers();
  }

  /** How a statement may be rewritten that may be executed in later transactions too. */
  @Nullable Rewriting lastingRewriting(AnalyzedSql sql, boolean inPortions) {
    Rewriting allowed = rewriting(sql, inPortions);
    return allowed != null && settings.isLasting(allowed.addition().analysis()) ? allowed : null;
  }

  /** What writes tell without being asked. */
  StatedWrites stated() {
    return stated;
  }

  /** Whether what the transaction under way writes has told its version. */
  boolean knowsItsVersion() {
    TransactionCapture tx = current;
    return tx != null && tx.writerVersion() != null;
  }

  /** Whether a write need not be asked what it wrote, in each of its executions. */
  boolean statesItself(AnalyzedSql sql, List<IntFunction<Object>> executions) {
    TransactionCapture tx = current;
    return tx != null
        && settings.effective(sql.analysis()) == sql.analysis()
        && stated.version(sql, sql.analysis(), executions, tx) != null;
  }

  /** So many statements were sent that have not begun. */
  void ahead(int statements) {
    if (statements > 0) {
      records.announceAhead(statements, current);
    } else {
      records.endAhead(current);
    }
  }

  /** Whether the server is to be asked before the next transaction. */
  boolean needsRefresh() {
    return !inTransaction() && settings.needsRefresh(autoCommit);
  }

  /**
   * Asks the server, if need be, what a text is to be read by that is sent next or later. Only
   * where nothing is under way: not while a COPY runs, nor where a question would use up the level
   * that is set for the next transaction.
   */
  void refreshBeforeText(String text) {
    boolean asks = dialect.sql().asksOfBefore(text);
    settings.keepSilent(asks);
    if (asks) {
      capture.asksOfBefore();
    }
    if (current == null
        && !levelOfNext
        && server.state() == TransactionState.IDLE
        && settings.needsRefresh(autoCommit)) {
      settings.refresh(autoCommit);
    }
  }

  /** What the server says of the transaction under way. */
  TransactionState state() {
    return server.state();
  }

  /** Asks the server, if need be, what is to be known before the next transaction. */
  void refresh() {
    settings.refresh(autoCommit);
  }

  /** A statement is about to be sent: asks what its names mean if that is not clear. */
  void settle(AnalyzedSql sql) {
    settings.keepSilent(sql.may(StatementTrait.ASKS_OF_BEFORE));
    if (current == null && !levelOfNext) {
      settings.refresh(autoCommit); // The statement is to be sent by the answer already.
    } else if (server.canAsk() && needsToSettle(sql)) {
      settings.askInside();
    }
  }

  /**
   * Whether a statement that is about to be sent is known to write a small table, so that its
   * answer can be held as a whole; asks the server if need be.
   *
   * @param executions how many of it are sent at once
   */
  boolean writesSmallTable(AnalyzedSql sql, int executions) {
    TransactionCapture tx = current;
    boolean outside = tx == null && !levelOfNext && server.state() == TransactionState.IDLE;
    return server.canAsk()
        && (outside || mayAskIn(tx))
        && sizeQuestion.isSmall(sql, executions, !outside);
  }

  /** Whether the transaction under way is to ask what the names of a statement mean. */
  boolean needsToSettle(AnalyzedSql sql) {
    return inTransaction() && settings.isUnclear(sql) && mayAskInside();
  }

  private boolean mayAskInside() {
    return mayAskIn(current) && settings.mayAskInside();
  }

  /** Whether a question changes nothing in a transaction: it has its snapshot. */
  private boolean mayAskIn(@Nullable TransactionCapture tx) {
    return tx != null
        && !tx.single()
        && !tx.busy()
        && !tx.poisoned()
        && tx.tookSnapshot()
        && server.state() == TransactionState.OPEN;
  }

  /** What the server is to be asked before the transaction under way commits; null for nothing. */
  @Nullable String writerQuery() {
    TransactionCapture tx = current;
    return tx == null ? null : writerQuestion.query(tx);
  }

  /** The connection is lost: how the transaction under way ended is not known. */
  void lost() {
    TransactionCapture tx = current;
    if (tx != null) {
      tx.uncertain();
      tx.busy(false);
      finish(tx, Outcome.UNKNOWN);
    }
    begunBySql = false;
  }

  /** The server is in no transaction, and has answered all. */
  void ready() {
    if (server.state() == TransactionState.IDLE && inTransaction()) {
      lost();
    }
  }

  /** The server has answered that, and nothing that was sent behind it. */
  void toldWriter(@Nullable List<@Nullable String> row) {
    TransactionCapture tx = current;
    if (tx != null) {
      writerQuestion.answered(tx, row);
    }
  }

  /** The transaction under way, begun if there is none. */
  TransactionCapture current() {
    TransactionCapture tx = current;
    return tx == null ? beginTransaction() : tx;
  }

  /**
   * A statement was sent.
   *
   * @param sentNs when
   */
  StatementRun begin(AnalyzedSql sql, IntFunction<Object> parameters, long sentNs) {
    this.sentNs = sentNs;
    try {
      return begin(sql, parameters);
    } finally {
      this.sentNs = Long.MAX_VALUE;
    }
  }

  /** A statement is about to be sent. */
  StatementRun begin(AnalyzedSql sql, IntFunction<Object> parameters) {
    TransactionCapture unanswered = current;
    if (unanswered != null && unanswered.single() && unanswered.busy()) {
      capture.stats().count(CaptureStats.Event.OVERTAKEN_STATEMENTS);
      unanswered.overtaken();
    }
    if (unanswered != null && sql.analysis() instanceof Analysis.Control control) {
      if (control.control().endsWithCommit()) {
        writerQuestion.ask(unanswered);
      }
    }
    settings.keepSilent(sql.may(StatementTrait.ASKS_OF_BEFORE));
    try {
      return beginNext(sql, parameters);
    } finally {
      settings.keepSilent(false);
    }
  }

  /** A statement is about to be sent, in a batch perhaps with the one before. */
  StatementRun beginNext(AnalyzedSql sql, IntFunction<Object> parameters) {
    endSingle();
    if (!isRollback(sql)) {
      doubtful = null;
    }
    String next = nextLevel;
    boolean isOfNext = levelOfNext;
    TransactionCapture tx = current();
    if (isOfNext && tx.single() && next != null && beginsNone(sql)) {
      levelOfNext = true;
      nextLevel = next;
    }
    records.handOverChunk(tx, null);
    return starts.start(sql, parameters, tx);
  }

  /** Whether a statement outside a transaction is none, so that the level of the next one stays. */
  private static boolean beginsNone(AnalyzedSql sql) {
    return sql.beginsWith("set") || sql.beginsWith("show");
  }

  private static boolean isRollback(AnalyzedSql sql) {
    return sql.analysis() instanceof Analysis.Control control
        && control.control().kind() == TransactionControl.Kind.ROLLBACK;
  }

  /** A statement is about to be sent that is certainly in the transaction of another one. */
  StatementRun beginWith(
      AnalyzedSql sql, IntFunction<Object> parameters, TransactionCapture transaction) {
    doubtful = null;
    return starts.start(sql, parameters, transaction);
  }

  private TransactionCapture beginTransaction() {
    boolean single = autoCommit && !begunBySql;
    TransactionState state = server.state();
    boolean hidden =
        !single && (state == TransactionState.OPEN || state == TransactionState.FAILED);
    if (!hidden && !levelOfNext) {
      settings.refresh(autoCommit);
    }
    String next = nextLevel;
    levelOfNext = false;
    nextLevel = null;
    TransactionCapture tx =
        newTransaction(
            hidden ? TransactionRecord.NO_TIME : Math.min(sentNs, CaptureClock.PROCESS.nowNs()),
            next == null ? settings.isolation() : next,
            single);
    if (hidden) {
      capture.stats().count(CaptureStats.Event.HIDDEN_STATEMENTS);
      tx.poison();
    }
    return tx;
  }

  private TransactionCapture newTransaction(long beginNs, @Nullable String level, boolean single) {
    String last = settings.takeLastId();
    if (last != null) {
      writerQuestion.last(last);
    }
    records.inDatabase(settings.database());
    TransactionCapture tx = records.begin(beginNs, level, single);
    tx.calledFrom(capture.place());
    current = tx;
    return tx;
  }

  void touch() {
    if (!autoCommit) {
      current();
    }
  }

  /** What the transaction under way did is no longer known. */
  void poisonCurrent() {
    TransactionCapture tx = current;
    if (tx != null) {
      tx.poison();
    }
  }

  /** A statement ran that could not be followed. */
  void unseenStatement() {
    TransactionCapture tx = current();
    tx.poison();
    tx.busy(false);
    endSingle();
  }

  /** After a text of several statements, asks the driver whether a transaction is open. */
  void resync(StatementRun run) {
    if (!run.sql().may(StatementTrait.SEVERAL_STATEMENTS)) {
      return;
    }
    TransactionCapture tx = run.transaction();
    tx.poison();
    switch (server.state()) {
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

  /** A text of several statements failed: those before the failure may have been committed. */
  void severalFailed(TransactionCapture tx, Failure failure) {
    tx.poison();
    TransactionState state = server.state();
    if (!failure.connectionLost()
        && (state == TransactionState.OPEN || state == TransactionState.FAILED)) {
      begunBySql = autoCommit;
      tx.becomeExplicit();
      failed(tx, failure);
    } else if (tx.single() || state == TransactionState.IDLE) {
      begunBySql = false;
      finish(tx, Outcome.UNKNOWN);
    } else {
      failed(tx, failure);
    }
  }

  /** A statement of a transaction of several failed. */
  void failed(TransactionCapture tx, Failure failure) {
    if (failure.connectionLost()) {
      tx.lose();
    }
    TransactionState state = server.state();
    if (closed) {
      finish(tx, Outcome.ABORTED);
    } else if (state != TransactionState.UNKNOWN) {
      tx.failed(state == TransactionState.FAILED);
    } else {
      switch (dialect.afterFailure(failure)) {
        case GOES_ON -> {}
        case DOOMED -> tx.failed(true);
        case ROLLED_BACK -> {
          begunBySql = false;
          finish(tx, Outcome.ABORTED);
        }
        case UNCERTAIN -> {
          doubtful = mayHaveGoneOn(tx) ? null : tx;
          tx.uncertain();
        }
      }
    }
  }

  /** Whether what was sent before may have been committed already, outside of a transaction. */
  private boolean mayHaveGoneOn(TransactionCapture tx) {
    return autoCommit || tx.isUncertain() || tx.mayHave(StatementTrait.COMMITS_INSIDE);
  }

  /** Transaction control sent as a statement took effect. */
  void controlled(TransactionCapture tx, TransactionControl control) {
    switch (control.kind()) {
      case BEGIN -> {
        tx.becomeExplicit();
        begunBySql = autoCommit;
        settings.level(tx, control);
        if (control.isOfXa()) {
          tx.uncertain(); // Another session may end it.
        }
      }
      case COMMIT -> ended(tx, control, tx.doomed() ? Outcome.ABORTED : Outcome.COMMITTED);
      case ROLLBACK -> {
        settleDoubt(tx);
        ended(tx, control, Outcome.ABORTED);
      }
      case PREPARE -> {
        tx.prepared(control.name());
        ended(tx, control, tx.doomed() ? Outcome.ABORTED : Outcome.UNKNOWN);
      }
      case COMMIT_PREPARED -> capture.prepared().decide(control.name(), Outcome.COMMITTED);
      case ROLLBACK_PREPARED -> capture.prepared().decide(control.name(), Outcome.ABORTED);
      case SAVEPOINT -> tx.savepoint(name(control));
      case ROLLBACK_TO -> rollbackTo(tx, name(control));
      case RELEASE -> tx.release(name(control));
      case SET_TRANSACTION -> {
        settings.level(tx, control);
        levelOfNext = tx.single();
        nextLevel = levelOfNext && dialect.setsLevelOfNext() ? settings.levelOfNext(control) : null;
      }
      case IMPORT_SNAPSHOT -> {
        if (!tx.single()) {
          records.setAside(tx);
        }
      }
      case SET_AUTO_COMMIT -> autoCommitSet("on".equals(control.name()));
      case SET_SESSION, RESET_SETTINGS, SET_SEARCH_PATH, SET_ROLE -> settings.changed(control);
    }
  }

  void rollbackTo(TransactionCapture tx, Object savepoint) {
    tx.rollbackTo(savepoint);
    settings.rolledBack();
  }

  private void ended(TransactionCapture tx, TransactionControl control, Outcome outcome) {
    String level = tx.ranAt();
    tx.commitAnswered();
    finish(tx, outcome);
    begunBySql = autoCommit && control.chain();
    if (control.chain()) {
      newTransaction(CaptureClock.PROCESS.nowNs(), level, false);
    }
  }

  private static Object name(TransactionControl control) {
    String name = control.name();
    return name == null ? "" : name;
  }

  /** Transaction control sent as a statement failed. */
  void controlFailed(TransactionCapture tx, TransactionControl control, Failure failure) {
    if (control.isOfXa() && !tx.single()) {
      tx.uncertain();
      if (failure.connectionLost() || failure.ofXaRollback()) {
        begunBySql = false;
        finish(tx, Outcome.UNKNOWN);
      }
      return; // Else another one was meant, perhaps, and this one goes on.
    }
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
          failed(tx, failure);
        }
      }
    }
  }

  /** Whether the transaction under way, of several statements, may have written. */
  boolean mayHaveWritten() {
    return inTransaction() && current != null && current.announced();
  }

  /** Whether the database may commit what is open when a connection is closed. Of any thread. */
  boolean closingMayCommit() {
    return !dialect.closingRollsBack();
  }

  /** Whether to close the connection may make a write visible to others. */
  boolean mayCommitByClosing() {
    return closingMayCommit() && mayHaveWritten();
  }

  /** Whether statements that are about to be sent may make a write visible to others. */
  boolean mayShowWrites(List<AnalyzedSql> statements) {
    TransactionCapture tx = inTransaction() ? current : null;
    boolean stays = tx == null ? !autoCommit || begunBySql : !tx.isUncertain();
    boolean wrote = mayHaveWritten();
    for (AnalyzedSql sql : statements) {
      if (sql.mayShowWrites(stays, wrote)) {
        return true;
      }
      wrote |= sql.analysis().mayWrite();
    }
    return false;
  }

  void beforeCommit() {
    TransactionCapture tx = current;
    if (tx != null) {
      writerQuestion.ask(tx);
      tx.notice(server.state());
      tx.busy(true);
      tx.commitSent();
    }
  }

  void committed() {
    TransactionCapture tx = current;
    begunBySql = false;
    if (tx != null) {
      tx.commitAnswered();
      finish(tx, tx.doomed() ? Outcome.ABORTED : Outcome.COMMITTED);
    }
  }

  void commitFailed(Failure failure) {
    TransactionCapture tx = current;
    if (tx != null && !tx.single()) {
      commitFailed(tx, failure);
    }
  }

  private void commitFailed(TransactionCapture tx, Failure failure) {
    boolean overtaken = closed && failure.connectionLost();
    boolean aborted = tx.doomed() || (!overtaken && failure.commitHadNoEffect());
    tx.commitAnswered();
    finish(tx, aborted ? Outcome.ABORTED : Outcome.UNKNOWN);
  }

  void rolledBack() {
    TransactionCapture tx = current;
    begunBySql = false;
    if (tx != null) {
      settleDoubt(tx);
      finish(tx, tx.single() ? Outcome.COMMITTED : Outcome.ABORTED);
    }
  }

  /**
   * The application has rolled back. If its statement before failed in a way that may have rolled
   * back by itself, the transaction has ended without effect either way.
   */
  private void settleDoubt(TransactionCapture tx) {
    if (tx == doubtful) {
      tx.certainlyRolledBack();
    }
    doubtful = null;
  }

  /**
   * The connection was closed. A transaction that waits for an answer in another thread is left to
   * what that answer says; without an answer, one whose commit was sent is of unknown outcome.
   */
  void closed() {
    TransactionCapture tx = current;
    if (tx != null && !tx.busy()) {
      boolean aborted = dialect.closingRollsBack() || tx.doomed();
      finish(tx, tx.single() ? Outcome.COMMITTED : aborted ? Outcome.ABORTED : Outcome.UNKNOWN);
    }
    if (!closed) {
      closed = true;
      capture.sessions().close();
    }
  }

  /**
   * Autocommit is about to be switched: what must be asked outside of transactions is asked now.
   */
  void beforeAutoCommit(boolean on) {
    endSingle();
    if (!on && autoCommit && current == null && !levelOfNext) {
      settings.refresh(true);
    }
  }

  void autoCommitSet(boolean on) {
    endSingle();
    TransactionCapture tx = current;
    if (tx != null && switchCommits(on)) {
      committed();
    } else if (tx != null && on != autoCommit && !dialect.keepsTransactionWithoutAutoCommit()) {
      begunBySql = false;
      finish(tx, Outcome.UNKNOWN);
    }
    autoCommit = on;
  }

  /**
   * Whether switching autocommit mode commits. Switching it off does not, although a transaction
   * begun by SQL is under way: it goes on.
   */
  boolean switchCommits(boolean on) {
    return on && !autoCommit && inTransaction();
  }

  /** Ends a single transaction that is done; one that still waits for its answer ends by itself. */
  private void endSingle() {
    TransactionCapture tx = current;
    if (tx == null || !tx.single()) {
      return;
    }
    if (tx.busy()) {
      current = null;
    } else {
      finish(tx, Outcome.COMMITTED);
    }
  }

  /** Ends a single transaction that the next statement has overtaken in another thread. */
  void endUnlessCurrent(TransactionCapture tx) {
    if (tx.single() && tx != current) {
      finish(tx, Outcome.COMMITTED);
    }
  }

  /** Records the end of a transaction; does nothing if it has been recorded. */
  void finish(TransactionCapture tx, Outcome seen) {
    if (current == tx) {
      current = null;
    }
    if (tx.ended()) {
      return;
    }
    boolean unknown = tx.isUncertain() || (seen == Outcome.ABORTED && tx.mayBeCommitted());
    Outcome outcome = unknown ? Outcome.UNKNOWN : seen;
    writerQuestion.ended(tx, outcome);
    tx.end();
    if (tx.mayHave(StatementTrait.DEFINES_FUNCTIONS)) {
      capture.changeFunctions();
    }
    if (tx.mayHave(StatementTrait.DEFINES_TABLES)) {
      capture.changeTables();
    }
    if (tx.mayHave(StatementTrait.MAY_DEFINE_TABLES)) {
      capture.doubtTables();
    }
    if (tx.mayHave(StatementTrait.MAKES_TABLE)) {
      capture.lookForTables();
    }
    if (tx.mayHave(StatementTrait.MOVES_NAMES)) {
      capture.moveNames();
    }
    if (!tx.single()) {
      settings.transactionEnded(outcome == Outcome.COMMITTED);
    }
    records.ended(tx, outcome);
  }
}
