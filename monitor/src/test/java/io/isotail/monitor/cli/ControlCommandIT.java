package io.isotail.monitor.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.verdict.Marker;
import io.isotail.ingest.sandbox.EmbeddedKafka;
import io.isotail.monitor.EventLog;
import io.isotail.monitor.config.MonitorConfig;
import io.isotail.monitor.service.MonitorService;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code isotail control} over a real broker, and used wrongly. */
final class ControlCommandIT {
  private static final Duration LONG = Duration.ofSeconds(60);
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void aHistoryIsCheckedAsTheOperatorSays() throws Exception {
    try (EmbeddedKafka kafka = EmbeddedKafka.start()) {
      String broker = "--kafka=" + kafka.bootstrapServers();
      assertThat(run("control", broker, "--history=shop", "--window=5")).isEqualTo(2);
      assertThat(err.toString()).contains("isotail.events does not exist");

      MonitorConfig config =
          MonitorConfig.of(Map.of("kafka.bootstrap", kafka.bootstrapServers(), "http.port", "0"));
      try (MonitorService monitor = MonitorService.start(config);
          EventLog log = new EventLog(kafka.bootstrapServers(), "isotail.events", "shop")) {
        assertThat(monitor.awaitCaughtUp(LONG)).isTrue();
        long records = log.commitMany(50);
        assertThat(run("control", broker, "--history=shop", "--level=prefix", "--window=5"))
            .as(err.toString())
            .isZero();
        assertThat(out.toString())
            .isEqualToIgnoringNewLines(
                "history shop: {level=prefix, window.transactions=5} from offset %d of isotail.events on"
                    .formatted(records));
        assertThat(log.commitMany(1)).isOne();
        assertThat(monitor.awaitCaughtUp(LONG)).isTrue();
        assertThat(monitor.reports().get("shop").checked().label()).isEqualTo("prefix");
        assertThat(monitor.reports().get("shop").windowTransactions()).isEqualTo(5);
        assertThat(monitor.status().histories().get("shop").sheds()).isTrue();

        assertThat(run("control", broker, "--history=shop", "--note=shop 1.42")).isZero();
        assertThat(monitor.awaitCaughtUp(LONG)).isTrue();
        assertThat(monitor.status().histories().get("shop").markers())
            .extracting(Marker::text)
            .containsExactly("checked up to prefix", "window of 5 transactions", "shop 1.42");
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "--level=causal, Missing required option: '--history=ID'",
    "--history=shop, 'expected --level, --window or --note'",
    "--history=shop --level=read-atomic, expected causal or stronger",
    "--history=shop --level=solid, solid",
    "--history=shop --window=1, expected at least 2",
    "--history=shop --window=many, many",
    "--history=shop --note=, expected some words",
    "--history=shop --window=9 --kafka=127.0.0.1, kafka.bootstrap",
  })
  void wrongUseIsExplained(String arguments, String words) {
    assertThat(run(("control " + arguments).split(" "))).isEqualTo(2);
    assertThat(err.toString()).contains(words);
  }

  private int run(String... args) {
    return Main.run(new PrintWriter(out, true), new PrintWriter(err, true), args);
  }
}
