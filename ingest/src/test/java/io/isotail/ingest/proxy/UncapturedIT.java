package io.isotail.ingest.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.ingest.capture.CaptureConfig;
import io.isotail.ingest.postgres.CapturedConversations;
import io.isotail.ingest.postgres.Conversation;
import io.isotail.ingest.proxy.ProxyConfig.Address;
import io.isotail.ingest.sandbox.EmbeddedDatabase;
import io.isotail.ingest.sql.ObservedTables;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Connections whose capturing cannot begin are served and counted. */
final class UncapturedIT {
  private static CapturedConversations withoutStream() {
    return CapturedConversations.of(
        CaptureConfig.of("uncaptured", ObservedTables.parse("")),
        (config, oldest) -> {
          throw new IllegalStateException("no stream for a test");
        },
        0);
  }

  @Test
  void aConnectionWithoutAStreamGoesOn() throws Exception {
    CapturedConversations conversations = withoutStream();
    try (EmbeddedDatabase database = EmbeddedDatabase.start();
        ProxyServer proxy =
            ProxyServer.start(
                ProxyConfig.of(
                    new Address("127.0.0.1", 0), new Address("127.0.0.1", database.port())),
                conversations);
        Connection connection =
            DriverManager.getConnection(EmbeddedDatabase.jdbcUrl(proxy.port()));
        Statement statement = connection.createStatement()) {
      for (int value = 1; value <= 2; value++) {
        try (ResultSet rows = statement.executeQuery("SELECT " + value)) {
          rows.next();
          assertThat(rows.getInt(1)).isEqualTo(value);
        }
      }
    }
    assertThat(conversations.uncaptured()).isEqualTo(1);
    assertThat(conversations.capture()).isNull();
  }

  @Test
  void aClientThatAsksBeforeTheServerIsReadyIsCountedOnce() {
    CapturedConversations conversations = withoutStream();
    Conversation conversation = conversations.open(Map.of("user", "u"), "db:5432");
    assertThat(conversation.looksAtClient((byte) 'p', 10)).isFalse();
    assertThat(conversations.uncaptured()).isZero();
    assertThat(conversation.looksAtClient((byte) 'Q', 10)).isFalse();
    assertThat(conversation.looksAtClient((byte) 'Q', 10)).isFalse();
    assertThat(conversations.uncaptured()).isEqualTo(1);
  }
}
