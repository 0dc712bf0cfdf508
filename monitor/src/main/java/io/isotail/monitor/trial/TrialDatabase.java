package io.isotail.monitor.trial;

import io.isotail.ingest.capture.CaptureConfig;
import io.isotail.ingest.capture.CaptureStats;
import io.isotail.ingest.emit.KafkaEmitter;
import io.isotail.ingest.workload.ConnectionSource;
import io.isotail.ingest.workload.RegisterTable;
import java.io.IOException;
import java.sql.SQLException;
import java.util.function.Supplier;

/** The database of a trial, not started yet. */
public interface TrialDatabase {
  /** What it is, for people. */
  String name();

  /** Starts it, or makes sure that it answers. Called by any thread. */
  Running start() throws TrialException;

  /** A database that answers; {@link #close} removes what the trial has left there. */
  interface Running extends AutoCloseable {
    /** Opens connections that nobody observes. */
    ConnectionSource direct();

    /** The table of the workload. */
    RegisterTable table();

    /** Opens connections whose statements are recorded. Called once. */
    Captured capture(CaptureConfig config, KafkaEmitter emitter);

    @Override
    void close() throws IOException, SQLException;
  }

  /**
   * Connections whose statements are recorded.
   *
   * @param stats what was recorded so far
   * @param part what is to be closed before the database, if anything
   */
  record Captured(ConnectionSource connections, Supplier<CaptureStats> stats, AutoCloseable part) {}
}
