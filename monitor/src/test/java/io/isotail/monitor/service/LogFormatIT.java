package io.isotail.monitor.service;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.monitor.SampleAnomalies;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a process writes to its standard error stream, by the variables that it is given. */
final class LogFormatIT {
  @TempDir Path folder;

  /** Logs an anomaly with a hostile name, then an exception. */
  static final class Speaker {
    private static final Logger log = LoggerFactory.getLogger(Speaker.class);

    private Speaker() {}

    public static void main(String[] args) {
      Anomaly anomaly = SampleAnomalies.hostileThinAirRead("a1");
      new AnomalyLog(id -> URI.create("http://page/" + id), a -> {}).accept(anomaly);
      log.warn("it \"failed\"\n{}", "here", new IllegalStateException("why\nnot"));
    }
  }

  @Test
  void jsonIsOneObjectALine() throws Exception {
    List<String> lines = said(Map.of("ISOTAIL_LOG_FORMAT", "json"));

    assertThat(lines).hasSize(2);
    JsonNode found = new ObjectMapper().readTree(lines.get(0));
    assertThat(found.path("level").asText()).isEqualTo("INFO");
    assertThat(found.path("timestamp").asLong()).isPositive();
    assertThat(found.path("loggerName").asText()).isEqualTo(AnomalyLog.class.getName());
    assertThat(found.at("/mdc/witness").asText()).isEqualTo("a1");
    assertThat(found.at("/mdc/history").asText())
        .isEqualTo(SampleAnomalies.hostileThinAirRead("a1").history());
    assertThat(found.at("/mdc/level").asText()).isEqualTo("read-committed");
    assertThat(found.at("/mdc/anomaly").asText()).isEqualTo("thin-air-read");
    assertThat(found.path("formattedMessage").asText())
        .startsWith("thin-air-read violates read-committed")
        .endsWith("http://page/a1");
    JsonNode failed = new ObjectMapper().readTree(lines.get(1));
    assertThat(failed.path("formattedMessage").asText()).isEqualTo("it \"failed\"\nhere");
    assertThat(failed.at("/throwable/message").asText()).isEqualTo("why\nnot");
    assertThat(failed.path("mdc")).isEmpty();
  }

  @Test
  void textIsTheDefault() throws Exception {
    assertThat(said(Map.of()).get(0))
        .matches(
            "\\d\\d:\\d\\d:\\d\\d\\.\\d{3} INFO  AnomalyLog \\[main]: thin-air-read violates .*");
    assertThat(said(Map.of("ISOTAIL_LOG_FORMAT", "text")).get(0)).contains("INFO  AnomalyLog");
    assertThat(said(Map.of("ISOTAIL_LOG", "WARN")).get(0)).contains("WARN  LogFormatIT$Speaker");
  }

  private List<String> said(Map<String, String> variables) throws Exception {
    Path out = folder.resolve("out");
    Path err = folder.resolve("err");
    ProcessBuilder builder =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Speaker.class.getName())
            .redirectOutput(out.toFile())
            .redirectError(err.toFile());
    builder.environment().keySet().removeIf(name -> name.startsWith("ISOTAIL_LOG"));
    builder.environment().putAll(variables);
    Process process = builder.start();
    try {
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    } finally {
      process.destroyForcibly();
    }
    assertThat(Files.readString(out)).isEmpty();
    return Files.readAllLines(err);
  }
}
