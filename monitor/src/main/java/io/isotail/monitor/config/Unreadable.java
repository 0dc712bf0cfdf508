package io.isotail.monitor.config;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Why a file cannot be read, in plain words. */
final class Unreadable {
  private Unreadable() {}

  static String words(Path file, IOException failure) {
    if (failure instanceof NoSuchFileException) {
      return "cannot be read: nothing is there";
    }
    if (failure instanceof AccessDeniedException) {
      return "cannot be read: this user may not read it";
    }
    if (Files.isDirectory(file)) {
      return "cannot be read: it is a directory";
    }
    return "cannot be read: " + failure.getMessage();
  }
}
