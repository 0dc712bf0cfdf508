package io.isotail.monitor.offline;

import io.isotail.monitor.resolve.ResolveException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Files that options name; {@code -} is standard input. */
final class InputFiles {
  /** Longer texts are refused. */
  static final int MAX_BYTES = 16 << 20;

  private InputFiles() {}

  /** The whole text. */
  static String text(String option, String file) throws ResolveException, IOException {
    try (InputStream in = open(option, file)) {
      byte[] bytes = in.readNBytes(MAX_BYTES + 1);
      if (bytes.length > MAX_BYTES) {
        throw new ResolveException(
            "%s %s: more than %,d bytes; expected less".formatted(option, file, MAX_BYTES));
      }
      return new String(bytes, StandardCharsets.UTF_8);
    }
  }

  /** The one line of a file with a secret; the message of the exception does not tell it. */
  static String oneLine(String option, String file) throws ResolveException, IOException {
    String line = text(option, file).replaceFirst("\\R\\z", "");
    if (line.isEmpty() || !line.matches("\\P{Cntrl}*")) {
      throw new ResolveException(
          "%s %s: %s; expected one line"
              .formatted(option, file, line.isEmpty() ? "empty" : "more than one line"));
    }
    return line;
  }

  /** Line by line. */
  static BufferedReader lines(String option, String file) throws ResolveException, IOException {
    return new BufferedReader(new InputStreamReader(open(option, file), StandardCharsets.UTF_8));
  }

  private static InputStream open(String option, String file) throws ResolveException, IOException {
    if (file.equals("-")) {
      return System.in;
    }
    try {
      return Files.newInputStream(Path.of(file));
    } catch (NoSuchFileException e) {
      throw new ResolveException(
          "%s %s: found nothing there; expected a file".formatted(option, file), e);
    }
  }
}
