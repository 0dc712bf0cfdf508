package io.isotail.monitor.explore.sql;

/**
 * How deep expressions and choices may stand in each other. Each is at most two in the language of
 * programs that they are compiled to, and that one's limit is more than twice this.
 */
final class Depth {
  static final int MOST = 40;

  private Depth() {}

  /**
   * Demands that one more may be entered.
   *
   * @param depth of that one, from 1 on
   * @param at where it stands
   * @param what they are, for people
   */
  static void enter(int depth, SqlToken at, String what) {
    if (depth > MOST) {
      throw at.error(
          "found %s where %d %s stand in each other; expected at most %d of them"
              .formatted(at.shown(), depth, what, MOST));
    }
  }
}
