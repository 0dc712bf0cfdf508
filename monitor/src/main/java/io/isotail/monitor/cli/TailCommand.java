package io.isotail.monitor.cli;

import io.isotail.ingest.jdbc.DriverReview;
import io.isotail.ingest.jdbc.DriverSetting;
import io.isotail.monitor.config.ConfigException;
import io.isotail.monitor.config.MonitorConfig;
import io.isotail.monitor.config.Setting;
import io.isotail.monitor.doctor.RealDriver;
import io.isotail.monitor.kafka.KafkaClients;
import io.isotail.monitor.kafka.Topics;
import io.isotail.monitor.offline.DatabaseOptions;
import io.isotail.monitor.offline.ExitCode;
import io.isotail.monitor.resolve.ResolveException;
import io.isotail.monitor.tail.LogPlaces;
import io.isotail.monitor.tail.LogTail;
import io.isotail.monitor.tail.Tail;
import io.isotail.monitor.tail.TailTarget;
import io.isotail.monitor.tail.WalTail;
import io.isotail.monitor.terminal.Printable;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code isotail tail}: follows the log of a database, until it is told to stop. */
@Command(
    name = "tail",
    mixinStandardHelpOptions = true,
    description = {
      "Follows the log of a PostgreSQL database or a MariaDB server as a replica does, and tells a"
          + " history what each transaction has changed, whoever wrote it: triggers, people at a"
          + " prompt, applications that nobody captures.",
      "",
      "On PostgreSQL rows that were not there, and rows that others wrote, are decided by it. Rows"
          + " of MariaDB do not say who wrote them: there all reads are decided by it.",
      "",
      "One process for each history and server, started before the applications. No value of a row"
          + " leaves it, only keyed hashes: give it the same key as the applications, in"
          + " isotail.key of --settings or in ISOTAIL_KEY."
    },
    footerHeading = "%n",
    footer = {
      "Example:",
      "  isotail tail --url jdbc:mariadb://db/shop --user isotail --check --history shop",
      "  isotail tail --url jdbc:mariadb://db/shop --user isotail --kafka kafka:9092 \\",
      "    --history shop",
      "",
      "MariaDB: GRANT REPLICATION SLAVE, BINLOG MONITOR ON *.* and SELECT on the",
      "tables; log_bin, binlog_format=ROW, binlog_row_image=FULL. On all nodes of a",
      "Galera cluster also wsrep_gtid_mode=ON and log_slave_updates.",
      "PostgreSQL: a user with REPLICATION and SELECT on the tables;",
      "wal_level=logical. A publication of the tables is made if their owner runs it.",
      "",
      "SIGTERM stops in order.",
      "Exit status: 143 after SIGTERM, 130 after Ctrl-C, 0 of --check, 2 bad usage, or the server's"
          + " log does not tell all."
    })
public final class TailCommand implements Callable<Integer> {
  /** Ids of replicas from here on are seldom given by hand. */
  private static final int FIRST_SERVER_ID = 1 << 30;

  private static final String POSTGRES = "jdbc:postgresql:";

  @Option(
      names = "--url",
      required = true,
      paramLabel = "URL",
      description =
          "The database, as in jdbc:mariadb://HOST:PORT/DATABASE or"
              + " jdbc:postgresql://HOST:PORT/DATABASE. Of a Galera cluster all nodes, the one"
              + " whose log is followed first: jdbc:mariadb://HOST:PORT,HOST:PORT/DATABASE.")
  private String url = "";

  @Mixin private ConnectOptions login = new ConnectOptions();

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "YAML file of the monitor, for how to reach Kafka.")
  private @Nullable Path file;

  @Option(names = "--kafka", paramLabel = "HOST:PORT[,…]", description = "Sets kafka.bootstrap.")
  private @Nullable String kafka;

  @Option(
      names = "--settings",
      paramLabel = "FILE",
      description = "Properties file with the driver's settings: isotail.key, isotail.history.")
  private @Nullable String settings;

  @Option(names = "--history", paramLabel = "ID", description = "Sets isotail.history.")
  private @Nullable String history;

  @Option(
      names = "--server-id",
      paramLabel = "N",
      description =
          "On MariaDB: id of this replica, that no other one has (default: a random one).")
  private @Nullable Long serverId;

  @Option(
      names = "--publication",
      paramLabel = "NAME",
      defaultValue = "isotail",
      description =
          "On PostgreSQL: name of the publication of the tables (default: ${DEFAULT-VALUE}).")
  private String publication = "isotail";

  @Option(
      names = "--check",
      description = "Says what the log would tell, changes nothing, and ends.")
  private boolean check;

  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() throws InterruptedException {
    try {
      follow();
      return ExitCode.PASSED;
    } catch (ConfigException
        | ResolveException
        | IllegalArgumentException
        | IllegalStateException
        | UncheckedIOException e) {
      Objects.requireNonNull(spec)
          .commandLine()
          .getErr()
          .println("isotail tail: " + Printable.escaped(String.valueOf(e.getMessage())));
      return ExitCode.BAD;
    }
  }

  private void follow() throws ConfigException, ResolveException, InterruptedException {
    DatabaseOptions.requireNoKey(url);
    DriverReview review = review();
    String id = review.history();
    if (id == null) {
      throw new IllegalArgumentException("found no history; expected --history");
    }
    Map<String, String> flags = new LinkedHashMap<>();
    String servers = kafka == null ? review.kafka() : kafka;
    if (servers != null) {
      flags.put(Setting.KAFKA_BOOTSTRAP.key(), servers);
    }
    MonitorConfig config = MonitorConfig.load(file, System.getenv(), flags);
    KafkaClients clients = new KafkaClients(config.kafka());
    try (Admin admin = clients.admin()) {
      boolean postgres = review.realUrl().startsWith(POSTGRES);
      LogTail tail =
          postgres
              ? ofPostgres(review, id, clients, config)
              : ofMariaDb(review, id, clients, config, admin);
      if (check) {
        check(tail);
        return;
      }
      requireTopic(config, admin);
      Runtime.getRuntime().addShutdownHook(new Thread(tail::close, "isotail-shutdown"));
      tail.run();
    }
  }

  private void check(LogTail tail) {
    try {
      PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
      tail.check().forEach(line -> out.println(Printable.escaped(line)));
    } catch (IllegalStateException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(String.valueOf(e.getMessage()), e);
    }
  }

  private LogTail ofPostgres(
      DriverReview review, String id, KafkaClients clients, MonitorConfig config) {
    String url = review.realUrl();
    Path jar = jar();
    String query = url.indexOf('?') < 0 ? url : url.substring(0, url.indexOf('?'));
    return new WalTail(
        query.substring(query.indexOf("//") + 2),
        () -> RealDriver.connect(url, patient(login.login()), jar),
        () -> RealDriver.connect(WalTail.replicating(url), login.login(), null),
        clients::streamer,
        config.kafka().eventsTopic(),
        id,
        review.identities(),
        publication);
  }

  /** Of a server that is gone something is heard, even if that is nothing. */
  private static Properties patient(Properties login) {
    login.setProperty("connectTimeout", "10");
    login.setProperty("socketTimeout", "60");
    return login;
  }

  private LogTail ofMariaDb(
      DriverReview review, String id, KafkaClients clients, MonitorConfig config, Admin admin) {
    List<TailTarget> targets = TailTarget.of(review.realUrl(), login.login());
    Path jar = jar();
    return new Tail(
        targets,
        target -> RealDriver.connect(target.url(), login.login(), jar),
        clients::streamer,
        config.kafka().eventsTopic(),
        id,
        review.identities(),
        serverId == null
            ? FIRST_SERVER_ID + ThreadLocalRandom.current().nextInt(FIRST_SERVER_ID)
            : serverId,
        new LogPlaces(admin, config.kafka().group() + "-tail-" + id));
  }

  private @Nullable Path jar() {
    return login.jars().isEmpty() ? null : login.jars().get(0);
  }

  private static void requireTopic(MonitorConfig config, Admin admin) throws InterruptedException {
    try {
      new Topics(config.kafka(), admin).events();
    } catch (KafkaException e) {
      throw new IllegalStateException(
          "Kafka at %s cannot be used: %s".formatted(config.kafka().bootstrap(), e.getMessage()),
          e);
    }
  }

  private DriverReview review() {
    Map<String, String> options = new HashMap<>();
    if (settings != null) {
      options.put(DriverSetting.CONFIG.key(), settings);
    }
    if (history != null) {
      options.put(DriverSetting.HISTORY.key(), history);
    }
    return DriverReview.of(url, options, System::getProperty, System::getenv);
  }
}
