package io.isotail.monitor.metrics;

import java.util.List;

/**
 * Every metric of the monitor itself: name without suffix, help, labels. Metrics of the JVM and the
 * process come from Micrometer beside them.
 */
public final class MetricCatalogue {

  /**
   * One metric.
   *
   * @param name without the {@code _total} or {@code _info} that its samples carry
   * @param help what it counts or measures
   * @param labels names of its labels
   */
  public record Metric(String name, String help, List<String> labels) {
    private Metric(String name, String help, String... labels) {
      this(name, help, List.of(labels));
    }

    /** Names of its labels, as the client takes them. */
    String[] labelNames() {
      return labels.toArray(String[]::new);
    }
  }

  static final Metric ANOMALIES =
      new Metric(
          "isotail_anomalies",
          "Anomalies proven and published, by the weakest level that each violates.",
          "history",
          "level",
          "anomaly");
  static final Metric WITNESS =
      new Metric(
          "isotail_witness",
          "A witness of each kind of anomaly found lately; always 1.",
          "history",
          "level",
          "anomaly",
          "witness",
          "table",
          "explanation");
  static final Metric INCIDENTS =
      new Metric(
          "isotail_incident_violations",
          "Violations by the slot of their incident, proven or only counted; slot 0 is of all others, slot muted of the causes that people have muted.",
          "history",
          "slot");
  static final Metric INCIDENT =
      new Metric(
          "isotail_incident",
          "What the incident in each slot is, in words; always 1.",
          "history",
          "slot",
          "incident",
          "wave",
          "root",
          "title",
          "since",
          "radius",
          "counts",
          "fault",
          "advice",
          "again",
          "ended",
          "witness",
          "url");
  static final Metric OCCURRENCES =
      new Metric(
          "isotail_anomaly_occurrences", "Observations of anomalies, repeats included.", "history");
  static final Metric TRANSACTIONS =
      new Metric(
          "isotail_transactions",
          "Transactions seen; committed ones when delivered to the checker.",
          "history",
          "outcome");
  static final Metric OPERATIONS =
      new Metric("isotail_operations", "Operations of delivered transactions.", "history");
  static final Metric READS =
      new Metric("isotail_reads", "Reads of committed transactions.", "history");
  static final Metric READS_DECIDED =
      new Metric(
          "isotail_reads_decided",
          "Reads whose writer was captured, or wrote before capture began.",
          "history");
  static final Metric READS_BEFORE_CAPTURE =
      new Metric(
          "isotail_reads_before_capture",
          "Reads among the decided ones that returned a version of before capture.",
          "history");
  static final Metric READS_FOREIGN =
      new Metric(
          "isotail_reads_foreign",
          "Reads from writers that nobody captured; none is among the decided ones.",
          "history");
  static final Metric READS_NOT_CAPTURED =
      new Metric(
          "isotail_reads_not_captured",
          "Reads of rows that applications did and that were not recorded.",
          "history");
  static final Metric STATEMENTS =
      new Metric(
          "isotail_statements",
          "Statements on tables that applications sent, by whether they were captured.",
          "history",
          "captured");
  static final Metric STATEMENTS_NOT_CAPTURED =
      new Metric(
          "isotail_statements_not_captured",
          "Statements that were not captured, or not in full.",
          "history",
          "service",
          "reason");
  static final Metric UNDECIDED =
      new Metric("isotail_undecided", "What could not be decided.", "history", "reason");
  static final Metric RECORDS =
      new Metric("isotail_records", "Records handed to the checker.", "history");
  static final Metric BAD_RECORDS =
      new Metric(
          "isotail_bad_records",
          "Records of the log skipped: not readable, contradicting others, or of the anomalies topic and of no"
              + " use here.",
          "stage");
  static final Metric LOST_RECORDS =
      new Metric("isotail_lost_records", "Records known to be lost.", "history");
  static final Metric DUPLICATE_RECORDS =
      new Metric("isotail_duplicate_records", "Records that had been seen before.", "history");
  static final Metric DUPLICATE_VERSIONS =
      new Metric(
          "isotail_duplicate_versions",
          "Versions installed by more than one committed transaction.",
          "history");
  static final Metric SILENT_PROXIES =
      new Metric(
          "isotail_silent_proxies", "Proxies that fell silent without a goodbye.", "history");
  static final Metric EDGES_INFERRED =
      new Metric("isotail_edges_inferred", "Commit-order edges inferred.", "history");
  static final Metric EDGES_DROPPED =
      new Metric(
          "isotail_edges_dropped",
          "Inferred edges dropped because an end had left the window.",
          "history");
  static final Metric SEARCHES =
      new Metric(
          "isotail_version_searches",
          "Searches for an order of versions, after the guessed one did not fit.",
          "history");
  static final Metric SEARCH_STEPS =
      new Metric(
          "isotail_version_search_steps",
          "Steps that searches for an order of versions took: events visited, versions moved,"
              + " choices made.",
          "history");
  static final Metric TRUNCATED =
      new Metric("isotail_truncated_transactions", "Transactions that left the window.", "history");
  static final Metric WINDOW =
      new Metric("isotail_window_transactions", "Delivered transactions in the window.", "history");
  static final Metric PENDING =
      new Metric("isotail_pending_transactions", "Transactions that wait for delivery.", "history");
  static final Metric SESSIONS =
      new Metric("isotail_live_sessions", "Sessions with a transaction in the window.", "history");
  static final Metric PROXIES =
      new Metric("isotail_live_proxies", "Proxies that keep their heartbeat.", "history");
  static final Metric VERDICT =
      new Metric(
          "isotail_verdict",
          "1 for the verdict that holds at the level, 0 for the others.",
          "history",
          "level",
          "verdict");
  static final Metric HISTORY =
      new Metric(
          "isotail_history",
          "Each history, with the labels that its settings give it; always 1.",
          "history");
  static final Metric QUARANTINED =
      new Metric(
          "isotail_history_quarantined",
          "1 when the checker of the history failed and its checking has stopped.",
          "history");
  static final Metric PROMISE =
      new Metric(
          "isotail_history_promise",
          "Always 1; the label is the level promised to the history, or varies.",
          "history",
          "promise");
  static final Metric OBSERVED =
      new Metric(
          "isotail_history_observed_level",
          "Strongest level that was checked and held in the window: 0 for none, 1 for read-committed"
              + " to 7 for strict-serializable.",
          "history");
  static final Metric CHECKED =
      new Metric(
          "isotail_history_checked_level",
          "Strongest level that is checked now: 1 for read-committed to 7 for strict-serializable.",
          "history");
  static final Metric SHED =
      new Metric(
          "isotail_history_shed",
          "1 while levels that are configured are not checked, to keep up.",
          "history");
  static final Metric PARTITIONS =
      new Metric(
          "isotail_partitions",
          "Partitions of the events topic, which the instances of the group share.",
          "kafka_cluster",
          "group");
  static final Metric ASSIGNED =
      new Metric(
          "isotail_partitions_assigned",
          "Partitions that this instance checks, or goes on with when the broker answers again.",
          "kafka_cluster",
          "group");
  static final Metric LAG_RECORDS =
      new Metric(
          "isotail_lag_records",
          "Records in the log, of one to 64 transactions each, that were not checked yet; no sample while that is unknown.");
  static final Metric LAG_TRANSACTIONS =
      new Metric(
          "isotail_lag_transactions",
          "About so many transactions are in the records that were not checked yet.");
  static final Metric LAG_SECONDS =
      new Metric("isotail_lag_seconds", "Age of the oldest record that was not checked yet.");
  static final Metric BUSY =
      new Metric("isotail_checker_busy_seconds", "Time spent in decoding and checking.");
  static final Metric STATE_SAVING =
      new Metric(
          "isotail_state_saving_seconds",
          "For how long checking stood still while a state was saved.");
  static final Metric DETECTION =
      new Metric(
          "isotail_detection_seconds", "From a transaction's end to the anomaly found.", "history");
  static final Metric DELAY =
      new Metric(
          "isotail_end_to_end_delay_seconds",
          "From a transaction's end, by the proxy's clock, to its record handed to the checker.",
          "history");
  static final Metric KAFKA_ERRORS =
      new Metric("isotail_kafka_errors", "Failed requests to the broker.");
  static final Metric UNPUBLISHED =
      new Metric("isotail_unpublished_anomalies", "Anomalies not on the anomalies topic yet.");
  static final Metric RELOADED =
      new Metric(
          "isotail_config_last_reload_successful",
          "0 after the configuration file has changed into one that cannot be used.");
  static final Metric OTLP_EVENTS =
      new Metric(
          "isotail_otlp_events",
          "Events for OpenTelemetry, by whether the receiver has taken them: sent, or lost.",
          "outcome");
  static final Metric OTLP_FAILURES =
      new Metric("isotail_otlp_failures", "Requests to OpenTelemetry's receiver that failed.");
  static final Metric MONITOR =
      new Metric(
          "isotail_monitor",
          "Where people reach the page, empty if that is not told, and the runbooks; always 1.",
          "url",
          "runbooks");
  static final Metric READY = new Metric("isotail_ready", "1 while records are read as they come.");

  private MetricCatalogue() {}

  /** All of them. */
  public static List<Metric> all() {
    return List.of(
        ANOMALIES,
        WITNESS,
        INCIDENTS,
        INCIDENT,
        OCCURRENCES,
        TRANSACTIONS,
        OPERATIONS,
        READS,
        READS_DECIDED,
        READS_BEFORE_CAPTURE,
        READS_FOREIGN,
        READS_NOT_CAPTURED,
        STATEMENTS,
        STATEMENTS_NOT_CAPTURED,
        UNDECIDED,
        RECORDS,
        BAD_RECORDS,
        LOST_RECORDS,
        DUPLICATE_RECORDS,
        DUPLICATE_VERSIONS,
        SILENT_PROXIES,
        EDGES_INFERRED,
        EDGES_DROPPED,
        SEARCHES,
        SEARCH_STEPS,
        TRUNCATED,
        WINDOW,
        PENDING,
        SESSIONS,
        PROXIES,
        VERDICT,
        HISTORY,
        QUARANTINED,
        PROMISE,
        OBSERVED,
        CHECKED,
        SHED,
        PARTITIONS,
        ASSIGNED,
        LAG_RECORDS,
        LAG_TRANSACTIONS,
        LAG_SECONDS,
        BUSY,
        STATE_SAVING,
        DETECTION,
        DELAY,
        KAFKA_ERRORS,
        UNPUBLISHED,
        RELOADED,
        OTLP_EVENTS,
        OTLP_FAILURES,
        MONITOR,
        READY);
  }
}
