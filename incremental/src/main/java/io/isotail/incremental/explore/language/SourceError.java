package io.isotail.incremental.explore.language;

/** What is wrong with the text of a program, and where: line and column count from 1. */
public final class SourceError extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int line;
  private final int column;
  private final String reason;

  /** An error at a place of the text. */
  public SourceError(int line, int column, String message) {
    super("line %d, column %d: %s".formatted(line, column, message));
    this.line = line;
    this.column = column;
    this.reason = message;
  }

  /** What is wrong, without the place. */
  public String reason() {
    return reason;
  }

  /** Line, from 1 on. */
  public int line() {
    return line;
  }

  /** Column, from 1 on. */
  public int column() {
    return column;
  }
}
