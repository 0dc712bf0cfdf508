package io.isotail.monitor.config;

import io.isotail.incremental.level.IsolationLevel;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Values of the settings of the monitor, or of one history. A wrong one is reported, and something
 * possible stands for it.
 */
final class SettingReader {
  private final RawSettings raw;
  private final Mistakes mistakes;
  private final String prefix;

  /**
   * A reader.
   *
   * @param prefix of the history with its last dot, empty for the settings of the monitor
   */
  SettingReader(RawSettings raw, Mistakes mistakes, String prefix) {
    this.raw = raw;
    this.mistakes = mistakes;
    this.prefix = prefix;
  }

  /** Reports a value; the variable is named where one sets it. */
  void wrong(String name, String value, String expected) {
    String source = raw.source(name);
    String variable = source.startsWith("ISOTAIL_") ? " (set by " + source + ")" : "";
    mistakes.add("%s=%s: %s%s".formatted(name, value, expected, variable));
  }

  void wrong(Setting setting, String value, String expected) {
    wrong(name(setting), value, expected);
  }

  /** The name that the value stands under: of a history its own, or the defaults'. */
  String name(Setting setting) {
    String own = prefix + setting.key();
    String shared = Setting.DEFAULTS + setting.key();
    return prefix.isEmpty() || raw.get(own) != null || raw.get(shared) == null ? own : shared;
  }

  /** Everything that is set below a prefix, by the rest of its name. */
  Map<String, String> below(String below) {
    Map<String, String> found = new TreeMap<>();
    raw.all()
        .forEach(
            (name, value) -> {
              if (name.startsWith(below)) {
                found.put(name.substring(below.length()), value);
              }
            });
    return found;
  }

  /** The text with every character. */
  String verbatim(Setting setting) {
    String value = raw.get(name(setting));
    return value != null ? value : setting.fallback();
  }

  /** The text without blanks around it; one that is not allowed is reported. */
  String text(Setting setting) {
    String value = verbatim(setting).trim();
    isAllowed(setting, value);
    return value;
  }

  /** An address as it was given; empty if none was, or none that is allowed. */
  String address(Setting setting) {
    String url = text(setting);
    if (url.isEmpty()) {
      return "";
    }
    try {
      URI uri = new URI(url);
      boolean plain =
          uri.getRawQuery() == null && uri.getRawFragment() == null && uri.getUserInfo() == null;
      if (url.matches("https?://.*") && uri.getHost() != null && plain && uri.getPort() <= 65_535) {
        return url;
      }
    } catch (URISyntaxException e) {
      // Reported below, as other addresses are that are no good.
    }
    // User and password, where somebody put them into it, stay out of the logs.
    wrong(
        setting,
        url.replaceFirst("//.*@", "//…@"),
        "expected http(s)://HOST[:PORT][/PATH], without user, query and fragment");
    return "";
  }

  int number(Setting setting) {
    return Allowed.integer(allowedText(setting));
  }

  boolean bool(Setting setting) {
    return Boolean.parseBoolean(allowedText(setting));
  }

  /** The level, or null when none is set. */
  @Nullable IsolationLevel level(Setting setting) {
    String value = allowedText(setting);
    return value.isEmpty() ? null : IsolationLevel.ofLabel(value);
  }

  /** The text, or the default in place of one that is not allowed. */
  String allowedText(Setting setting) {
    String value = verbatim(setting).trim();
    return isAllowed(setting, value) ? value : setting.fallback();
  }

  /** What {@code --print-config} shows. */
  String shown(Setting setting) {
    return setting.allowed().shown().apply(text(setting));
  }

  private boolean isAllowed(Setting setting, String value) {
    boolean none = value.isEmpty() && setting.fallback().isEmpty();
    String mistake = none ? null : setting.allowed().mistake().apply(value);
    if (mistake != null) {
      wrong(setting, value, mistake);
    }
    return mistake == null;
  }
}
