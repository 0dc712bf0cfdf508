package io.isotail.monitor.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class ServeCommandIT {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void printsTheConfigurationThatWouldBeUsed() {
    int status =
        run(
            "serve",
            "--print-config",
            "--kafka=broker:9092",
            "--port=0",
            "--set=kafka.properties.sasl.jaas.config=password",
            "--set=http.user=ops",
            "--set=http.password=another-password",
            "--set=histories.shop.clock-uncertainty=10ms",
            "--set=histories.shop.closed=true");

    assertThat(status).isZero();
    assertThat(out.toString())
        .contains("kafka.bootstrap: broker:9092", "http.port: 0", "histories.shop.closed: true")
        .contains("kafka.properties.sasl.jaas.config: (set)", "http.password: (set)")
        .contains("http.user: ops", "histories.shop.clock-uncertainty: 0.01s")
        .doesNotContain(": password", "another");
  }

  @Test
  void badSettingsEndWithStatus2AndAllMistakes() {
    int status = run("serve", "--port=no", "--promise=none", "--set=oops=1");

    assertThat(status).isEqualTo(2);
    assertThat(err.toString()).contains("3 error(s)", "http.port=no", "defaults.promise", "oops");
  }

  @Test
  void aPortThatIsTakenIsNamed() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      int status = run("serve", "--kafka=127.0.0.1:1", "--port=" + taken.getLocalPort());

      assertThat(status).isEqualTo(2);
      assertThat(err.toString()).contains("http.port=" + taken.getLocalPort());
    }
  }

  @Test
  void endsInOrderOnSigterm() throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "serve",
                "--kafka=127.0.0.1:1",
                "--port=0")
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try (BufferedReader said = process.inputReader()) {
      String line = said.readLine();
      assertThat(line).startsWith("isotail: http://127.0.0.1:");
      URI address = URI.create(line.split(" ")[1]);
      HttpResponse<String> health =
          HttpClient.newHttpClient()
              .send(
                  HttpRequest.newBuilder(address.resolve("/healthz")).build(),
                  HttpResponse.BodyHandlers.ofString());
      assertThat(health.statusCode()).isEqualTo(200);
      assertThat(awaitReadiness(address, "no broker answers"))
          .contains("no broker answers: 127.0.0.1:1: connection refused");

      process.destroy();
      assertThat(process.waitFor(15, TimeUnit.SECONDS)).as("ends within 15 s").isTrue();
      assertThat(process.exitValue()).isEqualTo(143);
    } finally {
      process.destroyForcibly();
    }
  }

  /** What {@code /readyz} says when these words are in it. */
  private static String awaitReadiness(URI address, String words) throws Exception {
    HttpRequest request = HttpRequest.newBuilder(address.resolve("/readyz")).build();
    long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
    String body = "";
    while (!body.contains(words) && System.nanoTime() < deadlineNs) {
      HttpResponse<String> ready =
          HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
      assertThat(ready.statusCode()).isEqualTo(503);
      body = ready.body();
      TimeUnit.MILLISECONDS.sleep(20);
    }
    return body;
  }

  private int run(String... args) {
    return Main.run(new PrintWriter(out, true), new PrintWriter(err, true), args);
  }
}
