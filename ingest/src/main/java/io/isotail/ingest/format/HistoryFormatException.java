package io.isotail.ingest.format;

import java.nio.file.Path;

/** A history file that cannot be read: where, what was found, and what was expected. */
public final class HistoryFormatException extends Exception {
  private static final long serialVersionUID = 1L;

  private final long line;

  /** At a line of the file, counted from 1; 0 for the file as a whole. */
  public HistoryFormatException(Path path, long line, String found, String expected) {
    this("%s%s".formatted(path, line > 0 ? ":" + line : ""), line, found, expected);
  }

  private HistoryFormatException(String place, long line, String found, String expected) {
    super("%s: found %s; expected %s".formatted(place, found, expected));
    this.line = line;
  }

  /** At a byte of a binary file, counted from 0. */
  public static HistoryFormatException atByte(
      Path path, long offset, String found, String expected) {
    return new HistoryFormatException("%s at byte %d".formatted(path, offset), 0, found, expected);
  }

  /** Line of the file, from 1; 0 when it is about the file as a whole, or a binary one. */
  public long line() {
    return line;
  }
}
