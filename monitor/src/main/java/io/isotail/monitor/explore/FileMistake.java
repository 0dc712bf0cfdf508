package io.isotail.monitor.explore;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** What is wrong with a file, in words. */
final class FileMistake {
  private FileMistake() {}

  /** Why a program cannot be read from a file; null if nothing speaks against it. */
  static @Nullable String wrong(Path file) {
    if (Files.isDirectory(file)) {
      return file + ": found a directory; expected a file with a program";
    }
    if (!Files.exists(file)) {
      return file + ": found nothing there; expected a file with a program";
    }
    return Files.isReadable(file)
        ? null
        : file + ": found a file that may not be read; expected one that may be";
  }

  /** What an exception says. */
  static String words(IOException e) {
    if (e instanceof NoSuchFileException none) {
      return none.getFile() + ": found nothing there; expected a file";
    }
    if (e instanceof AccessDeniedException denied) {
      return denied.getFile() + ": found what may not be read or written";
    }
    if (e instanceof FileSystemException other && other.getReason() != null) {
      return "%s: %s".formatted(other.getFile(), other.getReason());
    }
    return String.valueOf(e.getMessage());
  }
}
