package io.isotail.monitor.explore.sql;

import io.isotail.incremental.explore.language.SourceError;
import io.isotail.monitor.explore.sql.SqlToken.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The words of a text in SQL, one after another. Comments go from {@code --} to the end of the
 * line, or from <code>/*</code> to <code>*</code><code>/</code>.
 */
final class SqlTokens {
  private static final Set<String> PAIRS = Set.of("<=", ">=", "<>", "!=", "||", "::", ":=");
  private static final String SIGNS = "(),;=<>+-*/%.[]?$:@^&|~#";

  private final List<SqlToken> tokens = new ArrayList<>();
  private int next;

  /** A mark of the order of bytes that editors put before a text is skipped. */
  SqlTokens(String text) {
    new Scan(text.startsWith("\uFEFF") ? text.substring(1) : text).all();
  }

  /** All of them, wherever the next one stands. */
  List<SqlToken> all() {
    return List.copyOf(tokens);
  }

  SqlToken peek() {
    return tokens.get(next);
  }

  /** The one after the next one. */
  SqlToken second() {
    return tokens.get(Math.min(next + 1, tokens.size() - 1));
  }

  SqlToken take() {
    SqlToken token = peek();
    if (token.kind() != Kind.END) {
      next++;
    }
    return token;
  }

  /** Takes the keyword or sign if it is next. */
  boolean accept(String expected) {
    if (peek().is(expected)) {
      next++;
      return true;
    }
    return false;
  }

  /** Takes the keyword or sign, which must be next. */
  SqlToken expect(String expected) {
    SqlToken token = peek();
    if (!token.is(expected)) {
      throw Refused.of(token, "'" + expected.toUpperCase(Locale.ROOT) + "'");
    }
    return take();
  }

  /**
   * Takes a name.
   *
   * @param what it names, for messages
   */
  SqlToken expectName(String what) {
    SqlToken token = peek();
    if (token.kind() == Kind.QUOTED && !isPlain(token.text())) {
      throw token.error(
          "found " + token.shown() + "; expected " + what + " of letters, digits and _");
    }
    boolean word = token.kind() == Kind.WORD && !Refused.isKeyword(token.text());
    if (!word && token.kind() != Kind.QUOTED) {
      throw Refused.of(token, what);
    }
    return take();
  }

  /** Takes {@code :name}. */
  SqlToken expectLocal(String what) {
    if (peek().kind() != Kind.LOCAL) {
      throw Refused.of(peek(), what);
    }
    return take();
  }

  private static boolean isPlain(String name) {
    return !name.isEmpty()
        && isFirstOfName(name.charAt(0))
        && name.chars().allMatch(c -> isPartOfName((char) c));
  }

  private static boolean isFirstOfName(char c) {
    return Character.isLetter(c) || c == '_';
  }

  private static boolean isPartOfName(char c) {
    return Character.isLetterOrDigit(c) || c == '_';
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private final class Scan {
    private final String text;
    private int at;
    private int line = 1;
    private int lineStart;

    Scan(String text) {
      this.text = text;
    }

    void all() {
      for (blanks(); at < text.length(); blanks()) {
        one();
      }
      add(Kind.END, "", at);
    }

    private SourceError error(int position, String message) {
      return new SourceError(line, position - lineStart + 1, message);
    }

    private void add(Kind kind, String token, int start) {
      tokens.add(new SqlToken(kind, token, line, start - lineStart + 1));
    }

    private boolean startsWith(String sign) {
      return text.startsWith(sign, at);
    }

    private void blanks() {
      while (at < text.length()) {
        if (startsWith("--")) {
          int end = text.indexOf('\n', at);
          at = end < 0 ? text.length() : end;
        } else if (startsWith("/*")) {
          int end = text.indexOf("*/", at + 2);
          if (end < 0) {
            throw error(at, "a comment that does not end");
          }
          skipTo(end + 2);
        } else if (Character.isWhitespace(text.charAt(at))) {
          skipTo(at + 1);
        } else {
          return;
        }
      }
    }

    private void skipTo(int end) {
      for (; at < end; at++) {
        if (text.charAt(at) == '\n') {
          line++;
          lineStart = at + 1;
        }
      }
    }

    private void one() {
      char c = text.charAt(at);
      int start = at;
      if (isFirstOfName(c)) {
        add(Kind.WORD, name().toLowerCase(Locale.ROOT), start);
      } else if (isDigit(c)) {
        number(start);
      } else if (c == '\'') {
        add(Kind.TEXT, quoted('\'', "a text"), start);
      } else if (c == '"') {
        add(Kind.QUOTED, quoted('"', "a name"), start);
      } else if (c == ':' && at + 1 < text.length() && isFirstOfName(text.charAt(at + 1))) {
        at++;
        add(Kind.LOCAL, name().toLowerCase(Locale.ROOT), start);
      } else if (at + 1 < text.length() && PAIRS.contains(text.substring(at, at + 2))) {
        at += 2;
        add(Kind.SIGN, text.substring(start, at), start);
      } else if (SIGNS.indexOf(c) >= 0) {
        at++;
        add(Kind.SIGN, String.valueOf(c), start);
      } else {
        throw error(start, "'" + c + "' has no meaning here");
      }
    }

    private String name() {
      int start = at;
      while (at < text.length() && isPartOfName(text.charAt(at))) {
        at++;
      }
      return text.substring(start, at);
    }

    private void number(int start) {
      while (at < text.length() && isDigit(text.charAt(at))) {
        at++;
      }
      boolean goesOn =
          at < text.length() && (text.charAt(at) == '.' || isPartOfName(text.charAt(at)));
      if (goesOn) {
        throw error(start, "found a number that is not whole; expected a whole number");
      }
      add(Kind.NUMBER, text.substring(start, at), start);
    }

    /** What is between quotes; two of them stand for one. */
    private String quoted(char quote, String what) {
      StringBuilder inside = new StringBuilder();
      int start = at++;
      while (at < text.length() && text.charAt(at) != '\n') {
        if (text.charAt(at) != quote) {
          inside.append(text.charAt(at++));
        } else if (at + 1 < text.length() && text.charAt(at + 1) == quote) {
          inside.append(quote);
          at += 2;
        } else {
          at++;
          return inside.toString();
        }
      }
      throw error(start, what + " that does not end on its line");
    }
  }
}
