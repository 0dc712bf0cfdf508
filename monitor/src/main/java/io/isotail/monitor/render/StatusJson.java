package io.isotail.monitor.render;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.isotail.incremental.CheckerReport;
import io.isotail.incremental.coverage.CaptureReport;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.level.Verdict;
import io.isotail.incremental.record.NotCaptured;
import io.isotail.incremental.verdict.LevelReport;
import io.isotail.incremental.verdict.Marker;
import io.isotail.monitor.status.HistoryStatus;
import io.isotail.monitor.status.Lag;
import io.isotail.monitor.status.MonitorStatus;
import io.isotail.monitor.status.MonitorStatus.Phase;
import io.isotail.monitor.status.Peer;
import io.isotail.monitor.status.VerdictTrack;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where an instance and its histories stand, as JSON: the one form in which the API answers and the
 * instances tell each other. Fields without a value are {@code null}, never missing.
 */
public final class StatusJson {
  /** Field that names an instance. */
  public static final String INSTANCE = "instance";

  /** So many statements are shown that are not captured, with so much of their texts. */
  private static final int MAX_STATEMENTS = 25;

  private static final int MAX_STATEMENT_CHARS = 400;

  private StatusJson() {}

  /** What this instance is doing, and how far it is behind. */
  public static ObjectNode head(MonitorStatus status) {
    return head(
        status.ready(), status.phase(), status.phaseSinceMs(), status.problem(), status.lag());
  }

  /** What another instance is doing, and how far it is behind. */
  public static ObjectNode head(Peer peer) {
    return head(peer.ready(), peer.phase(), peer.phaseSinceMs(), peer.problem(), peer.lag());
  }

  private static ObjectNode head(
      boolean ready,
      Phase phase,
      long phaseSinceMs,
      @Nullable String problem,
      @Nullable Lag behind) {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    node.put("ready", ready);
    node.put("phase", label(phase));
    node.put("phaseSinceMs", phaseSinceMs == 0 ? null : phaseSinceMs);
    node.put("problem", problem);
    ObjectNode lag = node.putObject("lag");
    lag.put("records", behind == null ? null : behind.records());
    lag.put("transactions", behind == null ? null : behind.transactions());
    lag.put("seconds", behind == null ? null : behind.seconds());
    return node;
  }

  /** The word for a phase. */
  public static String label(Phase phase) {
    return phase.name().toLowerCase(Locale.ROOT);
  }

  /** Where one history stands. */
  public static ObjectNode history(HistoryStatus history) {
    CheckerReport report = history.report();
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    node.put("history", history.history());
    IsolationLevel promise = history.promise();
    node.put("promise", promise == null ? null : promise.label());
    node.put("observed", history.observed().map(IsolationLevel::label).orElse(null));
    IsolationLevel violated = report.violatedInWindow();
    node.put("violated", violated == null ? null : violated.label());
    node.put("checked", report.checked().label());
    node.put("shed", history.sheds());
    node.put("failure", history.failure());
    verdicts(node.putObject("verdicts"), report);
    levels(node.putObject("levels"), report);
    ObjectNode rates = node.putObject("rates");
    rates.put("transactionsPerSecond", history.transactionsPerSecond());
    rates.put("operationsPerSecond", history.operationsPerSecond());
    ArrayNode recent = rates.putArray("recentTransactions");
    history.recentTransactions().forEach(recent::add);
    ArrayNode markers = node.putArray("markers");
    for (Marker marker : history.markers()) {
      markers.addObject().put("at", CauseJson.time(marker.at())).put("text", marker.text());
    }
    ObjectNode track = node.putObject("track");
    track.put("until", CauseJson.time(history.track().untilMs()));
    ArrayNode changes = track.putArray("changes");
    for (VerdictTrack.Change change : history.track().changes()) {
      changes
          .addObject()
          .put("at", CauseJson.time(change.atMs()))
          .put("verdict", change.verdict().label());
    }
    node.put("coverage", report.coverage());
    capture(node.putObject("capture"), report.capture());
    ObjectNode counts = node.putObject("counts");
    counts.put("records", history.records());
    counts.put("sessions", report.sessions());
    counts.put("transactions", report.transactions());
    counts.put("aborted", report.aborted());
    counts.put("unknown", report.unknown());
    counts.put("operations", report.operations());
    counts.put("reads", report.reads());
    counts.put("readsDecided", report.readsDecided());
    counts.put("readsBeforeCapture", report.readsBeforeCapture());
    counts.put("readsForeign", report.readsForeign());
    counts.put("occurrences", report.occurrences());
    counts.put("edgesDropped", report.edgesDropped());
    counts.put("searches", report.searches());
    counts.put("searchSteps", report.searchSteps());
    counts.put("lostRecords", report.lostRecords());
    counts.put("duplicateRecords", report.duplicateRecords());
    counts.put("badRecords", report.badRecords());
    counts.put("silentProxies", report.silentProxies());
    ObjectNode now = node.putObject("now");
    now.put("windowTransactions", report.windowTransactions());
    now.put("pendingTransactions", report.pendingTransactions());
    now.put("liveSessions", report.liveSessions());
    now.put("liveProxies", report.liveProxies());
    ObjectNode undecided = node.putObject("undecided");
    report.undecided().entrySet().stream()
        .filter(e -> e.getValue() > 0)
        .sorted(Map.Entry.comparingByKey())
        .forEach(e -> undecided.put(e.getKey().label(), e.getValue()));
    ObjectNode anomalies = node.putObject("anomalies");
    report.anomalies().entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .forEach(
            level -> {
              ObjectNode kinds = anomalies.putObject(level.getKey().label());
              level.getValue().forEach((kind, count) -> kinds.put(kind.label(), count));
            });
    return node;
  }

  /** Adds what applications did and the records do not show, by what their proxies tell. */
  private static void capture(ObjectNode node, CaptureReport capture) {
    node.put("captured", capture.captured());
    node.put("notCaptured", capture.notCaptured());
    node.put("readsNotCaptured", capture.readsNotCaptured());
    ArrayNode worst = node.putArray("worst");
    for (CaptureReport.Missed missed : capture.worst()) {
      if (worst.size() == MAX_STATEMENTS) {
        break;
      }
      NotCaptured counts = missed.counts();
      String text = counts.fingerprint();
      worst
          .addObject()
          .put("service", missed.service())
          .put(
              "statement",
              text.length() <= MAX_STATEMENT_CHARS
                  ? text
                  : text.substring(0, MAX_STATEMENT_CHARS - 1) + "…")
          .put("kind", counts.kind().name().toLowerCase(Locale.ROOT))
          .put("reason", counts.reason())
          .put("statements", counts.statements())
          .put("reads", counts.reads())
          .put("lastMs", missed.lastMs());
    }
  }

  /**
   * Adds for each level since when its verdict holds, which transactions were promised it, and what
   * is in doubt.
   */
  private static void levels(ObjectNode node, CheckerReport report) {
    for (IsolationLevel level : IsolationLevel.values()) {
      LevelReport said = report.levels().get(level);
      if (said == null) {
        continue;
      }
      ObjectNode details = node.putObject(level.label());
      ObjectNode since = details.putObject("since");
      since.put("offset", said.since().offset());
      since.put("appendTimeMs", said.since().appendTimeMs());
      details.put("promised", said.promised());
      details.put("of", said.transactions());
      details.put("overAfterTransactions", said.overAfter());
      ObjectNode doubts = details.putObject("doubts");
      said.doubts().entrySet().stream()
          .sorted(Map.Entry.comparingByKey())
          .forEach(doubt -> doubts.put(doubt.getKey().label(), doubt.getValue()));
    }
  }

  /** Adds the verdict for each checked level, weakest first. */
  public static void verdicts(ObjectNode node, CheckerReport report) {
    for (IsolationLevel level : IsolationLevel.values()) {
      Verdict verdict = report.verdicts().get(level);
      if (verdict != null) {
        node.put(level.label(), verdict.label());
      }
    }
  }
}
