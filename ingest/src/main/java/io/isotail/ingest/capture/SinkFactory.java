package io.isotail.ingest.capture;

import io.isotail.ingest.emit.TransactionSink;
import org.jspecify.annotations.Nullable;

/** Opens the stream that a configuration names. */
public interface SinkFactory {

  /**
   * Opens a sink; must not wait for the network.
   *
   * @param first the database that is captured first
   */
  OpenSink open(CaptureConfig config, DatabaseIds first);

  /** A sink in use, and how to end its use. */
  interface OpenSink {
    /** Where records go. */
    TransactionSink sink();

    /** Id of the proxy incarnation that the sink speaks for. */
    String proxyId();

    /**
     * Whether the stream has begun for its readers: nothing that is committed from then on can be
     * taken for a write of somebody who is not captured. Once true, it stays so. Does not wait.
     */
    boolean hasBegun();

    /**
     * Waits until {@link #hasBegun}.
     *
     * @param timeoutNs after which it returns all the same, in nanoseconds
     */
    void awaitStart(long timeoutNs) throws InterruptedException;

    /**
     * Whether the database may be asked as often as there is something to ask: what it takes is of
     * no account, as in a test.
     */
    default boolean asksAtWill() {
      return false;
    }

    /**
     * Where in the application's code the calling thread is, which is about to begin a transaction;
     * null if that is not told. For people, and only where its cost is of no account.
     */
    default @Nullable String place() {
      return null;
    }

    /** Says goodbye; called once, when the process has stopped using its connections. */
    void close();
  }
}
