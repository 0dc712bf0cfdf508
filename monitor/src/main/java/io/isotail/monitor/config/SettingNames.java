package io.isotail.monitor.config;

import java.util.List;
import java.util.stream.Stream;

/** Which names there are, and which of them another one was probably meant to be. */
final class SettingNames {
  private SettingNames() {}

  /** Whether a history has a setting of this name, without its prefix. */
  static boolean isOfHistory(String name) {
    return Setting.HISTORY.stream().anyMatch(s -> s.hasName(name));
  }

  /** Whether names of a command's settings go on below this one. */
  static boolean isSection(Scope scope, String name) {
    return !scope.has(name) && sections(scope).anyMatch(n -> n.startsWith(name + "."));
  }

  /** Whether names of a history's settings go on below this one. */
  static boolean isSectionOfHistory(String name) {
    return ofHistory().anyMatch(n -> n.startsWith(name + "."));
  }

  /** The names that were possible in the place of one that does not exist. */
  static String expectedInsteadOf(Scope scope, String name) {
    if (scope.hasHistories() && name.startsWith(Setting.HISTORIES)) {
      return "expected %sID.NAME with a name of %s"
          .formatted(Setting.HISTORIES, String.join(", ", ofHistory().toList()));
    }
    String section = name.contains(".") ? name.substring(0, name.indexOf('.') + 1) : name + ".";
    List<String> beside = sections(scope).filter(n -> n.startsWith(section)).toList();
    return "expected one of "
        + String.join(", ", beside.isEmpty() ? sections(scope).toList() : beside)
        + "; "
        + scope.document()
        + " explains them";
  }

  private static Stream<String> sections(Scope scope) {
    Stream<String> own = scope.settings().stream().map(Setting::key);
    if (!scope.hasHistories()) {
      return own;
    }
    return Stream.of(
            own,
            ofHistory().map(n -> Setting.DEFAULTS + n),
            Stream.of(Setting.HISTORIES + "ID.NAME"))
        .flatMap(names -> names);
  }

  private static Stream<String> ofHistory() {
    return Setting.HISTORY.stream().map(Setting::key);
  }
}
