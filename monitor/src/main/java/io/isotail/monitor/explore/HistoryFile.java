package io.isotail.monitor.explore;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The file that a history is written to. It is not touched before there is one: the history is
 * written beside it, and moved there. A link keeps leading to what it led to; what is no regular
 * file, such as a pipe, is written to as it is.
 */
final class HistoryFile {
  private static final int MOST_LINKS = 40;
  private static final Set<String> STANDARD_OUTPUT =
      Set.of("/dev/stdout", "/dev/fd/1", "/proc/self/fd/1");

  private final Path given;

  HistoryFile(Path given) {
    this.given = given;
  }

  /** Why it cannot be written; null if nothing speaks against it. */
  @Nullable String wrong(@Nullable Path program) throws IOException {
    if (isStandardOutput()) {
      return null;
    }
    if (Files.isDirectory(given)) {
      return said("found a directory; expected a file");
    }
    if (program != null && Files.exists(program) && Files.exists(given)) {
      if (Files.isSameFile(program, given)) {
        return said("found the program itself; expected another file");
      }
    }
    Path folder = folder(target());
    if (!Files.isDirectory(folder)) {
      return said("found no directory %s; expected one that exists".formatted(folder));
    }
    if (isDevice() ? !Files.isWritable(given) : !mayReplace(folder)) {
      return said("found what may not be written; expected a file that may be");
    }
    return null;
  }

  private String said(String words) {
    return "--out %s: %s".formatted(given, words);
  }

  /** Whether the lines are part of what is printed. */
  boolean isStandardOutput() {
    return STANDARD_OUTPUT.contains(given.toString());
  }

  /** Whether something is there. */
  boolean exists() {
    return Files.exists(given);
  }

  /** Writes lines. */
  void write(List<String> lines) throws IOException {
    byte[] text = (String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8);
    if (isDevice()) {
      try (OutputStream to = Files.newOutputStream(given, StandardOpenOption.WRITE)) {
        to.write(text);
      }
      return;
    }
    Path target = target();
    Path beside =
        folder(target)
            .resolve(".%s.%d.part".formatted(target.getFileName(), ProcessHandle.current().pid()));
    try {
      Files.write(beside, text);
      keepPermissions(target, beside);
      Files.move(beside, target, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(beside);
    }
  }

  private static void keepPermissions(Path from, Path to) throws IOException {
    PosixFileAttributeView of = Files.getFileAttributeView(from, PosixFileAttributeView.class);
    if (of != null && Files.exists(from)) {
      Files.setPosixFilePermissions(to, of.readAttributes().permissions());
    }
  }

  private boolean isDevice() {
    return Files.exists(given) && !Files.isRegularFile(given);
  }

  private boolean mayReplace(Path folder) {
    return Files.isWritable(folder) && (!Files.exists(given) || Files.isWritable(given));
  }

  /** What the links lead to, which need not exist. */
  private Path target() throws IOException {
    if (Files.exists(given)) {
      return isDevice() ? given.toAbsolutePath() : given.toRealPath();
    }
    Path path = given.toAbsolutePath();
    for (int i = 0; i < MOST_LINKS && Files.isSymbolicLink(path); i++) {
      path = path.resolveSibling(Files.readSymbolicLink(path));
    }
    return path;
  }

  private static Path folder(Path file) {
    Path folder = file.getParent();
    return folder == null ? file : folder;
  }
}
