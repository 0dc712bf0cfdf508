package io.isotail.monitor.trial;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.CheckerReport;
import io.isotail.ingest.sandbox.EmbeddedDatabase;
import io.isotail.monitor.service.MonitorService;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/** A history under a monitor that runs: what it says of it, and how to wait until it says so. */
record LiveHistory(MonitorService monitor, String name) {
  private static final Duration TIMEOUT = Duration.ofSeconds(90);

  /**
   * The URL by which an application is captured into a history.
   *
   * @param bootstrap the broker's {@code host:port}
   * @param more further settings, each beginning with an ampersand
   */
  static String url(EmbeddedDatabase database, String bootstrap, String name, String more) {
    String real = database.jdbcUrl();
    return "jdbc:isotail:"
        + real.substring("jdbc:".length())
        + (real.contains("?") ? "&" : "?")
        + "isotail.kafka="
        + bootstrap
        + "&isotail.history="
        + name
        + more;
  }

  /**
   * An application's connection at repeatable read, without autocommit, that is captured.
   *
   * @param url of the database, with parameters
   * @param bootstrap the broker's {@code host:port}
   */
  static Connection open(String url, String bootstrap, String name, String service)
      throws SQLException {
    Connection connection =
        DriverManager.getConnection(
            "%s&isotail.kafka=%s&isotail.history=%s&isotail.service=%s"
                .formatted(url.replace("jdbc:", "jdbc:isotail:"), bootstrap, name, service));
    connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
    connection.setAutoCommit(false);
    return connection;
  }

  CheckerReport report() {
    CheckerReport report = monitor.reports().get(name);
    assertThat(report).isNotNull();
    return report;
  }

  long checked() {
    CheckerReport report = monitor.reports().get(name);
    return report == null ? 0 : report.transactions();
  }

  void assertNoAlarm() {
    assertThat(monitor.anomalies()).isEmpty();
    assertThat(report().anomalies()).isEmpty();
  }

  void await(String what, BooleanSupplier condition) throws InterruptedException {
    long deadlineNs = System.nanoTime() + TIMEOUT.toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime() - deadlineNs).as("waiting for %s", what).isNegative();
      Thread.sleep(20);
    }
  }
}
