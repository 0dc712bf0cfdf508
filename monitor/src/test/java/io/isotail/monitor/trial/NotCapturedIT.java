package io.isotail.monitor.trial;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.CheckerReport;
import io.isotail.incremental.coverage.CaptureReport;
import io.isotail.incremental.coverage.CaptureReport.Missed;
import io.isotail.incremental.record.NotCaptured.Kind;
import io.isotail.ingest.capture.SharedCaptures;
import io.isotail.ingest.sandbox.EmbeddedDatabase;
import io.isotail.ingest.sandbox.EmbeddedKafka;
import io.isotail.monitor.config.MonitorConfig;
import io.isotail.monitor.service.MonitorService;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * An application does what its driver cannot record: the monitor says what, how often and why, and
 * takes it for what it is: not covered. That adds up over restarts of both.
 */
final class NotCapturedIT {
  private static final String HISTORY = "missed";
  private static final int TIMES = 40;

  @AfterEach
  void closeCaptures() {
    SharedCaptures.closeAll();
  }

  @Test
  void whatIsNotCapturedIsToldAndCountsAgainstCoverage() throws Exception {
    try (EmbeddedDatabase database = EmbeddedDatabase.start();
        EmbeddedKafka broker = EmbeddedKafka.start()) {
      try (Connection plain = DriverManager.getConnection(database.jdbcUrl());
          Statement statement = plain.createStatement()) {
        statement.execute("CREATE TABLE orders (id int PRIMARY KEY, total int)");
        statement.execute("CREATE TABLE audit (line text)");
        statement.execute("INSERT INTO orders SELECT i, 10 FROM generate_series(1, 100) i");
        statement.execute("CREATE VIEW big AS SELECT * FROM orders WHERE total > 5");
      }
      String url =
          LiveHistory.url(database, broker.bootstrapServers(), HISTORY, "&isotail.service=shop");
      try (MonitorService monitor = MonitorService.start(config(broker), anomaly -> {})) {
        LiveHistory history = new LiveHistory(monitor, HISTORY);
        application(url, "SELECT id, total FROM big");
        history.await("the goodbye", () -> counted(monitor) == TIMES);
        CheckerReport report = history.report();
        assertThat(report.reads()).isZero();
        assertThat(report.capture().readsNotCaptured()).isEqualTo(100 * TIMES);
        assertThat(report.coverage()).as("where nothing is captured").isZero();
        assertThat(report.capture().worst())
            .singleElement()
            .satisfies(
                missed -> {
                  assertThat(missed.counts().kind()).isEqualTo(Kind.OUTSIDE);
                  assertThat(missed.counts().reason()).isEqualTo("not-observed");
                });

        application(
            url,
            "SELECT total FROM orders WHERE id = 7",
            "SELECT total, count(*) FROM orders GROUP BY total",
            "INSERT INTO audit VALUES ('customer 4711')");
        history.await("the second goodbye", () -> counted(monitor) == 3 * TIMES);
        history.await("the reads", () -> history.report().reads() == TIMES);
        report = history.report();
        assertThat(report.capture().captured()).isEqualTo(TIMES);
        assertThat(report.coverage())
            .isEqualTo((double) report.readsDecided() / (TIMES + 101 * TIMES));
        List<Missed> worst = report.capture().worst();
        assertThat(worst)
            .extracting(missed -> missed.counts().reason())
            .containsExactlyInAnyOrder("not-observed", "aggregate", "not-observed");
        assertThat(worst).allSatisfy(missed -> assertThat(missed.service()).isEqualTo("shop"));
        assertThat(worst.toString()).doesNotContain("4711");
        assertThat(get(monitor, "/metrics"))
            .contains(
                "isotail_statements_not_captured_total{history=\"missed\",reason=\"aggregate\",service=\"shop\"} 40.0",
                "isotail_statements_total{captured=\"yes\",history=\"missed\"} 40.0",
                "isotail_reads_not_captured_total{history=\"missed\"} 4040.0");
        assertThat(get(monitor, "/api/status")).contains("\"reason\":\"aggregate\"");
      }
      try (MonitorService next = MonitorService.start(config(broker), anomaly -> {})) {
        LiveHistory history = new LiveHistory(next, HISTORY);
        history.await("the saved counts", () -> counted(next) == 3 * TIMES);
        assertThat(history.report().capture().readsNotCaptured()).isEqualTo(101 * TIMES);
        history.await(
            "the metrics of its own",
            () ->
                get(next, "/metrics")
                    .contains("isotail_reads_not_captured_total{history=\"missed\"} 0.0"));
      }
    }
  }

  /** An application that lives for a moment, which sends each statement so many times. */
  private static void application(String url, String... statements) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      for (int i = 0; i < TIMES; i++) {
        for (String sql : statements) {
          if (statement.execute(sql)) {
            try (ResultSet rows = statement.getResultSet()) {
              while (rows.next()) {
                rows.getInt(1);
              }
            }
          }
        }
        connection.commit();
      }
    }
    SharedCaptures.closeAll();
  }

  private static long counted(MonitorService monitor) {
    CheckerReport report = monitor.reports().get(HISTORY);
    CaptureReport capture = report == null ? CaptureReport.NONE : report.capture();
    return capture.notCaptured();
  }

  private static String get(MonitorService monitor, String path) {
    try {
      return HttpClient.newHttpClient()
          .send(
              HttpRequest.newBuilder(URI.create("http://localhost:" + monitor.port() + path))
                  .build(),
              HttpResponse.BodyHandlers.ofString())
          .body();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static MonitorConfig config(EmbeddedKafka broker) {
    return MonitorConfig.of(Map.of("kafka.bootstrap", broker.bootstrapServers(), "http.port", "0"));
  }
}
