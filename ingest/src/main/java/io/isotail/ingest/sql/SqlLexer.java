package io.isotail.ingest.sql;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Cuts SQL text into tokens as PostgreSQL's scanner does, in one pass and linear time. {@link
 * CautiousLexer} has the rules of other databases.
 *
 * <p>The scanner assumes {@code standard_conforming_strings = on}. Were it off, a backslash could
 * hide the end of a string and what looks like a word could be part of a value; so a text with a
 * backslash in a plain string gets no fingerprint beyond its first keyword, like one that is not
 * understood to its end.
 */
public class SqlLexer {

  /** Longer texts are not looked at, in characters. */
  public static final int MAX_TEXT_CHARS = 1 << 20;

  /** The protocol counts parameters in two bytes. */
  private static final int MAX_PARAMETERS = 65_535;

  /** A longer number after the name of a type is a value that only looks like a modifier. */
  private static final int MAX_MODIFIER_DIGITS = 4;

  /** Statements in which a word after {@code =} or TO is a value. */
  private static final Set<String> SETTING = Set.of("set", "alter");

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

  final String sql;
  private final Placeholders placeholders;
  private final List<Token> tokens = new ArrayList<>();
  private final List<Slot> slots = new ArrayList<>();
  private final StringBuilder normalized = new StringBuilder();
  int at;

  /** Where the token that is read begins. */
  int start;

  private int parameterCount;
  private boolean spaceBefore;
  private boolean inTypeModifier;

  /** Whether the statement under way sets a setting, and its value follows. */
  private boolean inSetting;

  /** Number of tokens before the statement under way, in a text of several. */
  private int statementStart;

  private boolean valueFree = true;
  private @Nullable String problem;

  SqlLexer(String sql, Placeholders placeholders) {
    this.sql = sql;
    this.placeholders = placeholders;
  }

  /** Cuts a statement text of PostgreSQL into tokens. */
  public static LexedSql lex(String sql, Placeholders placeholders) {
    return lex(sql, placeholders, PostgresSql.DIALECT);
  }

  /**
   * Cuts a statement text into tokens.
   *
   * @param sql the text
   * @param placeholders what its parameters look like
   * @param dialect how it is written
   */
  static LexedSql lex(String sql, Placeholders placeholders, SqlDialect dialect) {
    if (sql.length() > MAX_TEXT_CHARS) {
      LexedSql start = lex(sql.substring(0, 64), placeholders, dialect);
      return new LexedSql(
          start.tokens().subList(0, Math.min(1, start.tokens().size())),
          "",
          List.of(),
          false,
          false,
          "statement of " + sql.length() + " characters > limit of " + MAX_TEXT_CHARS);
    }
    return dialect.lexer(sql, placeholders).run();
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
      } else if (!comment(c)) {
        return true;
      }
      spaceBefore = true;
    }
    return false;
  }

  /** Moves behind a comment, if one begins with the character at this place. */
  boolean comment(char c) {
    if (c == '-' && next() == '-') {
      while (at < sql.length() && sql.charAt(at) != '\n' && sql.charAt(at) != '\r') {
        at++;
      }
    } else if (c == '/' && next() == '*') {
      skipBlockComment();
    } else {
      return false;
    }
    return true;
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
    boolean digits = isDigit(c) || (c == '.' && isDigit(next()));
    return digits ? number() : sign(c);
  }

  /** Reads what begins with neither a letter nor a digit; false if it is not understood. */
  boolean sign(char c) {
    return switch (c) {
      case '\'' -> string(false);
      case '"' -> quotedName();
      case '$' -> dollar();
      case '?' -> question();
      case '\\', '\0' -> false;
      default -> symbol();
    };
  }

  /** Moves behind a word. */
  final String readWord() {
    while (at < sql.length() && (isWordStart(sql.charAt(at)) || isWordPart(sql.charAt(at)))) {
      at++;
    }
    return sql.substring(start, at);
  }

  /** Reads what begins with a letter; false if it is not understood. */
  boolean word() {
    String word = readWord();
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
    addWord(word);
    return true;
  }

  final void addWord(String word) {
    add(Token.Kind.WORD, word.toLowerCase(Locale.ROOT), word);
  }

  private boolean opaqueString() {
    if (!string(false)) {
      return false;
    }
    hideLastValue();
    return true;
  }

  /** The value that was read last is not worth decoding. */
  final void hideLastValue() {
    slots.set(slots.size() - 1, new Slot.Literal(Operand.UNKNOWN));
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
    if (inTypeModifier && plain && text.length() <= MAX_MODIFIER_DIGITS) {
      add(Token.Kind.SYMBOL, text, text);
      return true;
    }
    addNumber(text, numberValue(text, plain));
    return true;
  }

  void addNumber(String text, Object value) {
    addValue(new Slot.Literal(value));
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

  /** Whether a parenthesis after the tokens so far holds the modifier of a type. */
  boolean endsWithType() {
    Token last = tokens.isEmpty() ? null : tokens.get(tokens.size() - 1);
    return last != null
        && last.kind() == Token.Kind.WORD
        && TYPES_WITH_MODIFIER.contains(last.text());
  }

  /** The token so many places before the one that is read; null if there is none. */
  final @Nullable Token before(int places) {
    return places > tokens.size() ? null : tokens.get(tokens.size() - places);
  }

  final void addValue(Slot slot) {
    slots.add(slot);
    add(Token.Kind.VALUE, "", "?");
  }

  /** Adds a text that may be a name or a value; it is printed as a value. */
  final void addUnclear(String text) {
    slots.add(new Slot.Literal(Operand.UNKNOWN));
    add(Token.Kind.UNCLEAR, text, "?");
  }

  final void add(Token.Kind kind, String text, String printed) {
    if (spaceBefore && normalized.length() > 0) {
      normalized.append(' ');
    }
    Token token = new Token(kind, text, start, at);
    normalized.append(inSetting && token.isName() ? "?" : printed);
    tokens.add(token);
    if (token.isSymbol(";")) {
      statementStart = tokens.size();
      inSetting = false;
    } else if (token.isSymbol("=") || token.isWord("to")) {
      inSetting = SETTING.contains(tokens.get(statementStart).text());
    }
  }

  final char next() {
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
