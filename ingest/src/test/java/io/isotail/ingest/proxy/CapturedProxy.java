package io.isotail.ingest.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.ingest.capture.Capture;
import io.isotail.ingest.capture.CaptureConfig;
import io.isotail.ingest.capture.CaptureStats;
import io.isotail.ingest.capture.OpenTransactions;
import io.isotail.ingest.postgres.CapturedConversations;
import io.isotail.ingest.proxy.ProxyConfig.Address;
import io.isotail.ingest.proxy.ProxyStats.Count;
import io.isotail.ingest.sql.ObservedTables;
import java.util.List;
import java.util.function.UnaryOperator;

/** A proxy that captures, and what must hold of it when nobody talks to it any more. */
public final class CapturedProxy implements AutoCloseable {
  private final OpenTransactions sink = new OpenTransactions();
  private final Capture capture =
      new Capture(CaptureConfig.of("any", new ObservedTables(List.of())), sink, "proxy");
  private final ProxyServer proxy;

  /** Before a server. */
  public CapturedProxy(Address server) {
    this(server, config -> config);
  }

  /** Before the server at a port of this machine. */
  public CapturedProxy(int serverPort) {
    this(new Address("127.0.0.1", serverPort));
  }

  /** Before a server, with other settings than the usual ones. */
  public CapturedProxy(Address server, UnaryOperator<ProxyConfig> settings) {
    proxy =
        ProxyServer.start(
            settings.apply(ProxyConfig.of(new Address("127.0.0.1", 0), server)),
            CapturedConversations.of(capture));
  }

  /** Where it listens. */
  public int port() {
    return proxy.port();
  }

  /** What it has counted. */
  public ProxyStats stats() {
    return proxy.stats();
  }

  /** What it has recorded. */
  public OpenTransactions transactions() {
    return sink;
  }

  /** Waits until no connection is left. */
  public void awaitNone(long seed) {
    Await.until("no connection is left; seed " + seed, () -> proxy.stats().open() == 0);
  }

  /**
   * Nothing has failed, and no transaction is without an end.
   *
   * @param spoilt whether sides have sent what are no messages
   */
  public void check(long seed, boolean spoilt) {
    // What a client has sent is followed to its end after its socket is closed.
    Await.until("every transaction has its end; seed " + seed, () -> sink.open().isEmpty());
    for (Count none : List.of(Count.CONVERSATION_FAILURES, Count.INTERNAL_FAILURES)) {
      assertThat(proxy.stats().get(none)).as("%s; seed %d", none, seed).isZero();
    }
    if (!spoilt) {
      assertThat(proxy.stats().get(Count.FRAMING_LOST)).as("seed %d", seed).isZero();
      assertThat(capture.stats().of(CaptureStats.Event.INTERNAL_FAILURE))
          .as("a connection that is lost is no failure; seed %d", seed)
          .isZero();
    }
  }

  @Override
  public void close() {
    proxy.close();
  }
}
