package io.isotail.ingest.sql;

import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Cuts SQL text of other databases than PostgreSQL into tokens: by the rules of MySQL and MariaDB,
 * or by what all databases have in common.
 *
 * <p>A text that can be cut in two ways, depending on the database or on a setting of its session,
 * is not understood: a backslash before a quote, a comment in a comment, a comment that is
 * executed. Where both ways cut alike but one takes for a name what the other takes for a value,
 * the token is unclear: what stands in double quotes, and a word that begins with a digit.
 */
final class CautiousLexer extends SqlLexer {

  /** Letters before a quote that say how its string is to be read, and end it nowhere else. */
  private static final Set<String> STRING_PREFIXES = Set.of("n", "x", "b");

  /** Letters before a quote in Oracle after which the string has delimiters of its own. */
  private static final Set<String> OWN_DELIMITERS = Set.of("q", "nq");

  private final boolean mysql;

  CautiousLexer(String sql, Placeholders placeholders, boolean mysql) {
    super(sql, placeholders);
    this.mysql = mysql;
  }

  @Override
  boolean comment(char c) {
    if (c == '/' && next() == '*') {
      int end = blockCommentEnd();
      at = Math.max(at, end);
      return end >= 0;
    }
    boolean dashes =
        c == '-' && next() == '-' && (at + 2 == sql.length() || isBlank(sql.charAt(at + 2)));
    if (!dashes && !(mysql && c == '#')) {
      return false;
    }
    int newline = sql.indexOf('\n', at);
    int end = newline < 0 ? sql.length() : newline;
    int carriage = sql.indexOf('\r', at);
    if (!mysql && carriage >= 0 && carriage < end - 1) {
      return false; // Some databases end the line there.
    }
    at = end;
    return true;
  }

  /** The place behind a comment; -1 if databases do not agree on where that is. */
  private int blockCommentEnd() {
    int close = sql.indexOf("*/", at + 2);
    if (close < 0) {
      return -1;
    }
    boolean executed = sql.startsWith("!", at + 2) || sql.startsWith("M!", at + 2);
    int inner = sql.indexOf("/*", at + 2);
    boolean nested = !mysql && inner >= 0 && inner < close;
    return executed || nested ? -1 : close + 2;
  }

  private static boolean isBlank(char c) {
    return Character.isWhitespace(c) || Character.isISOControl(c);
  }

  @Override
  boolean sign(char c) {
    return switch (c) {
      case '\'' -> stringValue();
      case '"' -> doubleQuoted();
      case '`' -> backticked();
      case '[' -> bracket();
      case '$', '#' -> false;
      case '-' -> (mysql || next() != '-') && super.sign(c);
      case '/' -> next() != '*' && super.sign(c);
      default -> super.sign(c);
    };
  }

  @Override
  boolean word() {
    String word = readWord();
    boolean quoted = at < sql.length() && sql.charAt(at) == '\'';
    String prefix = word.toLowerCase(Locale.ROOT);
    if (quoted && STRING_PREFIXES.contains(prefix)) {
      boolean read = stringValue();
      if (read) {
        hideLastValue();
      }
      return read;
    }
    boolean unclear =
        !mysql && (word.contains("$$") || (quoted && OWN_DELIMITERS.contains(prefix)));
    if (!unclear) {
      addWord(word);
    }
    return !unclear;
  }

  @Override
  void addNumber(String text, Object value) {
    if (value == Operand.UNKNOWN) {
      addUnclear(text.toLowerCase(Locale.ROOT));
    } else {
      super.addNumber(text, value);
    }
  }

  /** A modifier stands only after AS and the type: {@code CHAR(65)} is a call in MySQL. */
  @Override
  boolean endsWithType() {
    Token second = before(2);
    return super.endsWithType() && second != null && second.isWord("as");
  }

  private boolean stringValue() {
    if (!mysql && sql.startsWith("'''", at)) {
      return false; // The start of a long string in some databases.
    }
    int from = at;
    String text = quoted('\'');
    if (text == null) {
      return false;
    }
    boolean plain = sql.indexOf('\\', from) < 0 || sql.indexOf('\\', from) >= at;
    addValue(new Slot.Literal(plain ? text : Operand.UNKNOWN));
    return true;
  }

  private boolean doubleQuoted() {
    String text = quoted('"');
    if (text != null) {
      addUnclear(text);
    }
    return text != null;
  }

  private boolean backticked() {
    String text = quoted('`');
    if (text != null) {
      add(Token.Kind.QUOTED, text, sql.substring(start, at));
    }
    return text != null;
  }

  /**
   * Moves behind a quoted text, in which the quote itself stands twice.
   *
   * @return the text; null if it has no end, or if a backslash may hide it
   */
  private @Nullable String quoted(char quote) {
    StringBuilder text = new StringBuilder();
    at++;
    while (at < sql.length()) {
      char c = sql.charAt(at++);
      char following = at < sql.length() ? sql.charAt(at) : 0;
      if (c == quote) {
        if (following != quote) {
          return text.toString();
        }
        at++;
      } else if (c == '\\') {
        if (following == quote) {
          return null;
        }
        at += following == '\\' ? 1 : 0;
      }
      text.append(c);
    }
    return null;
  }

  /** A bracket quotes a name or holds an index: alike, if what it holds is a plain word. */
  private boolean bracket() {
    int close = sql.indexOf(']', at);
    if (close < 0 && !mysql) {
      return false;
    }
    for (int i = at + 1; !mysql && i < close; i++) {
      char c = sql.charAt(i);
      if (!Character.isLetterOrDigit(c) && "_ ,?".indexOf(c) < 0) {
        return false;
      }
    }
    return super.sign('[');
  }
}
