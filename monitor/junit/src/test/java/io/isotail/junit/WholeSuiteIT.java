package io.isotail.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import io.isotail.incremental.level.IsolationLevel;
import io.isotail.ingest.sandbox.EmbeddedDatabase;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Events;
import org.postgresql.ds.PGSimpleDataSource;

/** Parameters of JUnit ask for all tests of a run: no class says anything. */
final class WholeSuiteIT {
  @TempDir private Path reports;
  private static EmbeddedDatabase server;
  private static DataSource plain;
  private static Accounts accounts;

  @BeforeAll
  static void start() throws Exception {
    server = EmbeddedDatabase.start();
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setUrl(server.jdbcUrl());
    plain = source;
    Accounts.create(plain);
  }

  @BeforeEach
  void begin() {
    System.setProperty("isotail.reports", reports.toString());
    accounts = new Accounts(CheckedDataSource.of(plain));
  }

  @AfterEach
  void end() {
    System.clearProperty("isotail.reports");
  }

  @AfterAll
  static void stop() throws Exception {
    server.close();
  }

  static class Silent {
    @Test
    void loses() throws SQLException {
      accounts.depositTwiceAtOnce(1);
    }

    @Test
    @CheckIsolation(promise = IsolationLevel.READ_COMMITTED)
    void losesWhereLessIsPromised() throws SQLException {
      accounts.depositTwiceAtOnce(2);
    }

    @Test
    void needsNoDatabase() {}
  }

  /** Who forgets one line is told. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void parametersThatNobodyHearsAreTold(boolean detected) {
    PrintStream before = System.out;
    ByteArrayOutputStream told = new ByteArrayOutputStream();
    System.setOut(new PrintStream(told, true, StandardCharsets.UTF_8));
    try {
      LauncherFactory.create()
          .execute(
              LauncherDiscoveryRequestBuilder.request()
                  .selectors(selectMethod(Silent.class, "needsNoDatabase"))
                  .configurationParameter("isotail.check", "serializable")
                  .configurationParameter(
                      "junit.jupiter.extensions.autodetection.enabled", String.valueOf(detected))
                  .build());
    } finally {
      System.setOut(before);
    }
    assertThat(told.toString(StandardCharsets.UTF_8).contains("isotail.check is ignored"))
        .isNotEqualTo(detected);
  }

  private static Events run(String... parameters) {
    EngineTestKit.Builder kit =
        EngineTestKit.engine("junit-jupiter")
            .configurationParameter("junit.jupiter.extensions.autodetection.enabled", "true")
            .selectors(selectClass(Silent.class));
    for (int i = 0; i < parameters.length; i += 2) {
      kit.configurationParameter(parameters[i], parameters[i + 1]);
    }
    return kit.execute().testEvents();
  }

  private static List<String> failed(Events tests) {
    return tests.failed().stream().map(e -> e.getTestDescriptor().getDisplayName()).toList();
  }

  private static String message(Events tests) {
    return tests.failed().stream()
        .map(e -> e.getRequiredPayload(TestExecutionResult.class).getThrowable().orElseThrow())
        .map(Throwable::getMessage)
        .findFirst()
        .orElse("");
  }

  private String report(String begin, String end) throws Exception {
    try (Stream<Path> files = Files.list(reports)) {
      return Files.readString(
          files
              .filter(file -> String.valueOf(file.getFileName()).startsWith(begin))
              .filter(file -> file.toString().endsWith(end))
              .findFirst()
              .orElseThrow());
    }
  }

  @Test
  void nothingIsCheckedUnasked() {
    Events tests = run();
    assertThat(failed(tests)).isEmpty();
    assertThat(tests.reportingEntryPublished().count()).as("the annotated one").isEqualTo(1);
  }

  @Test
  void eachTestIsChecked() {
    Events tests = run("isotail.check", "serializable");
    assertThat(failed(tests)).containsExactly("loses()");
    assertThat(message(tests)).startsWith("An update was lost on accounts");
    assertThat(failed(run("isotail.check", "read-committed"))).isEmpty();
  }

  @Test
  void nothingDecidedFailsWhereThatIsAskedFor() {
    assertThat(
            failed(
                run("isotail.check", "read-committed", "isotail.check.fail-on-undecided", "true")))
        .containsExactly("needsNoDatabase()");
  }

  @Test
  void violationsAreOnlyTold() throws Exception {
    Events tests = run("isotail.check", "serializable", "isotail.check.report-only", "true");
    assertThat(failed(tests)).isEmpty();
    assertThat(report("report-", ".json")).contains("\"anomaly\" : \"lost-update\"");
  }

  @Test
  void eachTestIsForecast() throws Exception {
    assertThat(
            failed(run("isotail.forecast", "serializable", "isotail.forecast.fail-on", "possible")))
        .as("that of the test which runs first")
        .hasSize(1);
    assertThat(report("forecast-", ".md")).contains("An update gets lost: accounts");
  }

  @Test
  void onePageTellsBoth() throws Exception {
    run("isotail.check", "serializable", "isotail.forecast", "serializable");
    assertThat(report("report-", ".html"))
        .containsPattern("[0-9]+ of [0-9]+ tests broke their level")
        .contains("An update was lost on accounts", "What could happen: 1 forecast");
  }

  @Test
  void aWrongValueIsTold() {
    Events tests = run("isotail.check", "serialisable");
    assertThat(message(tests))
        .isEqualTo(
            "configuration parameter isotail.check: found 'serialisable', expected one of read-committed, read-atomic, causal, prefix, snapshot-isolation, serializable, strict-serializable");
    assertThat(message(run("isotail.check", "causal", "isotail.check.report-only", "yes")))
        .isEqualTo(
            "configuration parameter isotail.check.report-only: found 'yes', expected true or false");
  }
}
