package io.isotail.ingest.capture;

import io.isotail.ingest.emit.EmitterStats;
import io.isotail.ingest.emit.TransactionSink;
import io.isotail.ingest.sql.Analysis;
import io.isotail.ingest.sql.AnalyzedSql;
import io.isotail.ingest.sql.AnsiSql;
import io.isotail.ingest.sql.BuiltInFunctions;
import io.isotail.ingest.sql.ObservedTable;
import io.isotail.ingest.sql.ObservedTables;
import io.isotail.ingest.sql.Placeholders;
import io.isotail.ingest.sql.Rewriting;
import io.isotail.ingest.sql.SqlDialect;
import io.isotail.ingest.sql.StatementTrait;
import io.isotail.ingest.sql.Uninterpreted;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * What sessions of one configuration share: what is observed, and where it goes. Thread-safe.
 *
 * <p>The sessions of each {@link View} have a capture of their own, up to {@value #MOST_VIEWS};
 * they all share where it goes.
 */
public final class Capture {
  /** How often in a row a server that refuses to tell its database is asked. */
  private static final int MOST_REFUSALS = 3;

  /** How long what the catalog said is taken to hold. */
  private static final long FACTS_AGE_NS = 30_000_000_000L;

  /** So much longer than for its answers the catalog is left alone, in the long run. */
  private static final int CATALOG_TIMES = 20;

  /** Time of which what was not used is kept: a few definitions after a while are read at once. */
  private static final long CATALOG_KEPT_NS = 10_000_000_000L;

  /** How long it is not asked again after it could not answer. */
  private static final long PAUSE_AFTER_FAILURE_NS = 1_000_000_000L;

  /** Who asks the catalog is not waited for longer by others that would ask the same. */
  private static final long MOST_WAIT_NS = 5_000_000_000L;

  /** Beyond that many views, sessions share one capture whatever their names. */
  private static final int MOST_VIEWS = 200;

  private final CaptureConfig config;
  private final StreamStart start;
  private final TransactionSink sink;
  private final boolean findsTables;
  private final Refusals refusals = new Refusals();
  private final AtomicBoolean asksOfBefore;
  private final WriteSizes sizes = new WriteSizes();
  private final PreparedTransactions prepared;
  private final KnownDatabases databases;
  private final AtomicInteger databaseRefusals = new AtomicInteger();
  private volatile Observation observation;
  private volatile boolean factsStale = true;
  private final SinkFactory.@Nullable OpenSink open;
  private final QuestionBudget catalogQuestions;
  private volatile long factsSinceNs = System.nanoTime() - FACTS_AGE_NS;
  private volatile long functionsSinceNs = factsSinceNs;
  private volatile long factsRetryNs = System.nanoTime();
  private final CaptureStats stats;
  private final StatementTally tally;
  private final SessionNumbers sessions;
  private final AtomicLong nameMoves;
  private final AtomicLong tableChanges = new AtomicLong();
  private final AnalyzedSql notAnalyzed;

  /** All captures of the configuration, but for the first one if no session uses it. */
  private final ConcurrentHashMap<View, Capture> views;

  private final boolean standby;
  private final SqlDialect dialect;

  /**
   * A capture.
   *
   * @param config what to observe
   * @param sink where records go
   * @param proxyId id of the proxy incarnation that the sink speaks for, null if there is none
   */
  public Capture(CaptureConfig config, TransactionSink sink, @Nullable String proxyId) {
    this(config, sink, proxyId, StreamStart.NOT_AWAITED);
  }

  /** A capture whose transactions wait for the beginning of the stream before they commit. */
  Capture(CaptureConfig config, TransactionSink sink, @Nullable String proxyId, StreamStart start) {
    this(config, sink, proxyId, start, null);
  }

  /**
   * A capture of an open sink.
   *
   * @param open says what it is to take of the application's time; null for as little as possible
   */
  Capture(
      CaptureConfig config,
      TransactionSink sink,
      @Nullable String proxyId,
      StreamStart start,
      SinkFactory.@Nullable OpenSink open) {
    this.start = start;
    this.open = open;
    this.catalogQuestions = budget(CATALOG_TIMES, CATALOG_KEPT_NS);
    this.config = config;
    this.sink = sink;
    this.sessions = new SessionNumbers(config, proxyId);
    this.prepared = new PreparedTransactions();
    this.databases = new KnownDatabases();
    this.stats = new CaptureStats();
    this.nameMoves = new AtomicLong();
    this.findsTables = config.tables().all().isEmpty();
    this.dialect = AnsiSql.DIALECT;
    this.observation = new Observation(config.tables(), BuiltInFunctions.NOT_TOLD, config, dialect);
    this.tally = new StatementTally(config.service(), findsTables);
    sink.counts(tally);
    this.notAnalyzed = anyWrite();
    this.views = new ConcurrentHashMap<>();
    this.asksOfBefore = new AtomicBoolean();
    this.standby = false;
  }

  private Capture(Capture first, View view) {
    this.start = first.start;
    this.open = first.open;
    this.catalogQuestions = budget(CATALOG_TIMES, CATALOG_KEPT_NS);
    this.config = first.config;
    this.sink = first.sink;
    this.sessions = first.sessions;
    this.prepared = first.prepared;
    this.databases = first.databases;
    this.stats = first.stats;
    this.nameMoves = first.nameMoves;
    this.findsTables = first.findsTables;
    this.dialect = view.dialect();
    this.observation = new Observation(config.tables(), BuiltInFunctions.NOT_TOLD, config, dialect);
    this.tally = first.tally;
    this.notAnalyzed = anyWrite();
    this.views = first.views;
    this.asksOfBefore = first.asksOfBefore;
    this.standby = view.standby();
  }

  /** The capture that the sessions of a view share. */
  Capture of(View view) {
    View told = views.size() < MOST_VIEWS || views.containsKey(view) ? view : view.withoutNames();
    return views.computeIfAbsent(told, made -> new Capture(this, made));
  }

  /** How often something is asked; without a limit if this capture asks at will. */
  QuestionBudget budget(int times, long keptNs) {
    return QuestionBudget.of(open == null || !open.asksAtWill(), times, keptNs);
  }

  /** Where in the application's code the calling thread is; null if that is not told. */
  @Nullable String place() {
    return open == null ? null : open.place();
  }

  /** The sessions, on every server. */
  SessionNumbers sessions() {
    return sessions;
  }

  /** What was prepared and is not decided. */
  PreparedTransactions prepared() {
    return prepared;
  }

  /** The databases that its sessions are connected to. */
  KnownDatabases databases() {
    return databases;
  }

  /** Whether sessions of this view may not ask which database they are connected to. */
  boolean isDatabaseRefused() {
    return databaseRefusals.get() >= MOST_REFUSALS;
  }

  /** The server refused to tell which database it is, or could not; once may be a mishap. */
  void refuseDatabase() {
    databaseRefusals.incrementAndGet();
  }

  /** The server told which database it is. */
  void toldDatabase() {
    databaseRefusals.set(0);
  }

  CaptureConfig config() {
    return config;
  }

  TransactionSink sink() {
    return sink;
  }

  RowIdentities identities() {
    return observation.identities();
  }

  ColumnCatalog catalog() {
    return observation.catalog();
  }

  /** What is observed at this moment. */
  Observation observation() {
    return observation;
  }

  /** A statement defines tables, or has done it: nothing is known of them until they are read. */
  void changeTables() {
    forgetTables();
    for (Capture other : views.values()) {
      if (other.standby) {
        other.askAgain();
      } else {
        other.forgetTables();
      }
    }
  }

  private void forgetTables() {
    tableChanges.incrementAndGet();
    observation.forget();
    askAgain();
  }

  /** A statement makes functions, or has done it: the catalog is asked again which are its own. */
  void changeFunctions() {
    forgetFunctions();
    views.values().forEach(Capture::forgetFunctions);
  }

  private void forgetFunctions() {
    tableChanges.incrementAndGet();
    observation = new Observation(observation.tables(), BuiltInFunctions.NOT_TOLD, config, dialect);
    askAgain();
  }

  private void askAgain() {
    observation.catalog().invalidate();
    factsStale = true;
  }

  /** A statement may have defined tables unseen, as any other client may: they are read again. */
  void doubtTables() {
    askAgainOfAll();
    views.values().forEach(Capture::askAgainOfAll);
  }

  private void askAgainOfAll() {
    askAgain();
    functionsSinceNs = System.nanoTime() - FACTS_AGE_NS;
  }

  /** There may be tables that are not observed yet; what is known of the others holds. */
  void lookForTables() {
    factsStale = true;
    views.values().forEach(view -> view.factsStale = true);
  }

  /** The beginning of the stream, which commits wait for. */
  StreamStart start() {
    return start;
  }

  /** Whether {@link #refresh} would be of use. */
  boolean needsRefresh(long nowNs) {
    return observation.catalog().needsRefresh(nowNs)
        || ((factsStale || nowNs - factsSinceNs >= FACTS_AGE_NS)
            && nowNs - factsRetryNs >= 0
            && catalogQuestions.allows(nowNs));
  }

  /** Asks the database's catalog. */
  void refresh(Server server, long nowNs) throws Exception {
    refreshFacts(server, nowNs);
    // That of another observation is younger than the question was.
    long laterNs = System.nanoTime();
    if (observation.catalog().needsRefresh(laterNs)) {
      observation.catalog().refresh(server, laterNs);
    }
  }

  private void refreshFacts(Server server, long nowNs) throws Exception {
    String query = server.dialect().tablesQuery();
    long changesBefore = tableChanges.get();
    factsStale = false;
    factsSinceNs = nowNs;
    factsRetryNs = nowNs + MOST_WAIT_NS; // of others meanwhile
    if (query == null || !config.rewrite()) {
      return;
    }
    List<TableFacts> found;
    BuiltInFunctions functions;
    long askedNs = System.nanoTime();
    try {
      found = server.rows(query).stream().map(TableFacts::of).toList();
      functions = functions(server, nowNs);
      factsRetryNs = nowNs;
    } catch (Exception e) {
      factsStale = true;
      factsRetryNs = nowNs + PAUSE_AFTER_FAILURE_NS;
      throw e;
    } finally {
      catalogQuestions.spend(askedNs, System.nanoTime());
    }
    if (tableChanges.get() != changesBefore) {
      return;
    }
    ObservedTables tables = findsTables ? Observation.tablesOf(found) : config.tables();
    if (!tables.equals(observation.tables()) || !functions.equals(observation.functions())) {
      observation = new Observation(tables, functions, config, dialect);
    }
    observation.learnt(found);
  }

  /** What comes with the database: asked less often than what its tables are. */
  private BuiltInFunctions functions(Server server, long nowNs) throws Exception {
    BuiltInFunctions known = observation.functions();
    if (!known.equals(BuiltInFunctions.NOT_TOLD) && nowNs - functionsSinceNs < FACTS_AGE_NS) {
      return known;
    }
    functionsSinceNs = nowNs;
    String query = server.dialect().functionsQuery();
    List<@Nullable String> names = query == null ? null : server.firstRow(query);
    return names == null
        ? BuiltInFunctions.NOT_TOLD
        : new BuiltInFunctions(words(names.get(0)), words(names.get(1)), words(names.get(2)));
  }

  private static Set<String> words(@Nullable String names) {
    return names == null ? Set.of() : Set.of(names.split(String.valueOf(TableFacts.SEPARATOR), -1));
  }

  /**
   * How a statement may be rewritten, by what is known of its tables; null if not.
   *
   * @param inPortions whether its answer can be taken in portions
   */
  @Nullable Rewriting allowed(AnalyzedSql sql, boolean inPortions) {
    Rewriting all = config.rewrite() ? sql.rewriting() : null;
    Rewriting rewriting = all == null ? null : observation.allowed(all);
    return rewriting != null
            && !isRefused(sql)
            && (!rewriting.isOpenEnded() || mayAskForRows(sql, rewriting, inPortions))
        ? rewriting
        : null;
  }

  /**
   * Of a write that returns rows to the application anyway, and of one whose answer can be taken in
   * portions, until it has returned many.
   */
  private boolean mayAskForRows(AnalyzedSql sql, Rewriting rewriting, boolean inPortions) {
    boolean asksFirst =
        rewriting.addition().analysis() instanceof Analysis.Written written
            && (written.answersApplication()
                || (inPortions && observation.answersInPortions(written)));
    return asksFirst ? !sizes.areMany(sql.fingerprint()) : sizes.areFew(sql.fingerprint());
  }

  /**
   * The table of a write that would tell its rows if it was known to find few of them: it was not
   * executed yet, and its text does not say. Null for any other statement.
   */
  @Nullable ObservedTable writesUnknownShareOf(AnalyzedSql sql) {
    Rewriting rewriting = config.rewrite() ? sql.rewriting() : null;
    return rewriting != null
            && rewriting.isOpenEnded()
            && sizes.isUnknown(sql.fingerprint())
            && !isRefused(sql)
            && rewriting.addition().analysis() instanceof Analysis.Written written
            && !written.answersApplication()
            && observation.answersInPortions(written)
        ? written.table()
        : null;
  }

  /** Whether the server has counted few rows in the table that a statement writes. */
  boolean knowsSmallTable(AnalyzedSql sql) {
    Rewriting rewriting = sql.rewriting();
    return rewriting != null
        && rewriting.addition().analysis() instanceof Analysis.Written written
        && observation.isSmall(written.table());
  }

  /** A statement has written so many rows; less than 0 if that is not told. */
  void wrote(AnalyzedSql sql, long rows) {
    Rewriting rewriting = sql.rewriting();
    if (rewriting != null && rewriting.isOpenEnded()) {
      sizes.note(sql.fingerprint(), rows);
    }
  }

  /** An open-ended statement has told so many rows. */
  void returned(AnalyzedSql sql, long rows) {
    sizes.note(sql.fingerprint(), rows);
  }

  /** The application has statements that ask what the one before them has done. */
  void asksOfBefore() {
    asksOfBefore.set(true);
  }

  /** Whether it has. */
  boolean anyAsksOfBefore() {
    return asksOfBefore.get();
  }

  private boolean isRefused(AnalyzedSql sql) {
    return refusals.contains(sql.fingerprint())
        || observation.refusals().contains(sql.fingerprint());
  }

  /**
   * The server refused a rewritten statement for what may be due to the rewriting.
   *
   * @param again whether it is sent again, and the application sees nothing of that: then it may be
   *     tried once more when the tables are others
   */
  void refused(AnalyzedSql sql, boolean again) {
    stats.count(CaptureStats.Event.REWRITING_REFUSED);
    tally.refused(sql.fingerprint());
    (again ? observation.refusals() : refusals).add(sql.fingerprint());
    changeTables();
  }

  /** What was recorded, and what could not be. */
  public CaptureStats stats() {
    return stats;
  }

  /** What became of the records. */
  public EmitterStats emitted() {
    return sink.stats();
  }

  /** What statements were, so far. */
  public StatementTotals statements() {
    return tally.totals();
  }

  /** What statements were to this capture, to be told to the stream. */
  StatementTally tally() {
    return tally;
  }

  /** The application has read a row that could not be recorded. */
  void rowMissed(StatementRun run, CaptureStats.Event why) {
    stats.count(why);
    run.notCaptured(
        tally.rowMissed(
            run.sql().fingerprint(), why, run.operations().isEmpty(), run.notCaptured()));
  }

  /** What unqualified names mean may change, or has changed, in every session. */
  void moveNames() {
    nameMoves.incrementAndGet();
  }

  /** How often {@link #moveNames} was called. */
  long nameMoves() {
    return nameMoves.get();
  }

  /** A statement of which nothing is known but that it may write any row of any observed table. */
  AnalyzedSql anyWrite(Uninterpreted reason, String fingerprint, Set<StatementTrait> traits) {
    List<ObservedTable> tables = observation.tables().all();
    Analysis analysis =
        tables.isEmpty() ? new Analysis.Harmless() : new Analysis.Opaque(tables, reason);
    return new AnalyzedSql(analysis, fingerprint, List.of(), traits);
  }

  private AnalyzedSql anyWrite() {
    return anyWrite(Uninterpreted.PARSE_FAILED, "", EnumSet.allOf(StatementTrait.class));
  }

  /** Analyses a statement unless that may take long: null then. Never throws. */
  @Nullable AnalyzedSql analyzeSoon(String sql, Placeholders placeholders) {
    try {
      return observation.analyzer().soon(sql, placeholders);
    } catch (Throwable failure) {
      stats.internalFailure(failure);
      return notAnalyzed;
    }
  }

  /** Analyses a statement; never throws. */
  AnalyzedSql analyze(String sql, Placeholders placeholders) {
    try {
      return observation.analyzer().of(sql, placeholders);
    } catch (Throwable failure) {
      stats.internalFailure(failure);
      return notAnalyzed;
    }
  }
}
