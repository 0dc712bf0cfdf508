package io.isotail.monitor.explore.sql;

import io.isotail.incremental.explore.language.SourceError;

/**
 * A word of the text.
 *
 * @param text a name in lower case unless it stood in double quotes; of a text, what is between the
 *     quotes; of a local, its name without the colon
 * @param line from 1 on
 * @param column from 1 on
 */
record SqlToken(Kind kind, String text, int line, int column) {
  enum Kind {
    /** A keyword, or a name without quotes. */
    WORD,
    /** A name in double quotes, which is no keyword. */
    QUOTED,
    NUMBER,
    TEXT,
    /** {@code :name}. */
    LOCAL,
    SIGN,
    END
  }

  /** Whether it is that keyword, in lower case, or that sign. */
  boolean is(String expected) {
    return (kind == Kind.WORD || kind == Kind.SIGN) && text.equals(expected);
  }

  SourceError error(String message) {
    return new SourceError(line, column, message);
  }

  /** For messages. */
  String shown() {
    return switch (kind) {
      case WORD, NUMBER, SIGN -> "'" + text + "'";
      case QUOTED -> "\"" + text + "\"";
      case TEXT -> "the text '" + text + "'";
      case LOCAL -> "':" + text + "'";
      case END -> "the end of the text";
    };
  }
}
