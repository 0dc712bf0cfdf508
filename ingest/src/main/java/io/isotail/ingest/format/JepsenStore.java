package io.isotail.ingest.format;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The directory in which Jepsen stores a run of a test, or the directory of all runs, whose {@code
 * latest} leads to the last one.
 */
final class JepsenStore {
  /** Where a run's operations are. */
  static final String FILE_NAME = "history.edn";

  private static final String LATEST = "latest";
  private static final byte[] MAGIC = "JEPSEN".getBytes(StandardCharsets.US_ASCII);

  private JepsenStore() {}

  /** The operations of the run in a directory, or of the latest one below it; null if none is. */
  static @Nullable Path history(Path directory) {
    for (Path run : new Path[] {directory, directory.resolve(LATEST)}) {
      Path file = run.resolve(FILE_NAME);
      if (Files.isRegularFile(file)) {
        return file;
      }
    }
    return null;
  }

  /**
   * Whether a directory holds a run that can be read.
   *
   * @throws HistoryFormatException if it holds one in other files only
   */
  static boolean isStore(Path directory) throws IOException, HistoryFormatException {
    if (history(directory) != null) {
      return true;
    }
    for (Path run : new Path[] {directory, directory.resolve(LATEST)}) {
      String other = Files.isDirectory(run) ? otherFile(run) : null;
      if (other != null) {
        throw unreadable(run, other + " without " + FILE_NAME);
      }
    }
    return false;
  }

  /** Whether Jepsen's own log lies there. */
  static boolean isRun(Path directory) {
    return Files.exists(directory.resolve("jepsen.log"));
  }

  private static @Nullable String otherFile(Path run) throws IOException {
    try (Stream<Path> files = Files.list(run)) {
      return files
          .map(file -> String.valueOf(file.getFileName()))
          .filter(name -> name.endsWith(".jepsen") || (isRun(run) && name.equals("jepsen.log")))
          .sorted()
          .findFirst()
          .orElse(null);
    }
  }

  /** Refuses Jepsen's own binary file, which no name need tell. */
  static void refuseBinary(Path file) throws IOException, HistoryFormatException {
    byte[] head;
    try (HistoryBytes bytes = new HistoryBytes(file)) {
      head = bytes.next(MAGIC.length);
    }
    if (Arrays.equals(head, MAGIC)) {
      throw unreadable(file, "Jepsen's binary file");
    }
  }

  private static HistoryFormatException unreadable(Path path, String found) {
    return new HistoryFormatException(
        path, 0, found, FILE_NAME + ", which jepsen.store/write-history! makes of a loaded test");
  }
}
