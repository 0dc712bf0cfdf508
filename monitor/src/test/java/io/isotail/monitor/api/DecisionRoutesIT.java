package io.isotail.monitor.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.isotail.monitor.RunningPage;
import io.isotail.monitor.SampleAnomalies;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who may acknowledge and mute, and how, over real sockets. */
final class DecisionRoutesIT {
  private static final String LOGIN =
      "Basic " + Base64.getEncoder().encodeToString("ops:secret".getBytes(StandardCharsets.UTF_8));
  private static final String PATH = "/api/causes/" + SampleAnomalies.CAUSE + "/decision";
  private static final List<String> RIGHT =
      List.of("Authorization", LOGIN, "X-Isotail", "decision", "Content-Type", "application/json");

  private final HttpClient client = HttpClient.newHttpClient();
  private final ObjectMapper json = new ObjectMapper();
  private RunningPage page;

  @BeforeEach
  void show() {
    page =
        new RunningPage(
            Map.of(
                "http.port", "0",
                "http.user", "ops",
                "http.password", "secret",
                "http.public-url", "https://isotail.example"),
            client);
    page.caused(SampleAnomalies.cause("shop", "w1"));
  }

  @AfterEach
  void close() {
    page.close();
  }

  private HttpResponse<String> put(String body, List<String> headers) throws Exception {
    return client.send(request(body, headers), HttpResponse.BodyHandlers.ofString());
  }

  private HttpRequest request(String body, List<String> headers) {
    return HttpRequest.newBuilder(page.uri(PATH))
        .PUT(HttpRequest.BodyPublishers.ofString(body))
        .headers(headers.toArray(String[]::new))
        .build();
  }

  private JsonNode shown() throws Exception {
    return json.readTree(
        page.get("/api/causes/" + SampleAnomalies.CAUSE, "Authorization", LOGIN).body());
  }

  @Test
  void whatIsDecidedShowsUntilItIsTakenBack() throws Exception {
    assertThat(shown().path("decision").isNull()).isTrue();
    assertThat(shown().path("decidable").asBoolean()).isTrue();

    String until = Instant.now().plusSeconds(3_600).toString();
    HttpResponse<String> answer =
        put(
            "{\"state\":\"muted\",\"until\":\"%s\",\"note\":\"since <b>4.2</b>\",\"link\":\"https://issues.example/7\",\"by\":\"ada\"}"
                .formatted(until),
            RIGHT);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    JsonNode decision = shown().path("decision");
    assertThat(decision.path("state").asText()).isEqualTo("muted");
    assertThat(Instant.parse(decision.path("until").asText()))
        .isBetween(Instant.now(), Instant.parse(until));
    assertThat(decision.path("note").asText()).isEqualTo("since <b>4.2</b>");
    assertThat(decision.path("by").asText()).isEqualTo("ada");

    assertThat(put("{\"state\":\"acknowledged\"}", RIGHT).statusCode()).isEqualTo(200);
    assertThat(shown().at("/decision/state").asText()).isEqualTo("acknowledged");
    assertThat(shown().at("/decision/until").isNull()).isTrue();
    assertThat(shown().at("/decision/by").asText()).isEqualTo("ops");

    assertThat(
            page.ask("DELETE", PATH, "Authorization", LOGIN, "X-Isotail", "decision").statusCode())
        .isEqualTo(204);
    assertThat(shown().path("decision").isNull()).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"state\":\"gone\"} | expected acknowledged or muted",
        "{\"state\":\"muted\"} | expected a time like",
        "{\"state\":\"muted\",\"until\":\"soon\"} | within 30 days",
        "{\"state\":\"muted\",\"until\":\"2001-01-01T00:00:00Z\"} | within 30 days",
        "{\"state\":\"muted\",\"until\":\"2999-01-01T00:00:00Z\"} | within 30 days",
        "{\"state\":\"acknowledged\",\"link\":\"javascript:alert(1)\"} | begins with https://",
        "{\"state\":\"acknowledged\",\"note\":7} | note; expected a text",
        "{ | not JSON",
        "[] | expected acknowledged or muted",
      })
  void aWrongDecisionIsRefusedWithWhatWasExpected(String body, String expected) throws Exception {
    HttpResponse<String> answer = put(body, RIGHT);
    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(json.readTree(answer.body()).path("error").asText()).contains(expected);
    assertThat(shown().path("decision").isNull()).isTrue();
  }

  @Test
  void otherSitesCannotDecide() throws Exception {
    String body = "{\"state\":\"acknowledged\"}";
    assertThat(put(body, List.of("X-Isotail", "decision")).statusCode())
        .as("without a login")
        .isEqualTo(401);
    assertThat(
            put(body, List.of("Authorization", LOGIN, "Content-Type", "application/json"))
                .statusCode())
        .as("without the header")
        .isEqualTo(403);
    assertThat(
            put(
                    body,
                    List.of(
                        "Authorization",
                        LOGIN,
                        "X-Isotail",
                        "decision",
                        "Content-Type",
                        "text/plain"))
                .statusCode())
        .as("as a form sends it")
        .isEqualTo(415);
    for (String origin : List.of("https://evil.example", "null", "https://isotail.example.evil")) {
      List<String> headers = new ArrayList<>(RIGHT);
      headers.addAll(List.of("Origin", origin));
      assertThat(put(body, headers).statusCode()).as(origin).isEqualTo(403);
    }
    assertThat(shown().path("decision").isNull()).isTrue();
    for (String origin :
        List.of("https://isotail.example", "http://" + page.uri("/").getAuthority())) {
      List<String> headers = new ArrayList<>(RIGHT);
      headers.addAll(List.of("Origin", origin));
      assertThat(put(body, headers).statusCode()).as(origin).isEqualTo(200);
    }
    HttpResponse<String> preflight =
        page.ask("OPTIONS", PATH, "Authorization", LOGIN, "Origin", "https://evil.example");
    assertThat(preflight.statusCode()).isEqualTo(405);
    assertThat(preflight.headers().firstValue("Access-Control-Allow-Origin")).isEmpty();
    assertThat(preflight.headers().firstValue("Allow")).hasValue("PUT, DELETE");
  }

  @Test
  void whatIsTooLongOrNotKnownIsRefused() throws Exception {
    String note = "{\"state\":\"acknowledged\",\"note\":\"%s\"}";
    assertThat(put(note.formatted("x".repeat(1_001)), RIGHT).statusCode()).isEqualTo(400);
    assertThat(put(note.formatted("x".repeat(100_000)), RIGHT).statusCode()).isEqualTo(413);
    HttpResponse<String> unknown =
        client.send(
            HttpRequest.newBuilder(page.uri("/api/causes/0123/decision"))
                .PUT(HttpRequest.BodyPublishers.ofString("{\"state\":\"acknowledged\"}"))
                .headers(RIGHT.toArray(String[]::new))
                .build(),
            HttpResponse.BodyHandlers.ofString());
    assertThat(unknown.statusCode()).isEqualTo(404);
  }

  @Test
  void moreDecisionsThanTheBrokerKeepsAreRefused() throws Exception {
    CompletableFuture<Void> broker = new CompletableFuture<>();
    page.decisionsAreKept(broker);
    HttpRequest request = request("{\"state\":\"acknowledged\"}", RIGHT);
    BlockingQueue<HttpResponse<String>> answers = new LinkedBlockingQueue<>();
    for (int i = 0; i < 12; i++) {
      client.sendAsync(request, HttpResponse.BodyHandlers.ofString()).thenAccept(answers::add);
    }
    for (int i = 0; i < 4; i++) {
      HttpResponse<String> refused = answers.poll(60, TimeUnit.SECONDS);
      assertThat(refused).isNotNull();
      assertThat(refused.statusCode()).isEqualTo(503);
      assertThat(json.readTree(refused.body()).path("error").asText())
          .startsWith("8 decisions are being written");
    }
    assertThat(page.get("/metrics", "Authorization", LOGIN).statusCode()).isEqualTo(200);
    broker.complete(null);
    for (int i = 0; i < 8; i++) {
      HttpResponse<String> kept = answers.poll(60, TimeUnit.SECONDS);
      assertThat(kept).isNotNull();
      assertThat(kept.statusCode()).as(kept.body()).isEqualTo(200);
    }
    assertThat(put("{\"state\":\"acknowledged\"}", RIGHT).statusCode()).isEqualTo(200);
  }

  @Test
  void withoutAUserNobodyDecides() throws Exception {
    try (RunningPage open = new RunningPage()) {
      open.caused(SampleAnomalies.cause("shop", "w1"));
      HttpResponse<String> refused = open.ask("DELETE", PATH, "X-Isotail", "decision");
      assertThat(refused.statusCode()).isEqualTo(403);
      assertThat(refused.body()).contains("http.user");
      assertThat(open.get("/api/causes").body()).contains("\"decidable\":false");
    }
  }
}
