package io.isotail.ingest.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Which messages of a client are too long to be put together. */
class LongMessagesTest {
  @Test
  void aQueryOrACallBeyondItsBoundGoesOnAsItComes() {
    assertThat(ClientSide.isTooLong(MessageTypes.QUERY, ClientSide.MOST_QUERY_BYTES)).isFalse();
    assertThat(ClientSide.isTooLong(MessageTypes.QUERY, ClientSide.MOST_QUERY_BYTES + 1)).isTrue();
    assertThat(ClientSide.isTooLong(MessageTypes.FUNCTION_CALL, ClientSide.MOST_CALL_BYTES))
        .isFalse();
    assertThat(ClientSide.isTooLong(MessageTypes.FUNCTION_CALL, ClientSide.MOST_CALL_BYTES + 1))
        .isTrue();
    assertThat(ClientSide.isTooLong(MessageTypes.BIND, Integer.MAX_VALUE)).isFalse();
  }
}
