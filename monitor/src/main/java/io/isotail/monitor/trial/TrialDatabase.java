package io.isotail.monitor.trial;

import io.isotail.ingest.capture.Capture;
import io.isotail.ingest.capture.CaptureConfig;
import io.isotail.ingest.capture.CaptureStats;
import io.isotail.ingest.emit.KafkaEmitter;
import io.isotail.ingest.store.SessionSource;
import io.isotail.ingest.workload.ConnectionSource;
import io.isotail.ingest.workload.JdbcSessions;
import io.isotail.ingest.workload.RegisterTable;
import io.isotail.ingest.workload.RegisterWorkload;
import io.isotail.ingest.workload.SessionsInTurn;
import io.isotail.ingest.workload.WorkloadConfig;
import java.io.IOException;
import java.sql.SQLException;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;

/** The database of a trial, not started yet. */
public interface TrialDatabase {
  /** What it is, for people. */
  String name();

  /** Starts it, or makes sure that it answers. Called by any thread. */
  Running start() throws TrialException;

  /** A database that answers; {@link #close} removes what the trial has left there. */
  interface Running extends AutoCloseable {
    /** Opens connections that nobody observes; a store without SQL has none and says so. */
    ConnectionSource direct();

    /** The table of the workload; of a store without SQL, how its registers are told. */
    RegisterTable table();

    /** Makes the table, empty. */
    default void create() throws SQLException {
      table().create(direct());
    }

    /**
     * Records what the workload does. Called once.
     *
     * @param levels that its sessions run at
     */
    Captured capture(CaptureConfig config, KafkaEmitter emitter, SessionLevels levels);

    @Override
    void close() throws IOException, SQLException;
  }

  /**
   * What is recorded.
   *
   * @param workload makes the workload whose transactions are
   * @param stats what was recorded so far
   * @param part what is to be closed before the database, if anything
   */
  record Captured(
      Function<WorkloadConfig, RegisterWorkload> workload,
      Supplier<CaptureStats> stats,
      AutoCloseable part) {

    /**
     * Connections whose statements are recorded.
     *
     * @param connections makes what opens those of a level
     */
    static Captured of(
        RegisterTable table,
        Supplier<ConnectionSource> connections,
        SessionLevels levels,
        Supplier<CaptureStats> stats,
        AutoCloseable part) {
      return new Captured(
          config ->
              new RegisterWorkload(
                  config, sessions(table, connections, levels, config, (s, l) -> s)),
          stats,
          part);
    }

    /** Sessions on a table that tell themselves what they read and write. */
    static Captured told(
        RegisterTable table,
        Supplier<ConnectionSource> connections,
        SessionLevels levels,
        Capture capture) {
      return new Captured(
          config ->
              new RegisterWorkload(
                  config,
                  sessions(
                      table,
                      connections,
                      levels,
                      config,
                      (sessions, level) -> new RecordedSessions(sessions, capture, level.told()))),
          capture::stats,
          () -> {});
    }

    private static SessionSource sessions(
        RegisterTable table,
        Supplier<ConnectionSource> connections,
        SessionLevels levels,
        WorkloadConfig config,
        BiFunction<SessionSource, SessionLevels.Level, SessionSource> at) {
      return new SessionsInTurn(
          levels.all().stream()
              .map(
                  level ->
                      at.apply(
                          new JdbcSessions(
                              table,
                              connections.get(),
                              level.isolation().jdbc(),
                              config.transactions().freshRows()),
                          level))
              .toList());
    }
  }
}
