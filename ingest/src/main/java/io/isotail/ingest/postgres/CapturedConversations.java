package io.isotail.ingest.postgres;

import io.isotail.ingest.capture.Capture;
import io.isotail.ingest.capture.CaptureConfig;
import io.isotail.ingest.capture.SharedCaptures;
import io.isotail.ingest.capture.SinkFactory;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Conversations that are captured, all to one stream, or none of them. Safe for any thread. */
public final class CapturedConversations implements Conversations {
  /** Null when nothing is captured. */
  private final @Nullable Function<WireServer, Capture> captures;

  private final LongAdder uncaptured = new LongAdder();
  private volatile @Nullable Capture capture;

  private CapturedConversations(@Nullable Function<WireServer, Capture> captures) {
    this.captures = captures;
  }

  /** Conversations of which nothing is captured: every byte goes on as it came. */
  public static CapturedConversations none() {
    return new CapturedConversations(null);
  }

  /**
   * Conversations whose stream begins with the first of them, and ends with {@link
   * SharedCaptures#closeAll}.
   *
   * @param sinks where the stream goes
   * @param startWaitNs how long the first commits wait until the stream has begun, in nanoseconds;
   *     0 for not at all
   */
  public static CapturedConversations of(
      CaptureConfig config, SinkFactory sinks, long startWaitNs) {
    return new CapturedConversations(
        server -> SharedCaptures.get(config, sinks, server, startWaitNs));
  }

  /** Conversations whose stream is there already. */
  public static CapturedConversations of(Capture capture) {
    return new CapturedConversations(server -> capture);
  }

  private Capture noted(Capture found) {
    capture = found;
    return found;
  }

  /** What the connections share, which has counted what was captured; null before the first one. */
  public @Nullable Capture capture() {
    return capture;
  }

  /** How many connections could not be captured. */
  public long uncaptured() {
    return uncaptured.sum();
  }

  @Override
  public Conversation open(Map<String, String> parameters, String host) {
    Function<WireServer, Capture> from = captures;
    return from == null
        ? new WatchedConversation()
        : new CapturedConversation(
            server -> noted(from.apply(server)), uncaptured::increment, parameters, host);
  }
}
