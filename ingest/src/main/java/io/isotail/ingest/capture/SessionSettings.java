package io.isotail.ingest.capture;

import io.isotail.incremental.record.SessionInfo;
import io.isotail.ingest.capture.Server.TransactionState;
import io.isotail.ingest.sql.Analysis;
import io.isotail.ingest.sql.AnalyzedSql;
import io.isotail.ingest.sql.ObservedTable;
import io.isotail.ingest.sql.Rewriting;
import io.isotail.ingest.sql.TransactionControl;
import io.isotail.ingest.sql.Uninterpreted;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Settings of a session that decide what its statements mean: the isolation level of the next
 * transaction, the copy of the database that it reads, and which tables unqualified names are.
 * Guarded by the session's lock.
 */
final class SessionSettings {
  /** Time of which what was not used for questions is kept. */
  private static final long KEPT_NS = 1_000_000_000L;

  private static final Logger LOG = LoggerFactory.getLogger(SessionSettings.class);

  // The columns of a row of Dialect.settingsQuery.
  private static final int LEVEL = 0;
  private static final int COPY = 1;
  private static final int IDENTITY = 2;
  private static final int NAMES = 3;
  private static final int ROLE = 4;
  private static final int LAST_ID = 5;

  private final Capture capture;
  private final Server server;
  private final Dialect dialect;
  private Observation observation;
  private @Nullable String query;
  private DatabaseIds database = DatabaseIds.UNKNOWN;
  private @Nullable String lastId;

  /** As SQL names it. */
  private @Nullable String isolation;

  // The name of a level on a copy, which is asked for by each transaction.
  private @Nullable String namedLevel;
  private @Nullable DatabaseCopy namedCopy;
  private @Nullable String namedAs;

  /** What the server reported last, and had reported when it was asked. */
  private DatabaseCopy copyTold = DatabaseCopy.NOT_TOLD;

  private DatabaseCopy copyToldThen = DatabaseCopy.NOT_TOLD;
  private DatabaseCopy copyAnswered = DatabaseCopy.NOT_TOLD;
  private boolean silent;
  private boolean isolationStale = true;

  /** A statement may have set any level, and what the driver believes it to be proves nothing. */
  private boolean levelUnclear;

  private boolean isolationChangedInside;
  private UnqualifiedNames names;
  private final QuestionBudget betweenTransactions;
  private final QuestionBudget withinTransactions;
  private boolean doubted;

  /** A temporary table may stand before an observed one, and the server does not tell. */
  private boolean hidden;

  private @Nullable String ownRole;
  private boolean roleChanged;

  /** Whether the question was answered between transactions, as it is now. */
  private boolean answeredOutside;

  /** Whether the question was refused within a transaction. */
  private boolean refusedInside;

  SessionSettings(Capture capture, Server server, Dialect dialect) {
    this.observation = capture.observation();
    this.query = dialect.settingsQuery(observation.tables().all(), null);
    this.names = new UnqualifiedNames(capture, observation.tables().all(), query != null);
    this.capture = capture;
    this.betweenTransactions = capture.budget(10, KEPT_NS);
    this.withinTransactions = capture.budget(4, KEPT_NS);
    this.server = server;
    this.dialect = dialect;
  }

  /** Level that the next transaction will run at, null when unknown. */
  @Nullable String isolation() {
    return named(isolation);
  }

  private @Nullable String named(@Nullable String level) {
    if (level == null && levelUnclear) {
      return dialect.unknownLevel();
    }
    DatabaseCopy copy = copy();
    if (!Objects.equals(level, namedLevel) || copy != namedCopy) {
      namedAs = dialect.level(level, copy);
      namedLevel = level;
      namedCopy = copy;
    }
    return namedAs;
  }

  /** A pooler between may report what another server told it: who says standby is believed. */
  private DatabaseCopy copy() {
    if (query == null) {
      return DatabaseCopy.PRIMARY;
    }
    return copyTold == DatabaseCopy.STANDBY ? copyTold : copyAnswered;
  }

  /**
   * Asks the server for what is not known, if the connection is idle. All questions are answered
   * outside of the application's transactions, so that none begins and no snapshot is taken.
   */
  void refresh(boolean autoCommit) {
    if (!mayAsk(autoCommit) || !server.canAsk()) {
      return;
    }
    long now = System.nanoTime();
    notice();
    try {
      if (capture.needsRefresh(now)) {
        server.outsideOfTransactions(() -> capture.refresh(server, now));
      }
      observe(capture.observation());
      if (isInDoubt(now)) {
        askInDoubt();
      }
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      // The connection may be broken: the application will see it in its own statement.
      if (!server.wasCutShort(e)) {
        capture.stats().internalFailure(e);
      }
    }
  }

  /**
   * Sets whether the next statement asks what the one before it has done: the server is asked
   * nothing until it was sent.
   */
  void keepSilent(boolean value) {
    silent = value;
  }

  /** Whether {@link #refresh} would ask the server something. */
  boolean needsRefresh(boolean autoCommit) {
    if (!mayAsk(autoCommit)) {
      return false;
    }
    long now = System.nanoTime();
    notice();
    return capture.needsRefresh(now) || capture.observation() != observation || isInDoubt(now);
  }

  private boolean mayAsk(boolean autoCommit) {
    TransactionState state = server.state();
    boolean asksFreely = query != null && dialect.questionsBeginNone();
    boolean outside =
        state == TransactionState.IDLE
            || (state == TransactionState.UNKNOWN && (autoCommit || asksFreely));
    return !silent && !server.limitsAnswers() && outside;
  }

  private void notice() {
    doubted |= names.noticeMoves();
    copyTold = server.copy();
    isolationStale |= copyTold != copyToldThen; // A standby was promoted.
  }

  private boolean isInDoubt(long nowNs) {
    return (isolationStale || names.stale()) && !(doubted && !betweenTransactions.allows(nowNs));
  }

  private void askInDoubt() throws Exception {
    boolean inDoubt = doubted;
    boolean answered = false;
    doubted = false;
    long askedNs = System.nanoTime();
    try {
      ask();
      answered = true;
    } finally {
      if (!answered) {
        // A standby refuses every question while its sessions are serializable.
        doubt();
      }
      if (inDoubt || !answered) {
        betweenTransactions.spend(askedNs, System.nanoTime());
      }
    }
  }

  /** Follows the change to other observed tables: nothing is known of their names yet. */
  private void observe(Observation latest) {
    if (latest != observation) {
      observation = latest;
      query = dialect.settingsQuery(latest.tables().all(), null);
      names = new UnqualifiedNames(capture, latest.tables().all(), query != null);
      doubted = false;
      answeredOutside = false;
    }
  }

  private void ask() throws Exception {
    isolationStale = false;
    isolation = null;
    copyToldThen = copyTold;
    String question = query;
    if (question == null) {
      isolation = levelUnclear ? null : server.isolation();
      return;
    }
    names.asking();
    server.outsideOfTransactions(() -> answered(answer(question)));
  }

  /**
   * Whether the transaction under way may ask what names mean: some do not tell, but not each time.
   * A refusal would end the transaction, so only what this server has answered before is asked.
   */
  boolean mayAskInside() {
    return answeredOutside
        && !silent
        && !refusedInside
        && names.stale()
        && !server.limitsAnswers()
        && withinTransactions.allows(System.nanoTime());
  }

  /**
   * Asks within a transaction what names mean there. It must have taken its snapshot: a question
   * would take it sooner than the application asks for it.
   */
  void askInside() {
    String question = query;
    if (question == null) {
      return;
    }
    long askedNs = System.nanoTime();
    names.asking();
    refusedInside = true;
    try {
      List<@Nullable String> row = server.firstRow(question);
      if (row != null) {
        refusedInside = false;
        names.answeredInside(hidden ? null : row.get(NAMES));
        roleChanged |= ownRole == null || !ownRole.equals(row.get(ROLE));
      }
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      capture.stats().internalFailure(e);
    } finally {
      if (refusedInside) {
        names.allUnclear();
        doubted = true;
      }
      withinTransactions.spend(askedNs, System.nanoTime());
    }
  }

  /** The answer with the database's identity; without it if the server refuses that alone. */
  private @Nullable List<@Nullable String> answer(String question) throws Exception {
    String identity = dialect.databaseIdentity(server.majorVersion());
    String whole =
        identity == null || capture.isDatabaseRefused()
            ? null
            : dialect.settingsQuery(observation.tables().all(), identity);
    if (whole == null) {
      return server.firstRow(question);
    }
    try {
      List<@Nullable String> row = server.firstRow(whole);
      capture.toldDatabase();
      return row;
    } catch (Exception e) {
      if (server.wasCutShort(e)) {
        throw e; // that says nothing of what the server may tell
      }
      List<@Nullable String> row = server.firstRow(question);
      capture.refuseDatabase();
      LOG.info("isotail: the database does not tell which it is: {}", e.getMessage());
      return row;
    }
  }

  private void answered(@Nullable List<@Nullable String> row) {
    if (row != null) {
      answeredOutside = true;
      isolation = row.get(LEVEL);
      copyAnswered = DatabaseCopy.ofAnswer(row.get(COPY));
      names.answered(hidden ? null : row.get(NAMES));
      role(row.get(ROLE));
      lastId = row.size() > LAST_ID ? row.get(LAST_ID) : null;
      long number = DatabaseIds.numberOf(row.get(IDENTITY));
      if (number != SessionInfo.NO_DATABASE) {
        database = capture.databases().of(number, server);
      }
    }
  }

  /**
   * What the database's log calls the last transaction of the session, as of the last answer; null
   * if it was not told.
   */
  @Nullable String takeLastId() {
    String id = lastId;
    lastId = null;
    return id;
  }

  /** The database that it is connected to, as far as it was told. */
  DatabaseIds database() {
    return database;
  }

  /** A pool's connection may be used by a migration that sets the role that it has anyway. */
  private void role(@Nullable String current) {
    if (ownRole == null && !roleChanged) {
      ownRole = current;
    }
    roleChanged = ownRole == null || !ownRole.equals(current);
  }

  /** The application set the level by a call, not by a statement. */
  void isolation(@Nullable String level) {
    isolation = level;
    isolationStale = false;
    levelUnclear = false;
  }

  /** A statement may have set any level for the session: unknown until one is set for certain. */
  void levelUnclear() {
    isolation = null;
    levelUnclear = true;
  }

  /** The level that a statement has set for the next transaction alone; null if it names none. */
  @Nullable String levelOfNext(TransactionControl control) {
    return control.isolation() == null ? null : named(control.isolation());
  }

  /** Applies the level that BEGIN or SET TRANSACTION names to the transaction under way. */
  void level(TransactionCapture tx, TransactionControl control) {
    String name = control.isolation();
    if (name != null && !tx.single()) {
      tx.ranAt(named(name));
    }
  }

  /** A statement changed the session's settings. */
  void changed(TransactionControl control) {
    switch (control.kind()) {
      case SET_SEARCH_PATH -> doubted |= names.pathUnclear();
      case SET_ROLE -> roleUnclear();
      case SET_SESSION -> {
        String name = control.isolation();
        if (name != null) {
          isolation = name;
          isolationStale = false;
          levelUnclear = false;
          isolationChangedInside = dialect.undoesSettings();
        }
      }
      default -> {
        isolation = null;
        isolationStale = true;
        doubted |= names.pathUnclear();
      }
    }
  }

  /** A temporary table was made that may have the name of an observed one. */
  void tableHidden() {
    hidden |= !dialect.tellsTemporaryTables();
    doubted |= names.pathUnclear();
  }

  /** The role may have changed, and with it a schema that is called as the role is. */
  void roleUnclear() {
    roleChanged = true;
    doubted |= names.pathUnclear();
  }

  /** Whether the role, and so its rights, may have changed since the connection was made. */
  boolean roleChanged() {
    return roleChanged;
  }

  /**
   * A statement may have changed any setting unseen. The server is asked again when the connection
   * is idle, but in a small share of the time: an application may run such statements in every
   * transaction.
   */
  void doubt() {
    isolation = null;
    isolationStale = true;
    names.allUnclear();
    doubted = true;
  }

  /** A transaction of several statements ended; a rollback takes changed settings back. */
  void transactionEnded(boolean committed) {
    boolean changed = isolationChangedInside;
    isolationChangedInside = false;
    if (changed && query != null) {
      isolationStale = true;
      isolation = null;
    } else if (changed && !committed) {
      levelUnclear();
    }
    if (!committed) {
      rolledBack();
    }
    doubted |= names.kept();
  }

  /** The transaction, or a part of it, was rolled back: a schema set in it may be no more. */
  void rolledBack() {
    doubted |= names.rolledBack();
  }

  /** The application set the schema by a call, not by a statement. */
  void schema(@Nullable String name, boolean inTransaction) {
    doubted |= names.pathIs(name, inTransaction);
  }

  /** What a statement does in this session: more cautiously when a name in it is not clear. */
  Analysis effective(Analysis analysis) {
    if (analysis instanceof Analysis.Query query) {
      for (Analysis.Source source : query.sources()) {
        if (!source.qualified() && !isClear(source.table())) {
          return new Analysis.Unread(Uninterpreted.SCHEMA_UNCLEAR);
        }
      }
      return analysis;
    }
    if (!(analysis instanceof Analysis.OneTable one) || one.qualified()) {
      return analysis;
    }
    if (isClear(one.table())) {
      return analysis;
    }
    return one.mayWrite()
        ? new Analysis.Opaque(List.of(one.table()), Uninterpreted.SCHEMA_UNCLEAR)
        : new Analysis.Unread(Uninterpreted.SCHEMA_UNCLEAR);
  }

  /** Whether a name in a statement is not clear, as it is written or as it may be rewritten. */
  boolean isUnclear(AnalyzedSql sql) {
    Rewriting rewriting = sql.rewriting();
    return isUnclear(sql.analysis())
        || (rewriting != null && isUnclear(rewriting.addition().analysis()));
  }

  @SuppressWarnings("ReferenceEquality") // What is clear is the same object.
  private boolean isUnclear(Analysis analysis) {
    return effective(analysis) != analysis;
  }

  /**
   * Whether its names mean in later transactions, too, what they mean now, as far as it is known: a
   * text that is parsed now may be executed then.
   */
  boolean isLasting(Analysis analysis) {
    if (analysis instanceof Analysis.Query query) {
      return query.sources().stream().allMatch(s -> s.qualified() || names.lasts(s.table()));
    }
    return !(analysis instanceof Analysis.OneTable one)
        || one.qualified()
        || names.lasts(one.table());
  }

  private boolean isClear(ObservedTable table) {
    doubted |= names.noticeMoves();
    boolean clear = names.mean(table);
    if (!clear) {
      doubted |= names.missed(table);
    }
    return clear;
  }
}
