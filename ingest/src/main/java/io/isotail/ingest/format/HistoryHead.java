package io.isotail.ingest.format;

import java.io.ByteArrayInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The beginning of a history, by which its format is told, never by its name alone. */
public final class HistoryHead implements Closeable {
  private static final int HEAD_BYTES = 64;
  private static final int BEGINNING_BYTES = 1 << 16;

  private final Path path;
  private final boolean directory;
  private final boolean binary;
  private final @Nullable LineReader line;
  private final int at;

  private HistoryHead(Path path, boolean directory, boolean binary)
      throws IOException, HistoryFormatException {
    this.path = path;
    this.directory = directory;
    this.binary = binary;
    LineReader lines = directory || binary ? null : new LineReader(path);
    this.line = lines;
    this.at = lines == null ? -1 : skipBlankLines(lines);
  }

  /** The place of the first character that is not blank in its line, -1 if there is none. */
  private static int skipBlankLines(LineReader lines) throws IOException, HistoryFormatException {
    try {
      while (lines.next()) {
        int at = lines.skipBlank(lines.start());
        if (at < lines.end()) {
          return at;
        }
      }
      return -1;
    } catch (IOException | HistoryFormatException | RuntimeException e) {
      lines.close();
      throw e;
    }
  }

  static HistoryHead of(Path path) throws IOException, HistoryFormatException {
    requireExistence(path);
    if (Files.isDirectory(path)) {
      return new HistoryHead(path, true, false);
    }
    requireFile(path);
    return new HistoryHead(path, false, holdsZero(path));
  }

  /** No text holds a zero byte; a binary history starts with small numbers of 64 bits. */
  private static boolean holdsZero(Path path) throws IOException, HistoryFormatException {
    try (HistoryBytes bytes = new HistoryBytes(path)) {
      for (byte b : bytes.next(HEAD_BYTES)) {
        if (b == 0) {
          return true;
        }
      }
    }
    return false;
  }

  static void requireExistence(Path path) throws NoSuchFileException {
    if (!Files.exists(path)) {
      throw new NoSuchFileException(path.toString());
    }
  }

  static void requireFile(Path path) throws IOException, HistoryFormatException {
    requireExistence(path);
    if (!Files.isRegularFile(path)) {
      throw new HistoryFormatException(
          path, 0, Files.isDirectory(path) ? "a directory" : "no regular file", "a history file");
    }
  }

  /** Where it is. */
  public Path path() {
    return path;
  }

  /** Whether it is a directory. */
  public boolean isDirectory() {
    return directory;
  }

  /** Whether it is a file that is no text. */
  public boolean isBinary() {
    return binary;
  }

  /** Whether it is a file without a character that is not blank. */
  public boolean isEmpty() {
    return line != null && at < 0;
  }

  /** Whether it is a text whose first character that is not blank is one of these. */
  public boolean startsWith(String characters) {
    LineReader text = line;
    return text != null && at >= 0 && characters.indexOf(text.bytes()[at]) >= 0;
  }

  /**
   * The first line that is not blank, from its first character that is not blank to its end,
   * without the end of the line. Empty if there is none, or no text. Each call begins at the
   * beginning; to be read before this head is closed.
   *
   * @return bytes in memory, at most 256 MB of them; reading never fails
   */
  public ByteArrayInputStream line() {
    LineReader text = line;
    return text == null || at < 0
        ? new ByteArrayInputStream(new byte[0])
        : new ByteArrayInputStream(text.bytes(), at, text.end() - at);
  }

  /** The first 64 KiB, or all that there is; empty of a directory. Each call begins anew. */
  public ByteArrayInputStream beginning() throws IOException, HistoryFormatException {
    if (directory) {
      return new ByteArrayInputStream(new byte[0]);
    }
    try (HistoryBytes bytes = new HistoryBytes(path)) {
      return new ByteArrayInputStream(bytes.next(BEGINNING_BYTES));
    }
  }

  /** What is thrown when no format recognises it. */
  HistoryFormatException unknown(String expected) {
    LineReader text = line;
    if (text == null || at < 0) {
      String found = directory ? "a directory with none of these" : "a file of no known format";
      return new HistoryFormatException(path, 0, found, expected);
    }
    return new HistoryFormatException(
        path, text.number(), text.describe(at) + " at the start", expected);
  }

  @Override
  public void close() throws IOException {
    if (line != null) {
      line.close();
    }
  }
}
