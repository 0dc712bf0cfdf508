package io.isotail.monitor.offline;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.monitor.RunningPage;
import io.isotail.monitor.SampleAnomalies;
import io.isotail.monitor.cli.Main;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code isotail explain} with a running monitor. */
final class ExplainCommandIT {
  @TempDir private Path folder;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void anAnomalyIsAskedForByItsIdOrThatOfItsCause() throws Exception {
    try (RunningPage page = new RunningPage()) {
      page.found(SampleAnomalies.lostUpdate("0a0b", "shop"));
      page.caused(SampleAnomalies.cause("shop", "0a0b"));
      page.show(
          RunningPage.history("shop", io.isotail.incremental.level.Verdict.FAIL, Map.of(), null));
      String url = page.uri("").toString();

      assertThat(run("--url=" + url, "0a0b")).as(err.toString()).isZero();
      assertThat(out.toString())
          .startsWith("An update was lost\n")
          .contains("s1/3", "service billing", "UPDATE account SET balance = ?")
          .contains("promised   " + IsolationLevel.CAUSAL.label() + ", to the whole history");

      out.getBuffer().setLength(0);
      assertThat(run("--url=" + url, SampleAnomalies.CAUSE)).as(err.toString()).isZero();
      assertThat(out.toString()).contains("id         0a0b");
      assertThat(err.toString()).contains("cause 00c0ffee00c0ffee", "its simplest proof");

      assertThat(run(url + "/anomalies/0a0b")).isZero();
      assertThat(run("--url=" + url, "0c0c")).isEqualTo(ExitCode.BAD);
      assertThat(err.toString()).contains("knows neither an anomaly nor a cause 0c0c");
    }
  }

  @Test
  void theMonitorsUserIsAskedFor() throws Exception {
    try (RunningPage page =
        new RunningPage(
            Map.of("http.port", "0", "http.user", "ops", "http.password", "a long password"),
            HttpClient.newHttpClient())) {
      page.found(SampleAnomalies.lostUpdate("0a0b", "shop"));
      String url = "--url=" + page.uri("");
      assertThat(run(url, "0a0b")).isEqualTo(ExitCode.BAD);
      assertThat(err.toString()).contains("asks for a user and a password; expected --user");
      Path right = Files.writeString(folder.resolve("right"), "a long password\n");
      Path wrong = Files.writeString(folder.resolve("wrong"), "another one\n");
      assertThat(run(url, "--user=ops", "--password-file=" + wrong, "0a0b"))
          .isEqualTo(ExitCode.BAD);
      assertThat(err.toString()).contains("refuses this user or password");
      assertThat(run(url, "--user=ops", "--password-file=" + right, "0a0b")).isZero();
    }
  }

  @Test
  void somethingElseOnThePortIsSaidToBeNoMonitor() throws Exception {
    HttpServer other =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    other.createContext(
        "/",
        exchange -> {
          byte[] page = "<html>hello</html>".getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, page.length);
          exchange.getResponseBody().write(page);
          exchange.close();
        });
    other.start();
    try {
      String url = "http://127.0.0.1:" + other.getAddress().getPort();
      assertThat(run("--url=" + url, "0a0b")).isEqualTo(ExitCode.BAD);
      assertThat(err.toString()).contains("answered 200 and no JSON object; is this an isotail");
    } finally {
      other.stop(0);
    }
  }

  private int run(String... arguments) {
    String[] all = new String[arguments.length + 1];
    all[0] = "explain";
    System.arraycopy(arguments, 0, all, 1, arguments.length);
    return Main.run(new PrintWriter(out, true), new PrintWriter(err, true), all);
  }
}
