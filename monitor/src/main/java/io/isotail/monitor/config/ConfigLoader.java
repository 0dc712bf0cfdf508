package io.isotail.monitor.config;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Merges file, environment and flags into one flat map of settings and turns it into a {@link
 * MonitorConfig}. Mistakes are collected, never thrown one by one.
 */
final class ConfigLoader {
  private final Mistakes mistakes = new Mistakes();
  private final RawSettings raw;
  private final SettingReader settings;
  private final MonitorConfig config;

  private ConfigLoader(
      @Nullable Path file, Map<String, String> environment, Map<String, String> flags) {
    this.raw = RawSettings.read(Scope.MONITOR, file, environment, flags, mistakes);
    this.settings = reader("");
    this.config = build();
    if (mistakes.size() > 0) {
      throw new ConfigException(mistakes.all());
    }
  }

  static MonitorConfig load(
      @Nullable Path file, Map<String, String> environment, Map<String, String> flags) {
    return new ConfigLoader(file, environment, flags).config;
  }

  /** What {@link #load} would give, as {@code NAME: VALUE}. */
  static List<String> lines(
      @Nullable Path file, Map<String, String> environment, Map<String, String> flags) {
    return new ConfigLoader(file, environment, flags).lines();
  }

  private SettingReader reader(String prefix) {
    return new SettingReader(raw, mistakes, prefix);
  }

  private MonitorConfig build() {
    MonitorConfig.Kafka kafka = KafkaSettings.read(settings);
    MonitorConfig.Http http = HttpSettings.read(settings, Setting.HTTP_PORT);
    MonitorConfig.Otlp otlp = OtlpSettings.read(settings);
    HistoryConfig defaults = HistorySettings.read(reader(Setting.DEFAULTS), Setting.DEFAULTS);
    Map<String, HistoryConfig> declared = new TreeMap<>();
    for (String id : raw.histories()) {
      String prefix = Setting.HISTORIES + id + ".";
      declared.put(id, HistorySettings.read(reader(prefix), prefix));
    }
    return new MonitorConfig(
        kafka,
        http,
        otlp,
        settings.number(Setting.ANOMALIES_RETAINED),
        maxHistories(declared.size()),
        settings.number(Setting.SHUTDOWN_MS),
        defaults,
        declared);
  }

  private int maxHistories(int declared) {
    int before = mistakes.size();
    int most = settings.number(Setting.MAX_HISTORIES);
    if (mistakes.size() == before && most < declared) {
      settings.wrong(
          Setting.MAX_HISTORIES,
          Integer.toString(most),
          "fewer than the %d histories declared; expected at least as many".formatted(declared));
    }
    return most;
  }

  private List<String> lines() {
    List<String> lines = new ArrayList<>();
    print("", Setting.MONITOR, lines);
    print(Setting.DEFAULTS, config.defaults(), lines);
    new TreeMap<>(config.histories())
        .forEach((id, history) -> print(Setting.HISTORIES + id + ".", history, lines));
    return lines;
  }

  private void print(String prefix, HistoryConfig history, List<String> lines) {
    print(prefix, Setting.HISTORY, lines);
    new TreeMap<>(history.checker().promises())
        .forEach(
            (ranAt, to) ->
                lines.add(prefix + Setting.PROMISES.prefix() + ranAt + ": " + to.label()));
    history
        .labels()
        .forEach(
            (name, value) -> lines.add(prefix + Setting.LABELS.prefix() + name + ": " + value));
  }

  private void print(String prefix, Set<Setting> printed, List<String> lines) {
    SettingReader reader = reader(prefix);
    for (Setting setting : printed) {
      if (setting == Setting.KAFKA_PROPERTIES) {
        // Only the names: the values may be credentials.
        new TreeMap<>(config.kafka().properties())
            .keySet()
            .forEach(name -> lines.add(setting.prefix() + name + ": (set)"));
      } else if (setting == Setting.HTTP_PASSWORD) {
        lines.add(setting + ": " + (config.http().login() == null ? "" : "(set)"));
      } else if (setting != Setting.HTTP_PASSWORD_FILE && !setting.isFamily()) {
        lines.add(prefix + setting + ": " + reader.shown(setting));
      }
    }
  }
}
