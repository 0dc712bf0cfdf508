package io.isotail.monitor.databases;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.CheckerReport;
import io.isotail.incremental.anomaly.AnomalyKind;
import io.isotail.incremental.level.IsolationLevel;
import java.sql.Connection;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A Galera cluster of three: clients at each node, and the log of the first one is followed. */
final class TailedClusterIT {
  private static final Map<String, String> PROMISED =
      Map.of("promises.mariadb:repeatable-read", "snapshot-isolation");

  @Test
  void lostUpdatesOfDifferentNodesAreFoundAtRepeatableRead() throws Exception {
    try (TailedRun run = new TailedRun(MariaDbServer.loggedCluster(3), PROMISED)) {
      CheckerReport report = shop(run, Connection.TRANSACTION_REPEATABLE_READ);
      assertThat(report.anomalies().get(IsolationLevel.SNAPSHOT_ISOLATION))
          .containsKey(AnomalyKind.LOST_UPDATE);
      assertThat(report.anomalies()).containsOnlyKeys(IsolationLevel.SNAPSHOT_ISOLATION);
    }
  }

  @Test
  void nothingIsLostWithSnapshotIsolation() throws Exception {
    try (TailedRun run =
        new TailedRun(MariaDbServer.loggedCluster(3, "--innodb-snapshot-isolation=ON"), PROMISED)) {
      CheckerReport report = shop(run, Connection.TRANSACTION_REPEATABLE_READ);
      assertThat(report.anomalies()).isEmpty();
    }
  }

  private static CheckerReport shop(TailedRun run, int level) throws Exception {
    AccountsWorkload.prepare(run);
    AccountsWorkload.work(run.urls("shop"), run.directUrl(), level);
    return AccountsWorkload.finished(run);
  }
}
