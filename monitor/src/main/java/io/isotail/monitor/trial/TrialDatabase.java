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
import io.isotail.ingest.workload.Workload;
import io.isotail.ingest.workload.WorkloadConfig;
import io.isotail.monitor.config.Setting;
import java.io.IOException;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The database of a trial, not started yet. */
public interface TrialDatabase {
  /** What it is, for people. */
  String name();

  /** What runs on it, for people. */
  default String traffic(WorkloadConfig workload) {
    return "%d sessions on %d registers".formatted(workload.sessions(), workload.keys());
  }

  /** Starts it, or makes sure that it answers. Called by any thread. */
  Running start() throws TrialException;

  /** A database that answers; {@link #close} removes what the trial has left there. */
  interface Running extends AutoCloseable {
    /** Opens connections that nobody observes; a store without SQL has none and says so. */
    ConnectionSource direct();

    /** Where a client of the user's connects to, for people; null if that is told nowhere. */
    default @Nullable String address() {
      return null;
    }

    /** Name of the workload's table, or of the most used one; of a store, of its registers. */
    String table();

    /** Tables as isotail is told to observe them; empty if it is told nothing. */
    String observed();

    /** What is declared of the history, by the names of {@link Setting}s of histories. */
    default Map<Setting, String> declared() {
      return Map.of(
          Setting.CLOSED, "true", Setting.DELETES, "false", Setting.UNIQUE_VERSIONS, "true");
    }

    /** Makes the tables, empty. */
    void create() throws SQLException;

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
   * @param stats what was recorded so far, by each driver or proxy
   * @param part what is to be closed before the database, if anything
   */
  record Captured(
      Function<WorkloadConfig, Workload> workload,
      Supplier<List<CaptureStats>> stats,
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
        Supplier<CaptureStats> stats) {
      return new Captured(
          registers(table, connections, levels), () -> List.of(stats.get()), () -> {});
    }

    /** What makes a workload on the registers of a table. */
    static Function<WorkloadConfig, Workload> registers(
        RegisterTable table, Supplier<ConnectionSource> connections, SessionLevels levels) {
      return config ->
          new RegisterWorkload(config, sessions(table, connections, levels, config, (s, l) -> s));
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
          () -> List.of(capture.stats()),
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
