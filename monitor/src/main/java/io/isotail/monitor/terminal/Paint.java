package io.isotail.monitor.terminal;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Colours words for a terminal, or leaves them as they are. */
public enum Paint {
  /** Leaves everything as it is. */
  PLAIN,
  /** Adds the escape sequences of ANSI terminals. */
  COLOURED;

  /** What {@code --color} says. */
  enum When {
    AUTO,
    ALWAYS,
    NEVER;

    String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * What is right here.
   *
   * @param terminal whether standard output is a terminal
   * @param noColor the variable {@code NO_COLOR}: present and not empty, it asks for no colours
   *     unless an option asks for them
   * @param term the variable {@code TERM}: a {@code dumb} terminal has no colours
   */
  static Paint choose(
      When when, boolean terminal, @Nullable String noColor, @Nullable String term) {
    boolean wanted =
        switch (when) {
          case ALWAYS -> true;
          case NEVER -> false;
          case AUTO -> terminal && (noColor == null || noColor.isEmpty()) && !"dumb".equals(term);
        };
    return wanted ? COLOURED : PLAIN;
  }

  /** A title. */
  public String bold(String words) {
    return with("1", words);
  }

  /** What matters less. */
  public String faint(String words) {
    return with("2", words);
  }

  /** What passed, in green. */
  public String good(String words) {
    return with("32", words);
  }

  /** A violation, or what does not work, in red. */
  public String bad(String words) {
    return with("31", words);
  }

  /** What is undecided, or worth mending, in yellow. */
  public String doubtful(String words) {
    return with("33", words);
  }

  private String with(String code, String words) {
    return this == PLAIN || words.isEmpty() ? words : "\u001b[" + code + "m" + words + "\u001b[0m";
  }
}
