package io.isotail.monitor.steady;

import io.isotail.ingest.sandbox.EmbeddedDatabase;
import io.isotail.monitor.process.WorkloadProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;

/**
 * A real PostgreSQL, and an application that reaches it through the JDBC driver at repeatable read:
 * promised to be serializable, it breaks that by itself.
 */
final class DriverTraffic implements SteadyTraffic {
  private static final int SESSIONS = 16;

  private final EmbeddedDatabase database;
  private final WorkloadProcess workload;

  /**
   * Starts both.
   *
   * @param perSecond transactions a second at most
   * @param keys number of registers
   */
  DriverTraffic(String bootstrap, String history, int perSecond, int keys, int seed, Path folder)
      throws IOException {
    database = EmbeddedDatabase.start();
    String url =
        "jdbc:isotail:%s&isotail.kafka=%s&isotail.history=%s&isotail.tables=registers(k;v)"
            .formatted(database.jdbcUrl().substring("jdbc:".length()), bootstrap, history);
    workload =
        new WorkloadProcess(
            url,
            "repeatable-read",
            perSecond,
            folder.resolve("workload.log"),
            "--sessions=" + SESSIONS,
            "--keys=" + keys,
            "--seed=" + seed);
  }

  @Override
  public long errors() {
    return workload.errors();
  }

  @Override
  public long injected() {
    return -1;
  }

  @Override
  public void close() {
    try {
      workload.stop();
      database.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
