package io.isotail.monitor.explore;

import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ParseResult;

/** Which options exclude which: an option that would have no effect is refused. */
final class OptionRules {
  /** Options of a program, which an anomaly's is not given. */
  private static final List<String> OF_A_PROGRAM =
      List.of(
          "--example",
          "--level",
          "--weakest",
          "--compare",
          "--raise",
          "--out",
          "--mixed",
          "--param",
          "--depth-first");

  /** Options of a running monitor. */
  private static final List<String> OF_A_MONITOR =
      List.of("--url", "--user", "--password-file", "--cacert");

  private static final String MADE = "its program is made of what happened";

  private static final List<Rule> RULES =
      List.of(
          new Rule("--anomaly", MADE, OF_A_PROGRAM),
          new Rule("--cause", MADE, OF_A_PROGRAM),
          new Rule("--cause", "one anomaly is explored", List.of("--anomaly")),
          new Rule(
              "--print",
              "it prints the program as it is written, and explores nothing",
              List.of(
                  "--level",
                  "--weakest",
                  "--compare",
                  "--raise",
                  "--out",
                  "--mixed",
                  "--param",
                  "--depth-first",
                  "--threads",
                  "--time-limit",
                  "--max-histories",
                  "--max-values",
                  "--json")),
          new Rule(
              "--weakest", "it goes through the levels from the weakest on", List.of("--level")),
          new Rule(
              "--compare",
              "it counts the histories of one of two levels, and has no object for programs",
              List.of("--level", "--weakest", "--json")),
          new Rule(
              "--raise",
              "it goes through the levels of one transaction, and shows no history",
              List.of("--compare", "--level", "--weakest", "--out")));

  /** What is refused beside an option, and why. */
  private record Rule(String option, String why, List<String> without) {}

  private OptionRules() {}

  /**
   * What is wrong with the options together; null if nothing is.
   *
   * @param file whether a file is given
   */
  static @Nullable String wrong(ParseResult given, boolean file) {
    for (Rule rule : RULES) {
      String other = given.hasMatchedOption(rule.option()) ? first(given, rule.without()) : null;
      if (other != null) {
        return "%s: expected no %s with it: %s".formatted(rule.option(), other, rule.why());
      }
    }
    String monitor = first(given, OF_A_MONITOR);
    boolean anomaly = given.hasMatchedOption("--anomaly") || given.hasMatchedOption("--cause");
    if (monitor != null && (file || !anomaly)) {
      return "%s: expected --anomaly or --cause with it, and no FILE: else no monitor is asked"
          .formatted(monitor);
    }
    return null;
  }

  private static @Nullable String first(ParseResult given, List<String> options) {
    return options.stream().filter(given::hasMatchedOption).findFirst().orElse(null);
  }
}
