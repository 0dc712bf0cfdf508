package io.isotail.ingest.capture;

import io.isotail.incremental.record.SessionInfo;
import java.security.SecureRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Numbers the sessions of one capture, whichever servers they are connected to: a session is a
 * connection, what goes on in it after a prepared transaction, or a transaction in it that has
 * imported a snapshot. Thread-safe.
 */
final class SessionNumbers {
  private final CaptureConfig config;
  private final @Nullable String proxyId;
  private final AtomicLong sessions = new AtomicLong();
  private final AtomicInteger openConnections = new AtomicInteger();
  private final long base = new SecureRandom().nextLong();

  /**
   * No session yet.
   *
   * @param proxyId id of the proxy incarnation, null if there is none
   */
  SessionNumbers(CaptureConfig config, @Nullable String proxyId) {
    this.config = config;
    this.proxyId = proxyId;
  }

  /**
   * A new connection is followed.
   *
   * @param backendPid process id of the session's backend, 0 when unknown
   * @param host host and port of the database, null when unknown
   * @return what its records tell of it
   */
  SessionInfo open(int backendPid, @Nullable String host) {
    openConnections.incrementAndGet();
    long number = sessions.incrementAndGet();
    return new SessionInfo(
        id(number), name(number), proxyId, config.service(), config.instance(), host, backendPid);
  }

  /** The session in which a connection goes on. */
  SessionInfo next(SessionInfo before) {
    long number = sessions.incrementAndGet();
    return new SessionInfo(
        id(number),
        name(number),
        before.proxy(),
        before.service(),
        before.instance(),
        before.databaseHost(),
        before.backendPid(),
        before.database(),
        before.oldestRunning());
  }

  /** A session of a single transaction, which is not in the order of its connection's others. */
  SessionInfo aside(SessionInfo of) {
    return new SessionInfo(
        id(sessions.incrementAndGet()),
        of.name() + "-snapshot",
        of.proxy(),
        of.service(),
        of.instance(),
        of.databaseHost(),
        of.backendPid(),
        of.database(),
        of.oldestRunning());
  }

  /** A connection was closed. */
  void close() {
    openConnections.decrementAndGet();
  }

  /** Connections that the application has not closed. */
  int openConnections() {
    return openConnections.get();
  }

  private String name(long number) {
    String instance = config.instance().isEmpty() ? "" : "/" + config.instance();
    return config.service() + instance + "#" + number;
  }

  /** Identity of a session: distinct within the process, random across processes. */
  private long id(long number) {
    long mixed = base + number * 0x9e3779b97f4a7c15L;
    mixed = (mixed ^ (mixed >>> 30)) * 0xbf58476d1ce4e5b9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94d049bb133111ebL;
    return mixed ^ (mixed >>> 31);
  }
}
