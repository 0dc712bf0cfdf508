package io.isotail.ingest.sql;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A statement text without the comment that tools put at its end or its start, as in {@code
 * /*route='%2Forders',traceparent='00-…'*}{@code /} (sqlcommenter). The comment differs from one
 * request to the next: without it, equal statements have equal texts.
 *
 * <p>Only a comment of this form is taken off, of at most {@value #MAX_CHARS} characters, with
 * {@value #MAX_KEYS} keys. It holds no quote of a longer string and no other comment, so that it is
 * a comment wherever it stands in a text that is valid at all.
 *
 * @param before what stands before the statement
 * @param statement the statement
 * @param after what stands after it
 * @param comment the comment's keys and values; null if there is none
 */
public record CommentedSql(
    String before, String statement, String after, @Nullable String comment) {
  static final int MAX_CHARS = 2_048;
  static final int MAX_KEYS = 16;

  private static final String PAIR = "[\\w.%-]{1,64}='[\\w.~%:/+-]*+'";
  private static final Pattern PAIRS =
      Pattern.compile("\\s*" + PAIR + "(?:\\s*,\\s*" + PAIR + "){0," + (MAX_KEYS - 1) + "}\\s*");

  /** Takes the comment off a text, if it has one. */
  public static CommentedSql of(String text) {
    int end = text.length();
    while (end > 0
        && (Character.isWhitespace(text.charAt(end - 1)) || text.charAt(end - 1) == ';')) {
      end--;
    }
    if (end >= 4 && text.startsWith("*/", end - 2)) {
      int start = text.lastIndexOf("/*", end - 4);
      String comment = start < 0 ? null : pairs(text, start + 2, end - 2);
      if (comment != null) {
        return new CommentedSql("", text.substring(0, start), text.substring(start), comment);
      }
    }
    if (text.startsWith("/*")) {
      int close = text.indexOf("*/", 2);
      String comment = close < 0 ? null : pairs(text, 2, close);
      if (comment != null) {
        return new CommentedSql(
            text.substring(0, close + 2), text.substring(close + 2), "", comment);
      }
    }
    return new CommentedSql("", text, "", null);
  }

  private static @Nullable String pairs(String text, int start, int end) {
    if (start > end || end - start > MAX_CHARS) {
      return null;
    }
    Matcher pairs = PAIRS.matcher(text).region(start, end);
    return pairs.matches() ? text.substring(start, end) : null;
  }

  /** Another form of the statement, with the comment where it was. */
  public String around(String other) {
    return before.isEmpty() && after.isEmpty() ? other : before + other + after;
  }
}
