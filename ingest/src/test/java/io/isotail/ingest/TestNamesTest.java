package io.isotail.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.StartedServers;
import io.isotail.ingest.sandbox.BrokerProcess;
import io.isotail.ingest.sandbox.EmbeddedDatabase;
import io.isotail.ingest.sandbox.EmbeddedKafka;
import io.isotail.ingest.sandbox.EmbeddedStandby;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A test is named by what it starts. */
final class TestNamesTest {
  private static final Set<Class<?>> SERVERS =
      Set.of(
          BrokerProcess.class,
          EmbeddedDatabase.class,
          EmbeddedStandby.class,
          EmbeddedKafka.class,
          ProcessBuilder.class);

  @Test
  void aTestThatStartsAServerIsCalledIt() {
    StartedServers started = new StartedServers("io.isotail.ingest", SERVERS, Set.of());
    started.check();
    assertThat(started.startedBy("io.isotail.ingest.jdbc.IsotailDriverIT"))
        .contains("EmbeddedDatabase");
    assertThat(started.startedBy("io.isotail.ingest.sandbox.EmbeddedKafkaIT"))
        .contains("EmbeddedKafka", "BrokerProcess");
  }
}
