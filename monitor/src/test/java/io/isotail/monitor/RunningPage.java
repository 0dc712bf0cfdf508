package io.isotail.monitor;

import io.isotail.incremental.Checker;
import io.isotail.incremental.CheckerReport;
import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.incremental.anomaly.AnomalyKind;
import io.isotail.incremental.anomaly.AnomalyListener;
import io.isotail.incremental.anomaly.UndecidedReason;
import io.isotail.incremental.cause.CauseReport;
import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.coverage.CaptureReport;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.level.Verdict;
import io.isotail.incremental.record.NotCaptured;
import io.isotail.incremental.verdict.LevelReport;
import io.isotail.incremental.verdict.Marker;
import io.isotail.incremental.verdict.Moment;
import io.isotail.monitor.api.HttpApi;
import io.isotail.monitor.config.MonitorConfig;
import io.isotail.monitor.metrics.MonitorMetrics;
import io.isotail.monitor.metrics.PartitionShare;
import io.isotail.monitor.render.AnomalyDocument;
import io.isotail.monitor.render.CauseJson;
import io.isotail.monitor.render.IncidentJson;
import io.isotail.monitor.render.StatusJson;
import io.isotail.monitor.status.Fleet;
import io.isotail.monitor.status.HistoryStatus;
import io.isotail.monitor.status.Lag;
import io.isotail.monitor.status.MonitorStatus;
import io.isotail.monitor.status.Peer;
import io.isotail.monitor.status.StatusBoard;
import io.isotail.monitor.status.VerdictTrack;
import io.isotail.monitor.store.AnomalyStore;
import io.isotail.monitor.store.Archive;
import io.isotail.monitor.store.Decision;
import io.isotail.monitor.store.DecisionStore;
import io.isotail.monitor.store.Decisions;
import io.isotail.monitor.store.StoredAnomaly;
import io.isotail.monitor.store.StoredCause;
import io.isotail.monitor.store.StoredIncident;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;

/** The HTTP side of a monitor, over a store and a status that the test fills. */
public final class RunningPage implements AutoCloseable {
  private static final AnomalyListener NOTHING_FOUND =
      new AnomalyListener() {
        @Override
        public void found(Anomaly anomaly) {}

        @Override
        public void repeated(String id, long occurrences) {}
      };

  /** When what other instances do began. */
  public static final long PEER_SINCE_MS = 1_790_000_000_000L;

  private final MonitorConfig config;

  /** How far the clock is back by which phases begin, in ms. */
  private volatile long backMs;

  private final StatusBoard board = new StatusBoard(() -> System.currentTimeMillis() - backMs);
  private final AnomalyStore store;
  private final MonitorMetrics metrics = new MonitorMetrics(board);
  private final HttpApi http;
  private final HttpClient client;
  private final String scheme;
  private Fleet fleet = Fleet.NONE;

  /** Kept by nobody but this page. */
  private final DecisionStore decided = new DecisionStore();

  private final Decisions decisions =
      new Decisions() {
        @Override
        public Optional<Decision> of(String cause) {
          return decided.find(cause, System.currentTimeMillis());
        }

        @Override
        public CompletionStage<Void> decide(Decision decision) {
          decided.put(decision);
          return kept;
        }

        @Override
        public CompletionStage<Void> lift(String cause) {
          decided.remove(cause);
          return CompletableFuture.completedStage(null);
        }
      };

  private volatile CompletionStage<Void> kept = CompletableFuture.completedStage(null);
  private volatile boolean topicAway;

  /** Has nothing but what memory has, or cannot be asked. */
  private final Archive archive =
      new Archive() {
        @Override
        public CompletionStage<Optional<StoredAnomaly>> anomaly(String id) {
          return topicAway ? failed() : NONE.anomaly(id);
        }

        @Override
        public CompletionStage<Optional<StoredCause>> cause(String id) {
          return topicAway ? failed() : NONE.cause(id);
        }

        @Override
        public CompletionStage<Optional<StoredIncident>> incident(String id) {
          return topicAway ? failed() : NONE.incident(id);
        }

        private static <T> CompletionStage<T> failed() {
          return CompletableFuture.failedStage(new IOException("the broker is away"));
        }
      };

  /** Listens on a free port, with no history and no anomaly. */
  public RunningPage() {
    this(1_000);
  }

  /** Listens on a free port, and keeps so many anomalies. */
  public RunningPage(int retained) {
    this(
        Map.of("http.port", "0", "anomalies.retained", Integer.toString(retained)),
        HttpClient.newHttpClient());
  }

  /** Listens with these settings, on the loopback address, and asks through this client. */
  public RunningPage(Map<String, String> settings, HttpClient client) {
    config = MonitorConfig.of(settings);
    this.store = new AnomalyStore(config.retainedAnomalies());
    this.client = client;
    this.scheme = config.http().tls() == null ? "http" : "https";
    http = HttpApi.start(config, board, store, archive, decisions, metrics);
  }

  /** From now on the anomalies topic cannot be read, or can again. */
  public void topicAway(boolean away) {
    topicAway = away;
  }

  /** From now on a decision is kept when {@code stage} ends. */
  public void decisionsAreKept(CompletionStage<Void> stage) {
    kept = stage;
  }

  /** Adds an anomaly, as the pipeline does. */
  public void found(Anomaly anomaly) {
    found(anomaly, Instant.ofEpochMilli(anomaly.commitTimeNs() / 1_000_000));
  }

  /** Adds an anomaly that was logged then. */
  public void found(Anomaly anomaly, Instant loggedAt) {
    StoredAnomaly stored =
        StoredAnomaly.of(
            AnomalyDocument.bytes(
                anomaly,
                loggedAt.toEpochMilli(),
                config.history(anomaly.history()).checker().clockUncertaintyNs()));
    store.add(stored);
    metrics.found(stored);
    metrics.published(anomaly, anomaly.commitTimeNs() + 250_000_000);
  }

  /** Shows what anomalies have in common. */
  public void caused(CauseReport cause) {
    StoredCause stored =
        StoredCause.of(CauseJson.of(cause).toString().getBytes(StandardCharsets.UTF_8));
    store.causes().put(stored);
    StoredIncident incident =
        StoredIncident.of(
            IncidentJson.of(SampleAnomalies.incident(cause), cause)
                .toString()
                .getBytes(StandardCharsets.UTF_8));
    store.incidents().put(incident);
    metrics.knows(incident);
    metrics.caused(stored.history(), stored.slot(), cause.violations());
  }

  /** Makes the anomaly an often observed one. */
  public void repeated(String id, long occurrences) {
    store.repeated(id, occurrences);
  }

  /** Shows these histories, read without a hitch. */
  public void show(HistoryStatus... histories) {
    show(null, 0, histories);
  }

  /** Shows these histories with a problem and a lag. */
  public void show(String problem, long lagRecords, HistoryStatus... histories) {
    SortedMap<String, HistoryStatus> byId = new TreeMap<>();
    for (HistoryStatus history : histories) {
      byId.put(history.history(), history);
      metrics.expect(history.history(), IsolationLevel.CAUSAL);
    }
    metrics.checks(new PartitionShare("k1", "isotail-monitor", 1, 1));
    publish(MonitorStatus.Phase.RUNNING, problem, lagRecords, byId);
  }

  /** From now on shows what this other instance has reported, beside its own. */
  public void hear(Peer peer) {
    List<Peer> peers = new ArrayList<>(fleet.peers());
    peers.add(peer);
    fleet = new Fleet("monitor-0", peers, null);
  }

  /** Another instance that has reported these histories, and stays fresh for an hour. */
  public static Peer peer(String name, String problem, HistoryStatus... histories) {
    SortedMap<String, String> byId = new TreeMap<>();
    for (HistoryStatus history : histories) {
      byId.put(
          history.history(), StatusJson.history(history).put(StatusJson.INSTANCE, name).toString());
    }
    return new Peer(
        name,
        System.nanoTime() + TimeUnit.HOURS.toNanos(1),
        MonitorStatus.Phase.RUNNING,
        PEER_SINCE_MS,
        problem,
        new Lag(40, 800, 0.02),
        0,
        byId);
  }

  /** Shows no history, and a monitor that does something else than reading. */
  public void show(MonitorStatus.Phase phase, String problem) {
    publish(phase, problem, 0, new TreeMap<>());
  }

  /** Shows the same of a monitor that has begun with it so long ago. */
  public void show(MonitorStatus.Phase phase, String problem, Duration ago) {
    backMs = ago.toMillis();
    show(phase, problem);
    backMs = 0;
  }

  private void publish(
      MonitorStatus.Phase phase,
      String problem,
      long lagRecords,
      SortedMap<String, HistoryStatus> byId) {
    board.measured(
        problem == null ? new Lag(lagRecords, 20 * lagRecords, lagRecords / 2_000.0) : null);
    board.publish(
        new MonitorStatus(phase, 0, problem, Map.of(0, 5_000L), null, 3, 0, 12.5, 0, byId, fleet));
  }

  /** A history with some traffic. */
  public static HistoryStatus history(
      String id, Verdict causal, Map<AnomalyKind, Long> found, String failure) {
    return history(id, causal, found, failure, 0, true, false);
  }

  /** A history that was violated so long ago that it has left the window. */
  public static HistoryStatus historyBrokenEarlier(String id) {
    return history(
        id, Verdict.FAIL, Map.of(AnomalyKind.CAUSALITY_VIOLATION, 1L), null, 0, false, false);
  }

  /** A history of which the strongest levels are shed. */
  public static HistoryStatus historyShed(String id) {
    return history(id, Verdict.UNDECIDED, Map.of(), null, 0, true, true);
  }

  /** A history of which all levels are checked, up to a promise that is broken. */
  public static HistoryStatus historyOfAllLevels(String id) {
    Map<IsolationLevel, LevelReport> levels = new EnumMap<>(IsolationLevel.class);
    for (IsolationLevel level : IsolationLevel.values()) {
      int strength = level.compareTo(IsolationLevel.SNAPSHOT_ISOLATION);
      Verdict verdict =
          strength < 0 ? Verdict.PASS : strength == 0 ? Verdict.UNDECIDED : Verdict.FAIL;
      levels.put(level, level(verdict, false));
    }
    return history(
        id,
        Verdict.FAIL,
        Map.of(AnomalyKind.LOST_UPDATE, 1L),
        null,
        0,
        true,
        false,
        true,
        CaptureReport.NONE,
        IsolationLevel.STRICT_SERIALIZABLE,
        levels);
  }

  /** A history of which an application's statements are not all captured, or none at all. */
  public static HistoryStatus historyNotCaptured(String id, boolean anyRead) {
    return history(
        id,
        Verdict.PASS,
        Map.of(),
        null,
        0,
        true,
        false,
        anyRead,
        anyRead ? NOT_CAPTURED : new CaptureReport(0, 7, 0, List.of(), List.of()));
  }

  /** A history that has lost records, and proxies that fell silent, without an anomaly. */
  public static HistoryStatus historyWithGap(String id, long lostRecords) {
    return history(id, Verdict.UNDECIDED, Map.of(), null, lostRecords, true, false);
  }

  private static final CaptureReport NOT_CAPTURED =
      new CaptureReport(
          900,
          100,
          500_000,
          List.of(new CaptureReport.Cause("shop", "aggregate", 90, 499_990)),
          List.of(
              missed("select count(*) from orders", NotCaptured.Kind.UNREAD, "aggregate", 90),
              missed("truncate <b>carts</b>", NotCaptured.Kind.OPAQUE, "utility", 10)));

  private static CaptureReport.Missed missed(
      String text, NotCaptured.Kind kind, String reason, long times) {
    return new CaptureReport.Missed(
        "shop", new NotCaptured(text, kind, reason, times, 2 * times), 1_000);
  }

  private static final long MINUTE_MS = 60_000;

  /** When the first anomaly of {@link SampleAnomalies} came about. */
  private static final long FIRST_MS = SampleAnomalies.COMMIT_NS / 1_000_000 - 90_000;

  private static HistoryStatus history(
      String id,
      Verdict causal,
      Map<AnomalyKind, Long> found,
      String failure,
      long lostRecords,
      boolean lately,
      boolean shed) {
    return history(id, causal, found, failure, lostRecords, lately, shed, true, CaptureReport.NONE);
  }

  private static HistoryStatus history(
      String id,
      Verdict causal,
      Map<AnomalyKind, Long> found,
      String failure,
      long lostRecords,
      boolean lately,
      boolean shed,
      boolean anyRead,
      CaptureReport capture) {
    return history(
        id,
        causal,
        found,
        failure,
        lostRecords,
        lately,
        shed,
        anyRead,
        capture,
        IsolationLevel.CAUSAL,
        levels(lately || causal != Verdict.FAIL ? causal : Verdict.PASS, lostRecords > 0));
  }

  private static HistoryStatus history(
      String id,
      Verdict causal,
      Map<AnomalyKind, Long> found,
      String failure,
      long lostRecords,
      boolean lately,
      boolean shed,
      boolean anyRead,
      CaptureReport capture,
      IsolationLevel promise,
      Map<IsolationLevel, LevelReport> levels) {
    CheckerReport report =
        new CheckerReport(
            levels,
            promise,
            causal == Verdict.FAIL && lately
                ? promise == IsolationLevel.CAUSAL
                    ? IsolationLevel.READ_ATOMIC
                    : IsolationLevel.SERIALIZABLE
                : null,
            48,
            1_284_407,
            3_201,
            12,
            9_120_388,
            anyRead ? 4_510_022 : 0,
            anyRead ? 4_509_311 : 0,
            anyRead ? 12_000 : 0,
            0,
            capture,
            causal == Verdict.UNDECIDED
                ? Map.of(
                    lostRecords > 0 ? UndecidedReason.LOST_RECORDS : UndecidedReason.UNKNOWN_WRITER,
                    711L,
                    UndecidedReason.TRUNCATED,
                    42L)
                : Map.of(),
            Map.of(IsolationLevel.CAUSAL, found),
            found.values().stream().mapToLong(Long::longValue).sum() * 3,
            120_033,
            81,
            9_340,
            71_204,
            1_184_407,
            0,
            0,
            0,
            causal == Verdict.UNDECIDED && lostRecords == 0 ? 17 : lostRecords,
            0,
            lostRecords > 0 ? 2 : 0,
            100_000,
            37,
            48,
            3);
    List<Long> recent =
        LongStream.range(0, 60)
            .map(i -> 1_800 + Math.round(400 * Math.sin(i / 4.0)))
            .boxed()
            .toList();
    return new HistoryStatus(
        id,
        promise,
        shed ? IsolationLevel.SERIALIZABLE : promise,
        report,
        nothingDone(),
        1_287_620,
        0,
        failure,
        1_932.4,
        13_710,
        recent,
        List.of(
            new Marker(new Moment(30, FIRST_MS - 60_000), "shop 1.42"),
            new Marker(new Moment(41, FIRST_MS + 5_000), "checked up to causal"),
            new Marker(
                new Moment(42, System.currentTimeMillis() - MINUTE_MS * 16), "deploy " + id)),
        track(causal, lately));
  }

  /** Half an hour and more of verdicts, up to now. */
  private static VerdictTrack track(Verdict verdict, boolean lately) {
    long nowMs = System.currentTimeMillis();
    List<VerdictTrack.Change> changes = new ArrayList<>();
    changes.add(new VerdictTrack.Change(nowMs - 47 * MINUTE_MS, Verdict.PASS));
    changes.add(new VerdictTrack.Change(nowMs - 31 * MINUTE_MS, Verdict.UNDECIDED));
    changes.add(new VerdictTrack.Change(nowMs - 27 * MINUTE_MS, Verdict.PASS));
    if (verdict != Verdict.PASS) {
      changes.add(new VerdictTrack.Change(nowMs - 14 * MINUTE_MS, verdict));
    }
    if (!lately) {
      changes.add(new VerdictTrack.Change(nowMs - 3 * MINUTE_MS, Verdict.PASS));
    }
    return new VerdictTrack(changes, nowMs);
  }

  private static Map<IsolationLevel, LevelReport> levels(Verdict causal, boolean lost) {
    return Map.of(
        IsolationLevel.READ_COMMITTED,
        level(Verdict.PASS, lost),
        IsolationLevel.READ_ATOMIC,
        level(causal == Verdict.FAIL ? Verdict.FAIL : Verdict.PASS, lost),
        IsolationLevel.CAUSAL,
        level(causal, lost));
  }

  private static LevelReport level(Verdict verdict, boolean lost) {
    return new LevelReport(
        verdict,
        new Moment(1_200_000, 1_790_000_000_000L),
        100_000,
        100_000,
        verdict == Verdict.UNDECIDED
            ? Map.of(lost ? UndecidedReason.LOST_RECORDS : UndecidedReason.UNKNOWN_WRITER, 711L)
            : Map.of(),
        verdict == Verdict.PASS ? 0 : 87_120);
  }

  private static CheckerReport nothingDone() {
    return new Checker(CheckerConfig.forLive("none"), NOTHING_FOUND).report();
  }

  /** Address of a path. */
  public URI uri(String path) {
    return URI.create(scheme + "://127.0.0.1:" + http.port() + path);
  }

  /** Gets a path with these request headers (name, value, …). */
  public HttpResponse<String> get(String path, String... headers)
      throws IOException, InterruptedException {
    return ask("GET", path, headers);
  }

  /** Asks with any method, without a body. */
  public HttpResponse<String> ask(String method, String path, String... headers)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(uri(path)).method(method, HttpRequest.BodyPublishers.noBody());
    if (headers.length > 0) {
      request.headers(headers);
    }
    return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  @Override
  public void close() {
    http.close();
    metrics.close();
  }
}
