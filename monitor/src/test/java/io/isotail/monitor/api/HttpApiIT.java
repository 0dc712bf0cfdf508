package io.isotail.monitor.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.incremental.anomaly.AnomalyKind;
import io.isotail.incremental.level.Verdict;
import io.isotail.monitor.Promtool;
import io.isotail.monitor.RunningPage;
import io.isotail.monitor.SampleAnomalies;
import io.isotail.monitor.metrics.MetricCatalogue;
import io.isotail.monitor.status.HistoryStatus;
import java.net.Socket;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class HttpApiIT {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static RunningPage page;

  @BeforeAll
  static void start() {
    page = new RunningPage();
    page.show(
        RunningPage.history(
            "shop", Verdict.FAIL, Map.of(AnomalyKind.CAUSALITY_VIOLATION, 2L), null),
        RunningPage.history("warehouse", Verdict.UNDECIDED, Map.of(), "stopped \"here\"\n"));
    page.found(SampleAnomalies.causality("c1"));
    page.found(SampleAnomalies.lostUpdate("l1", "warehouse"));
    page.found(SampleAnomalies.causality("c2"));
    page.repeated("c1", 5);
    page.caused(SampleAnomalies.cause("warehouse", "l1"));
  }

  @AfterAll
  static void stop() {
    page.close();
  }

  @Test
  void anomaliesAreListedNewestFirstAndFiltered() throws Exception {
    assertThat(ids("/api/anomalies")).isEqualTo("c2 l1 c1");
    assertThat(ids("/api/anomalies?limit=1")).isEqualTo("c2");
    assertThat(ids("/api/anomalies?history=warehouse")).isEqualTo("l1");
    assertThat(ids("/api/anomalies?level=causal&kind=causality-violation")).isEqualTo("c2 c1");
    assertThat(ids("/api/anomalies?level=prefix")).isEmpty();
    assertThat(json("/api/anomalies").at("/anomalies/2/occurrences").asInt()).isEqualTo(5);
    assertThat(json("/api/anomalies").at("/anomalies/0/committedAt").asText())
        .isEqualTo("2026-09-21T14:13:20Z");
  }

  @Test
  void theListIsReadPageByPageAndSaysHowMuchThereIs() throws Exception {
    JsonNode body = json("/api/anomalies?limit=1&before=c2");
    assertThat(body.at("/anomalies/0/id").asText()).isEqualTo("l1");
    assertThat(body.path("matching").asInt()).isEqualTo(3);
    assertThat(body.path("newer").asInt()).isEqualTo(1);
    assertThat(body.path("seen").asInt()).isEqualTo(3);
    assertThat(ids("/api/anomalies?limit=1&after=c1")).isEqualTo("l1");
    assertThat(body.at("/anomalies/0/at").asText()).isEqualTo("2026-09-21T14:13:20Z");
    assertThat(ids("/api/anomalies?from=2026-09-21T14:13:20Z")).isEqualTo("c2 l1 c1");
    assertThat(ids("/api/anomalies?to=2026-09-21T14:13:20Z")).isEmpty();
  }

  @Test
  void theProofsOfACauseAreListedAndCounted() throws Exception {
    try (RunningPage own = new RunningPage()) {
      Anomaly lost = SampleAnomalies.lostUpdate("l1", "shop");
      own.found(lost);
      own.found(
          SampleAnomalies.with(
              SampleAnomalies.lostUpdate("l2", "shop"), "0123456789abcdef", lost.capsule()));
      JsonNode body =
          JSON.readTree(own.get("/api/anomalies?history=shop&cause=0123456789abcdef").body());
      assertThat(body.path("matching").asInt()).isEqualTo(1);
      assertThat(body.at("/anomalies/0/id").asText()).isEqualTo("l2");
      own.caused(SampleAnomalies.cause("shop", "l1"));
      assertThat(own.get("/api/causes?cause=" + SampleAnomalies.CAUSE).body())
          .contains("\"matching\":1");
      assertThat(own.get("/api/causes?cause=0123456789abcdef").body()).contains("\"matching\":0");
      assertThat(JSON.readTree(own.get("/api/anomalies?cause=none").body()).path("anomalies"))
          .isEmpty();
      assertThat(
              JSON.readTree(own.get("/api/timeline?span=all&cause=0123456789abcdef").body())
                  .path("matching")
                  .asInt())
          .isEqualTo(1);
    }
  }

  @Test
  void incidentsAreListedInShortAndOneComesWithItsCauses() throws Exception {
    JsonNode list = json("/api/incidents?history=warehouse");
    assertThat(list.path("matching").asInt()).isEqualTo(1);
    JsonNode line = list.at("/incidents/0");
    assertThat(line.fieldNames())
        .toIterable()
        .containsExactlyInAnyOrder(
            "incident",
            "history",
            "title",
            "root",
            "promised",
            "goesOn",
            "harm",
            "severity",
            "violations",
            "kinds",
            "causeCount",
            "firstSeen",
            "lastSeen",
            "hurt",
            "endpoints",
            "wave",
            "ended");
    assertThat(line.path("incident").asText()).isEqualTo(SampleAnomalies.INCIDENT);
    assertThat(line.path("severity").asText()).isEqualTo("snapshot-isolation");
    assertThat(line.path("goesOn").asBoolean()).as("it struck long ago").isFalse();
    assertThat(line.path("endpoints"))
        .extracting(JsonNode::asText)
        .containsExactly("POST /pay of billing");
    assertThat(json("/api/incidents?history=other").path("incidents")).isEmpty();

    JsonNode one = json("/api/incidents/" + SampleAnomalies.INCIDENT);
    assertThat(one.at("/causes/0/cause").asText()).isEqualTo(SampleAnomalies.CAUSE);
    assertThat(one.at("/causes/0/decision").isNull()).isTrue();
    assertThat(one.path("advice")).isNotEmpty();
    assertThat(one.path("title")).isEqualTo(line.path("title"));

    assertError("/api/incidents/none", 404, "incident none is not known");
    assertError("/api/incidents?limit=0", 400, "limit=0; expected a whole number from 1 to 1000");
  }

  @Test
  void theTimelineCountsByLevelAndKind() throws Exception {
    JsonNode all = json("/api/timeline?span=all");
    assertThat(all.path("matching").asInt()).isEqualTo(3);
    assertThat(all.at("/lanes/0/history").asText()).isEqualTo("shop");
    assertThat(all.at("/lanes/0/level").asText()).isEqualTo("causal");
    assertThat(all.at("/lanes/0/kind").asText()).isEqualTo("causality-violation");
    assertThat(all.at("/lanes/0/counts/0").asInt()).isEqualTo(2);
    assertThat(all.at("/lanes/1/kind").asText()).isEqualTo("lost-update");
    assertThat(all.at("/lanes/1/counts")).hasSizeLessThanOrEqualTo(73);
    assertThat(json("/api/timeline?span=all&history=warehouse").path("lanes")).hasSize(1);
    assertError("/api/timeline?span=week", 400, "span 'week' is unknown; expected one of 1h, 24h");
  }

  @Test
  void aBadParameterIsNamedWithWhatWasExpected() throws Exception {
    assertError("/api/anomalies?limit=0", 400, "limit=0; expected a whole number from 1 to 1000");
    assertError("/api/anomalies?limit=many", 400, "limit=many");
    assertError("/api/anomalies/c1/cycle.svg?width=0", 400, "width=0; expected a whole number");
    assertError("/api/anomalies/c1/cycle.svg?width=199", 400, "a whole number from 200 to");
    assertError("/api/anomalies?from=noon", 400, "from=noon; expected a time as in 2026-");
    assertError("/api/anomalies?level=casual", 400, "isolation level 'casual' is unknown");
    assertError("/api/anomalies?kind=oops", 400, "expected one of thin-air-read");
    assertError("/api/anomalies/none", 404, "anomaly none is not known");
    assertError("/api/anomalies/none/dot", 404, "anomaly none");
    assertError("/api/oops", 404, "/api/oops does not exist");
  }

  @Test
  void oneAnomalyComesWithItsTransactionsGraphAndCapsule() throws Exception {
    JsonNode json = json("/api/anomalies/c1");
    assertThat(json.at("/cycle")).hasSize(2);
    assertThat(json.at("/capsule")).hasSize(3);
    assertThat(json.at("/clockUncertainty").isNull()).isTrue();
    assertThat(json.at("/transactions/2/operations/0/statement").asText()).startsWith("SELECT");
    assertThat(json.at("/transactions/2/backendPid").asInt()).isEqualTo(4713);
    assertThat(json.at("/transactions/2/endpoint").asText())
        .isEqualTo("/withdrawals/{account} Teller#withdraw");
    assertThat(json.at("/transactions/2/trace").asText())
        .isEqualTo("0af7651916cd43dd8448eb211c80319c");

    HttpResponse<String> capsule = page.get("/api/anomalies/c1/capsule.jsonl");
    assertThat(capsule.headers().firstValue("Content-Disposition"))
        .hasValue("attachment; filename=c1.jsonl");
    assertThat(capsule.body().lines()).hasSize(3).allMatch(l -> l.startsWith("{\"session\":"));
    assertThat(page.get("/api/anomalies/c1/dot").body()).startsWith("digraph witness {");
    assertThat(page.get("/api/anomalies/c1/svg").body()).startsWith("<?xml").contains("violates");
    assertThat(page.get("/api/anomalies/c1/cycle.svg").body()).contains("<svg", "class=\"edge ");
  }

  @Test
  void statusTellsWhereEachHistoryStands() throws Exception {
    JsonNode shop = json("/api/status").at("/histories/0");
    assertThat(shop.at("/promise").asText()).isEqualTo("causal");
    assertThat(shop.at("/observed").asText()).isEqualTo("read-committed");
    assertThat(shop.at("/verdicts/causal").asText()).isEqualTo("fail");
    assertThat(shop.at("/anomalies/causal/causality-violation").asInt()).isEqualTo(2);
    assertThat(shop.at("/coverage").asDouble()).isBetween(0.9998, 0.9999);
    assertThat(json("/readyz").at("/quarantined/0").asText()).isEqualTo("warehouse");
    assertThat(page.get("/healthz").statusCode()).isEqualTo(200);
  }

  @Test
  void statusTellsOfTheHistoriesOfAllInstancesOnceEach() throws Exception {
    HistoryStatus own = RunningPage.history("shop", Verdict.PASS, Map.of(), null);
    HistoryStatus old = RunningPage.history("shop", Verdict.UNDECIDED, Map.of(), null);
    HistoryStatus moved = RunningPage.history("orders", Verdict.PASS, Map.of(), null);
    try (RunningPage several = new RunningPage()) {
      several.hear(RunningPage.peer("monitor-2", null, old, moved));
      several.hear(RunningPage.peer("monitor-1", "the broker is away", moved));
      long beforeMs = System.currentTimeMillis();
      several.show(own);
      several.show(own);
      JsonNode status = JSON.readTree(several.get("/api/status").body());
      assertThat(status.path("histories"))
          .extracting(h -> h.path("history").asText() + " " + h.path("instance").asText())
          .as("its own first, else the latest report")
          .containsExactly("orders monitor-2", "shop monitor-0");
      assertThat(status.at("/histories/1/verdicts/causal").asText()).isEqualTo("pass");
      assertThat(status.path("instances"))
          .extracting(i -> i.path("instance").asText() + " " + i.path("ready").asBoolean())
          .containsExactly("monitor-0 true", "monitor-1 false", "monitor-2 true");
      assertThat(status.at("/instances/1/problem").asText()).isEqualTo("the broker is away");
      assertThat(status.at("/instances/1/lag/records").asInt()).isEqualTo(40);
      assertThat(status.path("phaseSinceMs").asLong())
          .isBetween(beforeMs, System.currentTimeMillis())
          .isEqualTo(status.at("/instances/0/phaseSinceMs").asLong());
      assertThat(status.at("/instances/1/phaseSinceMs").asLong())
          .isEqualTo(RunningPage.PEER_SINCE_MS);
      assertThat(several.get("/readyz").statusCode()).as("its own").isEqualTo(200);
      assertThat(several.get("/metrics").body()).doesNotContain("history=\"orders\"");
    }
  }

  @Test
  void whatIsNotCapturedIsCountedByServiceAndReason() throws Exception {
    try (RunningPage own = new RunningPage()) {
      own.show(RunningPage.historyNotCaptured("carts", true));
      String text = own.get("/metrics").body();
      assertThat(Promtool.checkMetrics(text)).isEmpty();
      assertThat(text)
          .contains("isotail_statements_total{captured=\"yes\",history=\"carts\"} 900.0")
          .contains("isotail_statements_total{captured=\"no\",history=\"carts\"} 100.0")
          .contains("isotail_reads_not_captured_total{history=\"carts\"} 500000.0")
          .contains(
              "isotail_statements_not_captured_total{history=\"carts\",reason=\"aggregate\",service=\"shop\"} 90.0");
      JsonNode capture = JSON.readTree(own.get("/api/status").body()).at("/histories/0/capture");
      assertThat(capture.path("notCaptured").asLong()).isEqualTo(100);
      assertThat(capture.at("/worst/0/statement").asText())
          .isEqualTo("select count(*) from orders");
      assertThat(capture.at("/worst/0/kind").asText()).isEqualTo("unread");
    }
  }

  @Test
  void metricsAreCleanInBothFormats() throws Exception {
    // Counters stay at 0 until they have been scraped there.
    assertThat(page.get("/metrics").body())
        .contains(
            "isotail_anomalies_total{anomaly=\"causality-violation\",history=\"shop\",level=\"causal\"} 0.0");
    HttpResponse<String> text = page.get("/metrics");
    assertThat(text.headers().firstValue("Content-Type").orElseThrow())
        .startsWith("text/plain; version=0.0.4");
    assertThat(Promtool.checkMetrics(text.body())).isEmpty();
    for (MetricCatalogue.Metric metric : MetricCatalogue.all()) {
      if (!metric.labels().contains("service")) { // none before a service has told of something
        assertThat(text.body()).contains("# TYPE " + metric.name());
      }
    }
    assertThat(text.body())
        .contains(
            "isotail_anomalies_total{anomaly=\"causality-violation\",history=\"shop\",level=\"causal\"} 2.0")
        .contains(
            "isotail_anomalies_total{anomaly=\"lost-update\",history=\"shop\",level=\"causal\"} 0.0")
        .contains("isotail_transactions_total{history=\"shop\",outcome=\"committed\"} 1284407.0")
        .contains("isotail_verdict{history=\"shop\",level=\"causal\",verdict=\"fail\"} 1.0")
        .contains("isotail_history_quarantined{history=\"warehouse\"} 1.0")
        .contains("isotail_detection_seconds_bucket{history=\"shop\",le=\"0.25\"} 2")
        .contains("jvm_memory_used_bytes");

    HttpResponse<String> open =
        page.get("/metrics", "Accept", "application/openmetrics-text;version=1.0.0,*/*;q=0.1");
    assertThat(open.headers().firstValue("Content-Type").orElseThrow())
        .startsWith("application/openmetrics-text; version=1.0.0");
    assertThat(open.body())
        .endsWith("# EOF\n")
        .containsPattern("isotail_anomalies_total\\{.*} 2.0 # \\{witness=\"c[12]\"} 2.0");
  }

  @Test
  void thePageComesWithAPolicyAgainstForeignContent() throws Exception {
    HttpResponse<String> index = page.get("/");
    assertThat(index.headers().firstValue("Content-Security-Policy").orElseThrow())
        .contains("default-src 'none'", "script-src 'self'");
    String tag = index.headers().firstValue("ETag").orElseThrow();
    assertThat(page.get("/", "If-None-Match", tag).statusCode()).isEqualTo(304);
    HttpResponse<String> missing = page.get("/no/such/page");
    assertThat(missing.statusCode()).isEqualTo(404);
    assertThat(missing.body()).contains("There is no such page");
    assertThat(page.get("/assets/..%2f..%2fapplication").statusCode()).isEqualTo(404);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/",
        "/anomalies/c1",
        "/causes/1",
        "/assets/app.js",
        "/healthz",
        "/readyz",
        "/api/anomalies?limit=1",
        "/api/anomalies?limit=0",
        "/api/anomalies/c1",
        "/api/anomalies/none",
        "/api/anomalies/c1/dot",
        "/api/anomalies/c1/svg",
        "/api/anomalies/c1/cycle.svg",
        "/api/anomalies/c1/capsule.jsonl",
        "/api/causes",
        "/api/causes/none",
        "/api/incidents",
        "/api/incidents?limit=0",
        "/api/incidents/000decade000dead",
        "/api/incidents/none",
        "/api/timeline?span=all",
        "/api/oops",
        "/no/such/page"
      })
  void headHasTheStatusAndTheHeadersOfGetAndNoBody(String path) throws Exception {
    HttpResponse<String> get = page.get(path);
    HttpResponse<String> head = page.ask("HEAD", path);
    assertThat(head.statusCode()).isEqualTo(get.statusCode());
    assertThat(head.headers().map()).isEqualTo(get.headers().map());
    assertThat(head.headers().firstValueAsLong("Content-Length"))
        .hasValue(get.body().getBytes(StandardCharsets.UTF_8).length);
    assertThat(head.body()).isEmpty();
  }

  @Test
  void headOfWhatChangesAndOfWhatIsKeptIsAnsweredToo() throws Exception {
    for (String path : List.of("/metrics", "/api/status")) {
      HttpResponse<String> head = page.ask("HEAD", path);
      assertThat(head.statusCode()).isEqualTo(200);
      assertThat(head.headers().map().keySet()).isEqualTo(page.get(path).headers().map().keySet());
      assertThat(head.headers().firstValueAsLong("Content-Length").orElseThrow()).isPositive();
      assertThat(head.body()).isEmpty();
    }
    String tag = page.get("/").headers().firstValue("ETag").orElseThrow();
    assertThat(page.ask("HEAD", "/", "If-None-Match", tag).statusCode()).isEqualTo(304);
  }

  @Test
  void headTellsNoLengthWhereGetWouldCompress() throws Exception {
    HttpResponse<String> head = page.ask("HEAD", "/assets/app.js", "Accept-Encoding", "gzip");
    assertThat(head.statusCode()).isEqualTo(200);
    assertThat(head.headers().firstValue("ETag")).isPresent();
    assertThat(head.headers().firstValue("Content-Length")).isEmpty();
  }

  /** A body would be taken for the next answer of the connection. */
  @Test
  void theConnectionServesOnAfterHead() throws Exception {
    try (Socket socket = new Socket("localhost", page.uri("/").getPort())) {
      String head = "HEAD /assets/app.js HTTP/1.1\r\nHost: localhost\r\n\r\n";
      String get = "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
      socket.getOutputStream().write((head + get).getBytes(StandardCharsets.US_ASCII));
      String answers =
          new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
      assertThat(answers).doesNotContain("import").endsWith("\r\n\r\nok\n");
      assertThat(answers.split("HTTP/1.1 200 OK", -1)).hasSize(3);
    }
  }

  @Test
  void aClientThatAsksForHttp2InClearIsAnsweredInHttp11() throws Exception {
    HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_2).build();
    HttpResponse<String> response =
        client.send(
            HttpRequest.newBuilder(page.uri("/healthz")).build(),
            HttpResponse.BodyHandlers.ofString());
    assertThat(response.version()).isEqualTo(HttpClient.Version.HTTP_1_1);
    assertThat(response.body()).isEqualTo("ok\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"POST", "PUT", "DELETE", "OPTIONS", "PATCH", "PROPFIND"})
  void anyOtherMethodIsRefusedWithThoseThatAreAllowed(String method) throws Exception {
    for (String path :
        List.of(
            "/",
            "/healthz",
            "/metrics",
            "/api/anomalies/c1",
            "/api/incidents",
            "/api/incidents/000decade000dead",
            "/no/such")) {
      HttpResponse<String> response = page.ask(method, path);
      assertThat(response.statusCode()).as(path).isEqualTo(405);
      assertThat(response.headers().firstValue("Allow")).hasValue("GET, HEAD");
      assertThat(JSON.readTree(response.body()).path("error").asText())
          .isEqualTo("method %s; expected GET or HEAD", method);
    }
  }

  private static void assertError(String path, int status, String words) throws Exception {
    HttpResponse<String> response = page.get(path);
    assertThat(response.statusCode()).isEqualTo(status);
    assertThat(JSON.readTree(response.body()).path("error").asText()).contains(words);
  }

  private static String ids(String path) throws Exception {
    StringBuilder ids = new StringBuilder();
    json(path).path("anomalies").forEach(a -> ids.append(a.path("id").asText()).append(' '));
    return ids.toString().trim();
  }

  private static JsonNode json(String path) throws Exception {
    HttpResponse<String> response = page.get(path);
    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    return JSON.readTree(response.body());
  }
}
