package io.isotail.ingest.sql;

/**
 * One token of a statement.
 *
 * @param kind what it is
 * @param text a word in lower case, the exact name of a quoted identifier, a symbol as written,
 *     what is quoted by something unclear; empty for a value
 * @param start index of its first character in the statement's text; -1 for one that is made up
 * @param end index after its last character
 */
public record Token(Kind kind, String text, int start, int end) {

  /** One that stands in no text. */
  Token(Kind kind, String text) {
    this(kind, text, -1, -1);
  }

  /** What a token is. */
  public enum Kind {
    /** A keyword or an unquoted identifier, folded to lower case as PostgreSQL does. */
    WORD,
    /** A quoted identifier, without its quotes. */
    QUOTED,
    /** A literal or a parameter. */
    VALUE,
    /** A literal or a name, depending on what is not known here. It has a slot, as a value has. */
    UNCLEAR,
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

  /** Whether it is printed as a value. */
  boolean isMasked() {
    return kind == Kind.VALUE || kind == Kind.UNCLEAR;
  }

  /** Whether this can name a table, a column or a function. */
  public boolean isName() {
    return kind == Kind.WORD || kind == Kind.QUOTED;
  }
}
