package io.isotail.ingest.postgres;

import java.util.Map;

/** Opens conversations. Safe for any thread. */
public interface Conversations {

  /**
   * A client has sent its start-up message, which goes on to the server. Does not wait.
   *
   * @param parameters what the client has said there: {@code user}, {@code database}, {@code
   *     application_name} and others
   * @param host host and port of the server
   */
  Conversation open(Map<String, String> parameters, String host);
}
