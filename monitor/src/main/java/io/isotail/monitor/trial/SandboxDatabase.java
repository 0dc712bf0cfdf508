package io.isotail.monitor.trial;

import io.isotail.incremental.level.IsolationLevel;
import io.isotail.ingest.capture.Capture;
import io.isotail.ingest.capture.CaptureConfig;
import io.isotail.ingest.emit.KafkaEmitter;
import io.isotail.ingest.jdbc.ConnectionWrapper;
import io.isotail.ingest.jdbc.IsotailDriver;
import io.isotail.ingest.postgres.CapturedConversations;
import io.isotail.ingest.proxy.ProxyConfig;
import io.isotail.ingest.proxy.ProxyServer;
import io.isotail.ingest.sandbox.Background;
import io.isotail.ingest.sandbox.EmbeddedDatabase;
import io.isotail.ingest.shop.ShopEndpoints;
import io.isotail.ingest.shop.ShopTables;
import io.isotail.ingest.shop.ShopWorkload;
import io.isotail.ingest.workload.ConnectionSource;
import io.isotail.ingest.workload.RegisterWorkload;
import io.isotail.ingest.workload.Workload;
import io.isotail.ingest.workload.WorkloadConfig;
import io.isotail.monitor.config.Setting;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A PostgreSQL that is started for the trial.
 *
 * @param traffic what runs on it
 * @param through what the workload's statements are captured by
 */
public record SandboxDatabase(Traffic traffic, Through through) implements TrialDatabase {

  /** What runs on the database. */
  public enum Traffic {
    /** A shop of three services, with one endpoint that loses updates. */
    SHOP,
    /** Random transactions on a few rows. */
    REGISTERS;

    /**
     * What a name means.
     *
     * @throws IllegalArgumentException saying what was expected
     */
    public static Traffic ofLabel(String label) {
      return of(values(), "--workload", label);
    }
  }

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
      return of(values(), "--through", label);
    }
  }

  private static <E extends Enum<E>> E of(E[] values, String option, String label) {
    for (E each : values) {
      if (label(each).equals(label)) {
        return each;
      }
    }
    throw new IllegalArgumentException(
        "%s %s; expected %s"
            .formatted(
                option,
                label,
                Arrays.stream(values)
                    .map(SandboxDatabase::label)
                    .collect(Collectors.joining(" or "))));
  }

  private static String label(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  /**
   * What PostgreSQL documents for a level; of the shop's own levels that its right endpoints keep
   * serializable.
   */
  public static IsolationLevel documented(DatabaseIsolation isolation) {
    return switch (isolation) {
      case READ_UNCOMMITTED, READ_COMMITTED -> IsolationLevel.READ_COMMITTED;
      case REPEATABLE_READ -> IsolationLevel.SNAPSHOT_ISOLATION;
      case SERIALIZABLE, DEFAULT -> IsolationLevel.SERIALIZABLE;
    };
  }

  @Override
  public String name() {
    return "PostgreSQL";
  }

  @Override
  public String traffic(WorkloadConfig workload) {
    int rate = workload.maxTransactionsPerSecond();
    return traffic == Traffic.SHOP
        ? "a shop of three services: %d endpoints that are right, and one that is not, %s"
            .formatted(
                ShopEndpoints.RIGHT.size(),
                rate == 0 ? "as fast as it can" : "%,d transactions/s".formatted(rate))
        : TrialDatabase.super.traffic(workload);
  }

  @Override
  public Running start() throws TrialException {
    try {
      EmbeddedDatabase server = EmbeddedDatabase.start();
      server.giveWay();
      return new Server(server, traffic, through);
    } catch (IOException e) {
      throw new TrialException("the database did not start: " + e, e);
    }
  }

  private record Server(EmbeddedDatabase server, Traffic traffic, Through through)
      implements Running {
    @Override
    public ConnectionSource direct() {
      return () -> DriverManager.getConnection(server.jdbcUrl());
    }

    @Override
    public String address() {
      return "postgresql://postgres@localhost:%d/postgres".formatted(server.port());
    }

    @Override
    public String table() {
      return traffic == Traffic.SHOP ? "stock" : RegisterWorkload.REGISTERS.name();
    }

    @Override
    public String observed() {
      return traffic == Traffic.SHOP ? "" : RegisterWorkload.REGISTERS.observed();
    }

    /** Rows of the shop tell who wrote them; nothing needs to be declared of its tables. */
    @Override
    public Map<Setting, String> declared() {
      return traffic == Traffic.SHOP
          ? Map.of(Setting.CLOSED, "true", Setting.DELETES, "false")
          : Running.super.declared();
    }

    @Override
    public void create() throws SQLException {
      if (traffic == Traffic.REGISTERS) {
        RegisterWorkload.REGISTERS.create(direct());
        return;
      }
      try (Connection connection = direct().open()) {
        ShopTables.create(connection);
      }
    }

    @Override
    public Captured capture(CaptureConfig config, KafkaEmitter emitter, SessionLevels levels) {
      return through == Through.DRIVER
          ? throughDriver(config, emitter, levels)
          : throughProxy(config, emitter, levels);
    }

    /** Each service has a driver of its own, as in a process of its own. */
    private Captured throughDriver(
        CaptureConfig config, KafkaEmitter emitter, SessionLevels levels) {
      Map<String, ConnectionWrapper> drivers = new ConcurrentHashMap<>();
      Thread starter = Thread.currentThread();
      Function<String, ConnectionSource> observed =
          service -> {
            ConnectionWrapper driver =
                drivers.computeIfAbsent(
                    service,
                    name ->
                        IsotailDriver.wrapper(
                            config.withService(name, ""), emitter, emitter.proxyId()));
            return () -> driver.wrap(connect(server.port(), service, starter));
          };
      return new Captured(
          workload(observed, config.service(), levels),
          () -> drivers.values().stream().map(ConnectionWrapper::stats).toList(),
          () -> {});
    }

    private Captured throughProxy(
        CaptureConfig config, KafkaEmitter emitter, SessionLevels levels) {
      Capture capture = new Capture(config, emitter, emitter.proxyId());
      ProxyServer proxy =
          ProxyServer.start(
              ProxyConfig.of(
                  new ProxyConfig.Address("127.0.0.1", 0),
                  new ProxyConfig.Address("127.0.0.1", server.port())),
              CapturedConversations.of(capture));
      Thread starter = Thread.currentThread();
      Function<String, ConnectionSource> observed =
          service -> () -> connect(proxy.port(), service, starter);
      return new Captured(
          workload(observed, config.service(), levels), () -> List.of(capture.stats()), proxy);
    }

    /**
     * An application tells its name to the database, and isotail reads it there. Each session has a
     * thread of its own, which gives way; whoever starts them does not.
     */
    private static Connection connect(int port, String service, Thread starter)
        throws SQLException {
      if (Thread.currentThread() != starter) {
        Background.enter();
      }
      return DriverManager.getConnection(
          EmbeddedDatabase.jdbcUrl(port) + "&ApplicationName=" + service);
    }

    private Function<WorkloadConfig, Workload> workload(
        Function<String, ConnectionSource> observed, String service, SessionLevels levels) {
      return traffic == Traffic.SHOP
          ? config ->
              new ShopWorkload(
                  new ShopWorkload.Plan(
                      config.sessions(),
                      config.maxTransactionsPerSecond(),
                      config.seed(),
                      levels.all().get(0).isolation().jdbc()),
                  each -> observed.apply(each.label()))
          : Captured.registers(RegisterWorkload.REGISTERS, () -> observed.apply(service), levels);
    }

    @Override
    public void close() throws IOException {
      server.close();
    }
  }
}
