package io.isotail.monitor.doctor;

import io.isotail.ingest.capture.TableSurvey;
import io.isotail.ingest.capture.Unobserved;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What was found.
 *
 * @param facts how things are
 * @param tables the tables of the database; null if they were not looked at
 * @param problems what is worth mending, gravest first
 */
public record Diagnosis(
    List<Fact> facts, @Nullable List<TableSurvey.Table> tables, List<Problem> problems) {

  /** Copies the lists. */
  public Diagnosis {
    facts = List.copyOf(facts);
    tables = tables == null ? null : List.copyOf(tables);
    problems = List.copyOf(problems);
  }

  /**
   * How one thing is.
   *
   * @param subject what is told of: {@code database}
   * @param words how it is
   */
  public record Fact(String subject, String words) {}

  /**
   * Something worth mending.
   *
   * @param subject what it is about: {@code database}, or a table
   * @param words what is wrong
   * @param advice what to do about it
   */
  public record Problem(String subject, String words, String advice) {
    static Problem of(TableSurvey.Table table, Unobserved why) {
      return new Problem(table.name(), why.words(), why.advice());
    }
  }
}
