package io.isotail.monitor.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.ingest.sandbox.EmbeddedKafka;
import io.isotail.monitor.config.MonitorConfig;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A monitor that was given a port of something else than a broker for clients says so. */
final class WrongPortIT {
  @TempDir private Path folder;

  @Test
  void thePortOfAControllerIsToldFromThatOfABroker() throws Exception {
    int controller = freePort();
    try (EmbeddedKafka kafka = broker(freePort(), controller)) {
      assertThat(kafka.port()).isNotEqualTo(controller);
      assertThat(problem("127.0.0.1:" + controller))
          .isEqualTo(
              "kafka: 127.0.0.1:%d serves no clients, as the port of a controller; expected a broker's listener for clients"
                  .formatted(controller));
    }
  }

  @Test
  void whatTakesConnectionsAndIsNoBrokerIsTold() throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      assertThat(problem("127.0.0.1:" + silent.getLocalPort()))
          .endsWith("does not answer as a broker; expected a broker's listener for clients");
    }
  }

  /** The first answer of Kafka's client that the monitor tells. */
  private static String problem(String bootstrap) throws InterruptedException {
    Map<String, String> settings =
        Map.of(
            "kafka.bootstrap", bootstrap,
            "kafka.properties.default.api.timeout.ms", "5000",
            "kafka.properties.request.timeout.ms", "2000",
            "http.port", "0");
    try (MonitorService monitor = MonitorService.start(MonitorConfig.of(settings))) {
      long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
      String problem;
      do {
        TimeUnit.MILLISECONDS.sleep(50);
        problem = String.valueOf(monitor.status().problem());
      } while (!problem.startsWith("kafka: ") && System.nanoTime() < deadlineNs);
      return problem;
    }
  }

  private EmbeddedKafka broker(int port, int controller) {
    Map<String, String> settings = new HashMap<>();
    settings.put("process.roles", "broker,controller");
    settings.put("node.id", "1");
    settings.put("controller.quorum.voters", "1@127.0.0.1:" + controller);
    settings.put(
        "listeners",
        "PLAINTEXT://127.0.0.1:%d,CONTROLLER://127.0.0.1:%d".formatted(port, controller));
    settings.put("advertised.listeners", "PLAINTEXT://127.0.0.1:" + port);
    settings.put("listener.security.protocol.map", "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT");
    settings.put("controller.listener.names", "CONTROLLER");
    settings.put("inter.broker.listener.name", "PLAINTEXT");
    settings.put("log.dirs", folder.toString());
    return EmbeddedKafka.start(port, settings);
  }

  private static int freePort() throws IOException {
    try (ServerSocket free = new ServerSocket(0)) {
      return free.getLocalPort();
    }
  }
}
