package io.isotail.monitor.trial;

import io.isotail.ingest.capture.Capture;
import io.isotail.ingest.capture.CaptureConfig;
import io.isotail.ingest.emit.KafkaEmitter;
import io.isotail.ingest.jdbc.ConnectionWrapper;
import io.isotail.ingest.jdbc.IsotailDriver;
import io.isotail.ingest.postgres.CapturedConversations;
import io.isotail.ingest.proxy.ProxyConfig;
import io.isotail.ingest.proxy.ProxyServer;
import io.isotail.ingest.sandbox.EmbeddedDatabase;
import io.isotail.ingest.workload.ConnectionSource;
import io.isotail.ingest.workload.RegisterTable;
import io.isotail.ingest.workload.RegisterWorkload;
import java.io.IOException;
import java.sql.DriverManager;
import java.util.Locale;

/**
 * A PostgreSQL that is started for the trial.
 *
 * @param through what the workload's statements are captured by
 */
public record SandboxDatabase(Through through) implements TrialDatabase {

  /** What captures the statements of the workload. */
  public enum Through {
    /** The JDBC driver. */
    DRIVER,
    /** The proxy of PostgreSQL's wire protocol; the workload has the plain driver. */
    PROXY;

    /**
     * What a name means.
     *
     * @throws IllegalArgumentException saying what was expected
     */
    public static Through ofLabel(String label) {
      for (Through each : values()) {
        if (each.name().toLowerCase(Locale.ROOT).equals(label)) {
          return each;
        }
      }
      throw new IllegalArgumentException("--through %s; expected driver or proxy".formatted(label));
    }
  }

  @Override
  public String name() {
    return "PostgreSQL";
  }

  @Override
  public Running start() throws TrialException {
    try {
      return new Server(EmbeddedDatabase.start(), through);
    } catch (IOException e) {
      throw new TrialException("the database did not start: " + e, e);
    }
  }

  private record Server(EmbeddedDatabase server, Through through) implements Running {
    @Override
    public ConnectionSource direct() {
      return () -> DriverManager.getConnection(server.jdbcUrl());
    }

    @Override
    public RegisterTable table() {
      return RegisterWorkload.REGISTERS;
    }

    @Override
    public Captured capture(CaptureConfig config, KafkaEmitter emitter, SessionLevels levels) {
      return switch (through) {
        case DRIVER -> driver(config, emitter, levels);
        case PROXY -> proxy(config, emitter, levels);
      };
    }

    private Captured driver(CaptureConfig config, KafkaEmitter emitter, SessionLevels levels) {
      ConnectionWrapper wrapper = IsotailDriver.wrapper(config, emitter, emitter.proxyId());
      ConnectionSource observed = () -> wrapper.wrap(direct().open());
      return Captured.of(table(), () -> observed, levels, wrapper::stats, () -> {});
    }

    private Captured proxy(CaptureConfig config, KafkaEmitter emitter, SessionLevels levels) {
      Capture capture = new Capture(config, emitter, emitter.proxyId());
      ProxyServer proxy =
          ProxyServer.start(
              ProxyConfig.of(
                  new ProxyConfig.Address("127.0.0.1", 0),
                  new ProxyConfig.Address("127.0.0.1", server.port())),
              CapturedConversations.of(capture));
      String url = EmbeddedDatabase.jdbcUrl(proxy.port());
      ConnectionSource observed = () -> DriverManager.getConnection(url);
      return Captured.of(table(), () -> observed, levels, capture::stats, proxy);
    }

    @Override
    public void close() throws IOException {
      server.close();
    }
  }
}
