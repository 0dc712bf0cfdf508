package io.isotail.incremental.explore.language;

/**
 * A word of the text.
 *
 * @param text as it stands there; of a string, what is between the quotes
 * @param line from 1 on
 * @param column from 1 on
 */
record Token(Kind kind, String text, int line, int column) {
  enum Kind {
    NAME,
    NUMBER,
    STRING,
    SIGN,
    END
  }

  boolean is(String sign) {
    return (kind == Kind.SIGN || kind == Kind.NAME) && text.equals(sign);
  }

  SourceError error(String message) {
    return new SourceError(line, column, message);
  }

  /** For messages. */
  String shown() {
    return kind == Kind.END ? "the end of the text" : "'" + text + "'";
  }
}
