package io.isotail.monitor.config;

import java.util.List;
import java.util.Set;

/** Which settings a command has, and where they are explained. */
enum Scope {
  /** {@code isotail serve}: settings of the monitor, of every history and of each. */
  MONITOR(
      Setting.MONITOR,
      Setting.KAFKA_PROPERTIES,
      "monitor/README.md",
      List.of(
          "ISOTAIL_KAFKA_",
          "ISOTAIL_CHECKPOINT_",
          "ISOTAIL_HTTP_",
          "ISOTAIL_OTLP_",
          "ISOTAIL_ANOMALIES_",
          "ISOTAIL_MAX_",
          "ISOTAIL_SHUTDOWN",
          "ISOTAIL_DEFAULTS_")),

  /** {@code isotail proxy}: settings of a proxy, and no histories. */
  PROXY(
      Setting.PROXY,
      Setting.CAPTURE_KAFKA_PROPERTIES,
      "ingest/guide/proxy.md",
      List.of(
          "ISOTAIL_LISTEN",
          "ISOTAIL_UPSTREAM",
          "ISOTAIL_TLS_",
          "ISOTAIL_HTTP_",
          "ISOTAIL_MAX_",
          "ISOTAIL_START_",
          "ISOTAIL_DRAIN"));

  @SuppressWarnings("ImmutableEnumChecker") // cannot be modified
  private final Set<Setting> settings;

  private final Setting passedToKafka;
  private final String document;

  @SuppressWarnings("ImmutableEnumChecker") // cannot be modified
  private final List<String> variables;

  Scope(Set<Setting> settings, Setting passedToKafka, String document, List<String> variables) {
    this.settings = settings;
    this.passedToKafka = passedToKafka;
    this.document = document;
    this.variables = variables;
  }

  /** The settings, less those of histories. */
  Set<Setting> settings() {
    return settings;
  }

  /** The family whose values Kafka's clients get. */
  Setting passedToKafka() {
    return passedToKafka;
  }

  /** The document that explains the settings. */
  String document() {
    return document;
  }

  /** Variables with these beginnings must name a setting; others may be anyone's. */
  List<String> variables() {
    return variables;
  }

  /** Whether histories have settings too. */
  boolean hasHistories() {
    return this == MONITOR;
  }

  /** Whether one of the settings, less those of histories, has this name. */
  boolean has(String name) {
    return settings.stream().anyMatch(s -> s.hasName(name));
  }
}
