package io.isotail.ingest.jdbc;

import java.util.HashMap;
import java.util.Map;

/**
 * The captures of this process: all connections of one configuration share one stream, from the
 * first connection until the last release or the end of the process, when it says goodbye.
 *
 * <p>A pool may close its last connection and open another: a capture without users is kept, so
 * that its stream does not end and start again.
 */
final class SharedCaptures {
  private static final Map<CaptureConfig, Entry> ENTRIES = new HashMap<>();
  private static boolean hooked;

  private SharedCaptures() {}

  private record Entry(Capture capture, SinkFactory.OpenSink sink) {}

  static synchronized Capture get(CaptureConfig config, SinkFactory factory) {
    Entry entry = ENTRIES.get(config);
    if (entry == null) {
      SinkFactory.OpenSink sink = factory.open(config);
      entry = new Entry(new Capture(config, sink.sink(), sink.proxyId()), sink);
      ENTRIES.put(config, entry);
      hook();
    }
    return entry.capture();
  }

  /** Says goodbye on every stream. */
  static synchronized void closeAll() {
    ENTRIES.values().forEach(entry -> entry.sink().close());
    ENTRIES.clear();
  }

  private static void hook() {
    if (!hooked) {
      hooked = true;
      Runtime.getRuntime().addShutdownHook(new Thread(SharedCaptures::closeAll, "isotail-goodbye"));
    }
  }
}
