package io.isotail.monitor.config;

import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The labels that a history's metrics and alerts carry, for routing. Bounds: {@link #MOST} of them,
 * each value of at most {@link #MAX_CHARS} characters.
 */
final class HistoryLabels {
  static final int MOST = 8;
  static final int MAX_CHARS = 100;

  /** Labels that the monitor's own metrics have. */
  private static final Set<String> OF_METRICS =
      Set.of(
          "advice",
          "again",
          "anomaly",
          "captured",
          "counts",
          "ended",
          "explanation",
          "fault",
          "group",
          "history",
          "incident",
          "kafka_cluster",
          "le",
          "level",
          "outcome",
          "promise",
          "radius",
          "reason",
          "root",
          "runbooks",
          "service",
          "since",
          "slot",
          "stage",
          "table",
          "title",
          "url",
          "verdict",
          "wave",
          "witness");

  /** Labels that Prometheus gives its targets and alerts; the rules leave those of targets out. */
  private static final Set<String> OF_PROMETHEUS =
      Set.of(
          "alertname",
          "alertstate",
          "container",
          "endpoint",
          "instance",
          "job",
          "namespace",
          "node",
          "pod",
          "severity");

  private HistoryLabels() {}

  /** The labels of the history with this prefix: those of the defaults, and its own over them. */
  static SortedMap<String, String> read(SettingReader settings, String prefix) {
    SortedMap<String, String> labels = new TreeMap<>();
    add(settings, Setting.DEFAULTS + Setting.LABELS.prefix(), labels);
    String own = prefix + Setting.LABELS.prefix();
    add(settings, own, labels);
    if (labels.size() > MOST && !settings.below(own).isEmpty()) {
      settings.wrong(
          own + "*",
          String.join(", ", labels.keySet()),
          "%d labels; expected at most %d, with those of the defaults"
              .formatted(labels.size(), MOST));
    }
    return labels;
  }

  private static void add(SettingReader settings, String below, Map<String, String> labels) {
    settings
        .below(below)
        .forEach(
            (name, text) -> {
              String value = text.trim();
              String mistake = mistake(name, value);
              if (!mistake.isEmpty()) {
                settings.wrong(below + name, value, mistake);
              } else if (value.isEmpty()) {
                labels.remove(name);
              } else {
                labels.put(name, value);
              }
            });
  }

  /** What is wrong with a label; empty if nothing is. */
  private static String mistake(String name, String value) {
    if (!name.matches("[a-zA-Z_][a-zA-Z0-9_]*") || name.startsWith("__")) {
      return "'%s' is no name of a label; expected a letter or _, then letters, digits and _, not __ at the beginning"
          .formatted(name);
    }
    if (OF_METRICS.contains(name) || OF_PROMETHEUS.contains(name)) {
      Set<String> taken = new TreeSet<>(OF_METRICS);
      taken.addAll(OF_PROMETHEUS);
      return "'%s' is a label that isotail or Prometheus uses itself; expected none of %s"
          .formatted(name, String.join(", ", taken));
    }
    if (value.codePointCount(0, value.length()) > MAX_CHARS) {
      return "%d characters; expected at most %d"
          .formatted(value.codePointCount(0, value.length()), MAX_CHARS);
    }
    return value.matches("\\P{Cntrl}*") ? "" : "expected no control characters";
  }
}
