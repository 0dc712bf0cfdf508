package io.isotail.monitor.config;

import static io.isotail.monitor.config.Allowed.BOOLEAN;
import static io.isotail.monitor.config.Allowed.FILE;
import static io.isotail.monitor.config.Allowed.LEVEL_NAME;
import static io.isotail.monitor.config.Allowed.NAME;
import static io.isotail.monitor.config.Allowed.number;
import static io.isotail.monitor.config.Allowed.text;

import io.isotail.incremental.config.CheckerConfig;
import io.isotail.ingest.capture.CaptureSetting;
import io.isotail.ingest.event.EventCodec;
import io.isotail.ingest.proxy.ProxyConfig;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/**
 * The settings that exist: the one table that names, defaults, bounds, {@code --print-config} and
 * the tables of the README come from. A setting of a history is written {@code defaults.NAME} for
 * every history and {@code histories.ID.NAME} for one. Each command has {@linkplain Scope those
 * that it needs}.
 */
public enum Setting {
  KAFKA_BOOTSTRAP("kafka.bootstrap", text("`HOST:PORT`, …"), "127.0.0.1:9092", "brokers"),
  KAFKA_EVENTS_TOPIC("kafka.events-topic", NAME, EventCodec.TOPIC, "topic that the proxies write"),
  KAFKA_ANOMALIES_TOPIC(
      "kafka.anomalies-topic", NAME, "isotail.anomalies", "topic for what is found"),
  KAFKA_STATE_TOPIC("kafka.state-topic", NAME, "isotail.state", "compacted topic for saved states"),
  KAFKA_STATUS_TOPIC(
      "kafka.status-topic",
      NAME,
      "isotail.status",
      "where the instances stand, for their pages; kept for an hour"),
  KAFKA_DECISIONS_TOPIC(
      "kafka.decisions-topic",
      NAME,
      "isotail.decisions",
      "compacted topic for what people decide about causes"),
  KAFKA_GROUP("kafka.group", NAME, "isotail-monitor", "consumer group that shares the work"),
  KAFKA_INSTANCE_ID(
      "kafka.instance-id",
      NAME,
      "name of this instance in the group, the same after a restart; empty: a new one each time"),
  CHECKPOINT_INTERVAL_MS(
      "checkpoint.interval-ms",
      number(100, 86_400_000),
      10_000,
      "least time between two saved states; up to 60 times as much where saving takes long"),
  KAFKA_CREATE_TOPICS("kafka.create-topics", BOOLEAN, true, "whether missing topics are created"),
  KAFKA_PARTITIONS(
      "kafka.partitions", number(1, 10_000), 1, "partitions of an events topic that is created"),
  KAFKA_PROPERTIES(
      "kafka.properties.*",
      text("what Kafka takes"),
      "handed to every Kafka client (TLS, SASL, timeouts), except for the monitor's own"),
  HTTP_HOST(
      "http.host",
      Allowed.HOST,
      "127.0.0.1",
      "address to listen on; see [who may look](#who-may-look) before you open it"),
  HTTP_PORT("http.port", number(0, 65_535), 9617, "port; 0 takes any free one"),
  HTTP_PUBLIC_URL(
      "http.public-url",
      text("`http(s)://HOST[:PORT][/PATH]`"),
      "address under which people reach the page"),
  HTTP_RUNBOOK_URL(
      "http.runbook-url",
      text("`http(s)://HOST[:PORT][/PATH]`"),
      "https://github.com/isotail/isotail/blob/main/dashboards/runbooks",
      "address of the folder with the runbooks; alerts lead there"),
  HTTP_USER("http.user", text("name"), "the one user who may look; empty: everybody may"),
  HTTP_PASSWORD("http.password", Allowed.SECRET, "password of `http.user`"),
  HTTP_PASSWORD_FILE(
      "http.password-file", FILE, "file with it on one line, in place of `http.password`"),
  HTTP_TLS_CERTIFICATE(
      "http.tls.certificate",
      FILE,
      "PEM file of the server's certificate, then of those that signed it; with it, HTTPS only"),
  HTTP_TLS_KEY("http.tls.key", FILE, "PEM file of its private key, RSA or EC, not encrypted"),
  TRACE_URL_TEMPLATE(
      "trace.url-template",
      text("`https://tempo.example/trace/{trace}`"),
      "address of a trace, with `{trace}` in place of its id: a witness then links to the traces of"
          + " its transactions"),
  OTLP_ENDPOINT(
      "otlp.endpoint",
      text("`http(s)://HOST[:PORT][/PATH]`"),
      "receiver of OpenTelemetry's protocol over HTTP: each new incident and cause is sent to its"
          + " `/v1/logs` as [a log event](#events-for-opentelemetry); empty: none is"),
  OTLP_HEADERS(
      "otlp.headers",
      Allowed.SECRET,
      "`NAME=VALUE`, … of each request, as `OTEL_EXPORTER_OTLP_HEADERS` has them: a `,` in a value"
          + " is `%2C`"),
  OTLP_TIMEOUT_MS(
      "otlp.timeout-ms", number(100, 600_000), 10_000, "longest wait for the receiver's answer"),
  ANOMALIES_RETAINED(
      "anomalies.retained", number(1, 1_000_000), 10_000, "anomalies that the page can show"),
  MAX_HISTORIES(
      "max-histories", number(1, 100_000), 100, "histories checked; of others records are bad"),
  SHUTDOWN_MS(
      "shutdown-ms", number(100, 3_600_000), 10_000, "longest time that an orderly stop may take"),

  PROMISE("promise", LEVEL_NAME, "promised to every transaction; empty: by the level it ran at"),
  LEVEL("level", Allowed.STRONGEST, "strongest level to check; empty: `strict-serializable`"),
  CLOSED("closed", BOOLEAN, Live.CONFIG.closed(), "whether every writer is captured"),
  UNIQUE_VERSIONS(
      "unique-versions",
      BOOLEAN,
      Live.CONFIG.uniqueVersions(),
      "whether no two writes of a key share a version"),
  COUNTING_TABLES(
      "counting-tables",
      Allowed.TABLES,
      "tables whose versions never start again, although rows may be deleted: `account, orders`"),
  DELETES("deletes", BOOLEAN, Live.CONFIG.deletes(), "whether keys can be deleted"),
  OUTSIDERS(
      "outsiders",
      BOOLEAN,
      Live.CONFIG.outsiders(),
      "whether somebody may write who is promised less than `serializable`, or, in an open history,"
          + " is not captured"),
  WINDOW_TRANSACTIONS(
      "window.transactions",
      number(2),
      Live.CONFIG.windowTransactions(),
      "delivered transactions kept"),
  WINDOW_RETIRED_VERSIONS(
      "window.retired-versions",
      number(0),
      Live.CONFIG.retiredVersions(),
      "versions remembered of what left the window"),
  PENDING_TRANSACTIONS(
      "pending.transactions",
      number(1),
      Live.CONFIG.pendingTransactions(),
      "transactions that may wait for delivery"),
  TRANSACTION_OPERATIONS(
      "transaction.operations",
      number(1),
      Live.CONFIG.maxTransactionOperations(),
      "operations kept of one transaction"),
  CLOCK_UNCERTAINTY(
      "clock-uncertainty",
      Allowed.TIME,
      "how far the clocks of two proxies may be apart; empty: times of two clocks are never"
          + " compared, so that `strict-serializable` is undecided from the second clock on"),
  PROXY_SILENT_AFTER_MS(
      "proxy.silent-after-ms",
      number(1),
      Live.CONFIG.silentAfterMs(),
      "silence after which a proxy is taken for dead, while others are heard"),
  PROVEN_PER_INTERVAL(
      "witnesses.proven-per-interval",
      number(1),
      Live.CONFIG.provenPerInterval(),
      "anomalies of one pattern that get a proof and a page of their own in 10 minutes or 100,000"
          + " transactions; the others are counted"),
  SHED_TO(
      "shed.to",
      LEVEL_NAME,
      "strongest to check while behind, `causal` or more; empty: never fewer levels"),
  SHED_AFTER_MS("shed.after-ms", number(1), 30_000, "lag from which on levels are shed"),
  SHED_RECOVER_MS(
      "shed.recover-ms", number(1), 600_000, "time without lag until all levels are checked again"),
  SHED_OBEY(
      "shed.obey",
      BOOLEAN,
      true,
      "whether control records may shed levels; `false` to check again what was shed"),
  LABELS(
      "labels.*",
      text("up to 100 characters"),
      "label of the history's metrics and alerts, to route by, such as `labels.team`; at most 8,"
          + " empty to leave one of the defaults out"),
  PROMISES(
      "promises.DATABASE:LEVEL",
      LEVEL_NAME,
      "promise for transactions that ran at that level, for instance"
          + " `promises.postgresql:repeatable-read`, or `promises.postgresql-standby:repeatable-read`"
          + " for reads on physical standbys; without it as PostgreSQL documents. What ran at"
          + " another database's `read-uncommitted` is held to nothing unless it has one"),

  LISTEN(
      "listen",
      Allowed.ADDRESS,
      "127.0.0.1:6432",
      "where clients connect; port 0 takes any free one"),
  UPSTREAM("upstream", Allowed.ADDRESS, "the PostgreSQL server; must be set"),
  TLS_CERTIFICATE(
      "tls.certificate",
      FILE,
      "PEM file of what clients are shown, then of those that signed it; without it clients are"
          + " refused TLS"),
  TLS_KEY("tls.key", FILE, "PEM file of its private key, RSA or EC, not encrypted"),
  UPSTREAM_TLS_MODE(
      "upstream-tls.mode",
      Allowed.TLS_MODE,
      "prefer",
      "whether the server is reached with TLS, and who it must be, as PostgreSQL's `sslmode` says"),
  UPSTREAM_TLS_CA(
      "upstream-tls.ca", FILE, "PEM file of those that may have signed the server's certificate"),
  SECRETS(
      "secrets",
      FILE,
      "file of `\"user\" \"SCRAM-SHA-256$…\"`, a line for each user that logs in at the proxy"),
  MAX_CONNECTIONS(
      "max-connections",
      number(1),
      ProxyConfig.DEFAULT_CONNECTIONS,
      "clients at once; what comes beyond is refused"),
  EVENT_LOOPS(
      "event-loops",
      number(0, 1_000),
      0,
      "threads that read and write connections; 0: one for each processor, with `capture: false` one"
          + " for two"),
  START_UP_MS(
      "start-up-ms",
      number(100, 3_600_000),
      ProxyConfig.DEFAULT_START_MS,
      "longest time for a client's start-up message, and to reach the server"),
  DRAIN_MS(
      "drain-ms",
      number(0, 86_400_000),
      30_000,
      "longest time that sessions may go on after SIGTERM"),
  PROXY_HTTP_PORT(
      "http.port", number(0, 65_535), 9618, "port of metrics and health; 0 takes any free one"),
  CAPTURE(
      "capture",
      BOOLEAN,
      true,
      "`false` passes every byte on as it comes and records nothing; `history` and `kafka` need not"
          + " be set then"),
  CAPTURE_TABLES(CaptureSetting.TABLES),
  CAPTURE_HISTORY(CaptureSetting.HISTORY),
  CAPTURE_KAFKA(CaptureSetting.KAFKA),
  CAPTURE_KAFKA_PROPERTIES(
      "kafka.*", text("what Kafka takes"), "handed to Kafka's producer, such as `kafka.acks`"),
  CAPTURE_SERVICE(CaptureSetting.SERVICE),
  CAPTURE_INSTANCE(CaptureSetting.INSTANCE),
  CAPTURE_VERSION(CaptureSetting.VERSION),
  CAPTURE_KEY(CaptureSetting.KEY),
  CAPTURE_CLEAR_NAMES(CaptureSetting.CLEAR_NAMES),
  CAPTURE_HARMLESS_FUNCTIONS(CaptureSetting.HARMLESS_FUNCTIONS),
  CAPTURE_REWRITE(CaptureSetting.REWRITE),
  CAPTURE_CHUNK_OPERATIONS(CaptureSetting.CHUNK_OPERATIONS),
  CAPTURE_QUEUE_RECORDS(CaptureSetting.QUEUE_RECORDS),
  CAPTURE_START_WAIT_MS(CaptureSetting.START_WAIT_MS);

  /** Settings of the monitor as a whole. */
  static final Set<Setting> MONITOR =
      Collections.unmodifiableSet(EnumSet.range(KAFKA_BOOTSTRAP, SHUTDOWN_MS));

  /** Settings of each history. */
  static final Set<Setting> HISTORY = Collections.unmodifiableSet(EnumSet.range(PROMISE, PROMISES));

  /** Settings of a proxy, some of which it shares with the monitor. */
  static final Set<Setting> PROXY = ofProxy();

  private static Set<Setting> ofProxy() {
    Set<Setting> settings = EnumSet.range(LISTEN, CAPTURE_START_WAIT_MS);
    settings.addAll(EnumSet.of(HTTP_HOST, HTTP_USER, HTTP_PASSWORD, HTTP_PASSWORD_FILE));
    settings.addAll(EnumSet.of(HTTP_TLS_CERTIFICATE, HTTP_TLS_KEY));
    return Collections.unmodifiableSet(settings);
  }

  /** Prefix of the settings that hold for every history. */
  public static final String DEFAULTS = "defaults.";

  /** Prefix of the settings of one history. */
  public static final String HISTORIES = "histories.";

  private final String key;

  @SuppressWarnings("ImmutableEnumChecker") // its functions keep no state
  private final Allowed allowed;

  private final String fallback;
  private final String doc;

  Setting(String key, Allowed allowed, String doc) {
    this(key, allowed, "", doc);
  }

  Setting(String key, Allowed allowed, Object fallback, String doc) {
    this.key = key;
    this.allowed = allowed;
    this.fallback = String.valueOf(fallback);
    this.doc = doc;
  }

  Setting(CaptureSetting shared) {
    this(shared.label(), allowed(shared), shared.fallback(), shared.doc(""));
  }

  private static Allowed allowed(CaptureSetting shared) {
    return switch (shared.kind()) {
      case TEXT -> text("text");
      case SECRET -> Allowed.SECRET;
      case BOOLEAN -> BOOLEAN;
      case NUMBER -> number(shared.least());
    };
  }

  /** The one that is also a setting of the driver. */
  static Setting of(CaptureSetting shared) {
    return valueOf("CAPTURE_" + shared.name());
  }

  /** Dotted name, as the YAML file nests it, without the prefix of a history. */
  public String key() {
    return key;
  }

  Allowed allowed() {
    return allowed;
  }

  /** Value when nothing sets it; empty for none. */
  public String fallback() {
    return fallback;
  }

  /** Whether it stands for every name that begins with {@link #prefix}. */
  boolean isFamily() {
    return this == KAFKA_PROPERTIES
        || this == CAPTURE_KAFKA_PROPERTIES
        || this == LABELS
        || this == PROMISES;
  }

  /** What the names of a family have in common, with its dot. */
  public String prefix() {
    return key.substring(0, key.lastIndexOf('.') + 1);
  }

  /** Whether a setting, or one of a family, has this name. */
  boolean hasName(String name) {
    return isFamily() ? name.startsWith(prefix()) : key.equals(name);
  }

  /** The line of the README's table. */
  String row() {
    return "| `%s` | %s |%s | %s |"
        .formatted(key, allowed.words(), fallback.isEmpty() ? "" : " `" + fallback + "`", doc);
  }

  /** Name of the environment variable that sets {@code name}. */
  static String environmentName(String name) {
    return "ISOTAIL_" + name.toUpperCase(Locale.ROOT).replaceAll("[^A-Z0-9]", "_");
  }

  @Override
  public String toString() {
    return key;
  }

  /** The checker's own defaults for live traffic. */
  private static final class Live {
    private static final CheckerConfig CONFIG = CheckerConfig.forLive("");
  }
}
