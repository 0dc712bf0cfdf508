package io.isotail.monitor.databases;

import io.isotail.incremental.level.IsolationLevel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A script of two or three sessions whose outcome shows an anomaly. Each statement stands on a line
 * of its own, and a comment behind it says which session runs it, and what it must read there:
 * {@code -- a: 0}, or {@code -- a: none} where there must be no row. Statements without such a
 * comment come before. The anomaly is there if every statement succeeds and reads what it must, in
 * whatever order the database ran them.
 *
 * @param name of its file
 * @param forbidden the weakest level that forbids what it shows
 * @param setUp what comes before the sessions: a statement that makes the table {@code isotail_r},
 *     and one for each of its rows
 * @param steps what the sessions do, in order
 */
record Reproduction(String name, IsolationLevel forbidden, List<String> setUp, List<Step> steps) {
  private static final Pattern FORBIDDEN = Pattern.compile("-- Forbidden from ([a-z-]+) on\\.");
  private static final Pattern STATEMENT =
      Pattern.compile("([^-\\s][^;]*);(?:\\s*-- ([a-z])(?:: (\\S+))?)?");

  /**
   * A statement of a session.
   *
   * @param session a letter
   * @param reads what it must read, {@code none} for no row; null if it reads nothing
   */
  record Step(char session, String sql, @Nullable String reads) {}

  /**
   * Reads one.
   *
   * @throws IllegalArgumentException naming the file and the line that is none of a script
   */
  static Reproduction read(Path file) throws IOException {
    List<String> setUp = new ArrayList<>();
    List<Step> steps = new ArrayList<>();
    IsolationLevel forbidden = null;
    List<String> lines = Files.readAllLines(file);
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i).strip();
      Matcher level = FORBIDDEN.matcher(line);
      Matcher statement = STATEMENT.matcher(line);
      if (level.matches()) {
        forbidden = IsolationLevel.ofLabel(level.group(1));
      } else if (line.isEmpty() || line.startsWith("--")) {
        continue;
      } else if (!statement.matches()) {
        throw new IllegalArgumentException(
            "%s:%d: '%s'; expected 'STATEMENT;' or 'STATEMENT; -- SESSION: VALUE'"
                .formatted(file, i + 1, line));
      } else if (statement.group(2) == null) {
        setUp.add(statement.group(1));
      } else {
        steps.add(new Step(statement.group(2).charAt(0), statement.group(1), statement.group(3)));
      }
    }
    if (forbidden == null || setUp.isEmpty() || steps.isEmpty()) {
      throw new IllegalArgumentException(
          file
              + ": expected a line '-- Forbidden from LEVEL on.', CREATE TABLE and the statements of sessions");
    }
    String name = file.getFileName().toString();
    return new Reproduction(name.substring(0, name.indexOf('.')), forbidden, setUp, steps);
  }

  /** Those of the project, by name. */
  static List<Reproduction> all(Path folder) throws IOException {
    List<Path> files;
    try (var entries = Files.list(folder)) {
      files = entries.filter(file -> file.toString().endsWith(".sql")).sorted().toList();
    }
    List<Reproduction> all = new ArrayList<>();
    for (Path file : files) {
      all.add(read(file));
    }
    return all;
  }
}
