package io.isotail.monitor.config;

import io.isotail.incremental.level.IsolationLevel;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Values of settings, by type. A wrong one is reported, and something possible stands for it. */
final class SettingReader {
  private final RawSettings raw;
  private final Mistakes mistakes;

  SettingReader(RawSettings raw, Mistakes mistakes) {
    this.raw = raw;
    this.mistakes = mistakes;
  }

  /** Reports a value; the variable is named where one sets it. */
  void wrong(String name, String value, String expected) {
    String source = raw.source(name);
    String variable = source.startsWith("ISOTAIL_") ? " (set by " + source + ")" : "";
    mistakes.add("%s=%s: %s%s".formatted(name, value, expected, variable));
  }

  /** Everything that is set below this prefix, without it. */
  Map<String, String> below(String prefix) {
    Map<String, String> found = new TreeMap<>();
    raw.all()
        .forEach(
            (name, value) -> {
              if (name.startsWith(prefix)) {
                found.put(name.substring(prefix.length()), value);
              }
            });
    return found;
  }

  /** The text of a setting of the monitor, without blanks around it. */
  String text(String name) {
    return verbatim(name).trim();
  }

  /** The text of a setting of the monitor with every character. */
  String verbatim(String name) {
    String value = raw.get(name);
    return value != null ? value : fallback(Setting.MONITOR, name);
  }

  int number(String name, int least, int most) {
    return number(name, text(name), least, most);
  }

  boolean bool(String name) {
    return bool(name, text(name));
  }

  /** Under which name the history of this prefix has the value: its own, or the defaults'. */
  String nameFor(String prefix, String name) {
    boolean own = raw.get(prefix + name) != null || raw.get(Setting.DEFAULTS + name) == null;
    return (own ? prefix : Setting.DEFAULTS) + name;
  }

  String historyText(String prefix, String name) {
    String value = raw.get(nameFor(prefix, name));
    return value != null ? value.trim() : fallback(Setting.HISTORY, name);
  }

  int historyNumber(String prefix, String name, int least) {
    return number(nameFor(prefix, name), historyText(prefix, name), least, Integer.MAX_VALUE);
  }

  boolean historyBool(String prefix, String name) {
    return bool(nameFor(prefix, name), historyText(prefix, name));
  }

  /** The level, or null when there is none of this name. */
  @Nullable IsolationLevel level(String name, String value) {
    try {
      return IsolationLevel.ofLabel(value.trim());
    } catch (IllegalArgumentException e) {
      wrong(name, value, String.valueOf(e.getMessage()));
      return null;
    }
  }

  private boolean bool(String name, String value) {
    if (!value.equals("true") && !value.equals("false")) {
      wrong(name, value, "expected true or false");
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
    wrong(name, value, "expected a whole number from %d to %d".formatted(least, most));
    return least;
  }

  private static String fallback(List<Setting> settings, String name) {
    for (Setting s : settings) {
      if (s.name().equals(name)) {
        return s.fallback();
      }
    }
    throw new IllegalArgumentException("no setting is named " + name);
  }
}
