package io.isotail.monitor.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.ingest.sandbox.EmbeddedKafka;
import io.isotail.monitor.offline.ExitCode;
import io.isotail.monitor.stores.RedisServer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import redis.clients.jedis.Jedis;

/** Redis, which runs transactions one after the other if what they read is watched. */
class VerifyRedisIT {
  @TempDir private Path folder;
  private RedisServer redis;

  @BeforeEach
  void start() throws Exception {
    redis = new RedisServer(folder);
  }

  @AfterEach
  void stop() {
    try (RedisServer server = redis;
        Jedis jedis = new Jedis("127.0.0.1", server.port())) {
      assertThat(jedis.keys("*")).as("nothing is left").isEmpty();
    }
  }

  @Test
  void watchedTransactionsAreStrictlySerializable() throws Exception {
    StoreTrial kept = new StoreTrial(redis.url(), "--workload=mini");
    kept.require(ExitCode.PASSED);
    assertThat(kept.summary().path("database").asText()).startsWith("Redis ");
    assertThat(kept.summary().path("workload").path("retried").asLong()).isPositive();
  }

  @Test
  void registersThatAreMissingAtFirstAreWatchedToo() throws Exception {
    new StoreTrial(redis.url(), "--workload=mini", "--fresh-rows").require(ExitCode.PASSED);
  }

  @Test
  void unwatchedTransactionsLoseUpdates() throws Exception {
    StoreTrial broken = new StoreTrial(redis.url() + "?watch=false", "--workload=lightweight");
    broken.require(ExitCode.VIOLATION);
    assertThat(broken.summary().path("anomalies").toString()).contains("lost-update");
    assertThat(broken.summary().path("causes").path(0).toString())
        .contains("The database broke its promise");
  }

  @Test
  void aWorkloadIsRecordedOnABrokerOfItsOwn() {
    CommandRun command = new CommandRun("workload");
    try (EmbeddedKafka kafka = EmbeddedKafka.start()) {
      int status =
          command.run(
              "--url=" + redis.url(),
              "--kafka=" + kafka.bootstrapServers(),
              "--history=store",
              "--promise=strict-serializable",
              "--duration=1s");
      assertThat(status).as("%s%s", command.err, command.out).isEqualTo(ExitCode.PASSED);
      assertThat(command.out.toString()).containsPattern("workload: [1-9][0-9]* committed");
    }
  }

  @Test
  void badOptionsSayWhatWasExpected() {
    CommandRun verify = new CommandRun("verify-database");
    assertBad(verify, redis.url(), "", "expected --promise LEVEL");
    assertBad(verify, "mongodb://h", "--promise=serializable", "expected one of jdbc:, redis:");
    assertBad(verify, redis.url(), "--promise=causal --isolation=serializable", "are of JDBC");
    assertBad(verify, "redis://127.0.0.1:1", "--promise=causal", "the redis store does not answer");
    CommandRun workload = new CommandRun("workload");
    assertBad(workload, redis.url(), "", "needs --kafka HOST:PORT");
    assertBad(workload, redis.url(), "--isolation=serializable", "--isolation is of JDBC");
    assertBad(workload, "jdbc:h2:mem:a", "", "needs --kafka HOST:PORT");
    assertBad(workload, "jdbc:isotail:h2:mem:a", "--workload=list-append", "own URL, with --kafka");
    assertBad(verify, redis.url(), "--promise=causal --workload=list-append", "has no lists");
    assertBad(workload, "jdbc:isotail:h2:mem:a", "--promise=causal", "are of other URLs");
  }

  private static void assertBad(CommandRun command, String url, String options, String expected) {
    List<String> all = new ArrayList<>(List.of("--url=" + url));
    options.lines().flatMap(line -> List.of(line.split(" ")).stream()).forEach(all::add);
    assertThat(command.run(all.toArray(String[]::new))).isEqualTo(ExitCode.BAD);
    assertThat(command.err.toString()).contains(expected);
  }
}
