package io.isotail.monitor.config;

import java.nio.file.Path;
import java.util.Map;
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

  private ConfigLoader(
      @Nullable Path file, Map<String, String> environment, Map<String, String> flags) {
    this.raw = RawSettings.read(file, environment, flags, mistakes);
    this.settings = new SettingReader(raw, mistakes);
  }

  static MonitorConfig load(
      @Nullable Path file, Map<String, String> environment, Map<String, String> flags) {
    ConfigLoader loader = new ConfigLoader(file, environment, flags);
    MonitorConfig config = loader.build();
    if (loader.mistakes.size() > 0) {
      throw new ConfigException(loader.mistakes.all());
    }
    return config;
  }

  private MonitorConfig build() {
    MonitorConfig.Kafka kafka = KafkaSettings.read(settings);
    MonitorConfig.Http http = HttpSettings.read(settings);
    HistoryConfig defaults = HistorySettings.read(settings, Setting.DEFAULTS);
    Map<String, HistoryConfig> declared = new TreeMap<>();
    for (String id : raw.histories()) {
      declared.put(id, HistorySettings.read(settings, Setting.HISTORIES + id + "."));
    }
    return new MonitorConfig(
        kafka,
        http,
        settings.number("anomalies.retained", 1, 1_000_000),
        maxHistories(declared.size()),
        settings.number("shutdown-ms", 100, 3_600_000),
        defaults,
        declared);
  }

  private int maxHistories(int declared) {
    int before = mistakes.size();
    int most = settings.number("max-histories", 1, 100_000);
    if (mistakes.size() == before && most < declared) {
      settings.wrong(
          "max-histories",
          Integer.toString(most),
          "fewer than the %d histories declared; expected at least as many".formatted(declared));
    }
    return most;
  }
}
