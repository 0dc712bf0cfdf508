package io.isotail.monitor.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.monitor.offline.ExitCode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A broker or a database that is not there is named at once, with the cause. */
@Timeout(20)
final class UnreachableTest {
  private static final String KEY = "0d6c8009d9a94f5a";

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "127.0.0.1:1 | 127.0.0.1:1: connection refused",
        "kafka.invalid:9092 | kafka.invalid:9092: no such host name",
        "127.0.0.1:1,kafka.invalid:9 | 127.0.0.1:1: connection refused; kafka.invalid:9: no such",
      })
  void commandsThatNeedABrokerEndWithoutOne(String broker, String words) {
    String expected = "no broker answers: " + words;
    assertEnds("control --history=shop --window=9 --kafka=" + broker, expected);
    assertEnds("demo --duration=1s --kafka=" + broker, expected);
    String url =
        "jdbc:isotail:postgresql://127.0.0.1:1/d?isotail.history=h&isotail.kafka=" + broker;
    assertEnds("workload --duration=1s --url=" + url, expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "127.0.0.1:1 | 127.0.0.1:1: connection refused",
        "db.invalid:5432 | db.invalid:5432: no such host name",
        "db.invalid | db.invalid:5432: no such host name",
      })
  void commandsThatNeedADatabaseEndWithoutOne(String database, String words) throws IOException {
    String expected = "no database answers at " + words;
    String url = " --url=jdbc:postgresql://" + database + "/shop?user=u";
    assertEnds("doctor" + url, expected);
    assertEnds("doctor" + url.replace("jdbc:", "jdbc:isotail:"), expected);
    assertEnds("resolve --history=h" + url + " " + KEY, expected);
    try (ServerSocket broker = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      assertEnds(
          "workload --duration=1s"
              + url.replace("jdbc:", "jdbc:isotail:")
              + "&isotail.history=h&isotail.kafka=127.0.0.1:"
              + broker.getLocalPort(),
          expected);
    }
  }

  private void assertEnds(String line, String words) {
    err.getBuffer().setLength(0);
    int status = Main.run(new PrintWriter(out, true), new PrintWriter(err, true), line.split(" "));
    assertThat(err.toString()).as(line).contains(words);
    assertThat(status).as(line).isEqualTo(ExitCode.BAD);
  }
}
