package io.isotail.monitor.service;

import io.isotail.incremental.CheckerReport;
import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.monitor.api.HttpApi;
import io.isotail.monitor.config.MonitorConfig;
import io.isotail.monitor.metrics.MonitorMetrics;
import io.isotail.monitor.otlp.LogEvents;
import io.isotail.monitor.otlp.OtlpSender;
import io.isotail.monitor.pipeline.Pipeline;
import io.isotail.monitor.publish.PublishListener;
import io.isotail.monitor.status.MonitorStatus;
import io.isotail.monitor.status.StatusBoard;
import io.isotail.monitor.store.AnomalyStore;
import io.isotail.monitor.store.StoredAnomaly;
import io.isotail.monitor.store.StoredCause;
import io.isotail.monitor.store.StoredIncident;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A running monitor. Safe for use by many threads. */
public final class MonitorService implements AutoCloseable {
  /** What each of the others gets to stop in when the pipeline has taken all the time. */
  private static final long LEAST_NS = TimeUnit.MILLISECONDS.toNanos(500);

  private static final Logger log = LoggerFactory.getLogger(MonitorService.class);

  private final MonitorConfig config;
  private final AnomalyStore store;
  private final StatusBoard board;
  private final MonitorMetrics metrics;
  private final @Nullable OtlpSender events;
  private final Pipeline pipeline;
  private final HttpApi http;
  private volatile boolean closed;

  private MonitorService(MonitorConfig config, Consumer<Anomaly> onNew, boolean logged) {
    this.config = config;
    this.store = new AnomalyStore(config.retainedAnomalies());
    this.board = new StatusBoard();
    this.metrics =
        new MonitorMetrics(
            board,
            Objects.requireNonNullElse(publicUrl(), ""),
            withoutSlash(config.http().runbookUrl()));
    metrics.labels(history -> config.history(history).labels());
    this.events = sender(config, metrics);
    Consumer<Anomaly> anomalies = logged ? new AnomalyLog(this::address, onNew) : onNew;
    PublishListener listener = anomalies::accept;
    if (events != null) {
      listener = new LogEvents(this::address, this::isMuted, events::offer).and(listener);
    }
    this.pipeline = new Pipeline(config, store, metrics, board, listener);
    this.http =
        HttpApi.start(config, board, store, pipeline.archive(), pipeline.decisions(), metrics);
  }

  private static @Nullable OtlpSender sender(MonitorConfig config, MonitorMetrics metrics) {
    if (config.otlp() == null) {
      return null;
    }
    String instance = config.kafka().instanceId();
    String name = instance == null ? UUID.randomUUID().toString() : instance;
    return new OtlpSender(config.otlp(), name, metrics.events());
  }

  private boolean isMuted(String cause) {
    return pipeline.decisions().isMuted(cause);
  }

  /**
   * Starts a monitor. Returns as soon as it listens; the broker may come later.
   *
   * @throws IllegalStateException when the HTTP address cannot be had
   */
  public static MonitorService start(MonitorConfig config) {
    return start(config, anomaly -> {});
  }

  /**
   * Starts a monitor.
   *
   * @param onNew told of each anomaly that no earlier run has published, after it is logged, on the
   *     pipeline's thread; must not block
   */
  public static MonitorService start(MonitorConfig config, Consumer<Anomaly> onNew) {
    return start(new MonitorService(config, onNew, true));
  }

  /**
   * Starts a monitor that leaves it to {@code onNew} to tell of anomalies: none has a line in the
   * log.
   *
   * @param onNew as for {@link #start(MonitorConfig, Consumer)}
   */
  public static MonitorService startUnlogged(MonitorConfig config, Consumer<Anomaly> onNew) {
    return start(new MonitorService(config, onNew, false));
  }

  private static MonitorService start(MonitorService service) {
    service.pipeline.start();
    return service;
  }

  /** The port that it listens on. */
  public int port() {
    return http.port();
  }

  /** Address of the page, without a slash at its end. */
  public URI address() {
    String publicUrl = publicUrl();
    if (publicUrl != null) {
      return URI.create(publicUrl);
    }
    String host = config.http().host();
    boolean any = host.equals("0.0.0.0") || host.equals("::");
    String shown = any ? "localhost" : host.contains(":") ? "[" + host + "]" : host;
    String scheme = config.http().tls() == null ? "http" : "https";
    return URI.create("%s://%s:%d".formatted(scheme, shown, port()));
  }

  /** Address under which people reach the page, without a slash at its end; null if not told. */
  private @Nullable String publicUrl() {
    String url = config.http().publicUrl();
    return url == null ? null : withoutSlash(url);
  }

  private static String withoutSlash(String url) {
    return url.replaceAll("/+$", "");
  }

  /** Address of the page that shows one anomaly. */
  public URI address(String anomalyId) {
    return URI.create(address() + "/anomalies/" + anomalyId);
  }

  /**
   * Waits until everything is checked that is in the log at the time of the call, and shows in
   * {@link #reports} and {@link #anomalies}.
   *
   * @return whether that was so within {@code timeout}
   */
  public boolean awaitCaughtUp(Duration timeout) throws InterruptedException {
    return pipeline.awaitCaughtUp(timeout);
  }

  /**
   * Waits until the lag was measured when nothing was left to check. It is measured with each
   * answer of the broker, so it tells later than {@link #awaitCaughtUp} that all is checked.
   *
   * @return whether that was so within {@code timeout}; maybe never where others go on writing
   */
  public boolean awaitNoLag(Duration timeout) throws InterruptedException {
    return pipeline.awaitNoLag(timeout);
  }

  /** Each history's latest report, at most a fraction of a second old. */
  public SortedMap<String, CheckerReport> reports() {
    SortedMap<String, CheckerReport> reports = new TreeMap<>();
    board.current().histories().forEach((id, history) -> reports.put(id, history.report()));
    return reports;
  }

  /** Where the pipeline and each history stand, at most a fraction of a second old. */
  public MonitorStatus status() {
    return board.current();
  }

  /**
   * Waits until nothing is read any more, which happens after {@link #close}, or when only an
   * operator can help.
   *
   * @return why
   */
  public String awaitStopped() throws InterruptedException {
    while (!board.await(s -> s.phase() == MonitorStatus.Phase.STOPPED, Duration.ofHours(1))) {
      // Months may pass.
    }
    return String.valueOf(board.current().problem());
  }

  /** Whether {@link #close} has been called. */
  public boolean closed() {
    return closed;
  }

  /** The anomalies that are kept, oldest first. */
  public List<StoredAnomaly> anomalies() {
    return store.all();
  }

  /** What the anomalies have in common, the cause that struck last first. */
  public List<StoredCause> causes() {
    return store.causes().list(null);
  }

  /** What the causes have in common, the incident that struck last first. */
  public List<StoredIncident> incidents() {
    return store.incidents().list(null);
  }

  /** How many anomalies of this id were observed; 0 when it is not kept. */
  public long occurrences(String anomalyId) {
    return store.find(anomalyId).map(StoredAnomaly::occurrences).orElse(0L);
  }

  /** What the configuration said at the start. */
  public MonitorConfig config() {
    return config;
  }

  /**
   * Declares histories as this says. What else has changed needs a restart, and the log says so.
   */
  public void reload(MonitorConfig changed) {
    if (!config.equals(changed.withHistoriesOf(config))) {
      log.warn(
          "the configuration has changed in more than its histories; the rest needs a restart");
    }
    metrics.reloaded(true);
    metrics.labels(history -> changed.history(history).labels());
    pipeline.reload(changed);
  }

  /** The configuration has changed into one that cannot be used; the old one holds. */
  public void reloadFailed() {
    metrics.reloaded(false);
  }

  /**
   * Stops reading, flushes what was found, sends what events wait, then stops to answer; within
   * {@code shutdown-ms}, or a second more.
   */
  @Override
  public void close() {
    closed = true;
    long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(config.shutdownMs());
    pipeline.close();
    if (events != null) {
      events.close(left(deadlineNs));
    }
    http.close(left(deadlineNs));
    metrics.close();
  }

  private static Duration left(long deadlineNs) {
    return Duration.ofNanos(Math.max(LEAST_NS, deadlineNs - System.nanoTime()));
  }
}
