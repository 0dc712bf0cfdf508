package io.isotail.monitor.tail;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The text of a statement in a binary log, and what it means for tables whose changes are told.
 * Immutable.
 *
 * <p>The log holds definitions as they were sent, with comments; in {@code /*!} and {@code /*M!}
 * they are no comments. Names in it are compared in any case, and what stands in double quotes may
 * be one: rather a name too many.
 */
final class LoggedStatement {
  /** What a statement does. */
  enum Effect {
    /** Nothing to rows or tables. */
    NONE,
    /** Ends a transaction that took effect. */
    COMMITS,
    /** Ends a transaction that did not. */
    ROLLS_BACK,
    /** Takes back what was done since a savepoint. */
    UNDOES,
    /** Defines tables, and none that is told in another way than before. */
    DEFINES,
    /** Defines a table anew whose changes are told, or empties it. */
    REDEFINES,
    /** May change rows. */
    CHANGES
  }

  private static final Set<String> HARMLESS =
      Set.of(
          "begin",
          "start",
          "savepoint",
          "release",
          "grant",
          "revoke",
          "set",
          "comment",
          "flush",
          "analyze",
          "optimize",
          "repair",
          "check",
          "install",
          "uninstall",
          "change",
          "stop",
          "purge");

  private final List<Token> tokens;

  /** A name or a word, in lower case, or a point. */
  private record Token(String text, boolean quoted) {
    boolean isPoint() {
      return !quoted && text.equals(".");
    }
  }

  private LoggedStatement(List<Token> tokens) {
    this.tokens = tokens;
  }

  static LoggedStatement of(String sql) {
    List<Token> tokens = new ArrayList<>();
    int at = 0;
    while (at < sql.length()) {
      char c = sql.charAt(at);
      int end;
      if (sql.startsWith("/*!", at) || sql.startsWith("/*M!", at)) {
        end = sql.indexOf('!', at) + 1;
        while (end < sql.length() && Character.isDigit(sql.charAt(end))) {
          end++;
        }
      } else if (sql.startsWith("/*", at)) {
        end = behind(sql, "*/", at + 2);
      } else if (c == '#' || (sql.startsWith("--", at) && isBlank(sql, at + 2))) {
        end = behind(sql, "\n", at);
      } else if (c == '\'' || c == '"' || c == '`') {
        end = behindQuoted(sql, at);
        if (c != '\'') {
          tokens.add(new Token(unquoted(sql, at, end), true));
        }
      } else if (isOfWord(c)) {
        end = at;
        while (end < sql.length() && isOfWord(sql.charAt(end))) {
          end++;
        }
        tokens.add(new Token(sql.substring(at, end).toLowerCase(Locale.ROOT), false));
      } else {
        end = at + 1;
        if (c == '.') {
          tokens.add(new Token(".", false));
        }
      }
      at = end;
    }
    return new LoggedStatement(tokens);
  }

  private static boolean isBlank(String sql, int at) {
    return at >= sql.length() || Character.isWhitespace(sql.charAt(at));
  }

  private static boolean isOfWord(char c) {
    return Character.isLetterOrDigit(c) || c == '_' || c == '$' || Character.isSurrogate(c);
  }

  private static int behind(String sql, String end, int from) {
    int at = sql.indexOf(end, from);
    return at < 0 ? sql.length() : at + end.length();
  }

  private static int behindQuoted(String sql, int start) {
    char quote = sql.charAt(start);
    int at = start + 1;
    while (at < sql.length()) {
      char c = sql.charAt(at++);
      if (c == '\\' && quote != '`') {
        at++;
      } else if (c == quote) {
        if (at >= sql.length() || sql.charAt(at) != quote) {
          return at;
        }
        at++; // Twice, it stands for itself.
      }
    }
    return sql.length();
  }

  private static String unquoted(String sql, int start, int end) {
    String quote = sql.substring(start, start + 1);
    return sql.substring(start + 1, Math.max(start + 1, end - 1))
        .replace(quote + quote, quote)
        .toLowerCase(Locale.ROOT);
  }

  /**
   * What it does.
   *
   * @param current the database that names without one are of
   * @param followed the database whose tables are told
   * @param isTold whether a name in lower case is one of such a table
   */
  Effect effect(String current, String followed, Predicate<String> isTold) {
    return effect(0, current, followed, isTold);
  }

  private Effect effect(int from, String current, String followed, Predicate<String> isTold) {
    String first = word(from);
    boolean names = !names(from, current, followed, isTold).isEmpty();
    Effect defines = names ? Effect.REDEFINES : Effect.DEFINES;
    return switch (first) {
      case "commit" -> Effect.COMMITS;
      case "rollback" ->
          word(from + 1).equals("to") || word(from + 2).equals("to")
              ? Effect.UNDOES
              : Effect.ROLLS_BACK;
      case "xa" -> {
        String second = word(from + 1);
        yield second.equals("commit") || second.equals("rollback") ? Effect.COMMITS : Effect.NONE;
      }
      case "create" -> {
        boolean replaces = word(from + 1).equals("or");
        boolean table = word(from + (replaces ? 3 : 1)).equals("table");
        boolean temporary = word(from + (replaces ? 3 : 1)).equals("temporary");
        yield temporary ? Effect.NONE : replaces && table ? defines : Effect.DEFINES;
      }
      case "drop" ->
          switch (word(from + 1)) {
            case "temporary" -> Effect.NONE;
            case "table", "tables" -> defines;
            case "database", "schema" ->
                has(from, followed.toLowerCase(Locale.ROOT)) ? Effect.REDEFINES : Effect.NONE;
            default -> Effect.DEFINES;
          };
      case "alter", "rename" -> defines;
      case "truncate" -> names ? Effect.REDEFINES : Effect.NONE;
      case "set" -> {
        int statement = word(from + 1).equals("statement") ? indexOf(from, "for") : -1;
        yield statement < 0 ? Effect.NONE : effect(statement + 1, current, followed, isTold);
      }
      case "" -> tokens.isEmpty() ? Effect.NONE : Effect.CHANGES;
      default -> HARMLESS.contains(first) ? Effect.NONE : Effect.CHANGES;
    };
  }

  /** A word that is no name; empty if there is none. */
  private String word(int at) {
    return at < tokens.size() && !tokens.get(at).quoted() ? tokens.get(at).text() : "";
  }

  private int indexOf(int from, String word) {
    for (int i = from; i < tokens.size(); i++) {
      if (word(i).equals(word)) {
        return i;
      }
    }
    return -1;
  }

  private boolean has(int from, String text) {
    return tokens.subList(from, tokens.size()).stream().anyMatch(t -> t.text().equals(text));
  }

  /** The tables that it names of those whose changes are told, in lower case; else as effect. */
  Set<String> names(String current, String followed, Predicate<String> isTold) {
    return names(0, current, followed, isTold);
  }

  private Set<String> names(int from, String current, String followed, Predicate<String> isTold) {
    Set<String> names = new HashSet<>();
    boolean ofDatabase = word(from + 1).equals("database") || word(from + 1).equals("schema");
    if (word(from).equals("drop") && ofDatabase) {
      return names;
    }
    for (int i = from; i < tokens.size(); i++) {
      boolean qualified = i >= 2 && tokens.get(i - 1).isPoint();
      boolean qualifies = i + 1 < tokens.size() && tokens.get(i + 1).isPoint();
      String database = qualified ? tokens.get(i - 2).text() : current;
      if (!qualifies && database.equalsIgnoreCase(followed) && isTold.test(tokens.get(i).text())) {
        names.add(tokens.get(i).text());
      }
    }
    return names;
  }

  /** Its first word, for people. */
  String kind() {
    return word(0);
  }
}
