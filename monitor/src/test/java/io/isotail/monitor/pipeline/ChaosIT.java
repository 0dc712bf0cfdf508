package io.isotail.monitor.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Nothing is lost and nothing is told twice, whoever is killed when. {@code deploy/verify
 * --campaign chaos} runs it for longer.
 */
final class ChaosIT {
  private static final long SEED = Long.getLong("isotail.chaos.seed", System.nanoTime());
  private static final int SECONDS = Integer.getInteger("isotail.chaos.seconds", 20);

  @TempDir private Path folder;

  @Test
  void everyAnomalyIsPublishedOnceByWhoeverIsAlive() throws Exception {
    System.out.printf("chaos: seed %d, %d s%n", SEED, SECONDS);
    try (ChaosRun run = new ChaosRun(SEED, folder)) {
      int brokerKills = Math.max(1, Math.min(2, SECONDS / 100));
      ChaosRun.Result result =
          run.run(Duration.ofSeconds(SECONDS), brokerKills, Duration.ofSeconds(6));
      System.out.printf(
          "chaos: %d transactions, %d anomalies put in, %d instances and %d times the broker killed;"
              + " %d expected, %d published%n",
          result.transactions(),
          result.injected(),
          result.kills(),
          result.brokerKills(),
          count(result.expected().values()),
          count(result.published().values()));
      assertThat(result.injected()).isPositive();
      assertThat(result.kills()).isPositive();
      assertThat(
              result.expectedCauses().values().stream()
                  .filter(each -> each.has("occurrences"))
                  .mapToInt(cause -> cause.path("violations").asInt())
                  .sum())
          .isEqualTo(result.injected());
      assertThat(result.published()).isEqualTo(result.expected());
      assertThat(result.expectedCauses().values()).anyMatch(each -> each.has("wave"));
      assertThat(result.publishedCauses()).isEqualTo(result.expectedCauses());
      result
          .expectedCauses()
          .forEach(
              (id, each) -> {
                if (each.has("occurrences")) {
                  assertThat(result.freshlyPublished())
                      .as("each violation is told once")
                      .containsEntry(id, each.path("violations").asLong());
                }
              });
    }
  }

  private static int count(Iterable<List<String>> ids) {
    int count = 0;
    for (List<String> ofHistory : ids) {
      count += ofHistory.size();
    }
    return count;
  }
}
