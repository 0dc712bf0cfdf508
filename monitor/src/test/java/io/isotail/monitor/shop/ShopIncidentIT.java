package io.isotail.monitor.shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.databind.JsonNode;
import io.isotail.incremental.CheckerReport;
import io.isotail.ingest.sandbox.EmbeddedDatabase;
import io.isotail.ingest.sandbox.EmbeddedKafka;
import io.isotail.ingest.shop.ShopEndpoint;
import io.isotail.monitor.config.MonitorConfig;
import io.isotail.monitor.render.CauseText;
import io.isotail.monitor.service.MonitorService;
import io.isotail.monitor.store.StoredCause;
import io.isotail.monitor.store.StoredIncident;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * An endpoint that goes wrong once in two thousand transactions is one cause that names it, its
 * statements and what to change; and is silent once that is changed. Nothing is declared of the
 * tables.
 */
final class ShopIncidentIT {
  private static final String TWO_BUGS = "shop-two-bugs";
  private static final int REQUESTS = 2_000;
  private static final int STRIKES = 3;
  private static final int REQUESTS_MENDED = 1_500;
  private static final int STRIKES_MENDED = 2;
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private static EmbeddedDatabase database;
  private static EmbeddedKafka broker;
  private static MonitorService monitor;

  @BeforeAll
  static void start() throws Exception {
    database = EmbeddedDatabase.start();
    broker = EmbeddedKafka.start();
    Map<String, String> settings = new HashMap<>();
    settings.put("kafka.bootstrap", broker.bootstrapServers());
    settings.put("http.port", "0");
    for (Incident incident : Incident.values()) {
      settings.put("histories." + history(incident) + ".promise", "serializable");
    }
    settings.put("histories." + TWO_BUGS + ".promise", "serializable");
    monitor = MonitorService.start(MonitorConfig.of(settings));
    await("the monitor to read", () -> monitor.status().ready());
  }

  @AfterAll
  static void stop() throws Exception {
    monitor.close();
    broker.close();
    database.close();
  }

  @ParameterizedTest
  @EnumSource(Incident.class)
  void oneFaultyEndpointIsOneCauseWithAdviceThatEndsIt(Incident incident) throws Exception {
    PGSimpleDataSource direct = new PGSimpleDataSource();
    direct.setUrl(database.jdbcUrl());
    try (Shop shop = new Shop(direct, schema(incident), url(history(incident)));
        Traffic traffic = new Traffic(shop, incident.ordinal())) {
      long beganNs = System.nanoTime();
      List<Instant> struck = strike(shop, traffic, incident.faulty(), incident, STRIKES, REQUESTS);
      StoredCause cause = checkCause(incident, struck.get(0));
      int times = STRIKES_MENDED;
      for (Incident.Remedy remedy : incident.remedies()) {
        strike(shop, traffic, remedy.mended(), incident, times, REQUESTS_MENDED);
        times = 1;
      }
      CheckerReport report = report(incident);
      String what = print(shop, cause, report, System.nanoTime() - beganNs);
      assertThat(causes(incident)).as(what).singleElement().isEqualTo(cause);
      assertThat(violations(report)).as(what).isEqualTo(STRIKES);
      assertThat(report.coverage()).as(what).isGreaterThan(0.95);
    }
  }

  @Test
  void twoFaultyEndpointsAreTwoIncidents() throws Exception {
    PGSimpleDataSource direct = new PGSimpleDataSource();
    direct.setUrl(database.jdbcUrl());
    try (Shop shop = new Shop(direct, "two_bugs", url(TWO_BUGS));
        Traffic traffic = new Traffic(shop, 4_711)) {
      for (Incident incident : List.of(Incident.LOST_UPDATE, Incident.WRITE_SKEW)) {
        traffic.run(
            REQUESTS,
            incident.faulty(),
            ids -> shop.answer(incident.strike(incident.faulty(), ids)));
      }
      await("both to be told", () -> incidents(TWO_BUGS).size() == 2);
    }
    assertThat(incidents(TWO_BUGS))
        .extracting(
            each -> each.document().at("/culprits/0/endpoint").asText(), each -> each.slot())
        .containsExactlyInAnyOrder(
            tuple(Incident.LOST_UPDATE.faulty().route(), 1),
            tuple(Incident.WRITE_SKEW.faulty().route(), 2));
    incidents(TWO_BUGS).forEach(each -> System.out.println(each.text("title")));
  }

  /** Lets it strike so often, each time among other requests. Returns when all is checked. */
  private static List<Instant> strike(
      Shop shop,
      Traffic traffic,
      ShopEndpoint endpoint,
      Incident incident,
      int strikes,
      int requests)
      throws Exception {
    List<Instant> struck = new ArrayList<>();
    for (int i = 0; i < strikes; i++) {
      traffic.run(
          requests,
          endpoint,
          ids -> {
            shop.answer(incident.strike(endpoint, ids));
            struck.add(Instant.now());
          });
    }
    await("all to be checked", () -> checked(incident) >= shop.committed());
    assertThat(monitor.awaitCaughtUp(TIMEOUT)).isTrue();
    return struck;
  }

  private static StoredCause checkCause(Incident incident, Instant struck)
      throws InterruptedException {
    await("all of it to be told", () -> told(incident) >= STRIKES);
    List<StoredCause> causes = causes(incident);
    assertThat(causes).as("%s", causes).hasSize(1);
    StoredCause cause = causes.get(0);
    JsonNode document = cause.document();
    String all = document.toPrettyString();
    assertThat(cause.kind()).as(all).isEqualTo(incident.kind());
    assertThat(cause.slot()).isEqualTo(1);
    assertThat(document.path("occurrences").asLong()).as(all).isEqualTo(STRIKES);
    assertThat(cause.violations()).as(all).isEqualTo(STRIKES);
    assertThat(texts(document, "tables"))
        .containsExactly(schema(incident) + "." + incident.table());
    assertThat(texts(document, "services")).containsExactly(incident.faulty().service().label());
    assertThat(texts(document, "endpoints")).containsExactly(incident.faulty().route());
    assertThat(document.path("statements").findValuesAsText("statement"))
        .as(all)
        .containsExactlyInAnyOrderElementsOf(incident.statements());
    assertThat(Instant.parse(cause.text("firstSeen")))
        .isBetween(struck.minusSeconds(1), struck.plusSeconds(10));
    assertThat(cause.text("fault")).isEqualTo("application");
    List<StoredIncident> incidents = incidents(history(incident));
    assertThat(incidents).as("%s", incidents).hasSize(1);
    assertThat(incidents.get(0).id()).isEqualTo(cause.text("incident"));
    assertThat(incidents.get(0).text("root")).isEqualTo("promise");
    assertThat(incidents.get(0).text("title"))
        .as(all)
        .isEqualTo(
            "%s in %s of %s: promised serializable, run at %s"
                .formatted(
                    CauseText.plain(incident.kind()),
                    incident.faulty().route(),
                    incident.faulty().service().label(),
                    incident == Incident.WRITE_SKEW ? "repeatable read" : "read committed"));
    assertThat(incidents.get(0).document().at("/radius/transactions").asLong()).isEqualTo(STRIKES);
    List<String> advice = document.path("advice").findValuesAsText("what");
    assertThat(advice.get(0)).contains(incident.remedies().get(0).advice());
    for (Incident.Remedy remedy : incident.remedies()) {
      assertThat(advice).as(all).anyMatch(what -> what.contains(remedy.advice()));
    }
    return cause;
  }

  /** What the person on call reads, and how much was looked at. */
  private static String print(Shop shop, StoredCause cause, CheckerReport report, long ns) {
    StringBuilder text = new StringBuilder();
    text.append(cause.text("title")).append('\n');
    text.append("  ").append(cause.text("verdict")).append('\n');
    for (JsonNode remedy : cause.document().path("advice")) {
      text.append("  - ").append(remedy.path("what").asText());
      text.append(" (").append(remedy.path("cost").asText()).append(")\n");
    }
    text.append(
        String.format(
            Locale.ROOT,
            "  [%d committed, %d refused and repeated, coverage %.4f, undecided %s, %.1f s]%n",
            shop.committed(),
            shop.refused(),
            report.coverage(),
            report.undecided(),
            ns / 1e9));
    System.out.print(text);
    return text.toString();
  }

  private static List<String> texts(JsonNode document, String list) {
    List<String> texts = new ArrayList<>();
    document.path(list).forEach(each -> texts.add(each.asText()));
    return texts;
  }

  private static String history(Incident incident) {
    return "shop-" + incident.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private static String schema(Incident incident) {
    return incident.name().toLowerCase(Locale.ROOT);
  }

  private static List<StoredIncident> incidents(String history) {
    return monitor.incidents().stream().filter(each -> each.history().equals(history)).toList();
  }

  private static String url(String history) {
    return "jdbc:isotail:"
        + database.jdbcUrl().substring("jdbc:".length())
        + "&isotail.kafka="
        + broker.bootstrapServers()
        + "&isotail.history="
        + history;
  }

  private static List<StoredCause> causes(Incident incident) {
    return monitor.causes().stream()
        .filter(cause -> cause.history().equals(history(incident)))
        .toList();
  }

  private static long told(Incident incident) {
    return causes(incident).stream()
        .mapToLong(cause -> cause.document().path("violations").asLong())
        .sum();
  }

  private static long violations(CheckerReport report) {
    return report.anomalies().values().stream()
        .flatMap(kinds -> kinds.values().stream())
        .mapToLong(Long::longValue)
        .sum();
  }

  private static CheckerReport report(Incident incident) {
    CheckerReport report = monitor.reports().get(history(incident));
    assertThat(report).isNotNull();
    return report;
  }

  private static long checked(Incident incident) {
    CheckerReport report = monitor.reports().get(history(incident));
    return report == null ? 0 : report.transactions();
  }

  private static void await(String what, BooleanSupplier condition) throws InterruptedException {
    long deadlineNs = System.nanoTime() + TIMEOUT.toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime() - deadlineNs)
          .as("waiting for %s: %s", what, monitor.reports())
          .isNegative();
      Thread.sleep(20);
    }
  }
}
