package io.isotail.monitor.explore.sql;

import io.isotail.incremental.explore.language.SourceError;
import java.util.ArrayList;
import java.util.List;

/** The lines of a compiled program, each with the place in SQL that it comes from. */
final class Target {
  private record Line(SqlToken from, String text) {}

  private final List<Line> lines = new ArrayList<>();
  private int depth;

  /** Adds a line. */
  void line(SqlToken from, String text) {
    lines.add(new Line(from, "  ".repeat(depth) + text));
  }

  /** Adds a line; those that follow stand further right. */
  void open(SqlToken from, String text) {
    line(from, text);
    depth++;
  }

  /** Adds a line that stands further left, as those that follow. */
  void close(SqlToken from, String text) {
    depth--;
    line(from, text);
  }

  /** Lines stand further right from here on. */
  void deeper() {
    depth++;
  }

  /** Lines stand further left from here on. */
  void shallower() {
    depth--;
  }

  /** Where the next line will stand, for {@link #insert}. */
  int position() {
    return lines.size();
  }

  /** Adds a line at an earlier place, as far right as the next one. */
  void insert(int position, SqlToken from, String text) {
    lines.add(position, new Line(from, "  ".repeat(depth) + text));
  }

  /** The text. */
  String text() {
    StringBuilder text = new StringBuilder();
    lines.forEach(line -> text.append(line.text).append('\n'));
    return text.toString();
  }

  /** An error in a line of the text, at the place in SQL that the line comes from. */
  SourceError located(SourceError error) {
    int line = Math.min(error.line(), lines.size());
    return line == 0 ? error : lines.get(line - 1).from.error(error.reason());
  }
}
