package io.isotail.monitor.databases;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.CheckerReport;
import io.isotail.incremental.anomaly.AnomalyKind;
import io.isotail.incremental.level.IsolationLevel;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A Galera cluster of three: a client at each node, and the log of the first one is followed. */
final class TailedClusterIT {
  private static final Map<String, String> PROMISED =
      Map.of("promises.mariadb:repeatable-read", "snapshot-isolation");

  @Test
  void lostUpdatesOfDifferentNodesAreFoundAtRepeatableRead() throws Exception {
    try (TailedRun run = new TailedRun(MariaDbServer.loggedCluster(3), PROMISED)) {
      AccountsWorkload.prepare(run);
      for (int i = 0; i < 2; i++) {
        AccountsWorkload.work(run.urls("shop"), Connection.TRANSACTION_REPEATABLE_READ);
      }
      CheckerReport report = AccountsWorkload.finished(run);
      // Each node has one client, so they are of two nodes.
      assertThat(report.anomalies().get(IsolationLevel.SNAPSHOT_ISOLATION))
          .containsKey(AnomalyKind.LOST_UPDATE);
      assertThat(report.anomalies()).containsOnlyKeys(IsolationLevel.SNAPSHOT_ISOLATION);
    }
  }

  @Test
  void nothingIsLostWithSnapshotIsolation() throws Exception {
    try (TailedRun run =
        new TailedRun(MariaDbServer.loggedCluster(3, "--innodb-snapshot-isolation=ON"), PROMISED)) {
      List<String> clients = new ArrayList<>(run.urls("shop"));
      clients.addAll(run.urls("shop"));
      clients.add(run.directUrl());
      AccountsWorkload.prepare(run);
      AccountsWorkload.work(clients, Connection.TRANSACTION_REPEATABLE_READ);
      CheckerReport report = AccountsWorkload.finished(run);
      assertThat(report.anomalies()).isEmpty();
    }
  }
}
