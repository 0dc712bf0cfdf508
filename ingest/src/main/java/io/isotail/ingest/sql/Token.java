package io.isotail.ingest.sql;

/**
 * One token of a statement.
 *
 * @param kind what it is
 * @param text a word in lower case, the exact name of a quoted identifier, a symbol as written;
 *     empty for a value
 */
public record Token(Kind kind, String text) {

  /** What a token is. */
  public enum Kind {
    /** A keyword or an unquoted identifier, folded to lower case as PostgreSQL does. */
    WORD,
    /** A quoted identifier, without its quotes. */
    QUOTED,
    /** A literal or a parameter. */
    VALUE,
    /** Anything else. */
    SYMBOL
  }

  /** Whether this is the unquoted word {@code word}, given in lower case. */
  public boolean isWord(String word) {
    return kind == Kind.WORD && text.equals(word);
  }

  /** Whether this is the symbol {@code symbol}. */
  public boolean isSymbol(String symbol) {
    return kind == Kind.SYMBOL && text.equals(symbol);
  }

  /** Whether this can name a table, a column or a function. */
  public boolean isName() {
    return kind == Kind.WORD || kind == Kind.QUOTED;
  }
}
