package io.isotail.ingest.jdbc;

import io.isotail.ingest.emit.TransactionSink;
import io.isotail.ingest.sql.Analysis;
import io.isotail.ingest.sql.AnalyzedSql;
import io.isotail.ingest.sql.Identities;
import io.isotail.ingest.sql.StatementAnalyzer;
import io.isotail.ingest.sql.StatementTrait;
import io.isotail.ingest.sql.Uninterpreted;
import java.security.SecureRandom;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** What all connections of one configuration share. Thread-safe. */
final class Capture {
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

  Capture(CaptureConfig config, TransactionSink sink, @Nullable String proxyId) {
    this.config = config;
    this.sink = sink;
    this.proxyId = proxyId;
    this.analyzer = new StatementAnalyzer(config.tables(), config.harmlessFunctions());
    this.catalog = new ColumnCatalog(config.tables().all());
    this.identities = new RowIdentities(catalog, Identities.of(config.secret(), config.history()));
    Analysis unknown =
        config.tables().all().isEmpty()
            ? new Analysis.Harmless()
            : new Analysis.Opaque(config.tables().all(), Uninterpreted.PARSE_FAILED);
    this.notAnalyzed = new AnalyzedSql(unknown, "", List.of(), EnumSet.allOf(StatementTrait.class));
  }

  CaptureConfig config() {
    return config;
  }

  TransactionSink sink() {
    return sink;
  }

  @Nullable String proxyId() {
    return proxyId;
  }

  RowIdentities identities() {
    return identities;
  }

  ColumnCatalog catalog() {
    return catalog;
  }

  CaptureStats stats() {
    return stats;
  }

  /** Number of a new session in this process, from 1. Its connection is open until it is closed. */
  long openSession() {
    openConnections.incrementAndGet();
    return sessions.incrementAndGet();
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
  long sessionId(long number) {
    long mixed = sessionIdBase + number * 0x9e3779b97f4a7c15L;
    mixed = (mixed ^ (mixed >>> 30)) * 0xbf58476d1ce4e5b9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94d049bb133111ebL;
    return mixed ^ (mixed >>> 31);
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
