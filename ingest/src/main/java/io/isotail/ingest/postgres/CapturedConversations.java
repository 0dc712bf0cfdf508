package io.isotail.ingest.postgres;

import io.isotail.ingest.capture.Capture;
import io.isotail.ingest.capture.CaptureConfig;
import io.isotail.ingest.capture.SharedCaptures;
import io.isotail.ingest.capture.SinkFactory;
import java.util.Map;
import java.util.function.Function;

/** Conversations that are captured, all to one stream. Safe for any thread. */
public final class CapturedConversations implements Conversations {
  private final Function<WireServer, Capture> captures;

  private CapturedConversations(Function<WireServer, Capture> captures) {
    this.captures = captures;
  }

  /**
   * Conversations whose stream begins with the first of them, and ends with {@link
   * SharedCaptures#closeAll}.
   *
   * @param sinks where the stream goes
   * @param startWaitNs how long the first clients wait until the stream has begun, in nanoseconds;
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

  @Override
  public Conversation open(Map<String, String> parameters, String host) {
    return new CapturedConversation(captures, parameters, host);
  }
}
