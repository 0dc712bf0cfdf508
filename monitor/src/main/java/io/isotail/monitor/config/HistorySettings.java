package io.isotail.monitor.config;

import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.level.IsolationLevel;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The settings of one history, or of all that are not declared. */
final class HistorySettings {
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
    IsolationLevel level = settings.level(Setting.LEVEL);
    IsolationLevel strongest = level == null ? IsolationLevel.STRICT_SERIALIZABLE : level;
    IsolationLevel promise = settings.level(Setting.PROMISE);
    if (promise != null) {
      requireChecked(settings.name(Setting.PROMISE), promise, strongest);
    }
    Map<String, IsolationLevel> promises = new TreeMap<>(CheckerConfig.DEFAULT_PROMISES);
    addPromises(Setting.DEFAULTS + Setting.PROMISES.prefix(), promises, strongest);
    addPromises(prefix + Setting.PROMISES.prefix(), promises, strongest);
    return new HistoryConfig(
        new CheckerConfig(
            "",
            strongest,
            promise,
            promises,
            settings.bool(Setting.CLOSED),
            settings.bool(Setting.UNIQUE_VERSIONS),
            Allowed.tables(settings.text(Setting.COUNTING_TABLES)),
            settings.bool(Setting.DELETES),
            settings.bool(Setting.OUTSIDERS),
            true,
            settings.number(Setting.WINDOW_TRANSACTIONS),
            settings.number(Setting.WINDOW_RETIRED_VERSIONS),
            settings.number(Setting.PENDING_TRANSACTIONS),
            settings.number(Setting.TRANSACTION_OPERATIONS),
            Allowed.nanos(settings.allowedText(Setting.CLOCK_UNCERTAINTY)),
            settings.number(Setting.PROXY_SILENT_AFTER_MS),
            settings.number(Setting.PROVEN_PER_INTERVAL)),
        shedding(strongest),
        HistoryLabels.read(settings, prefix));
  }

  private Shedding shedding(IsolationLevel strongest) {
    IsolationLevel to = settings.level(Setting.SHED_TO);
    if (to != null && (!to.atLeast(IsolationLevel.strongestWeak()) || to.atLeast(strongest))) {
      settings.wrong(
          Setting.SHED_TO,
          to.label(),
          "expected a level from %s on that is weaker than %s, the strongest checked"
              .formatted(IsolationLevel.strongestWeak().label(), strongest.label()));
    }
    return new Shedding(
        to,
        settings.number(Setting.SHED_AFTER_MS),
        settings.number(Setting.SHED_RECOVER_MS),
        settings.bool(Setting.SHED_OBEY));
  }

  /** A promise beyond the strongest level checked would be kept by not looking. */
  private void requireChecked(String name, IsolationLevel promise, IsolationLevel strongest) {
    if (!strongest.atLeast(promise)) {
      settings.wrong(
          name,
          promise.label(),
          "stronger than %s=%s, so that it would not be checked; expected at most that, or a stronger level"
              .formatted(settings.name(Setting.LEVEL), strongest.label()));
    }
  }

  private void addPromises(
      String below, Map<String, IsolationLevel> promises, IsolationLevel strongest) {
    settings
        .below(below)
        .forEach(
            (ranAt, value) -> {
              String mistake = Allowed.LEVEL_NAME.mistake().apply(value);
              if (mistake != null) {
                settings.wrong(below + ranAt, value, mistake);
              }
              if (!isLevelOfDatabase(ranAt)) {
                settings.wrong(
                    below + ranAt,
                    value,
                    "'%s' is no level of a database; expected DATABASE:LEVEL, for instance one of %s"
                        .formatted(
                            ranAt,
                            String.join(
                                ", ", new TreeSet<>(CheckerConfig.DEFAULT_PROMISES.keySet()))));
              } else if (mistake == null) {
                IsolationLevel promise = IsolationLevel.ofLabel(value.trim());
                requireChecked(below + ranAt, promise, strongest);
                promises.put(ranAt, promise);
              }
            });
  }

  /** Of a database whose levels have a default promise, only these are levels. */
  private static boolean isLevelOfDatabase(String ranAt) {
    String database = ranAt.substring(0, ranAt.indexOf(':') + 1);
    Set<String> known = CheckerConfig.DEFAULT_PROMISES.keySet();
    boolean told = !database.isEmpty() && known.stream().anyMatch(l -> l.startsWith(database));
    return told ? known.contains(ranAt) : ranAt.matches("[a-z0-9-]+:[a-z0-9-]+");
  }
}
