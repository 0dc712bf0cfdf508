package io.isotail.monitor.api;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.isotail.incremental.CheckerReport;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.level.Verdict;
import io.isotail.monitor.status.HistoryStatus;
import io.isotail.monitor.status.MonitorStatus;
import io.isotail.monitor.status.StatusBoard;
import io.vertx.ext.web.Router;
import java.util.Locale;
import java.util.Map;

/** Health, readiness, and where every history stands. */
final class StatusRoutes {
  private final StatusBoard board;

  StatusRoutes(StatusBoard board) {
    this.board = board;
  }

  void addTo(Router router) {
    router
        .get("/healthz")
        .handler(
            c -> {
              boolean alive = board.current().phase() != MonitorStatus.Phase.STOPPED;
              Replies.text(c, alive ? 200 : 503, "text/plain", alive ? "ok\n" : "stopped\n");
            });
    router
        .get("/readyz")
        .handler(c -> Replies.json(c, board.current().ready() ? 200 : 503, readiness()));
    router.get("/api/status").handler(c -> Replies.json(c, 200, status()));
  }

  private ObjectNode readiness() {
    MonitorStatus status = board.current();
    ObjectNode node = head(status);
    ArrayNode quarantined = node.putArray("quarantined");
    for (HistoryStatus history : status.histories().values()) {
      if (history.failure() != null) {
        quarantined.add(history.history());
      }
    }
    return node;
  }

  private ObjectNode status() {
    MonitorStatus status = board.current();
    ObjectNode node = head(status);
    node.put("badRecords", status.badRecords());
    node.put("kafkaErrors", status.kafkaErrors());
    node.put("busySeconds", status.busySeconds());
    node.put("unpublishedAnomalies", status.unpublished());
    ArrayNode histories = node.putArray("histories");
    status.histories().values().forEach(h -> histories.add(history(h)));
    return node;
  }

  private static ObjectNode head(MonitorStatus status) {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    node.put("ready", status.ready());
    node.put("phase", status.phase().name().toLowerCase(Locale.ROOT));
    node.put("problem", status.problem());
    ObjectNode lag = node.putObject("lag");
    lag.put("records", status.lagRecords());
    lag.put("seconds", status.lagSeconds());
    return node;
  }

  private static ObjectNode history(HistoryStatus history) {
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
    ObjectNode verdicts = node.putObject("verdicts");
    for (IsolationLevel level : IsolationLevel.values()) {
      Verdict verdict = report.verdicts().get(level);
      if (verdict != null) {
        verdicts.put(level.label(), verdict.label());
      }
    }
    ObjectNode rates = node.putObject("rates");
    rates.put("transactionsPerSecond", history.transactionsPerSecond());
    rates.put("operationsPerSecond", history.operationsPerSecond());
    ArrayNode recent = rates.putArray("recentTransactions");
    history.recentTransactions().forEach(recent::add);
    node.put("coverage", report.coverage());
    ObjectNode counts = node.putObject("counts");
    counts.put("records", history.records());
    counts.put("sessions", report.sessions());
    counts.put("transactions", report.transactions());
    counts.put("aborted", report.aborted());
    counts.put("unknown", report.unknown());
    counts.put("operations", report.operations());
    counts.put("reads", report.reads());
    counts.put("readsDecided", report.readsDecided());
    counts.put("occurrences", report.occurrences());
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
}
