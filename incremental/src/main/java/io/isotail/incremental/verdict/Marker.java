package io.isotail.incremental.verdict;

/**
 * Something that people want to see beside what a history does: a deploy, another window, another
 * promise.
 *
 * @param at when
 * @param text what, in words
 */
public record Marker(Moment at, String text) {
  /** Characters of a text that are kept. */
  public static final int MAX_CHARS = 200;

  /** Cuts the text. */
  public Marker {
    text = text.length() <= MAX_CHARS ? text : text.substring(0, MAX_CHARS - 1) + "…";
  }
}
