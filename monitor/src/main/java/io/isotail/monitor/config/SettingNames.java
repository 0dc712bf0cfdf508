package io.isotail.monitor.config;

import java.util.List;
import java.util.stream.Stream;

/** Which names there are, and which of them another one was probably meant to be. */
final class SettingNames {
  private SettingNames() {}

  static boolean isOfMonitor(String name) {
    return Setting.MONITOR.stream().anyMatch(s -> s.hasName(name));
  }

  /** Whether a history has a setting of this name, without its prefix. */
  static boolean isOfHistory(String name) {
    return Setting.HISTORY.stream().anyMatch(s -> s.hasName(name));
  }

  /** Whether names of the monitor's settings go on below this one. */
  static boolean isSection(String name) {
    return sections().anyMatch(n -> n.startsWith(name + "."));
  }

  /** Whether names of a history's settings go on below this one. */
  static boolean isSectionOfHistory(String name) {
    return ofHistory().anyMatch(n -> n.startsWith(name + "."));
  }

  /** The names that were possible in the place of one that does not exist. */
  static String expectedInsteadOf(String name) {
    if (name.startsWith(Setting.HISTORIES)) {
      return "expected %sID.NAME with a name of %s"
          .formatted(Setting.HISTORIES, String.join(", ", ofHistory().toList()));
    }
    String section = name.contains(".") ? name.substring(0, name.indexOf('.') + 1) : name + ".";
    List<String> beside = sections().filter(n -> n.startsWith(section)).toList();
    return "expected one of "
        + String.join(", ", beside.isEmpty() ? sections().toList() : beside)
        + "; monitor/README.md explains them";
  }

  private static Stream<String> sections() {
    return Stream.of(
            Setting.MONITOR.stream().map(Setting::key),
            ofHistory().map(n -> Setting.DEFAULTS + n),
            Stream.of(Setting.HISTORIES + "ID.NAME"))
        .flatMap(names -> names);
  }

  private static Stream<String> ofHistory() {
    return Setting.HISTORY.stream().map(Setting::key);
  }
}
