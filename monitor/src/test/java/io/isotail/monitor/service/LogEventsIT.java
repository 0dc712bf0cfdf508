package io.isotail.monitor.service;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.isotail.ingest.sandbox.EmbeddedKafka;
import io.isotail.monitor.EventLog;
import io.isotail.monitor.config.MonitorConfig;
import io.isotail.monitor.otlp.LogReceiver;
import io.opentelemetry.proto.logs.v1.LogRecord;
import io.opentelemetry.proto.logs.v1.SeverityNumber;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** From records on the log to events at a receiver of OpenTelemetry's protocol. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
final class LogEventsIT {
  private static final List<String> TRACES =
      List.of(
          "0af7651916cd43dd8448eb211c803191",
          "0af7651916cd43dd8448eb211c803192",
          "0af7651916cd43dd8448eb211c803193");

  private static MonitorConfig config(EmbeddedKafka kafka, LogReceiver receiver, String name) {
    Map<String, String> settings = new HashMap<>();
    settings.put("kafka.bootstrap", kafka.bootstrapServers());
    settings.put("kafka.instance-id", name);
    settings.put("http.port", "0");
    settings.put("http.public-url", "https://isotail.example/");
    settings.put("defaults.unique-versions", "true");
    settings.put("otlp.endpoint", receiver.endpoint() + "/");
    settings.put("otlp.timeout-ms", "5000");
    return MonitorConfig.of(settings);
  }

  @Test
  void anIncidentAndItsCauseAreToldOnceWhoeverChecks() throws Exception {
    try (EmbeddedKafka kafka = EmbeddedKafka.start();
        LogReceiver receiver = new LogReceiver();
        EventLog log = new EventLog(kafka.bootstrapServers(), "isotail.events", "shop")) {
      try (MonitorService one = MonitorService.start(config(kafka, receiver, "one"));
          MonitorService two = MonitorService.start(config(kafka, receiver, "two"))) {
        receiver.answer(LogReceiver.Reply.of(0, ""));
        log.trace(2, TRACES.get(1));
        log.trace(1, TRACES.get(0));
        log.trace(3, TRACES.get(2));
        log.commitAnomaly(1);
        LogReceiver.await("checked", () -> one.causes().size() == 1 && two.causes().size() == 1);
        LogReceiver.await("a request without an answer", () -> !receiver.askedNs().isEmpty());
        log.commitAnomaly(11);
        LogReceiver.await(
            "checking goes on meanwhile",
            () -> one.anomalies().size() == 2 && two.anomalies().size() == 2);
        receiver.answer(LogReceiver.Reply.of(200, "{}"));
        LogReceiver.await("two events", () -> receiver.events().size() == 2);
      }
      isAsTheAnomaly(receiver);

      try (MonitorService three = MonitorService.start(config(kafka, receiver, "three"))) {
        log.commitAnomaly(21);
        LogReceiver.await("checked", () -> three.anomalies().size() == 3);
      }
      assertThat(receiver.events()).as("it goes on, and is not new").hasSize(2);
    }
  }

  private static void isAsTheAnomaly(LogReceiver receiver) {
    LogRecord incident = receiver.events().get(0);
    LogRecord cause = receiver.events().get(1);
    assertThat(incident.getEventName()).isEqualTo("isotail.incident");
    assertThat(incident.getSeverityNumber()).isEqualTo(SeverityNumber.SEVERITY_NUMBER_ERROR);
    assertThat(cause.getEventName()).isEqualTo("isotail.cause");
    assertThat(cause.getSeverityNumber()).isEqualTo(SeverityNumber.SEVERITY_NUMBER_WARN);
    assertThat(cause.getBody().getStringValue())
        .isEqualTo("An effect was seen without its cause on register by shop in /pay");
    Map<String, String> about = LogReceiver.attributes(cause.getAttributesList());
    assertThat(about)
        .containsEntry("isotail.history", "shop")
        .containsEntry("isotail.kind", "causality-violation")
        .containsEntry("isotail.level", "causal")
        .containsEntry("isotail.services", "shop")
        .containsEntry("isotail.endpoints", "/pay")
        .containsEntry("url.full", "https://isotail.example/causes/" + about.get("isotail.cause"));
    Map<String, String> whole = LogReceiver.attributes(incident.getAttributesList());
    assertThat(whole)
        .containsEntry("isotail.history", "shop")
        .containsEntry("isotail.incident", about.get("isotail.incident"))
        .containsEntry("isotail.cause", about.get("isotail.cause"))
        .containsEntry("isotail.wave", "1")
        .containsEntry(
            "url.full", "https://isotail.example/incidents/" + about.get("isotail.incident"));
    for (LogRecord event : receiver.events()) {
      String traces = LogReceiver.attributes(event.getAttributesList()).get("isotail.traces");
      assertThat(traces.split(",")).isNotEmpty().isSubsetOf(TRACES);
      ByteString own = event.getTraceId();
      assertThat(HexFormat.of().formatHex(own.toByteArray())).isEqualTo(traces.split(",")[0]);
      assertThat(event.getTimeUnixNano()).isPositive();
      assertThat(event.getObservedTimeUnixNano()).isGreaterThanOrEqualTo(event.getTimeUnixNano());
    }
    Map<String, String> resource =
        LogReceiver.attributes(
            receiver.taken().get(0).getResourceLogs(0).getResource().getAttributesList());
    assertThat(resource).containsEntry("service.name", "isotail-monitor");
    assertThat(resource.get("service.instance.id")).isIn("one", "two");
  }
}
