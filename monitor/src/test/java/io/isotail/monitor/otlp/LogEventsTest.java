package io.isotail.monitor.otlp;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.incremental.anomaly.CapsuleTransaction;
import io.isotail.incremental.cause.CauseReport;
import io.isotail.incremental.cause.IncidentReport;
import io.isotail.incremental.record.Origin;
import io.isotail.monitor.SampleAnomalies;
import io.isotail.monitor.publish.News;
import io.isotail.monitor.publish.PublishedCause;
import io.isotail.monitor.publish.PublishedIncident;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Which events there are, and which traces they name. */
final class LogEventsTest {
  private static final String ONE = "0af7651916cd43dd8448eb211c80319c";
  private static final String TWO = "4bf92f3577b34da6a3ce929d0e0e4736";
  private static final CauseReport CAUSE = SampleAnomalies.cause("shop", "w1");
  private static final IncidentReport INCIDENT = SampleAnomalies.incident(CAUSE);

  private final List<ObjectNode> sent = new ArrayList<>();
  private final Set<String> muted = new HashSet<>();
  private long nowNs;
  private final LogEvents events =
      new LogEvents(
          () -> URI.create("https://isotail.example"), muted::contains, sent::add, () -> nowNs);

  private static News first(CauseReport cause) {
    return new PublishedCause(cause, cause.violations(), true);
  }

  private static IncidentReport wave(int number, String reason) {
    return new IncidentReport(
        INCIDENT.id(),
        INCIDENT.history(),
        INCIDENT.slot(),
        INCIDENT.root(),
        INCIDENT.culprits(),
        INCIDENT.first(),
        INCIDENT.last(),
        INCIDENT.violations(),
        INCIDENT.kinds(),
        INCIDENT.causes(),
        INCIDENT.causeCount(),
        INCIDENT.radius(),
        new IncidentReport.Wave(number, reason, INCIDENT.last()),
        null,
        List.of(),
        List.of(),
        INCIDENT.timeline());
  }

  private static Anomaly traced(String... traces) {
    Anomaly plain = SampleAnomalies.lostUpdate("w1", "shop");
    List<CapsuleTransaction> capsule = new ArrayList<>();
    for (int i = 0; i < traces.length; i++) {
      CapsuleTransaction t = plain.capsule().get(i);
      capsule.add(
          new CapsuleTransaction(
              t.name(),
              t.session(),
              t.position(),
              t.transaction(),
              t.outcome(),
              t.ranAt(),
              t.offset(),
              t.times(),
              t.operations(),
              Origin.of(null, "POST /pay", traces[i])));
    }
    return SampleAnomalies.with(plain, SampleAnomalies.CAUSE, capsule);
  }

  private List<String> names() {
    return sent.stream().map(event -> event.path("eventName").asText()).toList();
  }

  @Test
  void aNewIncidentAndANewCauseAreToldOnceWithTheirTraces() {
    events.found(traced(ONE, TWO));
    events.told(new PublishedIncident(INCIDENT, CAUSE, true));
    events.told(first(CAUSE));
    assertThat(names()).containsExactly("isotail.incident", "isotail.cause");
    for (ObjectNode event : sent) {
      assertThat(event.path("traceId").asText()).isEqualTo(ONE);
      assertThat(event.path("attributes").toString()).contains(ONE, TWO);
    }
    // It goes on, is announced once more, or is forgotten and found again.
    events.told(new PublishedCause(CAUSE, 7, true));
    events.told(new PublishedCause(CAUSE, 0, true));
    events.told(new PublishedIncident(INCIDENT, CAUSE, false));
    events.told(first(CAUSE));
    events.told(new PublishedIncident(INCIDENT, CAUSE, true));
    assertThat(sent).hasSize(2);
  }

  @Test
  void anIncidentThatHasBecomeWorseIsToldOnceMoreAndItsCauseIsNot() {
    events.told(new PublishedIncident(INCIDENT, CAUSE, true));
    events.told(new PublishedIncident(wave(2, "POST /refund of billing joined"), CAUSE, true));
    events.told(first(CAUSE));
    assertThat(names()).containsExactly("isotail.incident", "isotail.incident", "isotail.cause");
    assertThat(sent.get(1).path("attributes").toString())
        .contains("POST /refund of billing joined");
    assertThat(sent.get(1).path("timeUnixNano").asText())
        .isEqualTo(Long.toString(SampleAnomalies.COMMIT_NS));
  }

  @Test
  void whatIsFoundAgainIsToldAgainOnceTheAlertOfBeforeIsOver() {
    long minuteNs = TimeUnit.MINUTES.toNanos(1);
    events.told(first(CAUSE));
    for (int i = 0; i < 5; i++) {
      nowNs += 30 * minuteNs;
      events.told(new PublishedCause(CAUSE, 7, true));
    }
    events.told(first(CAUSE));
    assertThat(sent).hasSize(1);
    nowNs += 41 * minuteNs;
    events.told(first(CAUSE));
    assertThat(sent).hasSize(2);
  }

  @Test
  void whatIsMutedIsNotTold() {
    muted.add(CAUSE.id());
    events.told(new PublishedIncident(wave(2, "again"), CAUSE, true));
    events.told(first(CAUSE));
    assertThat(sent).isEmpty();
    // The mute ends while both go on: now people are paged.
    muted.clear();
    events.told(new PublishedIncident(wave(2, "again"), CAUSE, false));
    events.told(new PublishedCause(CAUSE, 7, false));
    assertThat(names()).containsExactly("isotail.incident", "isotail.cause");
    events.told(new PublishedCause(CAUSE, 7, false));
    assertThat(sent).hasSize(2);
  }

  @Test
  void withoutAUsableTraceThereIsNone() {
    events.found(traced("0".repeat(32), "short"));
    events.told(first(CAUSE));
    assertThat(sent.get(0).has("traceId")).isFalse();
    assertThat(sent.get(0).toString()).doesNotContain("isotail.traces");
  }
}
