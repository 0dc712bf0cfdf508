package io.isotail.ingest.capture;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/**
 * The captures of this process: all connections of one configuration share one stream, from the
 * first connection until the end of the process, when it says goodbye.
 *
 * <p>A pool may close its last connection and open another: a capture without users is kept, so
 * that its stream does not end and start again.
 */
public final class SharedCaptures {
  private static final Map<CaptureConfig, Entry> ENTRIES = new HashMap<>();

  /** How long the end of the process waits for the application to close its connections. */
  private static final long MAX_WAIT_NS = 2_000_000_000L;

  private static final long POLL_NS = 20_000_000L;
  private static final KeyWarning KEY_WARNING = new KeyWarning();
  private static final StreamStarts STARTS = new StreamStarts(System::nanoTime);
  private static boolean hooked;

  private SharedCaptures() {}

  private record Entry(Capture capture, SinkFactory.OpenSink sink, StreamStarts.Opened start) {}

  /**
   * The capture of a configuration, made if there is none yet. Does not wait for its stream to
   * begin: a commit does, see {@link StreamStart}.
   *
   * @param first the database behind the connection that is to be captured; no transaction is open
   * @param startWaitNs how long commits may wait from when it was made, in nanoseconds; 0 for not
   *     at all. The greatest counts that was given.
   * @throws ServerLostException if the connection to the first has ended; none is made then
   */
  public static synchronized Capture get(
      CaptureConfig config, SinkFactory factory, Server first, long startWaitNs) {
    Entry entry = ENTRIES.get(config);
    if (entry == null) {
      KEY_WARNING.check(config);
      DatabaseIds ids = DatabaseIds.of(first);
      SinkFactory.OpenSink sink = factory.open(config, ids);
      StreamStarts.Opened start = STARTS.opened(config, sink);
      Capture capture = new Capture(config, sink.sink(), sink.proxyId(), start, sink);
      capture.databases().note(ids);
      entry = new Entry(capture, sink, start);
      ENTRIES.put(config, entry);
      hook();
    }
    entry.start().awaitAtLeast(startWaitNs);
    return entry.capture();
  }

  /** Says goodbye on every stream. */
  public static synchronized void closeAll() {
    for (Entry entry : ENTRIES.values()) {
      entry.capture().prepared().giveUp();
      entry.sink().close();
    }
    ENTRIES.clear();
    STARTS.forget();
  }

  private static void hook() {
    if (!hooked) {
      hooked = true;
      Runtime.getRuntime().addShutdownHook(new Thread(SharedCaptures::leave, "isotail-goodbye"));
    }
  }

  /**
   * The process ends. A goodbye says that everything is in the stream, so it is said only once the
   * application has closed its connections; until the process is gone, one that it keeps open may
   * still commit. Without a goodbye the stream falls silent, and what it may have lost is
   * undecided.
   */
  private static void leave() {
    long deadlineNs = System.nanoTime() + MAX_WAIT_NS;
    while (anyOpen() && System.nanoTime() - deadlineNs < 0) {
      LockSupport.parkNanos(POLL_NS);
    }
    if (!anyOpen()) {
      closeAll();
    }
  }

  private static synchronized boolean anyOpen() {
    return ENTRIES.values().stream()
        .anyMatch(entry -> entry.capture().sessions().openConnections() > 0);
  }
}
