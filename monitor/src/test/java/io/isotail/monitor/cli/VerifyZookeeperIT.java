package io.isotail.monitor.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.isotail.monitor.offline.ExitCode;
import io.isotail.monitor.stores.ZookeeperEnsemble;
import org.junit.jupiter.api.Test;

/**
 * ZooKeeper, whose reads are as old as the server that answers, unless it catches up before. Its
 * sessions are spread over three servers, so that some are behind the others.
 */
class VerifyZookeeperIT {
  /** A trial of some seconds has seen one to seven stale reads. */
  private static final int MOST_TRIALS = 8;

  private static final String[] OPTIONS = {
    "--workload=lightweight", "--read-share=0.7", "--keys=4", "--sessions=12", "--rate=0"
  };

  @Test
  void readsAreStaleUnlessTheServerCatchesUpBefore() throws Exception {
    try (ZookeeperEnsemble ensemble = new ZookeeperEnsemble()) {
      StoreTrial synced = new StoreTrial(ensemble.url() + "?sync=true", OPTIONS);
      synced.require(ExitCode.PASSED);
      assertThat(synced.summary().path("workload").path("retried").asLong()).isPositive();

      StoreTrial stale = new StoreTrial(ensemble.url(), OPTIONS);
      for (int i = 1; stale.status() == ExitCode.PASSED && i < MOST_TRIALS; i++) {
        stale = new StoreTrial(ensemble.url(), OPTIONS);
      }
      stale.require(ExitCode.VIOLATION);
      JsonNode found = stale.summary();
      assertThat(found.path("verdicts").path("serializable").asText()).isEqualTo("pass");
      assertThat(found.path("anomalies").path("strict-serializable").toString())
          .contains("stale-read");
    }
  }
}
