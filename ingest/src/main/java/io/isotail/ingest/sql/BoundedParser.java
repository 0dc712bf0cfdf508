package io.isotail.ingest.sql;

import java.util.List;
import java.util.concurrent.Future;
import java.util.regex.Pattern;
import net.sf.jsqlparser.parser.CCJSqlParser;
import net.sf.jsqlparser.parser.CCJSqlParserUtil;
import net.sf.jsqlparser.parser.ParseException;
import net.sf.jsqlparser.parser.TokenMgrException;
import net.sf.jsqlparser.statement.Statement;

/**
 * Runs the SQL parser on the calling thread within limits of length, nesting and time. One daemon
 * thread interrupts parsers that take too long.
 */
final class BoundedParser {

  /** Longer normalized texts are not parsed, in characters. */
  static final int MAX_PARSE_CHARS = 32_768;

  /** Deeper nested texts are not parsed, in parentheses. */
  static final int MAX_NESTING = 24;

  private static final Pattern IN_SHARE_MODE =
      Pattern.compile("\\s+lock\\s+in\\s+share\\s+mode\\s*$", Pattern.CASE_INSENSITIVE);

  /** Parsed once before anything is timed: the first parses of a process load the parser. */
  private static final List<String> WARM_UP =
      List.of(
          "SELECT a, b AS c FROM t WHERE a = ? AND b IN (?, ?) ORDER BY a FOR UPDATE",
          "UPDATE t SET a = ?, b = b + ? WHERE c = ? AND b = ? RETURNING a, b",
          "INSERT INTO t (a, b) VALUES (?, ?) ON CONFLICT (a) DO UPDATE SET b = EXCLUDED.b",
          "DELETE FROM t WHERE a = ? AND b = ? RETURNING b");

  static {
    for (String sql : WARM_UP) {
      try {
        CCJSqlParserUtil.newParser(sql).withAllowComplexParsing(false).Statement();
      } catch (ParseException | TokenMgrException | StackOverflowError e) {
        // It only costs time: what fails here fails again where it matters, and is counted there.
        break;
      }
    }
  }

  private BoundedParser() {}

  /** The text is not SQL that the parser knows. */
  static final class NotParsed extends Exception {
    private final Uninterpreted reason;

    NotParsed(Uninterpreted reason) {
      super(reason.name(), null, false, false);
      this.reason = reason;
    }

    Uninterpreted reason() {
      return reason;
    }
  }

  static Statement parse(LexedSql sql) throws NotParsed {
    if (!sql.understood() || sql.problem() != null) {
      throw new NotParsed(Uninterpreted.PARSE_FAILED);
    }
    if (sql.normalized().length() > MAX_PARSE_CHARS || nesting(sql) > MAX_NESTING) {
      throw new NotParsed(Uninterpreted.TOO_COMPLEX);
    }
    CCJSqlParser parser =
        CCJSqlParserUtil.newParser(parsable(sql.normalized())).withAllowComplexParsing(false);
    Future<?> alarm = ParseBudget.watch(() -> parser.interrupted = true);
    try {
      return parser.Statement();
    } catch (ParseException | TokenMgrException | StackOverflowError e) {
      throw new NotParsed(
          parser.interrupted || e instanceof StackOverflowError
              ? Uninterpreted.TOO_COMPLEX
              : Uninterpreted.PARSE_FAILED);
    } finally {
      alarm.cancel(false);
    }
  }

  /** As the parser knows it: FOR SHARE is what MySQL says too, and the parser does. */
  private static String parsable(String sql) {
    return IN_SHARE_MODE.matcher(sql).replaceFirst(" FOR SHARE");
  }

  private static int nesting(LexedSql sql) {
    int depth = 0;
    int deepest = 0;
    for (Token token : sql.tokens()) {
      if (token.isSymbol("(")) {
        deepest = Math.max(deepest, ++depth);
      } else if (token.isSymbol(")")) {
        depth--;
      }
    }
    return deepest;
  }
}
