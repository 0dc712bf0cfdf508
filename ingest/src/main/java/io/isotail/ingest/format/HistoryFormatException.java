package io.isotail.ingest.format;

import java.nio.file.Path;

/** A history file that cannot be read: where, what was found, and what was expected. */
public final class HistoryFormatException extends Exception {
  private static final long serialVersionUID = 1L;

  private final long line;

  /** At a line of the file, counted from 1; 0 for the file as a whole. */
  public HistoryFormatException(Path path, long line, String found, String expected) {
    super(
        "%s%s: found %s; expected %s".formatted(path, line > 0 ? ":" + line : "", found, expected));
    this.line = line;
  }

  /** Line of the file, from 1; 0 when it is about the file as a whole. */
  public long line() {
    return line;
  }
}
