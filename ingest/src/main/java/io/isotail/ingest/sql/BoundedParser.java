package io.isotail.ingest.sql;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
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

  private static final long MAX_PARSE_MS = 250;

  private static final ScheduledExecutorService WATCHDOG =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "isotail-parser-watchdog");
            thread.setDaemon(true);
            return thread;
          });

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
        CCJSqlParserUtil.newParser(sql.normalized()).withAllowComplexParsing(false);
    ScheduledFuture<?> alarm =
        WATCHDOG.schedule(
            () -> {
              parser.interrupted = true;
            },
            MAX_PARSE_MS,
            TimeUnit.MILLISECONDS);
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
