package io.isotail.monitor.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.isotail.incremental.level.Verdict;
import io.isotail.monitor.RunningPage;
import io.isotail.monitor.SampleAnomalies;
import io.isotail.monitor.SelfSigned;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** Who may look, over real sockets. */
final class AccessIT {
  private static final String PASSWORD = "päss:word \"1\"";
  private static final List<String> CLOSED =
      List.of(
          "/",
          "/anomalies/c1",
          "/assets/app.js",
          "/api/status",
          "/api/anomalies",
          "/api/anomalies/c1/capsule.jsonl",
          "/metrics",
          "/no/such/page",
          "/healthz/../metrics",
          "/healthz%2f..%2fmetrics",
          "//metrics",
          "/healthz;/../metrics",
          "/readyz/");

  @TempDir Path folder;

  @Test
  void withoutAUserEverybodyMayLook() throws Exception {
    try (RunningPage page = page(Map.of())) {
      assertThat(page.get("/api/status").statusCode()).isEqualTo(200);
      assertThat(page.get("/metrics").statusCode()).isEqualTo(200);
    }
  }

  @Test
  void everyPathButHealthAsksForThePassword() throws Exception {
    try (RunningPage page = page(Map.of("http.user", "ops", "http.password", PASSWORD))) {
      for (String path : CLOSED) {
        HttpResponse<String> refused = page.get(path);
        assertThat(refused.statusCode()).as(path).isEqualTo(401);
        assertThat(refused.headers().firstValue("WWW-Authenticate"))
            .hasValue("Basic realm=\"isotail\", charset=\"UTF-8\"");
        assertThat(refused.headers().firstValue("Content-Security-Policy")).isPresent();
        assertThat(refused.body()).doesNotContain("shop", "isotail_");
      }
      assertThat(page.get("/healthz").statusCode()).isEqualTo(200);
      assertThat(page.get("/readyz").statusCode()).isEqualTo(200);
    }
  }

  @Test
  void otherMethodsAskForThePasswordToo() throws Exception {
    try (RunningPage page = page(Map.of("http.user", "ops", "http.password", PASSWORD))) {
      for (String method : List.of("HEAD", "POST", "DELETE", "OPTIONS")) {
        assertThat(page.ask(method, "/api/anomalies").statusCode()).as(method).isEqualTo(401);
      }
    }
  }

  @Test
  void headIsAnsweredToTheUserAlone() throws Exception {
    try (RunningPage page = page(Map.of("http.user", "ops", "http.password", PASSWORD))) {
      for (String path : CLOSED) {
        HttpResponse<String> refused = page.ask("HEAD", path);
        assertThat(refused.statusCode()).as(path).isEqualTo(401);
        assertThat(refused.headers().firstValue("WWW-Authenticate")).as(path).isPresent();
      }
      assertThat(page.ask("HEAD", "/healthz").statusCode()).isEqualTo(200);
      assertThat(
              page.ask("HEAD", "/metrics", "Authorization", basic("ops:" + PASSWORD)).statusCode())
          .isEqualTo(200);
    }
  }

  @Test
  void theUserSeesEverything() throws Exception {
    try (RunningPage page = page(Map.of("http.user", "ops", "http.password", PASSWORD))) {
      page.show(RunningPage.history("shop", Verdict.PASS, Map.of(), null));
      page.found(SampleAnomalies.causality("c1"));
      String login = basic("ops:" + PASSWORD);
      for (String path :
          List.of("/", "/assets/app.js", "/api/status", "/api/anomalies/c1", "/metrics")) {
        assertThat(page.get(path, "Authorization", login).statusCode()).as(path).isEqualTo(200);
      }
      assertThat(page.get("/", "Authorization", login.replace("Basic", "bASIC")).statusCode())
          .isEqualTo(200);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ops:",
        "ops",
        ":",
        "",
        "ops:päss:word",
        "ops:päss:word \"1\" ",
        "Ops:päss:word \"1\"",
        "päss:word \"1\"",
        "ops:päss:word \"2\""
      })
  void anotherPasswordIsRefused(String login) throws Exception {
    try (RunningPage page = page(Map.of("http.user", "ops", "http.password", PASSWORD))) {
      assertThat(page.get("/metrics", "Authorization", basic(login)).statusCode()).isEqualTo(401);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"Basic", "Basic ", "Basic !!!", "Bearer b3BzOng=", "Basicb3BzOng=", "x"})
  void aHeaderThatIsNoLoginIsRefused(String header) throws Exception {
    try (RunningPage page = page(Map.of("http.user", "ops", "http.password", PASSWORD))) {
      assertThat(page.get("/metrics", "Authorization", header).statusCode()).isEqualTo(401);
    }
  }

  @Test
  void thePasswordMayComeFromAFile() throws Exception {
    Path file = Files.writeString(folder.resolve("password"), PASSWORD + "\n");
    try (RunningPage page =
        page(Map.of("http.user", "ops", "http.password-file", file.toString()))) {
      assertThat(page.get("/metrics", "Authorization", basic("ops:" + PASSWORD)).statusCode())
          .isEqualTo(200);
      assertThat(
              page.get("/metrics", "Authorization", basic("ops:" + PASSWORD + "\n")).statusCode())
          .isEqualTo(401);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"RSA", "EC"})
  void withACertificateItSpeaksHttpsOnly(String algorithm) throws Exception {
    SelfSigned signed = SelfSigned.in(folder, algorithm);
    Map<String, String> settings =
        Map.of(
            "http.tls.certificate",
            signed.certificate().toString(),
            "http.tls.key",
            signed.key().toString(),
            "http.user",
            "ops",
            "http.password",
            PASSWORD);
    HttpClient trusting = HttpClient.newBuilder().sslContext(signed.trust()).build();
    try (RunningPage page = page(settings, trusting)) {
      assertThat(page.uri("/").getScheme()).isEqualTo("https");
      assertThat(page.get("/healthz").statusCode()).isEqualTo(200);
      assertThat(page.get("/metrics").statusCode()).isEqualTo(401);
      assertThat(page.get("/metrics", "Authorization", basic("ops:" + PASSWORD)).statusCode())
          .isEqualTo(200);

      HttpRequest health = HttpRequest.newBuilder(page.uri("/healthz")).build();
      assertThatThrownBy(
              () -> HttpClient.newHttpClient().send(health, HttpResponse.BodyHandlers.discarding()))
          .as("a client that does not know the certificate")
          .isInstanceOf(SSLHandshakeException.class);
      URI plain = URI.create(page.uri("/healthz").toString().replace("https:", "http:"));
      assertThatThrownBy(
              () ->
                  trusting.send(
                      HttpRequest.newBuilder(plain).build(),
                      HttpResponse.BodyHandlers.discarding()))
          .as("a client that speaks plain HTTP")
          .isInstanceOf(IOException.class);
    }
  }

  @Test
  void anOpenPortIsWarnedOfOnce() {
    assertThat(warnings(Map.of("http.host", "0.0.0.0")))
        .singleElement()
        .asString()
        .startsWith("http.host=0.0.0.0 without http.user: everybody");
    assertThat(warnings(Map.of("http.host", "localhost"))).isEmpty();
    assertThat(
            warnings(Map.of("http.host", "0.0.0.0", "http.user", "ops", "http.password", PASSWORD)))
        .isEmpty();
  }

  private static List<String> warnings(Map<String, String> settings) {
    Logger logger = (Logger) LoggerFactory.getLogger(HttpApi.class);
    ListAppender<ILoggingEvent> heard = new ListAppender<>();
    heard.start();
    logger.addAppender(heard);
    try {
      page(settings).close();
    } finally {
      logger.detachAppender(heard);
    }
    return heard.list.stream()
        .filter(e -> e.getLevel().isGreaterOrEqual(Level.WARN))
        .map(ILoggingEvent::getFormattedMessage)
        .toList();
  }

  private static RunningPage page(Map<String, String> settings) {
    return page(settings, HttpClient.newHttpClient());
  }

  private static RunningPage page(Map<String, String> settings, HttpClient client) {
    Map<String, String> all = new HashMap<>(settings);
    all.put("http.port", "0");
    RunningPage page = new RunningPage(all, client);
    page.show();
    return page;
  }

  private static String basic(String login) {
    return "Basic " + Base64.getEncoder().encodeToString(login.getBytes(StandardCharsets.UTF_8));
  }
}
