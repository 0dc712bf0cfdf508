package io.isotail.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.StartedServers;
import io.isotail.ingest.sandbox.BrokerProcess;
import io.isotail.ingest.sandbox.EmbeddedDatabase;
import io.isotail.ingest.sandbox.EmbeddedKafka;
import io.isotail.ingest.sandbox.EmbeddedStandby;
import io.isotail.monitor.api.HttpApi;
import io.isotail.monitor.service.MonitorService;
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
          HttpApi.class,
          MonitorService.class,
          ProcessBuilder.class);

  /** keytool makes a certificate and ends. */
  private static final Set<Class<?>> HARMLESS = Set.of(SelfSigned.class);

  @Test
  void aTestThatStartsAServerIsCalledIt() {
    StartedServers started = new StartedServers("io.isotail.monitor", SERVERS, HARMLESS);
    started.check();
    assertThat(started.startedBy("io.isotail.monitor.page.PageIT")).contains("HttpApi");
    assertThat(started.startedBy("io.isotail.monitor.service.FleetIT")).contains("EmbeddedKafka");
  }
}
