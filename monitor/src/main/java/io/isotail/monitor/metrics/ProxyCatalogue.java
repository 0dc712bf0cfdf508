package io.isotail.monitor.metrics;

import io.isotail.ingest.proxy.ProxyStats.Count;
import io.isotail.monitor.metrics.MetricCatalogue.Metric;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Every metric of a proxy itself: name without suffix, help, labels. Metrics of the JVM and the
 * process come from Micrometer beside them.
 */
public final class ProxyCatalogue {
  private static final String SIDE = "side";
  private static final String REASON = "reason";

  /**
   * A counter, which shows one or more counts.
   *
   * @param metric its name, help and labels
   * @param counts what it shows, by the value of its label; of the empty one if it has none
   */
  record Counted(Metric metric, Map<String, Count> counts) {}

  static final List<Counted> COUNTERS =
      List.of(
          one(
              "isotail_proxy_connections",
              "Connections that clients have opened.",
              Count.CONNECTIONS),
          one(
              "isotail_proxy_connections_refused",
              "Connections refused because there were too many, or the proxy was stopping.",
              Count.REFUSED),
          one("isotail_proxy_sessions", "Sessions that the server has got.", Count.SESSIONS),
          one(
              "isotail_proxy_cancel_requests",
              "Requests to cancel a statement that were passed on.",
              Count.CANCELS),
          one("isotail_proxy_logins", "Logins that the proxy took itself.", Count.LOGINS),
          bothSides(
              "isotail_proxy_tls_handshakes",
              "TLS handshakes that went well.",
              Count.CLIENT_HANDSHAKES,
              Count.SERVER_HANDSHAKES),
          bothSides(
              "isotail_proxy_received_bytes",
              "Bytes that a side has sent.",
              Count.CLIENT_BYTES,
              Count.SERVER_BYTES),
          bothSides(
              "isotail_proxy_messages",
              "Messages of a side that were looked at.",
              Count.CLIENT_MESSAGES,
              Count.SERVER_MESSAGES),
          one(
              "isotail_proxy_conversation_failures",
              "Connections on which capturing failed; they go on uncaptured.",
              Count.CONVERSATION_FAILURES),
          one(
              "isotail_proxy_framing_lost",
              "Sides whose bytes could no longer be cut into messages; they go on uncaptured.",
              Count.FRAMING_LOST),
          one(
              "isotail_proxy_internal_failures",
              "Failures of the proxy itself, which its log has.",
              Count.INTERNAL_FAILURES));

  static final Metric START_FAILURES =
      new Metric(
          "isotail_proxy_start_failures",
          "Connections that did not become a session.",
          List.of(REASON));
  static final Metric OPEN =
      new Metric("isotail_proxy_connections_open", "Connections of clients.", List.of());
  static final Metric ADDED =
      new Metric(
          "isotail_proxy_added_seconds",
          "From bytes that came from a side to bytes that were handed to the other one's socket.",
          List.of(SIDE));
  static final Metric LOOP_WAIT =
      new Metric(
          "isotail_proxy_event_loop_wait_seconds",
          "How late tasks of the event loops began.",
          List.of());
  static final Metric UNCAPTURED =
      new Metric(
          "isotail_proxy_connections_uncaptured",
          "Connections whose capturing could not begin; they go on uncaptured.",
          List.of());
  static final Metric TRANSACTIONS =
      new Metric(
          "isotail_proxy_transactions",
          "Transactions that were recorded, by how they ended.",
          List.of("outcome"));
  static final Metric OPERATIONS =
      new Metric(
          "isotail_proxy_operations", "Reads and writes of recorded transactions.", List.of());
  static final Metric STATEMENTS =
      new Metric(
          "isotail_proxy_statements",
          "Statements on tables, by what was captured of them; those of `partly` and `refused` are"
              + " among the captured ones.",
          List.of("outcome"));
  static final Metric STATEMENTS_NOT_CAPTURED =
      new Metric(
          "isotail_proxy_statements_not_captured",
          "Statements that were not captured, or not in full.",
          List.of(REASON));
  static final Metric CAPTURE_EVENTS =
      new Metric(
          "isotail_proxy_capture_events",
          "What kept rows or transactions from being recorded in full.",
          List.of("event"));
  static final Metric QUEUE =
      new Metric("isotail_proxy_queue_records", "Records that wait for Kafka.", List.of());
  static final Metric QUEUE_CAPACITY =
      new Metric(
          "isotail_proxy_queue_capacity_records",
          "Records that may wait for Kafka; 0 before the first connection.",
          List.of());
  static final Metric EMITTED =
      new Metric(
          "isotail_proxy_records_emitted", "Records that Kafka has acknowledged.", List.of());
  static final Metric LOST =
      new Metric(
          "isotail_proxy_records_lost",
          "Records that found the queue full, or that Kafka has not acknowledged in time.",
          List.of(REASON));
  static final Metric GAPS =
      new Metric("isotail_proxy_gaps", "Announcements of lost records on the stream.", List.of());
  static final Metric HEARTBEATS =
      new Metric("isotail_proxy_heartbeats", "Heartbeats that Kafka has acknowledged.", List.of());
  static final Metric KAFKA_ERRORS =
      new Metric(
          "isotail_proxy_kafka_errors",
          "Records and heartbeats that Kafka's producer gave up.",
          List.of());
  static final Metric KAFKA_SILENT =
      new Metric(
          "isotail_proxy_kafka_silent_seconds",
          "For how long Kafka has acknowledged nothing; below 1 while it answers, 0 before the first"
              + " connection.",
          List.of());
  static final Metric READY =
      new Metric("isotail_proxy_ready", "1 while clients may connect.", List.of());

  private ProxyCatalogue() {}

  private static Counted one(String name, String help, Count count) {
    return new Counted(new Metric(name, help, List.of()), Map.of("", count));
  }

  private static Counted bothSides(String name, String help, Count client, Count server) {
    return new Counted(
        new Metric(name, help, List.of(SIDE)),
        new TreeMap<>(Map.of("client", client, "server", server)));
  }

  /** All of them. */
  public static List<Metric> all() {
    List<Metric> all = new ArrayList<>(COUNTERS.stream().map(Counted::metric).toList());
    all.addAll(List.of(START_FAILURES, OPEN, ADDED, LOOP_WAIT));
    all.addAll(
        List.of(
            UNCAPTURED,
            TRANSACTIONS,
            OPERATIONS,
            STATEMENTS,
            STATEMENTS_NOT_CAPTURED,
            CAPTURE_EVENTS,
            QUEUE,
            QUEUE_CAPACITY,
            EMITTED,
            LOST,
            GAPS,
            HEARTBEATS,
            KAFKA_ERRORS,
            KAFKA_SILENT));
    all.addAll(List.of(READY, MetricCatalogue.RELOADED));
    return List.copyOf(all);
  }
}
