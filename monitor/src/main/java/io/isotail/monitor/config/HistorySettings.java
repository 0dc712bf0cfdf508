package io.isotail.monitor.config;

import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.level.IsolationLevel;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The settings of one history, or of all that are not declared. */
final class HistorySettings {
  private static final String POSTGRESQL = "postgresql:";

  private final SettingReader settings;
  private final String prefix;

  private HistorySettings(SettingReader settings, String prefix) {
    this.settings = settings;
    this.prefix = prefix;
  }

  /**
   * Reads what stands below the prefix; the rest comes from the defaults.
   *
   * @param prefix with its last dot
   */
  static HistoryConfig read(SettingReader settings, String prefix) {
    return new HistorySettings(settings, prefix).read();
  }

  private HistoryConfig read() {
    IsolationLevel strongest = level("level");
    IsolationLevel promise = level("promise");
    if (promise != null) {
      requireChecked(settings.nameFor(prefix, "promise"), promise, strongest);
    }
    Map<String, IsolationLevel> promises = new TreeMap<>(CheckerConfig.DEFAULT_PROMISES);
    addPromises(Setting.DEFAULTS + Setting.PROMISES, promises, strongest);
    addPromises(prefix + Setting.PROMISES, promises, strongest);
    return new HistoryConfig(
        promise,
        strongest == null ? IsolationLevel.STRICT_SERIALIZABLE : strongest,
        promises,
        settings.historyBool(prefix, "closed"),
        settings.historyBool(prefix, "unique-versions"),
        tables(),
        settings.historyBool(prefix, "deletes"),
        settings.historyNumber(prefix, "window.transactions", 2),
        settings.historyNumber(prefix, "window.retired-versions", 0),
        settings.historyNumber(prefix, "pending.transactions", 1),
        settings.historyNumber(prefix, "transaction.operations", 1),
        clockUncertainty(),
        settings.historyNumber(prefix, "proxy.silent-after-ms", 1),
        shedding(strongest == null ? IsolationLevel.STRICT_SERIALIZABLE : strongest));
  }

  private Shedding shedding(IsolationLevel strongest) {
    IsolationLevel to = level("shed.to");
    if (to != null && (!to.atLeast(IsolationLevel.strongestWeak()) || to.atLeast(strongest))) {
      settings.wrong(
          settings.nameFor(prefix, "shed.to"),
          to.label(),
          "expected a level from %s on that is weaker than %s, the strongest checked"
              .formatted(IsolationLevel.strongestWeak().label(), strongest.label()));
    }
    return new Shedding(
        to,
        settings.historyNumber(prefix, "shed.after-ms", 1),
        settings.historyNumber(prefix, "shed.recover-ms", 1),
        settings.historyBool(prefix, "shed.obey"));
  }

  private @Nullable IsolationLevel level(String name) {
    String value = settings.historyText(prefix, name);
    return value.isEmpty() ? null : settings.level(settings.nameFor(prefix, name), value);
  }

  /** A promise beyond the strongest level checked would be kept by not looking. */
  private void requireChecked(
      String name, IsolationLevel promise, @Nullable IsolationLevel strongest) {
    if (strongest != null && !strongest.atLeast(promise)) {
      settings.wrong(
          name,
          promise.label(),
          "stronger than %s=%s, so that it would not be checked; expected at most that, or a stronger level"
              .formatted(settings.nameFor(prefix, "level"), strongest.label()));
    }
  }

  private void addPromises(
      String below, Map<String, IsolationLevel> promises, @Nullable IsolationLevel strongest) {
    settings
        .below(below)
        .forEach(
            (ranAt, value) -> {
              IsolationLevel promise = settings.level(below + ranAt, value);
              if (!isLevelOfDatabase(ranAt)) {
                settings.wrong(
                    below + ranAt,
                    value,
                    "'%s' is no level of a database; expected DATABASE:LEVEL, for instance one of %s"
                        .formatted(
                            ranAt,
                            String.join(
                                ", ", new TreeSet<>(CheckerConfig.DEFAULT_PROMISES.keySet()))));
              } else if (promise != null) {
                requireChecked(below + ranAt, promise, strongest);
                promises.put(ranAt, promise);
              }
            });
  }

  private static boolean isLevelOfDatabase(String ranAt) {
    return ranAt.startsWith(POSTGRESQL)
        ? CheckerConfig.DEFAULT_PROMISES.containsKey(ranAt)
        : ranAt.matches("[a-z0-9-]+:[a-z0-9-]+");
  }

  private Set<String> tables() {
    String list = settings.historyText(prefix, "counting-tables");
    Set<String> names = new TreeSet<>();
    for (String name : list.split(",", -1)) {
      if (!name.isBlank()) {
        names.add(name.trim());
      }
    }
    if (names.stream().anyMatch(n -> n.matches(".*[\\s;()].*"))) {
      settings.wrong(
          settings.nameFor(prefix, "counting-tables"),
          list,
          "expected names of tables with commas between, as in account, orders");
    }
    return names;
  }

  private long clockUncertainty() {
    String value = settings.historyText(prefix, "clock-uncertainty");
    if (value.isEmpty()) {
      return CheckerConfig.NEVER_COMPARED;
    }
    String name = settings.nameFor(prefix, "clock-uncertainty");
    try {
      return Durations.parse(name, value).toNanos();
    } catch (IllegalArgumentException | ArithmeticException e) {
      settings.wrong(name, value, "expected a time as in 10ms, 2s or 1m, or nothing");
      return CheckerConfig.NEVER_COMPARED;
    }
  }
}
