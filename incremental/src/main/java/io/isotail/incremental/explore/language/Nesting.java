package io.isotail.incremental.explore.language;

import java.util.Collection;

/**
 * How deep things may stand in each other: expressions, choices, and values such as sets of sets.
 * What reads, computes, compares or prints them goes down into them, so that the stack holds as
 * much as this.
 */
final class Nesting {
  static final int MOST_DEPTH = 100;

  private Nesting() {}

  /**
   * Demands that one more may be entered.
   *
   * @param depth of that one, from 1 on
   * @param at where it stands
   * @param what they are, for people
   */
  static void enter(int depth, Token at, String what) {
    if (depth > MOST_DEPTH) {
      throw at.error(
          "found %s where %,d %s stand in each other; expected at most %,d of them"
              .formatted(at.shown(), depth, what, MOST_DEPTH));
    }
  }

  /** A value that is made, if it is not too deep. */
  static <T> T checked(Token at, T value) {
    check(at, value, 1);
    return value;
  }

  private static void check(Token at, Object value, int depth) {
    if (value instanceof Collection<?> members) {
      enterValue(at, depth);
      members.forEach(member -> check(at, member, depth + 1));
    } else if (value instanceof Row row) {
      enterValue(at, depth);
      check(at, row.key(), depth + 1);
      row.columns().values().forEach(column -> check(at, column, depth + 1));
    }
  }

  private static void enterValue(Token at, int depth) {
    enter(depth, at, "sets or rows");
  }
}
