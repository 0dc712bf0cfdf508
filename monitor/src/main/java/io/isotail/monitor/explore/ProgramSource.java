package io.isotail.monitor.explore;

import io.isotail.incremental.explore.Program;
import io.isotail.incremental.explore.language.ProgramText;
import io.isotail.incremental.explore.language.SourceError;
import io.isotail.monitor.explore.sql.SqlProgram;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The text of a program: in SQL where its name ends in {@code .sql}, else in isotail's language.
 */
final class ProgramSource {
  private static final String SQL = ".sql";

  private final String name;
  private final String text;
  private final @Nullable SqlProgram sql;

  /**
   * A text.
   *
   * @param name of its file, or of the example
   * @throws SourceError if it is SQL that cannot be compiled
   */
  ProgramSource(String name, String text) {
    this.name = name;
    this.text = text;
    this.sql = name.toLowerCase(Locale.ROOT).endsWith(SQL) ? SqlProgram.compile(text) : null;
  }

  /** The text in isotail's language. */
  String printed() {
    return sql == null ? text : sql.text();
  }

  /**
   * The program.
   *
   * @param parameters values instead of those of the text
   * @throws SourceError if the text is none
   * @throws IllegalArgumentException if a parameter is not one, or the program is too large
   */
  Program program(Map<String, String> parameters) {
    return sql == null ? ProgramText.parse(name, text, parameters) : sql.program(name, parameters);
  }

  /** An error of a run, at its place in the text. */
  SourceError located(SourceError error) {
    return sql == null ? error : sql.located(error);
  }
}
