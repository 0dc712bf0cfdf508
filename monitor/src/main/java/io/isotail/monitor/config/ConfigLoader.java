package io.isotail.monitor.config;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.level.IsolationLevel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Merges file, environment and flags into one flat map of settings and turns it into a {@link
 * MonitorConfig}. Mistakes are collected, never thrown one by one.
 */
final class ConfigLoader {
  /** Environment variables with these beginnings must name a setting; others may be anyone's. */
  private static final List<String> OWN_ENVIRONMENT =
      List.of("ISOTAIL_KAFKA_", "ISOTAIL_HTTP_", "ISOTAIL_ANOMALIES_", "ISOTAIL_DEFAULTS_");

  private final Map<String, String> values = new TreeMap<>();
  private final Map<String, String> sources = new TreeMap<>();
  private final List<String> errors = new ArrayList<>();
  private final Set<String> histories = new LinkedHashSet<>();

  private ConfigLoader() {}

  static MonitorConfig load(
      @Nullable Path file, Map<String, String> environment, Map<String, String> flags) {
    ConfigLoader loader = new ConfigLoader();
    if (file != null) {
      loader.readFile(file);
    }
    loader.readEnvironment(environment);
    flags.forEach((name, value) -> loader.put(name, value, "flag"));
    loader.rejectUnknown();
    MonitorConfig config = loader.build();
    if (!loader.errors.isEmpty()) {
      throw new ConfigException(loader.errors);
    }
    return config;
  }

  private void put(String name, String value, String source) {
    values.put(name, value);
    sources.put(name, source);
  }

  private void readFile(Path file) {
    try {
      JsonNode root = new YAMLMapper().readTree(Files.readString(file));
      if (root.isObject()) {
        flatten("", root, file.toString());
      } else if (!root.isMissingNode() && !root.isNull()) {
        errors.add("%s: expected names and values, found %s".formatted(file, root.getNodeType()));
      }
    } catch (JsonProcessingException e) {
      long line = e.getLocation() == null ? 0 : e.getLocation().getLineNr();
      errors.add("%s:%d: not YAML: %s".formatted(file, line, e.getOriginalMessage()));
    } catch (IOException e) {
      errors.add("%s: cannot be read: %s".formatted(file, e));
    }
  }

  private void flatten(String prefix, JsonNode node, String source) {
    for (Map.Entry<String, JsonNode> field : node.properties()) {
      String name = prefix + field.getKey();
      JsonNode value = field.getValue();
      if (value.isObject()) {
        if (prefix.equals(Setting.HISTORIES)) {
          histories.add(field.getKey());
        }
        flatten(name + ".", value, source);
      } else if (value.isArray()) {
        errors.add("%s (%s): a list; expected one value".formatted(name, source));
      } else {
        put(name, value.isNull() ? "" : value.asText(), source);
      }
    }
  }

  private void readEnvironment(Map<String, String> environment) {
    Map<String, String> names = new LinkedHashMap<>();
    Setting.MONITOR.forEach(s -> names.put(Setting.environmentName(s.name()), s.name()));
    for (Setting s : Setting.HISTORY) {
      String name = Setting.DEFAULTS + s.name();
      names.put(Setting.environmentName(name), name);
    }
    String passThrough = Setting.environmentName(Setting.KAFKA_PROPERTIES);
    new TreeMap<>(environment)
        .forEach(
            (variable, value) -> {
              String name = names.get(variable);
              if (name != null) {
                put(name, value, variable);
              } else if (variable.startsWith(passThrough)) {
                String property = variable.substring(passThrough.length());
                put(
                    Setting.KAFKA_PROPERTIES + property.toLowerCase(Locale.ROOT).replace('_', '.'),
                    value,
                    variable);
              } else if (OWN_ENVIRONMENT.stream().anyMatch(variable::startsWith)) {
                errors.add(
                    "%s: no such setting; expected one of %s"
                        .formatted(variable, String.join(", ", names.keySet())));
              }
            });
  }

  private void rejectUnknown() {
    for (String name : values.keySet()) {
      if (name.startsWith(Setting.KAFKA_PROPERTIES) || isKnown(name)) {
        continue;
      }
      errors.add(
          "%s (%s): no such setting; the settings are in monitor/README.md"
              .formatted(name, sources.get(name)));
    }
  }

  private boolean isKnown(String name) {
    if (Setting.MONITOR.stream().anyMatch(s -> s.name().equals(name))) {
      return true;
    }
    if (name.startsWith(Setting.DEFAULTS)) {
      return isKnownOfHistory(name.substring(Setting.DEFAULTS.length()));
    }
    if (!name.startsWith(Setting.HISTORIES)) {
      return false;
    }
    String rest = name.substring(Setting.HISTORIES.length());
    for (String history : histories) {
      if (rest.startsWith(history + ".")
          && isKnownOfHistory(rest.substring(history.length() + 1))) {
        return true;
      }
    }
    int promises = rest.indexOf("." + Setting.PROMISES);
    if (promises > 0) {
      histories.add(rest.substring(0, promises));
      return true;
    }
    for (Setting s : Setting.HISTORY) {
      if (rest.endsWith("." + s.name())) {
        histories.add(rest.substring(0, rest.length() - s.name().length() - 1));
        return true;
      }
    }
    return false;
  }

  private static boolean isKnownOfHistory(String name) {
    return name.startsWith(Setting.PROMISES)
        || Setting.HISTORY.stream().anyMatch(s -> s.name().equals(name));
  }

  private MonitorConfig build() {
    Map<String, String> properties = new TreeMap<>();
    values.forEach(
        (name, value) -> {
          if (name.startsWith(Setting.KAFKA_PROPERTIES)) {
            properties.put(name.substring(Setting.KAFKA_PROPERTIES.length()), value);
          }
        });
    MonitorConfig.Kafka kafka =
        new MonitorConfig.Kafka(
            bootstrap(),
            topic("kafka.events-topic"),
            topic("kafka.anomalies-topic"),
            topic("kafka.state-topic"),
            topic("kafka.group"),
            text("kafka.instance-id").isEmpty() ? null : topic("kafka.instance-id"),
            number("checkpoint.interval-ms", text("checkpoint.interval-ms"), 100, 86_400_000),
            bool("kafka.create-topics", text("kafka.create-topics")),
            number("kafka.partitions", text("kafka.partitions"), 1, 10_000),
            properties);
    requireOther(
        "kafka.anomalies-topic", kafka.anomaliesTopic(), "kafka.events-topic", kafka.eventsTopic());
    requireOther(
        "kafka.state-topic", kafka.stateTopic(), "kafka.events-topic", kafka.eventsTopic());
    requireOther(
        "kafka.state-topic", kafka.stateTopic(), "kafka.anomalies-topic", kafka.anomaliesTopic());
    String publicUrl = text("http.public-url");
    if (!publicUrl.isEmpty() && !publicUrl.matches("https?://[^\\s/]+(/\\S*)?")) {
      errors.add("http.public-url=%s: expected http(s)://HOST[:PORT]".formatted(publicUrl));
    }
    Map<String, HistoryConfig> declared = new TreeMap<>();
    for (String id : histories) {
      declared.put(id, history(Setting.HISTORIES + id + "."));
    }
    int maxHistories = number("max-histories", text("max-histories"), 1, 100_000);
    if (declared.size() > maxHistories) {
      errors.add(
          "max-histories=%d: fewer than the %d histories declared"
              .formatted(maxHistories, declared.size()));
    }
    return new MonitorConfig(
        kafka,
        new MonitorConfig.Http(
            text("http.host"),
            number("http.port", text("http.port"), 0, 65_535),
            publicUrl.isEmpty() ? null : publicUrl),
        number("anomalies.retained", text("anomalies.retained"), 1, 1_000_000),
        maxHistories,
        number("shutdown-ms", text("shutdown-ms"), 100, 3_600_000),
        history(Setting.DEFAULTS),
        declared);
  }

  private HistoryConfig history(String prefix) {
    String promise = historyText(prefix, "promise");
    String strongest = historyText(prefix, "level");
    IsolationLevel level = IsolationLevel.STRICT_SERIALIZABLE;
    if (!strongest.isEmpty()) {
      level = level(prefix + "level", strongest, level);
    }
    Map<String, IsolationLevel> promises = new TreeMap<>(CheckerConfig.DEFAULT_PROMISES);
    addPromises(Setting.DEFAULTS + Setting.PROMISES, promises);
    addPromises(prefix + Setting.PROMISES, promises);
    return new HistoryConfig(
        promise.isEmpty() ? null : level(prefix + "promise", promise, level),
        level,
        promises,
        bool(prefix + "closed", historyText(prefix, "closed")),
        bool(prefix + "unique-versions", historyText(prefix, "unique-versions")),
        names(historyText(prefix, "counting-tables")),
        bool(prefix + "deletes", historyText(prefix, "deletes")),
        historyNumber(prefix, "window.transactions", 2),
        historyNumber(prefix, "window.retired-versions", 0),
        historyNumber(prefix, "pending.transactions", 1),
        historyNumber(prefix, "transaction.operations", 1),
        clockUncertainty(prefix + "clock-uncertainty", historyText(prefix, "clock-uncertainty")),
        historyNumber(prefix, "proxy.silent-after-ms", 1));
  }

  private long clockUncertainty(String name, String value) {
    if (value.isEmpty()) {
      return CheckerConfig.NEVER_COMPARED;
    }
    try {
      return Durations.parse(name, value).toNanos();
    } catch (IllegalArgumentException | ArithmeticException e) {
      errors.add("%s=%s: expected a time as in 10ms, 2s or 1m, or nothing".formatted(name, value));
      return CheckerConfig.NEVER_COMPARED;
    }
  }

  private static Set<String> names(String list) {
    Set<String> names = new TreeSet<>();
    for (String name : list.split(",", -1)) {
      if (!name.isBlank()) {
        names.add(name.trim());
      }
    }
    return names;
  }

  private void addPromises(String prefix, Map<String, IsolationLevel> promises) {
    values.forEach(
        (name, value) -> {
          if (name.startsWith(prefix)) {
            promises.put(
                name.substring(prefix.length()), level(name, value, IsolationLevel.READ_COMMITTED));
          }
        });
  }

  private String bootstrap() {
    String value = text("kafka.bootstrap");
    for (String server : value.split(",", -1)) {
      if (!server.trim().matches("(\\[[0-9a-fA-F:]+]|[^\\s:]+):[0-9]{1,5}")) {
        errors.add(
            "kafka.bootstrap=%s: '%s' is no server; expected HOST:PORT[,HOST:PORT…]"
                .formatted(value, server));
      }
    }
    return value;
  }

  private String topic(String name) {
    String value = text(name);
    if (!value.matches("[a-zA-Z0-9._-]{1,249}")) {
      errors.add("%s=%s: expected 1 to 249 of a-z A-Z 0-9 . _ -".formatted(name, value));
    }
    return value;
  }

  private void requireOther(String name, String value, String otherName, String other) {
    if (value.equals(other)) {
      errors.add("%s=%s: the same as %s; expected another".formatted(name, value, otherName));
    }
  }

  private String text(String name) {
    String value = values.get(name);
    return value != null ? value.trim() : fallback(Setting.MONITOR, name);
  }

  private String historyText(String prefix, String name) {
    String value = values.get(prefix + name);
    if (value == null) {
      value = values.get(Setting.DEFAULTS + name);
    }
    return value != null ? value.trim() : fallback(Setting.HISTORY, name);
  }

  private int historyNumber(String prefix, String name, int least) {
    return number(prefix + name, historyText(prefix, name), least, Integer.MAX_VALUE);
  }

  private static String fallback(List<Setting> settings, String name) {
    for (Setting s : settings) {
      if (s.name().equals(name)) {
        return s.fallback();
      }
    }
    throw new IllegalArgumentException("no setting is named " + name);
  }

  private IsolationLevel level(String name, String value, IsolationLevel instead) {
    try {
      return IsolationLevel.ofLabel(value);
    } catch (IllegalArgumentException e) {
      errors.add("%s=%s: %s".formatted(name, value, e.getMessage()));
      return instead;
    }
  }

  private boolean bool(String name, String value) {
    if (!value.equals("true") && !value.equals("false")) {
      errors.add("%s=%s: expected true or false".formatted(name, value));
    }
    return value.equals("true");
  }

  private int number(String name, String value, int least, int most) {
    try {
      int number = Integer.parseInt(value.replace("_", ""));
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Reported below, as a number out of range is.
    }
    errors.add("%s=%s: expected a whole number from %d to %d".formatted(name, value, least, most));
    return least;
  }
}
