package io.isotail.ingest.sql;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Cuts SQL text into tokens as PostgreSQL's scanner does, in one pass and linear time.
 *
 * <p>The scanner assumes {@code standard_conforming_strings = on}. Were it off, a backslash could
 * hide the end of a string and what looks like a word could be part of a value; so a text with a
 * backslash in a plain string gets no fingerprint beyond its first keyword, like one that is not
 * understood to its end.
 */
public final class SqlLexer {

  /** Longer texts are not looked at, in characters. */
  public static final int MAX_TEXT_CHARS = 1 << 20;

  /** The protocol counts parameters in two bytes. */
  private static final int MAX_PARAMETERS = 65_535;

  private static final Set<String> TYPES_WITH_MODIFIER =
      Set.of(
          "bit",
          "char",
          "character",
          "decimal",
          "float",
          "interval",
          "numeric",
          "time",
          "timestamp",
          "timestamptz",
          "varchar",
          "varying");

  private final String sql;
  private final Placeholders placeholders;
  private final List<Token> tokens = new ArrayList<>();
  private final List<Slot> slots = new ArrayList<>();
  private final StringBuilder normalized = new StringBuilder();
  private int at;

  /** Where the token that is read begins. */
  private int start;

  private int parameterCount;
  private boolean spaceBefore;
  private boolean inTypeModifier;
  private boolean valueFree = true;
  private @Nullable String problem;

  private SqlLexer(String sql, Placeholders placeholders) {
    this.sql = sql;
    this.placeholders = placeholders;
  }

  /**
   * Cuts a statement text into tokens.
   *
   * @param sql the text
   * @param placeholders what its parameters look like
   */
  public static LexedSql lex(String sql, Placeholders placeholders) {
    if (sql.length() > MAX_TEXT_CHARS) {
      LexedSql start = lex(sql.substring(0, 64), placeholders);
      return new LexedSql(
          start.tokens().subList(0, Math.min(1, start.tokens().size())),
          "",
          List.of(),
          false,
          false,
          "statement of " + sql.length() + " characters > limit of " + MAX_TEXT_CHARS);
    }
    return new SqlLexer(sql, placeholders).run();
  }

  private LexedSql run() {
    boolean understood = true;
    while (skipBlank()) {
      if (!token()) {
        understood = false;
        break;
      }
    }
    while (!tokens.isEmpty() && tokens.get(tokens.size() - 1).isSymbol(";")) {
      tokens.remove(tokens.size() - 1);
      normalized.setLength(normalized.toString().stripTrailing().length() - 1);
    }
    return understood
        ? new LexedSql(tokens, normalized.toString().strip(), slots, true, valueFree, problem)
        : new LexedSql(tokens, "", List.of(), false, false, "text is not understood to its end");
  }

  /** Moves to the next token; false at the end. */
  private boolean skipBlank() {
    spaceBefore = false;
    while (at < sql.length()) {
      char c = sql.charAt(at);
      if (Character.isWhitespace(c)) {
        at++;
      } else if (c == '-' && next() == '-') {
        int end = sql.indexOf('\n', at);
        at = end < 0 ? sql.length() : end;
      } else if (c == '/' && next() == '*') {
        skipBlockComment();
      } else {
        return true;
      }
      spaceBefore = true;
    }
    return false;
  }

  private void skipBlockComment() {
    int depth = 0;
    while (at < sql.length()) {
      if (sql.startsWith("/*", at)) {
        depth++;
        at += 2;
      } else if (sql.startsWith("*/", at)) {
        depth--;
        at += 2;
        if (depth == 0) {
          return;
        }
      } else {
        at++;
      }
    }
  }

  private boolean token() {
    start = at;
    char c = sql.charAt(at);
    if (isWordStart(c)) {
      return word();
    }
    if (isDigit(c) || (c == '.' && isDigit(next()))) {
      return number();
    }
    return switch (c) {
      case '\'' -> string(false);
      case '"' -> quotedName();
      case '$' -> dollar();
      case '?' -> question();
      case '\\', '\0' -> false;
      default -> symbol();
    };
  }

  private boolean word() {
    while (at < sql.length() && (isWordStart(sql.charAt(at)) || isWordPart(sql.charAt(at)))) {
      at++;
    }
    String word = sql.substring(start, at);
    if (at < sql.length() && sql.charAt(at) == '\'' && word.length() == 1) {
      switch (word.charAt(0)) {
        case 'e', 'E' -> {
          return string(true);
        }
        case 'b', 'B', 'x', 'X', 'n', 'N' -> {
          return opaqueString();
        }
        default -> {}
      }
    }
    if (word.equalsIgnoreCase("u") && at < sql.length() && sql.charAt(at) == '&') {
      char quote = at + 1 < sql.length() ? sql.charAt(at + 1) : 0;
      if (quote == '\'' || quote == '"') {
        return false;
      }
    }
    add(Token.Kind.WORD, word.toLowerCase(Locale.ROOT), word);
    return true;
  }

  private boolean opaqueString() {
    if (!string(false)) {
      return false;
    }
    slots.set(slots.size() - 1, new Slot.Literal(Operand.UNKNOWN));
    return true;
  }

  private boolean number() {
    boolean plain = true;
    while (at < sql.length()) {
      char c = sql.charAt(at);
      boolean exponentSign =
          (c == '+' || c == '-') && (sql.charAt(at - 1) == 'e' || sql.charAt(at - 1) == 'E');
      if (!isDigit(c) && c != '.' && !isWordStart(c) && !(exponentSign && at > start)) {
        break;
      }
      plain &= isDigit(c);
      at++;
    }
    String text = sql.substring(start, at);
    if (inTypeModifier) {
      add(Token.Kind.SYMBOL, text, text);
      return true;
    }
    addValue(new Slot.Literal(numberValue(text, plain)));
    return true;
  }

  private static Object numberValue(String text, boolean plain) {
    try {
      return plain && text.length() < 19 ? (Object) Long.valueOf(text) : new BigDecimal(text);
    } catch (NumberFormatException e) {
      return Operand.UNKNOWN;
    }
  }

  private boolean string(boolean escapes) {
    StringBuilder value = new StringBuilder();
    boolean backslash = false;
    at++;
    while (at < sql.length()) {
      char c = sql.charAt(at++);
      if (c == '\'') {
        if (at < sql.length() && sql.charAt(at) == '\'') {
          at++;
        } else {
          addValue(new Slot.Literal(backslash ? Operand.UNKNOWN : value.toString()));
          return true;
        }
      } else if (c == '\\') {
        if (escapes) {
          backslash = true;
          at++;
        } else {
          valueFree = false;
        }
      }
      value.append(c);
    }
    return false;
  }

  private boolean quotedName() {
    at++;
    StringBuilder name = new StringBuilder();
    while (at < sql.length()) {
      char c = sql.charAt(at++);
      if (c == '"') {
        if (at < sql.length() && sql.charAt(at) == '"') {
          at++;
        } else {
          add(Token.Kind.QUOTED, name.toString(), sql.substring(start, at));
          return true;
        }
      }
      name.append(c);
    }
    return false;
  }

  private boolean dollar() {
    int tagEnd = at + 1;
    while (tagEnd < sql.length()
        && sql.charAt(tagEnd) != '$'
        && (isWordStart(sql.charAt(tagEnd)) || isDigit(sql.charAt(tagEnd)))) {
      tagEnd++;
    }
    boolean tag = tagEnd < sql.length() && sql.charAt(tagEnd) == '$' && !isDigit(next());
    if (!tag && placeholders == Placeholders.NUMBERED && isDigit(next())) {
      return numbered();
    }
    if (!tag) {
      problem = "$n parameter";
      return symbol();
    }
    String delimiter = sql.substring(at, tagEnd + 1);
    int end = sql.indexOf(delimiter, tagEnd + 1);
    if (end < 0) {
      return false;
    }
    at = end + delimiter.length();
    addValue(new Slot.Literal(sql.substring(tagEnd + 1, end)));
    return true;
  }

  private boolean numbered() {
    int end = at + 1;
    int number = 0;
    while (end < sql.length() && isDigit(sql.charAt(end)) && number <= MAX_PARAMETERS) {
      number = 10 * number + sql.charAt(end++) - '0';
    }
    if (number < 1 || number > MAX_PARAMETERS) {
      return false;
    }
    at = end;
    addValue(new Slot.Parameter(number));
    return true;
  }

  private boolean question() {
    boolean parameters = placeholders == Placeholders.QUESTION_MARKS;
    if (parameters && next() != '?') {
      at++;
      addValue(new Slot.Parameter(++parameterCount));
      return true;
    }
    problem = "operator with a question mark";
    at += parameters ? 1 : 0;
    return symbol();
  }

  private boolean symbol() {
    char c = sql.charAt(at++);
    if (c == '(') {
      inTypeModifier = endsWithType();
    } else if (c == ')') {
      inTypeModifier = false;
    }
    add(Token.Kind.SYMBOL, String.valueOf(c), String.valueOf(c));
    return true;
  }

  private boolean endsWithType() {
    return !tokens.isEmpty()
        && tokens.get(tokens.size() - 1).kind() == Token.Kind.WORD
        && TYPES_WITH_MODIFIER.contains(tokens.get(tokens.size() - 1).text());
  }

  private void addValue(Slot slot) {
    slots.add(slot);
    add(Token.Kind.VALUE, "", "?");
  }

  private void add(Token.Kind kind, String text, String printed) {
    if (spaceBefore && normalized.length() > 0) {
      normalized.append(' ');
    }
    normalized.append(printed);
    tokens.add(new Token(kind, text, start, at));
  }

  private char next() {
    return at + 1 < sql.length() ? sql.charAt(at + 1) : 0;
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private static boolean isWordStart(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c >= 0x80;
  }

  private static boolean isWordPart(char c) {
    return isDigit(c) || c == '$';
  }
}
