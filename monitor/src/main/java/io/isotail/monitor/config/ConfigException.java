package io.isotail.monitor.config;

import java.util.List;

/** The configuration cannot be used; holds every mistake that was found. */
public final class ConfigException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient List<String> errors;

  /** Each error names the setting, its value and what was expected. */
  public ConfigException(List<String> errors) {
    super("the configuration has %d error(s):%n  %s".formatted(errors.size(), join(errors)));
    this.errors = List.copyOf(errors);
  }

  /** The mistakes, in the order of the settings. */
  public List<String> errors() {
    return errors;
  }

  private static String join(List<String> errors) {
    return String.join(System.lineSeparator() + "  ", errors);
  }
}
