package io.isotail.monitor.rules;

import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * What can be set in the alert rules: the one table that the checks, {@code isotail rules --list}
 * and the documentation come from.
 */
public enum RuleSetting {
  GROUP("group", "isotail", Form.NAME, "name of the group of rules"),
  PREFIX(
      "prefix",
      "Isotail",
      Form.WORD,
      "what the names of the alerts begin with; Alertmanager's inhibit rules name them too"),
  JOB("job", "isotail", Form.NAME, "Prometheus' job that scrapes the monitors"),
  TARGET_LABELS(
      "target-labels",
      "container, endpoint, instance, job, namespace, node, pod, service",
      Form.NAMES,
      "labels of scrape targets, which an anomaly's alert must not have: a history may move;"
          + " without instance they are left out of the other alerts of a history too"),
  PUBLIC_URL(
      "public-url",
      "",
      Form.URL,
      "address under which people reach the page; empty: what the monitors say (http.public-url),"
          + " else their instance"),
  RUNBOOK_URL(
      "runbook-url",
      "",
      Form.URL,
      "address of the folder with the runbooks; empty: what the monitors say (http.runbook-url)"),
  SEVERITY_PAGE("severity.page", "page", Form.NAME, "severity of what wakes somebody"),
  SEVERITY_WARNING("severity.warning", "warning", Form.NAME, "severity of what can wait"),
  ANOMALY_WINDOW("anomaly.window", "10m", Form.TIME, "time over which violations are counted"),
  ANOMALY_KEEP(
      "anomaly.keep-firing-for",
      "30m",
      Form.TIME,
      "how long an anomaly's alert outlasts that, so that a cause that strikes now and then is one"
          + " page"),
  LAG_SECONDS("lag.seconds", "30", Form.NUMBER, "seconds behind the log that are told"),
  LAG_FOR("lag.for", "2m", Form.TIME, "how long they must last"),
  LAG_MEMORY(
      "lag.memory",
      "1m",
      Form.TIME,
      "how long the lag that was known last holds while it is unknown; less than lag.for"),
  LAG_UNKNOWN_FOR(
      "lag-unknown.for",
      "5m",
      Form.TIME,
      "how long an instance that reads must not have known its lag"),
  GAP_WINDOW("gap.window", "10m", Form.TIME, "how long the loss of records is told"),
  PROXY_SILENT_WINDOW(
      "proxy-silent.window", "10m", Form.TIME, "how long the silence of a proxy is told"),
  PROXY_LOSES_EVENTS_WINDOW(
      "proxy-loses-events.window",
      "10m",
      Form.TIME,
      "how long it is told that a proxy lost events"),
  COVERAGE_LEAST("coverage.least", "0.95", Form.SHARE, "share of reads that must be decided"),
  COVERAGE_WINDOW("coverage.window", "5m", Form.TIME, "time over which reads are counted"),
  COVERAGE_FOR("coverage.for", "10m", Form.TIME, "how long the share must be less"),
  MONITOR_DOWN_FOR(
      "monitor-down.for",
      "1m",
      Form.TIME,
      "how long nobody must check a partition; a killed instance's are taken over after 10 s"),
  MONITOR_DOWN_MEMORY(
      "monitor-down.memory",
      "1h",
      Form.TIME,
      "how long partitions are remembered of a group whose instances are all gone"),
  INSTANCE_DOWN_FOR(
      "instance-down.for", "5m", Form.TIME, "how long one instance must not have answered"),
  NOT_READY_FOR(
      "not-ready.for", "2m", Form.TIME, "how long an instance must not have read anything"),
  LABELS("labels.NAME", "", Form.TEXT, "a label that every alert has"),
  KUBERNETES_NAME("kubernetes.name", "isotail", Form.OBJECT, "name of the PrometheusRule"),
  KUBERNETES_NAMESPACE(
      "kubernetes.namespace", "", Form.OBJECT, "its namespace; empty: not told in it"),
  KUBERNETES_LABELS(
      "kubernetes.labels.NAME",
      "",
      Form.OBJECT_LABEL,
      "a label of it, such as release, by which an operator selects it");

  private final String key;
  private final String fallback;
  private final Form form;
  private final String doc;

  RuleSetting(String key, String fallback, Form form, String doc) {
    this.key = key;
    this.fallback = fallback;
    this.form = form;
    this.doc = doc;
  }

  /** Its name; that of a family ends in {@code NAME}. */
  public String key() {
    return key;
  }

  /** Value when nothing sets it. */
  public String fallback() {
    return fallback;
  }

  /** What it means. */
  public String doc() {
    return doc;
  }

  boolean isFamily() {
    return key.endsWith(".NAME");
  }

  /** What the names of a family have in common, with its dot. */
  String prefix() {
    return key.substring(0, key.lastIndexOf('.') + 1);
  }

  /** Whether it, or one of the family, has this name. */
  boolean hasName(String name) {
    return isFamily()
        ? name.startsWith(prefix()) && name.length() > prefix().length()
        : name.equals(key);
  }

  /** Whether it may have this value. */
  boolean allows(String value) {
    return (value.isEmpty() && fallback.isEmpty()) || form.allowed.test(value);
  }

  /** What it may say. */
  String expected() {
    return form.expected;
  }

  private enum Form {
    NAME("a name of letters, digits, _ . : and -", "[A-Za-z0-9_.:-]+"),
    WORD("letters, digits and _, a letter first", "[A-Za-z][A-Za-z0-9_]*"),
    NAMES(
        "names of labels with commas between, instance among them",
        "(?=.*\\binstance\\b)[A-Za-z_][A-Za-z0-9_]*( *, *[A-Za-z_][A-Za-z0-9_]*)*"),
    URL("http(s)://HOST[:PORT][/PATH]", "https?://[A-Za-z0-9.\\[:\\]-]+(/[A-Za-z0-9._~%/:@+-]*)?"),
    TIME("a time as in 30s, 10m or 1h30m", "(?=.*[1-9])([0-9]+d)?([0-9]+h)?([0-9]+m)?([0-9]+s)?"),
    NUMBER("a number, 0 or more", "[0-9]{1,15}(\\.[0-9]{1,15})?"),
    SHARE("a number from 0 to 1", "0(\\.[0-9]{1,15})?|1(\\.0{1,15})?"),
    TEXT("a text without control characters", "\\P{Cntrl}+"),
    OBJECT("a name of small letters, digits, . and -", "[a-z0-9]([a-z0-9.-]*[a-z0-9])?"),
    OBJECT_LABEL("letters, digits, _ . and -", "[A-Za-z0-9]([A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?");

    private final String expected;

    @SuppressWarnings("ImmutableEnumChecker") // its function keeps no state
    private final Predicate<String> allowed;

    Form(String expected, String pattern) {
      this.expected = expected;
      this.allowed = Pattern.compile(pattern).asMatchPredicate();
    }
  }
}
