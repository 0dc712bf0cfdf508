package io.isotail.monitor.trial;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.isotail.incremental.CheckerReport;
import io.isotail.incremental.anomaly.AnomalyKind;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.level.Verdict;
import io.isotail.incremental.verdict.LevelReport;
import io.isotail.ingest.emit.EmitterStats;
import io.isotail.ingest.workload.WorkloadStats;
import io.isotail.monitor.render.AnomalyDocument;
import io.isotail.monitor.render.StatusJson;
import io.isotail.monitor.status.HistoryStatus;
import io.isotail.monitor.status.MonitorStatus;
import io.isotail.monitor.store.StoredAnomaly;
import io.isotail.monitor.store.StoredCause;
import io.isotail.monitor.store.StoredIncident;
import io.isotail.monitor.terminal.Paint;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a trial did and found.
 *
 * @param report the checker's, null if nothing reached it
 * @param examples the first anomaly of each kind
 * @param incidents the roots of what breaks the promise
 * @param causes what breaks the promise, the cause that struck most often first
 * @param capture what the driver recorded and could not, by name
 * @param faults what was done to the database meanwhile
 * @param caughtUp whether everything in the log was checked
 * @param seconds how long the workload ran
 * @param times what a person waited for
 */
public record TrialSummary(
    TrialConfig config,
    @Nullable CheckerReport report,
    List<StoredAnomaly> examples,
    List<StoredIncident> incidents,
    List<StoredCause> causes,
    WorkloadStats workload,
    EmitterStats emitter,
    Map<String, Long> capture,
    long faults,
    MonitorStatus status,
    boolean caughtUp,
    double seconds,
    TrialTimes times) {

  /** Coverage below which a trial without anomalies has decided too little to pass. */
  public static final double MIN_COVERAGE = 0.99;

  private static final int MOST_CAUSES = 10;

  /**
   * Share of the transactions that a level was promised to, of an equal share among all levels,
   * below which nothing is said of it.
   */
  private static final double LEAST_SHARE = 0.1;

  /** Copies the collections. */
  public TrialSummary {
    examples = List.copyOf(examples);
    incidents = List.copyOf(incidents);
    causes = List.copyOf(causes);
    capture = Map.copyOf(capture);
  }

  static TrialSummary of(
      TrialConfig config, TrialStack stack, boolean caughtUp, double seconds, TrialTimes times) {
    MonitorStatus status = stack.monitor().status();
    HistoryStatus history = status.histories().get(stack.history());
    Map<AnomalyKind, StoredAnomaly> examples = new EnumMap<>(AnomalyKind.class);
    for (StoredAnomaly stored : stack.monitor().anomalies()) {
      if (stored.history().equals(stack.history())
          && config.levels().strongest().atLeast(stored.level())) {
        examples.putIfAbsent(stored.kind(), stored);
      }
    }
    return new TrialSummary(
        config,
        history == null ? null : history.report(),
        List.copyOf(examples.values()),
        stack.monitor().incidents().stream()
            .filter(incident -> incident.history().equals(stack.history()))
            .toList(),
        stack.monitor().causes().stream()
            .filter(cause -> cause.history().equals(stack.history()))
            .filter(cause -> config.levels().strongest().atLeast(cause.level()))
            .sorted(Comparator.comparingLong(StoredCause::violations).reversed())
            .toList(),
        stack.workload().stats(),
        stack.emitter().stats(),
        stack.captured(),
        stack.disturber().done(),
        status,
        caughtUp,
        seconds,
        times);
  }

  /** Distinct anomalies that break the promise. */
  static long broken(CheckerReport report, IsolationLevel promise) {
    return report.anomalies().entrySet().stream()
        .filter(level -> promise.atLeast(level.getKey()))
        .flatMap(level -> level.getValue().values().stream())
        .mapToLong(Long::longValue)
        .sum();
  }

  /** Distinct anomalies that break the promise. */
  public long anomalies() {
    return report == null ? 0 : broken(report, config.levels().strongest());
  }

  /** Whether so little was decided that finding nothing means nothing. */
  public boolean undecided() {
    return report == null || !caughtUp || report.coverage() < MIN_COVERAGE;
  }

  /** What it says of the database. */
  public TrialVerdict verdict() {
    return anomalies() > 0
        ? TrialVerdict.FAIL
        : undecided() || failing() || !held()
            ? TrialVerdict.UNDECIDED
            : workload.conflicts() == 0 || workload.wrote() == 0
                ? TrialVerdict.NOT_PROVOKED
                : TrialVerdict.PASS;
  }

  /** Whether more than every hundredth transaction fails otherwise than by isolation or a fault. */
  private boolean failing() {
    return workload.errors() > faults + workload.committed() / 100;
  }

  /**
   * Whether the checker says that the promises held. Of one that was not made to all it says {@link
   * Verdict#NOT_CHECKED}, with the doubts about those that it was made to; one that was made to few
   * has not held, be it that nothing speaks against it.
   */
  private boolean held() {
    for (SessionLevels.Level level : config.levels().all()) {
      LevelReport told = report == null ? null : report.levels().get(level.promise());
      if (told == null
          || !told.doubts().isEmpty()
          || (told.verdict() != Verdict.PASS
              && (told.verdict() != Verdict.NOT_CHECKED
                  || isToFew(told)
                  || level.promise() == config.levels().weakest()))) {
        return false;
      }
    }
    return true;
  }

  private boolean isToFew(LevelReport told) {
    double equalShare = (double) told.transactions() / config.levels().all().size();
    return told.promised() == 0 || told.promised() < LEAST_SHARE * equalShare;
  }

  /** The summary as one JSON object. */
  public ObjectNode json() {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("verdict", verdict().label());
    json.put("database", config.database().name());
    json.put("isolation", config.levels().isolations());
    json.put("promise", config.levels().promises());
    json.put("seed", config.workload().seed());
    json.put("sessions", config.workload().sessions());
    json.put("keys", config.workload().keys());
    json.put("seconds", rounded(seconds));
    json.put("firstAnomalySeconds", rounded(times.firstAnomaly()));
    json.put("firstCauseSeconds", rounded(times.firstCause()));
    json.put("greatestLagSeconds", rounded(times.greatestLag()));
    json.put("laterLagSeconds", rounded(times.laterLag()));
    CheckerReport checked = report;
    ObjectNode transactions = json.putObject("transactions");
    transactions.put("committed", checked == null ? 0 : checked.transactions());
    transactions.put("aborted", checked == null ? 0 : checked.aborted());
    transactions.put("unknown", checked == null ? 0 : checked.unknown());
    json.put("events", status.histories().values().stream().mapToLong(h -> h.records()).sum());
    json.put("operations", checked == null ? 0 : checked.operations());
    json.put("reads", checked == null ? 0 : checked.reads());
    json.put("readsDecided", checked == null ? 0 : checked.readsDecided());
    json.put("readsForeign", checked == null ? 0 : checked.readsForeign());
    json.put("coverage", checked == null ? BigDecimal.ZERO : rounded(checked.coverage()));
    ObjectNode verdicts = json.putObject("verdicts");
    ObjectNode promised = json.putObject("promised");
    ObjectNode undecided = json.putObject("undecided");
    ObjectNode anomalies = json.putObject("anomalies");
    if (checked != null) {
      StatusJson.verdicts(verdicts, checked);
      checked.levels().forEach((level, told) -> promised.put(level.label(), told.promised()));
      checked.undecided().forEach((reason, count) -> undecided.put(reason.label(), count));
      anomalies(anomalies, checked);
    }
    json.put("anomaliesTotal", anomalies());
    ArrayNode exampleNodes = json.putArray("examples");
    examples.forEach(e -> exampleNodes.add(e.json(AnomalyDocument.EXTRAS)));
    ArrayNode incidentNodes = json.putArray("incidents");
    incidents.forEach(incident -> incidentNodes.add(incident.document()));
    ArrayNode causeNodes = json.putArray("causes");
    causes.forEach(cause -> causeNodes.add(cause.document()));
    json.put("caughtUp", caughtUp);
    json.set("lag", StatusJson.head(status).path("lag"));
    json.put("checkerTransactionsPerSecond", rounded(throughput()));
    ObjectNode emitted = json.putObject("emitter");
    emitted.put("emitted", emitter.emitted());
    emitted.put("dropped", emitter.dropped());
    emitted.put("failed", emitter.failed());
    emitted.put("gaps", emitter.gaps());
    ObjectNode work = json.putObject("workload");
    work.put("committed", workload.committed());
    work.put("aborted", workload.aborted());
    work.put("retried", workload.retried());
    work.put("cut", workload.cut());
    work.put("errors", workload.errors());
    work.put("conflicts", workload.conflicts());
    json.put("faults", faults);
    ObjectNode captured = json.putObject("capture");
    capture.forEach(captured::put);
    return json;
  }

  private void anomalies(ObjectNode node, CheckerReport checked) {
    for (IsolationLevel level : IsolationLevel.values()) {
      Map<AnomalyKind, Long> kinds = checked.anomalies().get(level);
      if (kinds != null && config.levels().strongest().atLeast(level)) {
        ObjectNode ofLevel = node.putObject(level.label());
        kinds.forEach((kind, count) -> ofLevel.put(kind.label(), count));
      }
    }
  }

  /** Committed transactions that the checker gets through in a second of its own time. */
  private double throughput() {
    CheckerReport checked = report;
    return checked == null || status.busySeconds() == 0
        ? 0
        : checked.transactions() / status.busySeconds();
  }

  private static @Nullable BigDecimal rounded(@Nullable Double value) {
    return value == null ? null : BigDecimal.valueOf(value).setScale(4, RoundingMode.HALF_UP);
  }

  /** The summary for people. */
  public String text(Paint paint) {
    CheckerReport checked = report;
    if (checked == null) {
      return "Nothing reached the checker.\n";
    }
    StringBuilder text = new StringBuilder();
    line(
        text,
        "%,d committed, %,d aborted, %,d unknown transactions at %s, promised %s, in %.1f s",
        checked.transactions(),
        checked.aborted(),
        checked.unknown(),
        config.levels().isolations(),
        config.levels().promises(),
        seconds);
    line(
        text,
        "%,d of %,d reads decided, %,d of foreign writers (coverage %.2f %%); undecided: %s",
        checked.readsDecided(),
        checked.reads(),
        checked.readsForeign(),
        100 * checked.coverage(),
        checked.undecided().isEmpty() ? "nothing" : checked.undecided());
    line(
        text,
        "checker: %,.0f transactions/s; emitter: %,d sent, %,d lost, %s; workload: %s",
        throughput(),
        emitter.emitted(),
        emitter.dropped() + emitter.failed(),
        Counted.of(emitter.gaps(), "gap", "gaps"),
        Counted.of(workload.errors(), "error", "errors"));
    line(
        text,
        "%s met in conflict; %s",
        Counted.of(workload.conflicts(), "pair of transactions", "pairs of transactions"),
        Counted.of(faults, "fault was done", "faults were done"));
    line(
        text,
        "greatest lag %.1f s%s%s%s",
        times.greatestLag(),
        later(times.laterLag()),
        waited("first anomaly", times.firstAnomaly()),
        waited("its cause on the page", times.firstCause()));
    if (config.levels().mixed()) {
      config.levels().all().stream()
          .map(SessionLevels.Level::promise)
          .distinct()
          .forEach(promise -> line(text, "%s", promisedTo(promise, checked)));
    }
    line(text, "anomalies that break the promise: %s", painted(paint));
    for (IsolationLevel level : IsolationLevel.values()) {
      Map<AnomalyKind, Long> kinds = checked.anomalies().get(level);
      if (kinds != null && config.levels().strongest().atLeast(level)) {
        kinds.forEach(
            (kind, count) -> line(text, "  %-20s %-28s %,9d", level.label(), kind.label(), count));
      }
    }
    line(text, "%s", paint.bold(Counted.of(incidents.size(), "incident", "incidents")));
    for (StoredIncident incident : incidents) {
      line(text, "  %s  %s", incident.id(), paint.bold(incident.document().path("title").asText()));
      line(text, "    %s", incident.document().at("/radius/words").asText());
    }
    line(text, "%s", paint.bold(Counted.of(causes.size(), "cause", "causes")));
    for (StoredCause cause : causes.stream().limit(MOST_CAUSES).toList()) {
      line(
          text,
          "  %s  %s, %s",
          cause.id(),
          paint.bold(cause.text("title")),
          Counted.of(cause.violations(), "violation", "violations"));
      line(text, "    %s", cause.document().path("advice").path(0).path("what").asText());
    }
    return text.toString();
  }

  private static String later(@Nullable Double lag) {
    return lag == null
        ? ""
        : String.format(Locale.ROOT, ", %.1f s from second %d on", lag, TrialTimes.WARM);
  }

  private static String waited(String until, @Nullable Double time) {
    return time == null ? "" : String.format(Locale.ROOT, ", %s after %.1f s", until, time);
  }

  private String promisedTo(IsolationLevel promise, CheckerReport checked) {
    LevelReport told = checked.levels().get(promise);
    return told == null
        ? "%s: not checked".formatted(promise)
        : String.format(
            Locale.ROOT,
            "%s: promised to %,d of %,d transactions%s",
            promise,
            told.promised(),
            told.transactions(),
            isToFew(told) ? ", too few to say that it held" : "");
  }

  /** Red if there are any; green only if enough was decided for that to mean something. */
  private String painted(Paint paint) {
    String number = String.format(Locale.ROOT, "%,d", anomalies());
    return anomalies() > 0
        ? paint.bad(number)
        : undecided() ? paint.doubtful(number) : paint.good(number);
  }

  private static void line(StringBuilder text, String format, Object... arguments) {
    text.append(String.format(Locale.ROOT, format, arguments)).append('\n');
  }
}
