package io.isotail.ingest.postgres;

import io.isotail.ingest.sql.LexedSql;
import io.isotail.ingest.sql.Placeholders;
import io.isotail.ingest.sql.SqlLexer;
import io.isotail.ingest.sql.Token;
import java.util.Locale;
import java.util.Set;

/**
 * What a statement in SQL has to do with a name of the session: of a prepared statement, or of a
 * portal. SQL and the protocol share these names.
 *
 * @param kind what it does
 * @param name the name, as {@link ServerNames} says; empty if it is about none, or about all
 */
record NamesInSql(Kind kind, String name) {
  /** What statements do with names. */
  enum Kind {
    NOTHING,
    /** EXECUTE of a statement. */
    EXECUTE,
    /** FETCH of a portal's rows. */
    FETCH,
    /** MOVE past a portal's rows. */
    MOVE,
    /** PREPARE of a statement. */
    PREPARE,
    /** Several statements or a block of code, which may prepare any. */
    PREPARE_ANY,
    /** DEALLOCATE of a statement. */
    DEALLOCATE,
    /** DEALLOCATE ALL and DISCARD ALL. */
    DEALLOCATE_ALL
  }

  private static final NamesInSql NOTHING = new NamesInSql(Kind.NOTHING, "");
  private static final NamesInSql ALL = new NamesInSql(Kind.DEALLOCATE_ALL, "");

  /** What a text that is not known may have to do with names. */
  static final NamesInSql ANY = new NamesInSql(Kind.PREPARE_ANY, "");

  /** First words of the statements that have to do with names. */
  private static final Set<String> CONCERNED =
      Set.of("execute", "fetch", "move", "prepare", "deallocate", "discard", "do");

  /**
   * Reads a text. One of several statements has to do with any name if it may prepare one, and else
   * with none that is known.
   */
  static NamesInSql of(String sql) {
    if (!beginsConcerned(sql) && (sql.indexOf(';') < 0 || !mentionsPrepare(sql))) {
      return NOTHING;
    }
    boolean prepares = mentionsPrepare(sql);
    LexedSql lexed = SqlLexer.lex(sql, Placeholders.NUMBERED);
    String first = lexed.firstWord();
    if (!lexed.understood()) {
      return CONCERNED.contains(first) || prepares ? ANY : NOTHING;
    }
    if ((first.equals("do") || lexed.severalStatements()) && prepares) {
      return ANY;
    }
    int last = lexed.tokens().size() - 1;
    return switch (first) {
      case "execute" -> of(Kind.EXECUTE, sql, lexed, 1);
      case "fetch" -> of(Kind.FETCH, sql, lexed, lexed.severalStatements() ? -1 : last);
      case "move" -> of(Kind.MOVE, sql, lexed, lexed.severalStatements() ? -1 : last);
      case "prepare" ->
          lexed.symbolAt(2, "(") || lexed.wordAt(2, "as")
              ? of(Kind.PREPARE, sql, lexed, 1)
              : NOTHING;
      case "deallocate" -> deallocate(sql, lexed, last);
      case "discard" -> last == 1 && lexed.wordAt(1, "all") ? ALL : NOTHING;
      default -> NOTHING;
    };
  }

  private static boolean mentionsPrepare(String sql) {
    String word = "prepare";
    for (int i = 0; i <= sql.length() - word.length(); i++) {
      if (sql.regionMatches(true, i, word, 0, word.length())) {
        return true;
      }
    }
    return false;
  }

  /** Whether a text may begin with one of these words: most do not, and are not scanned. */
  private static boolean beginsConcerned(String sql) {
    int start = 0;
    while (start < sql.length() && sql.charAt(start) <= ' ') {
      start++;
    }
    int end = start;
    while (end < sql.length() && Character.isLetter(sql.charAt(end))) {
      end++;
    }
    return end == start // A comment, or a sign.
        || CONCERNED.contains(sql.substring(start, end).toLowerCase(Locale.ROOT));
  }

  private static NamesInSql deallocate(String sql, LexedSql lexed, int last) {
    boolean prepare = last == 2 && lexed.wordAt(1, "prepare");
    if (last != 1 && !prepare) {
      return NOTHING;
    }
    return lexed.wordAt(last, "all") ? ALL : of(Kind.DEALLOCATE, sql, lexed, last);
  }

  /** What a text does with the name that a token of it is. */
  private static NamesInSql of(Kind kind, String sql, LexedSql lexed, int token) {
    if (token < 1 || token >= lexed.tokens().size() || !lexed.tokens().get(token).isName()) {
      return NOTHING;
    }
    Token name = lexed.tokens().get(token);
    return new NamesInSql(
        kind,
        ServerNames.ofSql(
            name.kind() == Token.Kind.QUOTED
                ? name.text()
                : ServerNames.folded(sql.substring(name.start(), name.end()))));
  }
}
