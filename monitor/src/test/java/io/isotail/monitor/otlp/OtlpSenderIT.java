package io.isotail.monitor.otlp;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.isotail.monitor.config.MonitorConfig;
import io.isotail.monitor.metrics.MonitorMetrics;
import io.isotail.monitor.otlp.LogReceiver.Reply;
import io.isotail.monitor.status.StatusBoard;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Events and receivers that are down, slow, busy or will have none of it. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class OtlpSenderIT {
  private static final String SENT = "isotail_otlp_events_total{outcome=\"sent\"} %d.0";
  private static final String LOST = "isotail_otlp_events_total{outcome=\"lost\"} %d.0";

  private final MonitorMetrics metrics = new MonitorMetrics(new StatusBoard());

  @AfterEach
  void close() {
    metrics.close();
  }

  /** Loads what reads and sends, so that the first answer is not late by that. */
  @BeforeAll
  static void warmUp() throws Exception {
    try (LogReceiver receiver = new LogReceiver();
        MonitorMetrics metrics = new MonitorMetrics(new StatusBoard());
        OtlpSender sender = sender(receiver.endpoint(), 30_000, metrics)) {
      sender.offer(event(0));
      LogReceiver.await("the event", () -> numbers(receiver).equals(List.of(0)));
    }
  }

  private OtlpSender sender(String endpoint) {
    return sender(endpoint, 10_000, metrics);
  }

  private static OtlpSender sender(String endpoint, int timeoutMs, MonitorMetrics metrics) {
    MonitorConfig config =
        MonitorConfig.of(
            Map.of("otlp.endpoint", endpoint, "otlp.timeout-ms", Integer.toString(timeoutMs)));
    return new OtlpSender(Objects.requireNonNull(config.otlp()), "test", metrics.events());
  }

  private static ObjectNode event(int number) {
    ObjectNode event = JsonNodeFactory.instance.objectNode();
    event.putObject("body").put("stringValue", Integer.toString(number));
    return event;
  }

  private static List<Integer> numbers(LogReceiver receiver) {
    return receiver.events().stream()
        .map(event -> Integer.valueOf(event.getBody().getStringValue()))
        .toList();
  }

  private boolean exports(String line, int number) {
    byte[] body = metrics.scrape(null).body();
    return new String(body, StandardCharsets.UTF_8).contains(line.formatted(number));
  }

  private boolean failed() {
    return !exports("isotail_otlp_failures_total %d.0", 0);
  }

  @Test
  void aReceiverThatIsDownGetsTheEventsWhenItIsUp() throws Exception {
    int port;
    try (LogReceiver gone = new LogReceiver()) {
      port = gone.port();
    }
    try (OtlpSender sender = sender("http://127.0.0.1:" + port)) {
      sender.offer(event(1));
      LogReceiver.await("a failure", this::failed);
      sender.offer(event(2));
      try (LogReceiver receiver = new LogReceiver(port)) {
        LogReceiver.await("both", () -> numbers(receiver).size() == 2);
        assertThat(numbers(receiver)).containsExactly(1, 2);
        LogReceiver.await("counted", () -> exports(SENT, 2) && exports(LOST, 0));
      }
    }
  }

  @Test
  void aReceiverThatDoesNotAnswerDelaysNobodyAndIsAskedAgain() throws Exception {
    try (LogReceiver receiver = new LogReceiver();
        OtlpSender sender = sender(receiver.endpoint(), 2_000, metrics)) {
      receiver.answer(Reply.of(0, ""));
      sender.offer(event(0));
      LogReceiver.await("the first request", () -> receiver.askedNs().size() == 1);
      long startNs = System.nanoTime();
      for (int i = 1; i <= OtlpSender.MAX_EVENTS + 5; i++) {
        sender.offer(event(i));
      }
      assertThat(System.nanoTime() - startNs).isLessThan(TimeUnit.SECONDS.toNanos(1));
      LogReceiver.await("what has no room is lost", () -> exports(LOST, 5));
      receiver.answer(Reply.of(200, "{}"));
      LogReceiver.await("all", () -> numbers(receiver).size() == OtlpSender.MAX_EVENTS + 1);
      assertThat(numbers(receiver)).isSorted().doesNotHaveDuplicates();
      assertThat(receiver.taken()).hasSize(11);
    }
  }

  /** Zero seconds, or a time that is over, is no reason to ask without a pause. */
  @ParameterizedTest
  @ValueSource(strings = {"0", "Fri, 31 Dec 1999 23:59:59 GMT"})
  void whoWantsToBeAskedAtOnceIsAskedAfterAPause(String after) throws Exception {
    try (LogReceiver receiver = new LogReceiver();
        OtlpSender sender = sender(receiver.endpoint())) {
      receiver.answer(new Reply(503, "", after));
      sender.offer(event(1));
      LogReceiver.await("three requests", () -> receiver.askedNs().size() >= 3);
      List<Long> askedNs = receiver.askedNs();
      assertThat(askedNs.get(1) - askedNs.get(0)).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(100));
      receiver.answer(Reply.of(200, "{}"));
      LogReceiver.await("the event", () -> numbers(receiver).equals(List.of(1)));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {429, 502, 503, 504})
  void aBusyReceiverIsAskedAgainWhenItWants(int status) throws Exception {
    try (LogReceiver receiver = new LogReceiver();
        OtlpSender sender = sender(receiver.endpoint())) {
      receiver.answer(new Reply(status, "{}", "2"));
      sender.offer(event(1));
      LogReceiver.await("a failure", this::failed);
      receiver.answer(Reply.of(200, "{}"));
      LogReceiver.await("the event", () -> numbers(receiver).equals(List.of(1)));
      List<Long> askedNs = receiver.askedNs();
      assertThat(askedNs).hasSize(2);
      assertThat(askedNs.get(1) - askedNs.get(0))
          .isGreaterThan(TimeUnit.MILLISECONDS.toNanos(1_900));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {400, 401, 404, 500})
  void whatIsRefusedIsLostAndCountedAndTheNextIsSent(int status) throws Exception {
    try (LogReceiver receiver = new LogReceiver();
        OtlpSender sender = sender(receiver.endpoint())) {
      receiver.answer(Reply.of(status, "no"));
      sender.offer(event(1));
      LogReceiver.await("lost", () -> exports(LOST, 1) && failed());
      receiver.answer(Reply.of(200, "{}"));
      sender.offer(event(2));
      LogReceiver.await("the next", () -> numbers(receiver).equals(List.of(2)));
      assertThat(receiver.askedNs()).hasSize(2);
    }
  }

  @Test
  void whatAReceiverRejectsOfARequestIsLostAndNotSentAgain() throws Exception {
    try (LogReceiver receiver = new LogReceiver();
        OtlpSender sender = sender(receiver.endpoint())) {
      receiver.answer(
          Reply.of(
              200, "{\"partialSuccess\":{\"rejectedLogRecords\":\"1\",\"errorMessage\":\"x\"}}"));
      sender.offer(event(1));
      LogReceiver.await("lost", () -> exports(LOST, 1) && exports(SENT, 0));
      assertThat(receiver.askedNs()).hasSize(1);
    }
  }

  @Test
  void atTheEndWhatWaitsIsSentAsFarAsTimeAllows() throws Exception {
    try (LogReceiver receiver = new LogReceiver()) {
      OtlpSender sender = sender(receiver.endpoint());
      receiver.answer(new Reply(503, "", "600"));
      sender.offer(event(1));
      LogReceiver.await("a failure", this::failed);
      sender.offer(event(2));
      receiver.answer(Reply.of(200, "{}"));
      sender.close(Duration.ofSeconds(20));
      assertThat(numbers(receiver)).containsExactly(1, 2);

      OtlpSender inVain = sender(receiver.endpoint());
      receiver.answer(Reply.of(0, ""));
      inVain.offer(event(3));
      inVain.offer(event(4));
      long startNs = System.nanoTime();
      inVain.close(Duration.ofMillis(800));
      assertThat(System.nanoTime() - startNs).isLessThan(TimeUnit.SECONDS.toNanos(3));
      assertThat(exports(LOST, 2)).isTrue();
    }
  }
}
