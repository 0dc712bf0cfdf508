package io.isotail.junit;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.coverage.CaptureReport.Missed;
import io.isotail.incremental.record.NotCaptured;
import io.isotail.junit.TestResult.Violation;
import io.isotail.monitor.render.AnomalyDocument;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What was seen of all tests of a process: a file for each anomaly that failed a test, and at the
 * end of a run {@code report-PID.json} and {@code .html} with a line on standard output. Safe for
 * many threads.
 *
 * <p>They go into {@code isotail} in the build's folder, {@code target} or {@code build}, unless
 * the system property {@code isotail.reports} names another.
 */
final class SuiteReport implements AutoCloseable {
  private static final String FOLDER = "isotail.reports";
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private static @Nullable SuiteReport latest;

  private final Path folder;
  private final List<TestResult> tests = new ArrayList<>();
  private String forecasts = "";

  private SuiteReport(Path folder) {
    this.folder = folder;
  }

  /** The report of a run that begins; of several in one process they go into one. */
  static synchronized SuiteReport begin() {
    Path folder = folder();
    if (latest == null || !latest.folder.equals(folder)) {
      latest = new SuiteReport(folder);
    }
    return latest;
  }

  static Path folder() {
    String named = System.getProperty(FOLDER);
    boolean gradle = !Files.isDirectory(Path.of("target")) && Files.isDirectory(Path.of("build"));
    return named == null ? Path.of(gradle ? "build" : "target", "isotail") : Path.of(named);
  }

  /**
   * A test has ended.
   *
   * @return the files of its anomalies, to be opened with {@code isotail explain}
   */
  synchronized List<String> add(TestResult test) {
    tests.add(test);
    Set<String> files = new LinkedHashSet<>();
    for (Violation violation : test.violations()) {
      Anomaly anomaly = violation.anomaly();
      if (anomaly != null) {
        Path file = folder.resolve("%s-%s.json".formatted(violation.kind(), anomaly.id()));
        if (write(file, AnomalyDocument.bytes(anomaly, 0, CheckerConfig.NEVER_COMPARED))) {
          files.add(file.toString());
        }
      }
    }
    return List.copyOf(files);
  }

  /**
   * Forecasts of the run, for the page.
   *
   * @param sections as HTML
   */
  synchronized Path withForecasts(String sections) {
    forecasts = sections;
    return writePage();
  }

  private Path writePage() {
    List<Missed> notCaptured = new ArrayList<>();
    Histories.all().forEach(history -> notCaptured.addAll(history.notCaptured()));
    Path page = folder.resolve("report-%d.html".formatted(ProcessHandle.current().pid()));
    write(page, utf8(SuitePage.of(tests, notCaptured, forecasts)));
    return page;
  }

  /** The run is over. */
  @Override
  public synchronized void close() {
    SuiteTotals sum = SuiteTotals.of(tests);
    ObjectNode report = JSON.objectNode();
    report.put("transactions", sum.transactions());
    report.put("reads", sum.reads()).put("readsDecided", sum.decided());
    ArrayNode all = report.putArray("tests");
    tests.forEach(test -> all.add(json(test)));
    List<Missed> notCaptured = new ArrayList<>();
    Histories.all().forEach(history -> notCaptured.addAll(history.notCaptured()));
    ArrayNode missed = report.putArray("notCaptured");
    notCaptured.forEach(each -> missed.add(json(each)));
    Path page = writePage();
    write(
        folder.resolve("report-%d.json".formatted(ProcessHandle.current().pid())),
        utf8(report.toPrettyString()));
    System.out.printf(
        Locale.ROOT,
        "isotail: %,d tests, %,d with violations, %,d that captured nothing; %,d transactions,"
            + " %s; %s%n",
        sum.tests(),
        sum.broken(),
        sum.blind(),
        sum.transactions(),
        sum.coverage(),
        page);
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static ObjectNode json(Missed missed) {
    NotCaptured counts = missed.counts();
    return JSON.objectNode()
        .put("statement", counts.fingerprint())
        .put("reason", counts.reason())
        .put("statements", counts.statements())
        .put("reads", counts.reads());
  }

  private static ObjectNode json(TestResult test) {
    ObjectNode json = JSON.objectNode();
    json.put("test", test.name()).put("promise", test.promise().label());
    json.put("transactions", test.transactions());
    json.put("reads", test.reads()).put("readsDecided", test.decided());
    json.put("summary", test.summary());
    ObjectNode undecided = json.putObject("undecided");
    test.undecided().forEach((reason, count) -> undecided.put(reason.label(), count));
    ArrayNode violations = json.putArray("violations");
    for (Violation violation : test.violations()) {
      Anomaly anomaly = violation.anomaly();
      violations
          .addObject()
          .put("anomaly", violation.kind())
          .put("title", violation.title())
          .put("times", violation.times())
          .put("id", anomaly == null ? null : anomaly.id());
    }
    return json;
  }

  /** Whether a file could be written; a test does not fail for that. */
  private static boolean write(Path file, byte[] content) {
    try {
      Files.createDirectories(file.toAbsolutePath().getParent());
      Files.write(file, content);
      return true;
    } catch (IOException e) {
      System.out.printf("isotail: found that %s cannot be written: %s%n", file, e);
      return false;
    }
  }
}
