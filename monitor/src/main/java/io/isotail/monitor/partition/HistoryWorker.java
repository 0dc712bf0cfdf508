package io.isotail.monitor.partition;

import io.isotail.incremental.Checker;
import io.isotail.incremental.CheckerReport;
import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.incremental.anomaly.AnomalyListener;
import io.isotail.incremental.cause.IncidentReport;
import io.isotail.incremental.cause.IncidentReport.End;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.level.Verdict;
import io.isotail.incremental.record.Control;
import io.isotail.incremental.record.Gap;
import io.isotail.incremental.record.StreamRecord;
import io.isotail.incremental.snapshot.StateCut;
import io.isotail.incremental.snapshot.StateException;
import io.isotail.incremental.snapshot.StateSource;
import io.isotail.incremental.verdict.Marker;
import io.isotail.incremental.verdict.Moment;
import io.isotail.monitor.config.HistoryConfig;
import io.isotail.monitor.publish.News;
import io.isotail.monitor.status.HistoryStatus;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One history and its checker. A checker that throws is never called again, its last report stands,
 * and the history says so.
 */
public final class HistoryWorker implements AnomalyListener {
  private static final Logger log = LoggerFactory.getLogger(HistoryWorker.class);

  /** Receives what the checkers find, on the pipeline's thread. */
  interface Findings {
    /** Whether what is found now was published before. */
    default boolean replaying() {
      return false;
    }

    /**
     * As {@link AnomalyListener#found}.
     *
     * @param appendTimeMs log append time of the record that completed it, in ms
     * @param clockUncertaintyNs how far clocks were taken to be apart, in ns
     */
    void found(Anomaly anomaly, long appendTimeMs, long clockUncertaintyNs);

    /** As {@link AnomalyListener#repeated}. */
    void repeated(String id, long occurrences);
  }

  private final String history;
  private HistoryConfig config;
  private final Findings findings;
  private final VerdictLog verdicts = new VerdictLog();
  private RateWindow rates = new RateWindow();
  private Checker checker;
  private CheckerReport report;
  private CheckerReport before;
  private long records;
  private long recordsBefore;
  private long appendTimeMs;
  private @Nullable String failure;

  private final CauseNews news = new CauseNews();

  /** Whether a commit is being made that publishes causes. */
  private boolean attempted;

  /** A history of which nothing was read yet. */
  @SuppressWarnings("this-escape") // the checker only keeps the listener
  HistoryWorker(String history, HistoryConfig config, Findings findings) {
    this.history = history;
    this.config = config;
    this.findings = findings;
    this.checker = new Checker(config.forChecker(history), this);
    this.report = checker.report();
    this.before = report;
    // A first save loads classes, for longer than a later one stops checking.
    var unused = checker.cut(HistoryWorker::help);
  }

  /** Its id. */
  String history() {
    return history;
  }

  /** Its settings. */
  HistoryConfig config() {
    return config;
  }

  /** Strongest level that it checks now. */
  IsolationLevel checked() {
    return currentReport().checked();
  }

  /** Records handed to it so far. */
  long records() {
    return records;
  }

  /** Log append time of the latest record, in ms. */
  long appendTimeMs() {
    return appendTimeMs;
  }

  /** Why its checking has stopped, or null. */
  @Nullable String failure() {
    return failure;
  }

  /** Hands a record to the checker. */
  void accept(long offset, long timestampMs, StreamRecord record) {
    records++;
    if (failure == null) {
      appendTimeMs = Math.max(appendTimeMs, timestampMs);
      check(offset, record instanceof Control c ? heeded(c) : record);
    }
  }

  private void check(long offset, StreamRecord record) {
    if (failure != null) {
      return;
    }
    try {
      checker.accept(offset, appendTimeMs, record);
    } catch (RuntimeException | AssertionError | StackOverflowError e) {
      // A failure of the checker, or of rendering what it has found: the record cannot be undone.
      quarantine("at offset " + offset, e);
    }
  }

  /**
   * The chunks of the checker's state, to be written while it goes on; none if checking has
   * stopped. One that cannot be saved is stopped.
   */
  StateCut save() {
    if (failure == null) {
      try {
        return checker.cut(HistoryWorker::help);
      } catch (RuntimeException | AssertionError | StackOverflowError e) {
        quarantine("when its state was to be saved", e);
      }
    }
    return to -> {};
  }

  /** Another processor may be free while checking stands still. */
  private static Runnable help(Runnable work) {
    ForkJoinTask<?> task = ForkJoinPool.commonPool().submit(ForkJoinTask.adapt(work));
    return task::join; // does it itself if nobody has begun
  }

  /**
   * Goes on where another worker stood. If its state cannot be used, or its checking had stopped,
   * the history begins anew.
   *
   * @param position offset at which the state was saved
   * @param stopped why checking had stopped, or null
   */
  void restore(
      StateSource from, long position, long records, long appendTimeMs, @Nullable String stopped) {
    this.records = records;
    this.appendTimeMs = appendTimeMs;
    if (stopped != null) {
      log.warn("history {} begins anew at offset {}: {}", history, position, stopped);
      beginAnew(position);
      return;
    }
    try {
      checker = Checker.restore(config.forChecker(history), this, from);
      takenOver();
    } catch (RuntimeException e) {
      // A snapshot of another configuration or version; a damaged one must not stop the others.
      log.warn(
          "history {} begins anew at offset {}: {}",
          history,
          position,
          e instanceof StateException ? e.getMessage() : e,
          e instanceof StateException ? null : e);
      beginAnew(position);
    }
    checkAllIfNotObeying(position);
  }

  /**
   * Forgets everything: from the position on the history is checked as one of which all earlier
   * records were lost, so that nothing is held against it that only they could tell.
   */
  void beginAnew(long position) {
    beginAnew(position, incident -> null);
  }

  /**
   * Forgets everything.
   *
   * @param end tells of an incident how it has ended by that; null if it may go on
   */
  private void beginAnew(long position, Function<IncidentReport, @Nullable End> end) {
    news.givenUp(checker, findings.replaying(), end);
    Checker before = checker;
    checker = new Checker(config.forChecker(history), this);
    checker.keepMarkersOf(before);
    failure = null;
    rates = new RateWindow();
    noteLoss(position);
    takenOver();
  }

  /**
   * Goes on with other settings: at once if the checker is not concerned, else anew, as after a
   * loss of all records before the position. A checker that was stopped gets another try.
   */
  void reload(HistoryConfig changed, long position) {
    boolean sameChecker = changed.forChecker(history).equals(config.forChecker(history));
    config = changed;
    Moment now = new Moment(position, appendTimeMs);
    if (sameChecker) {
      checkAllIfNotObeying(position);
      return;
    }
    log.info("history {} begins anew at offset {}: its settings have changed", history, position);
    beginAnew(position, incident -> endOf(incident, now));
    IsolationLevel promise = config.checker().promise();
    checker.mark(
        new Marker(
            now,
            promise == null
                ? "other settings; each transaction is promised its own level"
                : "other settings; %s is promised".formatted(promise.label())));
  }

  /**
   * An incident is over when something else is promised to its transactions. Where the level is
   * that of others it is not known at which its own ran, and so what is promised to them.
   */
  private @Nullable End endOf(IncidentReport incident, Moment now) {
    if (incident.root().others()) {
      return null;
    }
    IsolationLevel promised = config.forChecker(history).promiseOf(incident.root().ranAt());
    return promised == incident.root().promised()
        ? null
        : new End(
            "%s is promised now, no longer %s"
                .formatted(promised.label(), incident.root().promised().label()),
            now);
  }

  /** What control records have shed is checked again by a worker that does not obey them. */
  private void checkAllIfNotObeying(long position) {
    if (!config.shedding().obey() && !checked().atLeast(config.checker().strongest())) {
      check(
          Math.max(0, position - 1),
          new Control(Map.of(Control.LEVEL, config.checker().strongest().label())));
    }
  }

  private Control heeded(Control control) {
    if (config.shedding().obey()) {
      return control;
    }
    Map<String, String> settings = new HashMap<>(control.settings());
    settings.remove(Control.LEVEL);
    return new Control(settings);
  }

  /** Records before this offset have been lost. */
  void noteLoss(long position) {
    accept(Math.max(0, position - 1), appendTimeMs, new Gap("", 1));
    records--;
  }

  /** From now on counts are this process's own. */
  void takenOver() {
    news.takenOver(checker);
    report = currentReport();
    before = report;
    recordsBefore = records;
  }

  /** Where the history stands. */
  HistoryStatus status(long nowNs) {
    report = currentReport();
    rates.sample(nowNs, report.transactions(), report.operations());
    if (failure == null && report.transactions() > 0) {
      verdicts.sample(appendTimeMs, verdict());
    }
    return new HistoryStatus(
        history,
        config.checker().promise(),
        config.checker().strongest(),
        report,
        before,
        records,
        recordsBefore,
        failure,
        rates.transactionsPerSecond(),
        rates.operationsPerSecond(),
        rates.recentTransactions(),
        checker.markers(),
        verdicts.track());
  }

  /** What is said at the promised level now; at the levels run at, where each has its own. */
  private Verdict verdict() {
    IsolationLevel promise = config.checker().promise();
    if (promise != null) {
      return report.verdicts().getOrDefault(promise, Verdict.UNDECIDED); // not checked now: shed
    }
    if (report.violatedInWindow() != null) {
      return Verdict.FAIL;
    }
    return report.verdicts().containsValue(Verdict.UNDECIDED) ? Verdict.UNDECIDED : Verdict.PASS;
  }

  /** Whether something is to be told of its causes and incidents. */
  boolean hasNews() {
    return news.any(checker);
  }

  /** What of its causes and incidents is due to be published. */
  List<News> dueNews(long nowNs) {
    attempted = news.any(checker);
    if (!attempted) {
      return List.of();
    }
    try {
      return news.due(checker, nowNs);
    } catch (RuntimeException | AssertionError e) {
      quarantine("in its causes", e);
      attempted = false;
      return List.of();
    }
  }

  /** What was due is published. */
  void publishedNews() {
    if (attempted) {
      news.published(checker);
      attempted = false;
    }
  }

  private CheckerReport currentReport() {
    if (failure == null) {
      try {
        return checker.report();
      } catch (RuntimeException | AssertionError e) {
        quarantine("in its report", e);
      }
    }
    return report;
  }

  @Override
  public void found(Anomaly anomaly) {
    findings.found(anomaly, appendTimeMs, config.checker().clockUncertaintyNs());
  }

  @Override
  public void repeated(String id, long occurrences) {
    findings.repeated(id, occurrences);
  }

  private void quarantine(String where, Throwable e) {
    failure = "checking stopped %s: %s".formatted(where, e);
    log.error("history {}: {}", history, failure, e);
  }
}
