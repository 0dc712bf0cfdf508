package io.isotail.ingest.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.ingest.capture.CaptureConfig;
import io.isotail.ingest.capture.RecordingSink;
import io.isotail.ingest.postgres.RawClient;
import io.isotail.ingest.postgres.RawClient.Messages;
import io.isotail.ingest.postgres.TestRelay;
import io.isotail.ingest.sql.ObservedTables;
import java.util.ArrayList;
import java.util.List;

/** Conversations on {@link HiddenSchema}, with the server and through a relay. */
final class WireComparison {
  static final String[] NONE = {};

  private WireComparison() {}

  /** What the server answers to each burst after the one before it is answered. */
  static List<String> talk(int port, Messages... bursts) throws Exception {
    List<String> told = new ArrayList<>();
    try (RawClient client = new RawClient(port, "postgres", WireTalk.SEARCH_PATH)) {
      for (Messages burst : bursts) {
        client.send(burst.bytes());
        told.addAll(client.read(burst.readies()));
      }
    }
    return told;
  }

  /** The client gets the same bytes through a relay. */
  static void expectTheSame(RecordingSink sink, Messages... bursts) throws Exception {
    HiddenSchema.fill();
    List<String> expected = talk(DatabaseScenario.database.port(), bursts);
    HiddenSchema.fill();
    CaptureConfig config = CaptureConfig.of("any", new ObservedTables(List.of())).withClearNames();
    try (TestRelay relay = new TestRelay(DatabaseScenario.database.port(), config, sink)) {
      assertThat(talk(relay.port(), bursts)).isEqualTo(expected);
    }
  }

  /** Parse and Sync. */
  static Messages parse(String name, String sql) {
    return new Messages().parse(name, sql).sync();
  }

  /** Bind, Execute and Sync. */
  static Messages run(String name) {
    return new Messages().bind("", name, NONE).execute("", 0).sync();
  }

  /** All in one burst. */
  static Messages together(Messages... bursts) {
    Messages all = new Messages();
    for (Messages burst : bursts) {
      all.add(burst);
    }
    return all;
  }
}
