package io.isotail.monitor.otlp;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.isotail.monitor.config.MonitorConfig;
import io.isotail.monitor.reach.Cause;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Sends one request and tells what its answer means. */
final class OtlpClient {
  /** Answers after which a request is sent again [1]. */
  private static final Set<Integer> IN_PASSING = Set.of(429, 502, 503, 504);

  /** A receiver that asks for more is asked again all the same. */
  private static final long MAX_AFTER_MS = Duration.ofMinutes(10).toMillis();

  private static final ObjectMapper JSON = new ObjectMapper();

  private final MonitorConfig.Otlp config;
  private final HttpClient client;

  OtlpClient(MonitorConfig.Otlp config) {
    this.config = config;
    this.client =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofMillis(config.timeoutMs()))
            .build();
  }

  /** What follows from an answer, or from its absence. */
  sealed interface Answer {}

  /**
   * The receiver has taken the events.
   *
   * @param rejected how many it will not keep
   */
  record Taken(long rejected) implements Answer {}

  /** The receiver will never take them. */
  record Refused(String why) implements Answer {}

  /**
   * It may take them later.
   *
   * @param afterMs how long it asks to wait, in ms; -1 if it does not say
   */
  record Later(String why, long afterMs) implements Answer {}

  URI endpoint() {
    return config.endpoint();
  }

  Answer post(String body) throws InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(config.endpoint())
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body));
    config.headers().forEach(request::header);
    // The client's own timeout ends with the headers; a body may never come.
    CompletableFuture<HttpResponse<String>> coming =
        client.sendAsync(request.build(), HttpResponse.BodyHandlers.ofString());
    try {
      return answer(coming.get(config.timeoutMs(), TimeUnit.MILLISECONDS));
    } catch (ExecutionException e) {
      return new Later(Cause.of(e.getCause() == null ? e : e.getCause()), -1);
    } catch (TimeoutException e) {
      return new Later("no answer within otlp.timeout-ms=%d".formatted(config.timeoutMs()), -1);
    } finally {
      coming.cancel(true);
    }
  }

  private static Answer answer(HttpResponse<String> response) {
    int status = response.statusCode();
    if (status >= 200 && status < 300) {
      return new Taken(rejected(response.body()));
    }
    String why = "status " + status;
    return IN_PASSING.contains(status)
        ? new Later(
            why, response.headers().firstValue("Retry-After").map(OtlpClient::afterMs).orElse(-1L))
        : new Refused(why);
  }

  /** A number of seconds or a date, in ms from now; -1 if it is neither. */
  private static long afterMs(String retryAfter) {
    String text = retryAfter.trim();
    if (text.matches("\\d{1,9}")) {
      return Math.min(MAX_AFTER_MS, Long.parseLong(text) * 1_000);
    }
    try {
      Instant at = ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant();
      long ms = Duration.between(Instant.now(), at).toMillis();
      return Math.max(0, Math.min(MAX_AFTER_MS, ms));
    } catch (DateTimeException | ArithmeticException e) {
      return -1;
    }
  }

  /** What a partial success tells; 0 for an answer that tells nothing, in JSON or otherwise. */
  private static long rejected(String body) {
    try {
      JsonNode rejected = JSON.readTree(body).path("partialSuccess").path("rejectedLogRecords");
      return Math.max(0, rejected.asLong(0));
    } catch (JsonProcessingException e) {
      return 0;
    }
  }
}
