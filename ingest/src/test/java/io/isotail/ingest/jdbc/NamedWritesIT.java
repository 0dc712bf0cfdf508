package io.isotail.ingest.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.ingest.capture.Capture;
import io.isotail.ingest.capture.CaptureConfig;
import io.isotail.ingest.capture.RecordingSink;
import io.isotail.ingest.postgres.CapturedConversations;
import io.isotail.ingest.proxy.ProxyConfig;
import io.isotail.ingest.proxy.ProxyConfig.Address;
import io.isotail.ingest.proxy.ProxyServer;
import io.isotail.ingest.sql.ObservedTables;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A named statement of the protocol, which keeps what it was parsed with. */
class NamedWritesIT {
  /** Who has never analysed a table has not counted its rows. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void theFirstExecutionIsToldOfATableThatIsKnownToBeSmall(boolean analysed) throws Exception {
    DatabaseScenario.startDatabase();
    DatabaseScenario.direct(
        "DROP SCHEMA IF EXISTS named CASCADE",
        "CREATE SCHEMA named",
        "CREATE TABLE named.heap (id int PRIMARY KEY, owner int)",
        "INSERT INTO named.heap VALUES (1, 7), (2, 7), (3, 8)",
        analysed ? "ANALYZE named.heap" : "SELECT 1");
    RecordingSink sink = new RecordingSink();
    Capture capture =
        new Capture(
            CaptureConfig.of("any", new ObservedTables(List.of())).withClearNames(), sink, "proxy");
    Address server = new Address("127.0.0.1", DatabaseScenario.database.port());
    try (ProxyServer proxy =
            ProxyServer.start(
                ProxyConfig.of(new Address("127.0.0.1", 0), server),
                CapturedConversations.of(capture));
        Connection c =
            DriverManager.getConnection(
                "jdbc:postgresql://127.0.0.1:%d/postgres?user=postgres&currentSchema=named&prepareThreshold=1"
                    .formatted(proxy.port()));
        PreparedStatement s = c.prepareStatement("UPDATE heap SET owner = owner WHERE owner = ?")) {
      s.setInt(1, 7);
      assertThat(s.executeUpdate()).isEqualTo(2);
      assertThat(s.executeUpdate()).isEqualTo(2);
    }
    String first = sink.described().get(0);
    assertThat(first.contains("opaque(")).as(first).isEqualTo(!analysed);
    assertThat(first.contains(" w1=")).as(first).isEqualTo(analysed);
  }
}
