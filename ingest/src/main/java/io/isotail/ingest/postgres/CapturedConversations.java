package io.isotail.ingest.postgres;

import io.isotail.ingest.capture.CaptureConfig;
import io.isotail.ingest.capture.SharedCaptures;
import io.isotail.ingest.capture.SinkFactory;
import java.util.Map;

/**
 * Conversations that are captured by one configuration, to one stream. The stream begins with the
 * first of them, and ends with {@link SharedCaptures#closeAll}. Safe for any thread.
 */
public final class CapturedConversations implements Conversations {
  private final CaptureConfig config;
  private final SinkFactory sinks;
  private final long startWaitNs;

  /**
   * Conversations of a configuration.
   *
   * @param sinks where the stream goes
   * @param startWaitNs how long the first clients wait until the stream has begun, in nanoseconds;
   *     0 for not at all
   */
  public CapturedConversations(CaptureConfig config, SinkFactory sinks, long startWaitNs) {
    this.config = config;
    this.sinks = sinks;
    this.startWaitNs = startWaitNs;
  }

  @Override
  public Conversation open(Map<String, String> parameters, String host) {
    return new CapturedConversation(
        server -> SharedCaptures.get(config, sinks, server, startWaitNs), parameters, host);
  }
}
