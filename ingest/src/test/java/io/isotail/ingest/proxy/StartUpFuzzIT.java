package io.isotail.ingest.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.Seeds;
import io.isotail.ingest.proxy.ProxyStats.StartFailure;
import io.isotail.ingest.sandbox.EmbeddedDatabase;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random first packets of a client, most of them wrong, first to a real server and then through a
 * proxy: the same bytes come back, nothing fails, and no connection stays.
 */
final class StartUpFuzzIT {
  private static final int RUNS = Integer.getInteger("isotail.random.starts", 130);
  private static final long SEED = Seeds.FRESH;

  /** What this proxy says of itself has no place in the server's source. */
  private static final String PLACES = " [FLRD]=[^,\\]]*,?";

  @TempDir static Path folder;

  @Test
  void theClientGetsWhatTheServerAnswers() throws Exception {
    List<String> wrong = new ArrayList<>();
    Map<String, Integer> ends = new TreeMap<>();
    try (EmbeddedDatabase database = EmbeddedDatabase.start();
        CapturedProxy proxy = new CapturedProxy(database.port())) {
      for (int run = 0; run < RUNS && wrong.size() < 10; run++) {
        long seed = SEED + run;
        List<byte[]> packets = new RandomStartUps(Seeds.random(seed)).packets();
        List<String> expected = StartTalk.talk(database.port(), packets, Seeds.random(seed));
        List<String> actual = StartTalk.talk(proxy.port(), packets, Seeds.random(seed));
        ends.merge(end(expected), 1, Integer::sum);
        if (!isSame(expected, actual)) {
          wrong.add(
              "-Disotail.random.seed=%d%n  sent %s%n  plain   %s%n  isotail %s"
                  .formatted(seed, StartTalk.shown(packets), expected, actual));
        }
      }
      proxy.awaitNone(SEED);
      proxy.check(SEED, false);
    }
    System.out.printf("seed %d: %,d starts, which end by %s%n", SEED, RUNS, ends);
    assertThat(wrong).isEmpty();
    assertThat(ends).containsKeys("Z", "E", "closed");
  }

  /** Packets in clear where TLS is to be had: most are no handshake. */
  @Test
  void nothingFailsOrStaysWhereTlsIsOffered() throws Exception {
    Map<String, Integer> ends = new TreeMap<>();
    TestCertificate certificate = TestCertificate.in(folder, "proxy", "ip:127.0.0.1");
    try (ScriptedServer server = new ScriptedServer(ScriptedServer.welcoming(socket -> {}));
        CapturedProxy proxy =
            new CapturedProxy(
                server.address(),
                config -> config.withClientTls(certificate.config()).withBounds(100, 300))) {
      for (int run = 0; run < RUNS / 4; run++) {
        List<byte[]> packets = new RandomStartUps(Seeds.random(SEED + run)).packets();
        ends.merge(
            end(StartTalk.talk(proxy.port(), packets, Seeds.random(SEED + run))), 1, Integer::sum);
      }
      // Few of them are right, or ask for TLS and then go on in clear: one of each must.
      List<byte[]> right = List.of(Packets.startUp("user", "postgres"));
      assertThat(end(StartTalk.talk(proxy.port(), right, new Random(SEED)))).isEqualTo("Z");
      List<byte[]> clear = List.of(Replies.TLS_REQUEST, right.get(0));
      assertThat(StartTalk.talk(proxy.port(), clear, new Random(SEED))).contains(StartTalk.CLOSED);
      proxy.awaitNone(SEED);
      Await.until("no connection to the server is left", () -> server.open() == 0);
      proxy.check(SEED, false);
      assertThat(proxy.stats().get(StartFailure.CLIENT_TLS)).isPositive();
    }
    System.out.printf("seed %d: %,d starts, which end by %s%n", SEED, RUNS / 4, ends);
    assertThat(ends).containsKey("closed").doesNotContainKey("stuck");
  }

  private static String end(List<String> told) {
    String last = told.get(told.size() - 1);
    if (last.equals(StartTalk.STUCK)) {
      return last;
    }
    boolean closed = last.equals(StartTalk.CLOSED);
    boolean error = told.stream().anyMatch(line -> line.startsWith("E"));
    return error ? "E" : closed ? "closed" : last.substring(0, 1);
  }

  private static boolean isSame(List<String> expected, List<String> actual) {
    return expected.equals(actual)
        || (expected.size() == actual.size()
            && actual.toString().equals(expected.toString().replaceAll(PLACES, "")));
  }
}
