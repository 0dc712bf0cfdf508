package io.isotail.monitor.explore.witness;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.monitor.RunningPage;
import io.isotail.monitor.SampleAnomalies;
import io.isotail.monitor.cli.Main;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

/** {@code isotail explore --anomaly} and {@code --cause} with a running monitor. */
final class WitnessMonitorIT {
  private record Said(int status, String out, String err) {}

  private static Said run(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int status = Main.run(new PrintWriter(out, true), new PrintWriter(err, true), arguments);
    return new Said(status, out.toString(), err.toString());
  }

  @Test
  void aMonitorIsAskedForAnAnomalyOrForThatOfACause() throws Exception {
    try (RunningPage page = new RunningPage()) {
      page.found(SampleAnomalies.lostUpdate("0a0b", "shop"));
      page.caused(SampleAnomalies.cause("shop", "0a0b"));
      String url = "--url=" + page.uri("");
      assertThat(run("explore", url, "--anomaly", "0a0b").out()).contains("lost-update), 0a0b");
      Said cause = run("explore", url, "--cause", SampleAnomalies.CAUSE);
      assertThat(cause.out()).contains("lost-update), 0a0b");
      assertThat(cause.err()).contains("cause 00c0ffee00c0ffee", "its simplest proof");
      Said unknown = run("explore", url, "--cause", "0c0c");
      assertThat(unknown.status()).isEqualTo(2);
      assertThat(unknown.err()).contains("knows neither an anomaly nor a cause 0c0c");
    }
  }
}
