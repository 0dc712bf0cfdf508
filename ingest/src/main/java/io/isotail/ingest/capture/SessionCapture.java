package io.isotail.ingest.capture;

import io.isotail.incremental.record.Outcome;
import io.isotail.ingest.emit.CaptureClock;
import io.isotail.ingest.sql.Analysis;
import io.isotail.ingest.sql.AnalyzedSql;
import io.isotail.ingest.sql.CommentedSql;
import io.isotail.ingest.sql.Operand;
import io.isotail.ingest.sql.Placeholders;
import io.isotail.ingest.sql.Rewriting;
import io.isotail.ingest.sql.StatementTrait;
import io.isotail.ingest.sql.Uninterpreted;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Follows one session: what its statements did and how its transactions ended.
 *
 * <p>Called by the carrier of the application's statements, before each is sent and after its
 * answer. Every method takes the session's lock for its own work; a statement of the application
 * runs outside of it. No method throws: a failure inside turns the transaction under way into an
 * opaque write.
 */
public final class SessionCapture {
  private final Capture capture;
  private final SessionTransactions transactions;
  private final Effects effects;

  SessionCapture(Capture capture, SessionTransactions transactions) {
    this.capture = capture;
    this.transactions = transactions;
    this.effects = new Effects(capture, transactions.stated());
    guarded(transactions::refresh);
  }

  Capture capture() {
    return capture;
  }

  /** Id of the session in its records. */
  public long id() {
    return transactions.records().id();
  }

  /** Its transactions; used only within {@link #guarded}. */
  SessionTransactions transactions() {
    return transactions;
  }

  /** What its statements did; used only within {@link #guarded}. */
  Effects effects() {
    return effects;
  }

  /**
   * Analyses a statement text; never throws.
   *
   * @param prepared whether {@code ?} stands for a parameter
   */
  public AnalyzedSql analyze(String sql, boolean prepared) {
    return analyze(
        CommentedSql.of(sql), prepared ? Placeholders.QUESTION_MARKS : Placeholders.NONE);
  }

  /** Analyses a statement text without its comment; never throws. */
  public AnalyzedSql analyze(CommentedSql sql, Placeholders placeholders) {
    return capture.analyze(sql.statement(), placeholders);
  }

  /** As {@link #analyze(CommentedSql, Placeholders)}, unless that may take long: null then. */
  public @Nullable AnalyzedSql analyzeSoon(CommentedSql sql, Placeholders placeholders) {
    return capture.analyzeSoon(sql.statement(), placeholders);
  }

  /** What analyses of texts depend on beside the texts: while it is the same, so are they. */
  public Object analysesDependOn() {
    return capture.observation();
  }

  /** The text of the next statement: its comment may tell which code the transaction is of. */
  public void sends(CommentedSql sql) {
    String comment = sql.comment();
    if (comment != null) {
      guarded(() -> transactions.sends(comment));
    }
  }

  /**
   * How to send a statement so that its rows tell all that they can; null if it is to be sent as it
   * is. A statement so sent is followed as {@link AnalyzedSql#rewritten}.
   *
   * @param executions the parameters of each execution that is to be sent now; empty if the
   *     statement is only described
   * @param inPortions whether its answer can be taken in portions, and need not be held
   */
  public synchronized @Nullable Rewriting rewriting(
      AnalyzedSql sql, List<IntFunction<Object>> executions, boolean inPortions) {
    Rewriting[] result = new Rewriting[1];
    guarded(
        () -> {
          transactions.settle(sql);
          boolean held =
              inPortions
                  || (!executions.isEmpty()
                      && transactions.writesSmallTable(sql, executions.size()));
          Rewriting allowed = transactions.rewriting(sql, held);
          // No text states what was there before; an answer to each of a batch may be waited for.
          boolean told =
              allowed != null
                  && allowed.isWrite()
                  && !(allowed.tellsReplaced() && executions.size() == 1)
                  && transactions.statesItself(sql, executions);
          result[0] = told ? null : allowed;
        });
    return result[0];
  }

  /**
   * How a statement may be sent whose text is to be sent once and executed again and again, in
   * other transactions too; null if it is to be sent as it is.
   *
   * @param once whether it is executed once at most. Otherwise rows that nobody has counted are
   *     asked for of a small table alone: the server writes them to a file each time
   */
  public synchronized @Nullable Rewriting lastingRewriting(AnalyzedSql sql, boolean once) {
    Rewriting[] result = new Rewriting[1];
    guarded(
        () -> result[0] = transactions.lastingRewriting(sql, once || capture.knowsSmallTable(sql)));
    return result[0];
  }

  /** How a statement will probably be sent, before its parameters are known. */
  public synchronized @Nullable Rewriting probableRewriting(AnalyzedSql sql) {
    Rewriting[] result = new Rewriting[1];
    guarded(
        () -> {
          Rewriting allowed = transactions.rewriting(sql, !transactions.autoCommit());
          boolean told =
              allowed != null
                  && allowed.isWrite()
                  && !allowed.tellsReplaced()
                  && transactions.knowsItsVersion();
          result[0] = told ? null : allowed;
        });
    return result[0];
  }

  /**
   * How many bytes a row has at most that a write answers with in hidden columns; -1 if that is not
   * known.
   */
  public int answerBytes(Analysis.Written written) {
    int[] result = {-1};
    guarded(() -> result[0] = capture.observation().answerBytes(written));
    return result[0];
  }

  /** Work of isotail that must not reach the application when it fails. */
  interface Work {
    void run() throws Exception;
  }

  synchronized void guarded(Work work) {
    try {
      work.run();
    } catch (Throwable failure) {
      capture.stats().internalFailure(failure);
      poisonCurrent();
    }
  }

  private void poisonCurrent() {
    try {
      transactions.poisonCurrent();
    } catch (Throwable failure) {
      capture.stats().internalFailure(failure);
    }
  }

  /** Like {@link #guarded}, for one transaction among several. */
  void guarded(TransactionCapture tx, Work work) {
    try {
      work.run();
    } catch (Throwable failure) {
      capture.stats().internalFailure(failure);
      tx.poison();
      if (tx.single()) {
        transactions.finish(tx, Outcome.UNKNOWN);
      }
    }
  }

  /**
   * A statement is about to be sent. Before one that may make a write visible to others, this waits
   * for the stream to begin.
   *
   * @param parameters from the number of a parameter, from 1, to its value; {@code Operand.NULL} is
   *     NULL, {@code Operand.UNKNOWN} a value that is not known exactly
   * @return its place in the transaction, or null after an internal failure
   */
  public @Nullable StatementRun beforeStatement(AnalyzedSql sql, IntFunction<Object> parameters) {
    awaitStream(List.of(sql));
    return begin(sql, parameters);
  }

  private @Nullable StatementRun begin(AnalyzedSql sql, IntFunction<Object> parameters) {
    StatementRun[] result = new StatementRun[1];
    guarded(
        () -> {
          transactions.settle(sql);
          result[0] = transactions.begin(sql, parameters);
        });
    return result[0];
  }

  /**
   * A statement was sent before the one before it was answered, which it is now. Does not wait.
   *
   * @param sentNs when it was sent, by {@link #nowNs}
   */
  public @Nullable StatementRun beforeStatement(
      AnalyzedSql sql, IntFunction<Object> parameters, long sentNs) {
    StatementRun[] result = new StatementRun[1];
    guarded(() -> result[0] = transactions.begin(sql, parameters, sentNs));
    return result[0];
  }

  /**
   * A statement is about to be sent that certainly is in the transaction of another one. Does not
   * wait.
   */
  public @Nullable StatementRun beforeStatementOf(
      StatementRun first, AnalyzedSql sql, IntFunction<Object> parameters) {
    StatementRun[] result = new StatementRun[1];
    guarded(
        () -> {
          TransactionCapture tx = first.transaction();
          result[0] = tx.ended() ? null : transactions.beginWith(sql, parameters, tx);
        });
    return result[0];
  }

  /** The time by the clock of all records of this process, in nanoseconds. */
  public static long nowNs() {
    return CaptureClock.PROCESS.nowNs();
  }

  /**
   * Statements are sent, or about to be, although the one before them is not answered yet: of which
   * transactions they are is not known. Readers of the stream are told that these may write. To be
   * called before each such statement is sent, and before and after each answer.
   *
   * @param statements how many have not begun; 0 ends it
   */
  public void ahead(int statements) {
    guarded(() -> transactions.ahead(statements));
  }

  /** Whether the server is to be asked something before the next transaction; does not ask. */
  public boolean needsRefresh() {
    return answered(() -> transactions.needsRefresh());
  }

  /** Asks the server what is to be known before the next transaction. May wait for it. */
  public void refresh() {
    guarded(transactions::refresh);
  }

  /**
   * Whether the server may be asked something right after a statement that is a transaction of its
   * own.
   */
  public boolean asksAfterStatements() {
    return transactions.autoCommit()
        && transactions.dialect().committedIdQuery() != null
        && !capture.anyAsksOfBefore();
  }

  /** As {@link #refresh}, before a text is analysed; only where nothing is under way. */
  public void refreshBeforeText(String text) {
    guarded(() -> transactions.refreshBeforeText(text));
  }

  /** Whether the server is to be asked what names mean in the transaction; does not ask. */
  public boolean needsToSettle(AnalyzedSql sql) {
    return answered(() -> transactions.needsToSettle(sql));
  }

  /** Asks the server what names of a statement mean in the transaction. May wait for it. */
  public void settle(AnalyzedSql sql) {
    guarded(() -> transactions.settle(sql));
  }

  /**
   * Whether what may make a write visible is to wait for the stream to begin. Does not wait: a
   * carrier without a thread to spare looks again later.
   */
  public boolean awaitsStream() {
    return capture.start().isAwaited();
  }

  /** Outside of the lock: another thread may close the connection meanwhile. */
  private void awaitStream(BooleanSupplier mayShowWrites) {
    if (awaitsStream() && mayShowWrites.getAsBoolean()) {
      capture.start().await();
    }
  }

  /** Waits before statements that are about to be sent if one may make a write visible. */
  void awaitStream(List<AnalyzedSql> statements) {
    awaitStream(() -> mayShowWrites(statements));
  }

  private boolean mayShowWrites(List<AnalyzedSql> statements) {
    return answered(() -> transactions.mayShowWrites(statements));
  }

  /** Whether the transaction under way, of several statements, may have written. */
  public boolean mayHaveWritten() {
    return answered(() -> transactions.mayHaveWritten());
  }

  /** What the server is to be asked before the transaction commits, which may follow at once. */
  public synchronized @Nullable String writerQuery() {
    String[] result = new String[1];
    guarded(() -> result[0] = transactions.writerQuery());
    return result[0];
  }

  /** The row that the server has answered with; null if there is none. */
  public void toldWriter(@Nullable List<@Nullable String> row) {
    guarded(() -> transactions.toldWriter(row));
  }

  /** A write is about to be sent whose text is not known, as an update of a row in place. */
  public @Nullable StatementRun beforeUnseenWrite(String fingerprint) {
    return beforeStatement(
        capture.anyWrite(Uninterpreted.UTILITY, fingerprint, Set.of()),
        SessionCapture::noParameter);
  }

  /** Statements are about to be sent whose texts are not known, or hide where transactions end. */
  public @Nullable StatementRun beforeUnseenStatements() {
    return beforeStatement(unseenStatements(), SessionCapture::noParameter);
  }

  /** Statements whose texts are not known: they may do anything, by what is observed now. */
  public AnalyzedSql unseenStatements() {
    return capture.anyWrite(
        Uninterpreted.SEVERAL_STATEMENTS, "", EnumSet.allOf(StatementTrait.class));
  }

  /**
   * A batch to be filled and sent.
   *
   * @param together whether all its elements certainly run in one transaction
   */
  public BatchRun batch(boolean together) {
    return new BatchRun(this, together);
  }

  /** A statement succeeded and answered with an update count, or with neither count nor rows. */
  public void afterUpdate(@Nullable StatementRun run, long updateCount) {
    afterUpdate(run, updateCount, false);
  }

  /**
   * A statement succeeded and answered with an update count, or with neither count nor rows.
   *
   * @param keysFollow whether the application may read rows of it that tell what it wrote
   */
  public void afterUpdate(@Nullable StatementRun run, long updateCount, boolean keysFollow) {
    guarded(() -> updated(run, updateCount, keysFollow && updateCount > 0));
  }

  /**
   * A statement succeeded and answered with an update count, or with neither count nor rows. Where
   * it is a transaction of its own, that ends with {@link #rowsEnded}, or fails with {@link
   * #statementFailed}.
   */
  public void answered(StatementRun run, long updateCount) {
    guarded(
        () -> {
          run.transaction().busy(false);
          capture.wrote(run.sql(), updateCount);
          if (run.analysis() instanceof Analysis.Control control) {
            transactions.controlled(run.transaction(), control.control());
          } else {
            effects.afterUpdate(run, updateCount);
            transactions.resync(run);
          }
        });
  }

  /** A statement that asked for a commit was answered with a rollback. */
  public void rolledBackInstead(StatementRun run) {
    guarded(
        () -> {
          run.transaction().busy(false);
          run.transaction().failed(true);
          if (run.analysis() instanceof Analysis.Control control) {
            transactions.controlled(run.transaction(), control.control());
          }
        });
  }

  void updated(@Nullable StatementRun run, long updateCount, boolean keysFollow) {
    if (run == null) {
      transactions.unseenStatement();
      return;
    }
    TransactionCapture tx = run.transaction();
    tx.busy(false);
    capture.wrote(run.sql(), updateCount);
    if (run.analysis() instanceof Analysis.Control control) {
      transactions.controlled(tx, control.control());
    } else {
      effects.afterUpdate(run, updateCount);
      transactions.resync(run);
    }
    if (keysFollow) {
      transactions.endUnlessCurrent(tx);
    } else if (tx.single()) {
      transactions.finish(tx, Outcome.COMMITTED);
    }
  }

  /** A statement succeeded and answered with rows that the application has yet to read. */
  public void afterQuery(@Nullable StatementRun run) {
    guarded(
        () -> {
          if (run == null) {
            transactions.unseenStatement();
            return;
          }
          run.transaction().busy(false);
          effects.afterQuery(run);
          transactions.resync(run);
          transactions.endUnlessCurrent(run.transaction());
        });
  }

  /** A statement failed. */
  public void statementFailed(@Nullable StatementRun run, Failure failure) {
    statementFailed(run, failure, false);
  }

  /**
   * A statement failed.
   *
   * @param again whether it is sent again as the application wrote it, so that the application sees
   *     nothing of this failure
   */
  public void statementFailed(@Nullable StatementRun run, Failure failure, boolean again) {
    guarded(
        () -> {
          if (run == null) {
            transactions.unseenStatement();
            return;
          }
          TransactionCapture tx = run.transaction();
          tx.busy(false);
          noteRefusal(run, failure, again);
          if (run.analysis() instanceof Analysis.Control control) {
            transactions.controlFailed(tx, control.control(), failure);
          } else if (run.sql().may(StatementTrait.SEVERAL_STATEMENTS)) {
            transactions.severalFailed(tx, failure);
          } else if (tx.single()) {
            singleFailed(run, failure);
          } else {
            undo(run, failure);
            transactions.failed(tx, failure);
          }
        });
  }

  /**
   * Whether a query that failed is to be sent again as the application wrote it: the server may
   * have refused the columns that were added, and nothing has ended by that.
   *
   * @param sent how it was sent
   * @param run its execution; null if it is not followed, or was only to be described
   */
  public boolean mayBeSentAgain(AnalyzedSql sent, @Nullable StatementRun run, Failure failure) {
    Server.TransactionState state = transactions.state();
    boolean single = run != null && run.isSingle() && state != Server.TransactionState.OPEN;
    boolean goesOn =
        state != Server.TransactionState.FAILED
            && (transactions.dialect().afterFailure(failure) == Dialect.AfterFailure.GOES_ON
                || (single && failure.hadNoEffect()));
    return sent.analysis() instanceof Analysis.Query
        && goesOn
        && mayBeOfAddedColumns(sent, failure);
  }

  private boolean mayBeOfAddedColumns(AnalyzedSql sent, Failure failure) {
    Rewriting rewriting = sent.rewriting();
    return rewriting != null && failure.mayBeOfAddedColumns(rewriting, transactions.dialect());
  }

  /** A statement with added columns that may have failed for them is not rewritten again. */
  void noteRefusal(StatementRun run, Failure failure, boolean again) {
    Analysis sent = run.sql().analysis();
    boolean rewritten = sent instanceof Analysis.Query || sent instanceof Analysis.Written;
    if (rewritten && mayBeOfAddedColumns(run.sql(), failure)) {
      capture.refused(run.sql(), again);
    }
  }

  private void singleFailed(StatementRun run, Failure failure) {
    if (failure.hadNoEffect() && !run.transaction().mayHave(StatementTrait.COMMITS_INSIDE)) {
      run.undo();
      transactions.finish(run.transaction(), Outcome.ABORTED);
    } else {
      effects.intended(run);
      transactions.finish(run.transaction(), Outcome.UNKNOWN);
    }
  }

  void undo(StatementRun run, Failure failure) {
    if (failure.hadNoEffect() || failure.connectionLost()) {
      run.undo();
    } else {
      effects.possible(run);
    }
  }

  /**
   * The rows that a statement has answered with.
   *
   * @return null if the statement is not followed
   */
  public @Nullable ResultCapture result(@Nullable StatementRun run) {
    return run == null ? null : ResultCapture.of(this, run);
  }

  /**
   * The generated keys that a statement has answered with.
   *
   * @param count its update count
   * @return null if they tell nothing
   */
  public @Nullable ResultCapture generatedKeys(@Nullable StatementRun run, long count) {
    return run == null || count <= 0 ? null : ResultCapture.ofGeneratedKeys(this, run, count);
  }

  /** What a write has answered could not be read: it may have written any row of its table. */
  public void unreadAnswer(Throwable failure) {
    guarded(() -> capture.stats().internalFailure(failure));
  }

  /**
   * The connection was lost while statements were sent ahead: of which transactions they were, and
   * how these ended, is not known.
   */
  public void lostAhead(List<AnalyzedSql> ahead) {
    guarded(transactions::lost);
    Set<StatementTrait> traits = EnumSet.allOf(StatementTrait.class);
    traits.removeAll(StatementTrait.OF_CATALOG);
    ahead.forEach(sql -> traits.addAll(sql.traits()));
    AnalyzedSql all = capture.anyWrite(Uninterpreted.SEVERAL_STATEMENTS, "", traits);
    statementFailed(begin(all, SessionCapture::noParameter), new Failure("08006", 0));
  }

  /** The server has answered all: if it is in no transaction, none goes on here. */
  public void ready() {
    guarded(transactions::ready);
  }

  /** What the transaction under way did is no longer known. */
  public void lose() {
    guarded(this::poisonCurrent);
  }

  /** The application reads a row of a result. */
  void row(StatementRun run, Work reading) {
    guarded(
        () -> {
          if (run.locksLater() && !run.transaction().isLast(run)) {
            run.detach();
          }
          if (run.detached()) {
            capture.rowMissed(run, CaptureStats.Event.LATE_ROW);
            return;
          }
          reading.run();
          transactions.records().handOverChunk(run.transaction(), run);
        });
  }

  /** A statement answers with a row that tells nothing. */
  public void rowPassed(StatementRun run) {
    guarded(run::rowPassed);
  }

  /** Fetching a row failed. */
  void rowFailed(StatementRun run, Failure failure) {
    guarded(
        () -> {
          TransactionCapture tx = run.transaction();
          if (run.detached()) {
            return;
          }
          run.undo();
          if (tx.single()) {
            transactions.finish(tx, Outcome.UNKNOWN);
          } else {
            transactions.failed(tx, failure);
          }
        });
  }

  /** The application is done with the rows of a statement. */
  public void rowsEnded(StatementRun run) {
    guarded(
        () -> {
          TransactionCapture tx = run.transaction();
          if (tx.single() && !tx.busy()) {
            transactions.finish(tx, Outcome.COMMITTED);
          }
        });
  }

  /** Something other than a statement may talk to the server, and so begin a transaction. */
  public void touch() {
    guarded(transactions::touch);
  }

  /** A savepoint was set. */
  public void savepointSet(Object id) {
    guarded(() -> transactions.current().savepoint(id));
  }

  /** The transaction was rolled back to a savepoint. */
  public void rolledBackTo(Object id) {
    guarded(() -> transactions.rollbackTo(transactions.current(), id));
  }

  /** A savepoint was released. */
  public void savepointReleased(Object id) {
    guarded(() -> transactions.current().release(id));
  }

  /** The application is about to commit. After writes this waits for the stream to begin. */
  public void beforeCommit() {
    awaitStream(this::mayHaveWritten);
    guarded(transactions::beforeCommit);
  }

  /** A commit succeeded as far as the driver tells. */
  public void committed() {
    guarded(transactions::committed);
  }

  /** A commit threw. */
  public void commitFailed(Failure failure) {
    guarded(() -> transactions.commitFailed(failure));
  }

  /** The transaction under way was rolled back, or will be because its commit is never sent. */
  public void rolledBack() {
    guarded(transactions::rolledBack);
  }

  /**
   * The application is about to close the connection. Where that may commit what was written, this
   * waits for the stream to begin.
   */
  public void beforeClose() {
    // Elsewhere it waits for no lock: it may be closed because another thread hangs.
    if (transactions.closingMayCommit()) {
      awaitStream(this::mayCommitByClosing);
    }
  }

  /** What is answered under the lock; no, if that fails. */
  private synchronized boolean answered(BooleanSupplier question) {
    boolean[] answer = new boolean[1];
    guarded(() -> answer[0] = question.getAsBoolean());
    return answer[0];
  }

  private boolean mayCommitByClosing() {
    return answered(() -> transactions.mayCommitByClosing());
  }

  /** The connection was closed, perhaps while another thread waits for an answer on it. */
  public void closed() {
    guarded(transactions::closed);
  }

  /** The connection is about to switch its autocommit mode. May wait for the server. */
  public void beforeAutoCommit(boolean on) {
    guarded(() -> transactions.beforeAutoCommit(on));
  }

  /** The connection switched its autocommit mode. */
  public void autoCommitSet(boolean on) {
    guarded(() -> transactions.autoCommitSet(on));
  }

  /** Whether each statement is a transaction of its own. */
  public synchronized boolean autoCommit() {
    return transactions.autoCommit();
  }

  /** Whether switching autocommit mode commits a transaction that is under way. */
  public synchronized boolean switchCommits(boolean on) {
    return transactions.switchCommits(on);
  }

  /** The application set the level of later transactions; null if it is none that SQL names. */
  public void isolationSet(@Nullable String level) {
    guarded(() -> transactions.settings().isolation(level));
  }

  /** The application set the schema of unqualified names. */
  public void schemaSet(@Nullable String schema) {
    guarded(() -> transactions.settings().schema(schema, transactions.inTransaction()));
  }

  /** The parameters of a statement without parameters. */
  public static Object noParameter(int index) {
    return Operand.UNKNOWN;
  }
}
