package io.isotail.ingest.capture;

import io.isotail.incremental.record.SessionInfo;
import io.isotail.ingest.emit.TransactionSink;
import io.isotail.ingest.sql.Analysis;
import io.isotail.ingest.sql.AnalyzedSql;
import io.isotail.ingest.sql.Identities;
import io.isotail.ingest.sql.ObservedTable;
import io.isotail.ingest.sql.StatementAnalyzer;
import io.isotail.ingest.sql.StatementTrait;
import io.isotail.ingest.sql.Uninterpreted;
import java.security.SecureRandom;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * What all sessions of one configuration share: what is observed, and where it goes. Thread-safe.
 */
public final class Capture {
  private final CaptureConfig config;
  private final TransactionSink sink;
  private final @Nullable String proxyId;
  private final StatementAnalyzer analyzer;
  private final ColumnCatalog catalog;
  private final RowIdentities identities;
  private final CaptureStats stats = new CaptureStats();
  private final AtomicLong sessions = new AtomicLong();
  private final AtomicInteger openConnections = new AtomicInteger();
  private final AtomicLong nameMoves = new AtomicLong();
  private final long sessionIdBase = new SecureRandom().nextLong();
  private final AnalyzedSql notAnalyzed;

  /**
   * A capture.
   *
   * @param config what to observe
   * @param sink where records go
   * @param proxyId id of the proxy incarnation that the sink speaks for, null if there is none
   */
  public Capture(CaptureConfig config, TransactionSink sink, @Nullable String proxyId) {
    this.config = config;
    this.sink = sink;
    this.proxyId = proxyId;
    this.analyzer = new StatementAnalyzer(config.tables(), config.harmlessFunctions());
    this.catalog = new ColumnCatalog(config.tables().all());
    this.identities = new RowIdentities(catalog, Identities.of(config.secret(), config.history()));
    this.notAnalyzed =
        anyWrite(Uninterpreted.PARSE_FAILED, "", EnumSet.allOf(StatementTrait.class));
  }

  /**
   * A new session is followed.
   *
   * @param host host and port of the database, null when unknown
   * @return what its records tell of it
   */
  SessionInfo openSession(Server server, @Nullable String host) {
    openConnections.incrementAndGet();
    long number = sessions.incrementAndGet();
    return new SessionInfo(
        sessionId(number),
        sessionName(number),
        proxyId,
        config.service(),
        config.instance(),
        host,
        server.backendPid());
  }

  private String sessionName(long number) {
    String instance = config.instance().isEmpty() ? "" : "/" + config.instance();
    return config.service() + instance + "#" + number;
  }

  CaptureConfig config() {
    return config;
  }

  TransactionSink sink() {
    return sink;
  }

  RowIdentities identities() {
    return identities;
  }

  ColumnCatalog catalog() {
    return catalog;
  }

  /** What was recorded, and what could not be. */
  public CaptureStats stats() {
    return stats;
  }

  /** The connection of a session was closed. */
  void closeSession() {
    openConnections.decrementAndGet();
  }

  /** Connections that the application has not closed. */
  int openConnections() {
    return openConnections.get();
  }

  /** What unqualified names mean may change, or has changed, in every session. */
  void moveNames() {
    nameMoves.incrementAndGet();
  }

  /** How often {@link #moveNames} was called. */
  long nameMoves() {
    return nameMoves.get();
  }

  /** Identity of a session: distinct within the process, random across processes. */
  private long sessionId(long number) {
    long mixed = sessionIdBase + number * 0x9e3779b97f4a7c15L;
    mixed = (mixed ^ (mixed >>> 30)) * 0xbf58476d1ce4e5b9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94d049bb133111ebL;
    return mixed ^ (mixed >>> 31);
  }

  /** A statement of which nothing is known but that it may write any row of any observed table. */
  AnalyzedSql anyWrite(Uninterpreted reason, String fingerprint, Set<StatementTrait> traits) {
    List<ObservedTable> tables = config.tables().all();
    Analysis analysis =
        tables.isEmpty() ? new Analysis.Harmless() : new Analysis.Opaque(tables, reason);
    return new AnalyzedSql(analysis, fingerprint, List.of(), traits);
  }

  /** Analyses a statement; never throws. */
  AnalyzedSql analyze(String sql, boolean prepared) {
    try {
      return prepared ? analyzer.prepared(sql) : analyzer.plain(sql);
    } catch (Throwable failure) {
      stats.internalFailure(failure);
      return notAnalyzed;
    }
  }
}
