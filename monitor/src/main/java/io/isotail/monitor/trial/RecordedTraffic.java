package io.isotail.monitor.trial;

import io.isotail.ingest.capture.CaptureConfig;
import io.isotail.ingest.emit.EmitterConfig;
import io.isotail.ingest.emit.KafkaEmitter;
import io.isotail.ingest.sql.ObservedTables;
import io.isotail.ingest.workload.Workload;
import io.isotail.ingest.workload.WorkloadConfig;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;

/** A workload whose records go to a broker that others have started. */
public final class RecordedTraffic implements AutoCloseable {
  private static final Duration READY_TIMEOUT = Duration.ofSeconds(60);
  private static final String SERVICE = "workload";

  private final TrialDatabase.Running database;
  private final KafkaEmitter emitter;
  private final Workload workload;

  /**
   * A workload that is not running yet.
   *
   * @param database to be removed and closed with it
   * @param levels that its sessions run at
   * @param kafka the broker's {@code host:port}
   */
  public RecordedTraffic(
      TrialDatabase.Running database,
      SessionLevels levels,
      String kafka,
      String history,
      WorkloadConfig config) {
    this.database = database;
    this.emitter = new KafkaEmitter(EmitterConfig.of(kafka, history, SERVICE, ""));
    CaptureConfig capture =
        CaptureConfig.of(history, ObservedTables.parse(database.observed()))
            .withService(SERVICE, "")
            .withClearNames();
    this.workload = database.capture(capture, emitter, levels).workload().apply(config);
  }

  /**
   * Makes the registers and starts the sessions.
   *
   * @throws Exception what the database says, or that the broker takes nothing
   */
  public void start() throws Exception {
    if (!emitter.awaitReady(READY_TIMEOUT)) {
      throw new IOException(
          "the broker did not take the first record within %d s"
              .formatted(READY_TIMEOUT.toSeconds()));
    }
    database.create();
    workload.setUp();
    workload.start();
  }

  /** The workload. */
  public Workload workload() {
    return workload;
  }

  /** Ends the workload, sends what is left and removes the registers. */
  @Override
  public void close() throws IOException, SQLException {
    try (database;
        emitter) {
      workload.close();
    }
  }
}
