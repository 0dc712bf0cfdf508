package io.isotail.monitor.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.isotail.ingest.sandbox.EmbeddedDatabase;
import io.isotail.monitor.Promtool;
import io.isotail.monitor.metrics.MetricCatalogue;
import io.isotail.monitor.metrics.ProxyCatalogue;
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
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

final class ProxyCommandIT {
  private static final Pattern STARTED =
      Pattern.compile(
          "isotail proxy: 127\\.0\\.0\\.1:(\\d+) passes on to .*; metrics at port (\\d+)");

  private static final Pattern PROBLEM =
      Pattern.compile(
          "\\{\"ready\":true,\"problem\":\"Kafka has acknowledged nothing for (\\d+) s;"
              + " 3 records wait, 0 were lost\"}");

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... args) {
    return Main.run(new PrintWriter(out, true), new PrintWriter(err, true), args);
  }

  @Test
  void printsTheConfigurationThatWouldBeUsed() {
    int status =
        run(
            "proxy",
            "--print-config",
            "--upstream=db:5432",
            "--kafka=broker:9092",
            "--history=shop",
            "--drain=5",
            "--set=key=password-of-hashes");
    assertThat(status).as(err.toString()).isZero();
    assertThat(out.toString())
        .contains("upstream: db:5432", "kafka: broker:9092", "history: shop", "drain-ms: 5000")
        .contains("key: (set)", "upstream-tls.mode: prefer")
        .doesNotContain("password-of");
  }

  @Test
  void badSettingsEndWithStatus2AndAllMistakes() {
    int status = run("proxy", "--listen=no", "--upstream-tls=perhaps", "--set=oops=1");
    assertThat(status).isEqualTo(2);
    assertThat(err.toString())
        .contains("6 error(s)", "listen=no", "upstream-tls.mode=perhaps", "oops")
        .contains("upstream: not set", "history: not set", "kafka: not set");
  }

  @Test
  void anAddressThatIsTakenIsNamed() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String address = "127.0.0.1:" + taken.getLocalPort();
      int status =
          run(
              "proxy",
              "--listen=" + address,
              "--upstream=127.0.0.1:1",
              "--kafka=k:1",
              "--history=h",
              "--http-port=0");
      assertThat(status).isEqualTo(2);
      assertThat(err.toString()).contains("cannot listen on " + address);
      int second =
          run(
              "proxy",
              "--listen=127.0.0.1:0",
              "--upstream=127.0.0.1:1",
              "--kafka=k:1",
              "--history=h",
              "--http-port=" + taken.getLocalPort());
      assertThat(second).isEqualTo(2);
      assertThat(err.toString()).contains("http.port=" + taken.getLocalPort());
    }
  }

  private static Process start(int upstream, int drainSeconds, String... more) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "proxy",
                "--listen=127.0.0.1:0",
                "--upstream=127.0.0.1:" + upstream,
                "--http-port=0",
                "--drain=" + drainSeconds));
    command.addAll(List.of(more));
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
  }

  private static String url(Matcher started) {
    return "jdbc:postgresql://127.0.0.1:%s/postgres?user=postgres".formatted(started.group(1));
  }

  @Test
  void withoutCaptureItNeedsNoKafkaAndEndsIdleSessionsAtOnce() throws Exception {
    try (EmbeddedDatabase database = EmbeddedDatabase.start()) {
      Process process = start(database.port(), 600, "--set=capture=false");
      try (BufferedReader said = process.inputReader()) {
        String line = String.valueOf(said.readLine());
        assertThat(line).contains("captures nothing");
        Matcher started = STARTED.matcher(line);
        assertThat(started.matches()).isTrue();
        URI http = URI.create("http://127.0.0.1:" + started.group(2));
        try (Connection connection = DriverManager.getConnection(url(started));
            Statement statement = connection.createStatement()) {
          statement.execute("CREATE TABLE orders (id int PRIMARY KEY, total int)");
          statement.execute("INSERT INTO orders VALUES (1, 10)");
          statement.executeQuery("SELECT total FROM orders WHERE id = 1").close();
          assertThat(get(http, "/readyz").body()).isEqualTo("{\"ready\":true,\"problem\":null}");
          assertThat(get(http, "/metrics").body())
              .contains("isotail_proxy_sessions_total 1.0")
              .contains("isotail_proxy_transactions_total{outcome=\"committed\"} 0.0")
              .contains("isotail_proxy_connections_uncaptured_total 0.0")
              .contains("isotail_proxy_messages_total{side=\"client\"} 0.0");
          process.destroy();
          assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("does not wait 600 s").isTrue();
        }
      } finally {
        process.destroyForcibly();
      }
    }
  }

  @Test
  void servesCountsAndEndsInOrderOnSigterm() throws Exception {
    try (EmbeddedDatabase database = EmbeddedDatabase.start()) {
      try (Connection direct = DriverManager.getConnection(database.jdbcUrl());
          Statement statement = direct.createStatement()) {
        statement.execute("CREATE TABLE orders (id int PRIMARY KEY, total int)");
      }
      long beganNs = System.nanoTime();
      Process process = start(database.port(), 2, "--kafka=127.0.0.1:1", "--history=shop");
      try (BufferedReader said = process.inputReader()) {
        Matcher started = STARTED.matcher(String.valueOf(said.readLine()));
        assertThat(started.matches()).isTrue();
        URI http = URI.create("http://127.0.0.1:" + started.group(2));
        assertThat(get(http, "/healthz").statusCode()).isEqualTo(200);
        assertThat(get(http, "/readyz").body()).isEqualTo("{\"ready\":true,\"problem\":null}");
        assertThat(get(http, "/elsewhere").statusCode()).isEqualTo(404);
        try (Connection connection = DriverManager.getConnection(url(started));
            Statement statement = connection.createStatement()) {
          statement.execute("INSERT INTO orders VALUES (1, 10)");
          statement.executeQuery("SELECT total FROM orders WHERE id = 1").close();
          statement.executeQuery("SELECT total FROM orders GROUP BY total").close();
          connection.setAutoCommit(false);
          statement.execute("UPDATE orders SET total = 11 WHERE id = 1");
          connection.rollback();
          connection.setAutoCommit(true);
          checkMetrics(get(http, "/metrics").body());
          checkProblem(http, beganNs);
          process.destroy();
          assertThat(process.waitFor(20, TimeUnit.SECONDS)).as("ends within 20 s").isTrue();
          assertThat(process.exitValue()).isEqualTo(143);
          assertThatThrownBy(() -> statement.execute("SELECT 1"))
              .isInstanceOfSatisfying(
                  SQLException.class, e -> assertThat(e.getSQLState()).isIn("57P01", "08006"));
        }
      } finally {
        process.destroyForcibly();
      }
    }
  }

  private static void checkMetrics(String metrics) throws Exception {
    assertThat(Promtool.checkMetrics(metrics)).isEmpty();
    for (MetricCatalogue.Metric metric : ProxyCatalogue.all()) {
      assertThat(metrics).contains("# TYPE " + metric.name());
    }
    assertThat(metrics)
        .contains("isotail_proxy_connections_total 1.0", "isotail_proxy_connections_open 1.0")
        .contains("isotail_proxy_start_failures_total{reason=\"server-unreachable\"} 0.0")
        .containsPattern("isotail_proxy_received_bytes_total\\{side=\"server\"} [1-9]")
        .containsPattern("isotail_proxy_added_seconds_count\\{side=\"client\"} [1-9]")
        .contains("isotail_proxy_ready 1.0", "jvm_memory_used_bytes")
        .contains("isotail_proxy_transactions_total{outcome=\"committed\"} 2.0")
        .contains("isotail_proxy_transactions_total{outcome=\"aborted\"} 1.0")
        .contains("isotail_proxy_statements_total{outcome=\"captured\"} 3.0")
        .contains("isotail_proxy_statements_total{outcome=\"unread\"} 1.0")
        .contains("isotail_proxy_statements_not_captured_total{reason=\"aggregate\"} 1.0")
        .contains("isotail_proxy_connections_uncaptured_total 0.0")
        .as("Kafka is away, and the records wait")
        .contains("isotail_proxy_queue_records 3.0", "isotail_proxy_queue_capacity_records 32768.0")
        .contains("isotail_proxy_records_emitted_total 0.0")
        .containsPattern("isotail_proxy_kafka_silent_seconds [1-9]");
  }

  /** Clients are served without Kafka, so that the proxy is ready. */
  private static void checkProblem(URI http, long beganNs) throws Exception {
    long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    HttpResponse<String> said = get(http, "/readyz");
    while (!said.body().contains("Kafka") && System.nanoTime() < deadlineNs) {
      TimeUnit.MILLISECONDS.sleep(100);
      said = get(http, "/readyz");
    }
    assertThat(said.statusCode()).isEqualTo(200);
    Matcher problem = PROBLEM.matcher(said.body());
    assertThat(problem.matches()).as(said.body()).isTrue();
    assertThat(Long.parseLong(problem.group(1)))
        .isBetween(5L, TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - beganNs));
  }

  private static HttpResponse<String> get(URI address, String path) throws Exception {
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(address.resolve(path)).build(),
            HttpResponse.BodyHandlers.ofString());
  }
}
