package io.isotail.incremental.explore.language;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The words of a text, one after another. Comments go from {@code #} to the end of the line. */
final class Tokens {
  private static final Set<String> PAIRS = Set.of(":=", "==", "!=", "<=", ">=", "&&", "||");
  private static final String SIGNS = "(){}[],;=<>+-*/%!.";

  private final List<Token> tokens = new ArrayList<>();
  private int next;

  /** A mark of the order of bytes that editors put before a text is skipped. */
  Tokens(String text) {
    new Scan(text.startsWith("\uFEFF") ? text.substring(1) : text).all();
  }

  /** Words that were read already; their end is the end of the text. */
  Tokens(List<Token> words) {
    Token last = words.get(words.size() - 1);
    tokens.addAll(words);
    tokens.add(new Token(Token.Kind.END, "", last.line(), last.column() + 1));
  }

  /** Where the next word stands, for {@link #textSince}. */
  int position() {
    return next;
  }

  /** The words since then, with a blank after each comma. */
  String textSince(int position) {
    StringBuilder text = new StringBuilder();
    for (Token token : tokens.subList(position, next)) {
      text.append(token.text()).append(token.is(",") ? " " : "");
    }
    return text.toString();
  }

  Token peek() {
    return tokens.get(next);
  }

  /** Whether the word after the next one is that. */
  boolean isNextButOne(String word) {
    return next + 1 < tokens.size()
        && tokens.get(next + 1).kind() != Token.Kind.STRING
        && tokens.get(next + 1).text().equals(word);
  }

  Token take() {
    Token token = tokens.get(next);
    if (token.kind() != Token.Kind.END) {
      next++;
    }
    return token;
  }

  /** Takes the sign or word if it is next. */
  boolean accept(String sign) {
    if (peek().is(sign)) {
      next++;
      return true;
    }
    return false;
  }

  Token expect(String sign) {
    Token token = take();
    if (!token.is(sign)) {
      throw token.error("found " + token.shown() + "; expected '" + sign + "'");
    }
    return token;
  }

  Token expectName(String what) {
    Token token = take();
    if (token.kind() != Token.Kind.NAME) {
      throw token.error("found " + token.shown() + "; expected " + what);
    }
    return token;
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
      while (true) {
        blanks();
        if (at >= text.length()) {
          tokens.add(new Token(Token.Kind.END, "", line, column(at)));
          return;
        }
        one();
      }
    }

    private int column(int position) {
      return position - lineStart + 1;
    }

    private void blanks() {
      while (at < text.length()) {
        char c = text.charAt(at);
        if (c == '#') {
          int end = text.indexOf('\n', at);
          at = end < 0 ? text.length() : end;
        } else if (c == '\n') {
          at++;
          line++;
          lineStart = at;
        } else if (Character.isWhitespace(c)) {
          at++;
        } else {
          return;
        }
      }
    }

    private void one() {
      char c = text.charAt(at);
      int start = at;
      if (Character.isLetter(c) || c == '_') {
        while (at < text.length() && isPartOfName(text.charAt(at))) {
          at++;
        }
        add(Token.Kind.NAME, start, at);
      } else if (isDigit(c)) {
        while (at < text.length() && isDigit(text.charAt(at))) {
          at++;
        }
        add(Token.Kind.NUMBER, start, at);
      } else if (c == '"') {
        int end = text.indexOf('"', at + 1);
        int newline = text.indexOf('\n', at);
        if (end < 0 || (newline >= 0 && newline < end)) {
          throw new SourceError(line, column(at), "a string that does not end on its line");
        }
        tokens.add(new Token(Token.Kind.STRING, text.substring(at + 1, end), line, column(start)));
        at = end + 1;
      } else {
        sign(c, start);
      }
    }

    private void sign(char c, int start) {
      if (at + 1 < text.length() && PAIRS.contains(text.substring(at, at + 2))) {
        at += 2;
      } else if (SIGNS.indexOf(c) >= 0) {
        at++;
      } else {
        throw new SourceError(line, column(at), "'" + c + "' has no meaning here");
      }
      add(Token.Kind.SIGN, start, at);
    }

    private void add(Token.Kind kind, int start, int end) {
      tokens.add(new Token(kind, text.substring(start, end), line, column(start)));
    }
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private static boolean isPartOfName(char c) {
    return Character.isLetterOrDigit(c) || c == '_';
  }
}
