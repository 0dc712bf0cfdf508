package io.isotail.monitor.config;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Which setting an environment variable means. */
final class EnvironmentNames {
  /** An id could not be told from the rest of such a name. */
  private static final String HISTORIES = "ISOTAIL_HISTORIES";

  /** Variables that the logs read, and what they may say. */
  private static final Map<String, Set<String>> OF_LOGS =
      Map.of(
          "ISOTAIL_LOG", Set.of("TRACE", "DEBUG", "INFO", "WARN", "ERROR", "OFF"),
          "ISOTAIL_LOG_FORMAT", Set.of("text", "json"));

  private EnvironmentNames() {}

  /** Takes the value of a setting and the variable that it is from. */
  interface Sink {
    void put(String name, String value, String variable);
  }

  /** Hands over what the variables set, in the order of their names. */
  static void read(Scope scope, Map<String, String> environment, Sink settings, Mistakes mistakes) {
    Map<String, String> names = names(scope);
    String properties = scope.passedToKafka().prefix();
    String passThrough = Setting.environmentName(properties);
    String labels = Setting.DEFAULTS + Setting.LABELS.prefix();
    String label = Setting.environmentName(labels);
    new TreeMap<>(environment)
        .forEach(
            (variable, value) -> {
              String name = names.get(variable);
              if (name != null) {
                settings.put(name, value, variable);
              } else if (variable.startsWith(passThrough)) {
                String property = variable.substring(passThrough.length());
                settings.put(
                    properties + property.toLowerCase(Locale.ROOT).replace('_', '.'),
                    value,
                    variable);
              } else if (scope.hasHistories() && variable.startsWith(label)) {
                settings.put(
                    labels + variable.substring(label.length()).toLowerCase(Locale.ROOT),
                    value,
                    variable);
              } else if (scope.hasHistories() && variable.startsWith(HISTORIES)) {
                mistakes.add(
                    "%s: no such setting; expected histories in the file, or as --set histories.ID.NAME=VALUE"
                        .formatted(variable));
              } else if (OF_LOGS.containsKey(variable)) {
                checkLog(variable, value, mistakes);
              } else {
                scope.variables().stream()
                    .filter(variable::startsWith)
                    .forEach(
                        section ->
                            mistakes.add(
                                "%s: no such setting; expected one of %s"
                                    .formatted(variable, beginningWith(section, names.keySet()))));
              }
            });
  }

  private static Map<String, String> names(Scope scope) {
    Map<String, String> names = new LinkedHashMap<>();
    put(names, "", scope.settings());
    if (scope.hasHistories()) {
      put(names, Setting.DEFAULTS, Setting.HISTORY);
    }
    return names;
  }

  private static void put(Map<String, String> names, String prefix, Set<Setting> settings) {
    for (Setting setting : settings) {
      if (!setting.isFamily()) {
        String name = prefix + setting;
        names.put(Setting.environmentName(name), name);
      }
    }
  }

  private static String beginningWith(String section, Set<String> variables) {
    return String.join(", ", variables.stream().filter(v -> v.startsWith(section)).toList());
  }

  private static void checkLog(String variable, String value, Mistakes mistakes) {
    Set<String> possible = OF_LOGS.getOrDefault(variable, Set.of());
    boolean anyCase = variable.equals("ISOTAIL_LOG");
    if (!possible.contains(anyCase ? value.toUpperCase(Locale.ROOT) : value)) {
      mistakes.add(
          "%s=%s: expected one of %s"
              .formatted(variable, value, String.join(", ", possible.stream().sorted().toList())));
    }
  }
}
