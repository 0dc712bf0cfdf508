package io.isotail.incremental.forecast;

import io.isotail.incremental.record.Statement;
import java.util.List;
import java.util.Set;

/**
 * What one execution of a statement did to the rows of a table. The database sees all its rows at
 * one moment, those of the other tables of a join too: see {@link #isOfStatementOf}.
 *
 * @param number of the statement among those of its transaction, from 0
 * @param statement its text without literals, and its table
 * @param facts what the text tells
 * @param touches what it did to rows; empty of a query of which that is not known
 * @param firstRun its place among all statements that the transaction sent, from 0; -1 if that is
 *     not known
 * @param runs how many of these, one after the other, it stands for
 */
public record Step(
    int number,
    Statement statement,
    StatementFacts facts,
    List<Touch> touches,
    int firstRun,
    int runs) {
  /** Copies the list. */
  public Step {
    touches = List.copyOf(touches);
  }

  /**
   * Whether the step before it is of the same execution, and of another table. Where it is not
   * known what ran, neighbours of one text are one execution.
   */
  boolean isOfStatementOf(Step before) {
    return before.firstRun == firstRun
        && (firstRun < 0 || (runs == 1 && before.runs == 1))
        && before.statement.fingerprint().equals(statement.fingerprint())
        && !before.statement.equals(statement);
  }

  /** Whether it is a query of which it is not known what rows it looked at. */
  public boolean scans() {
    return touches.isEmpty();
  }

  /** Whether it is such a query, of the table of another statement. */
  boolean scans(Statement of) {
    return scans() && isOfTable(of);
  }

  /** Whether it may look for rows such as an insert makes, before its own transaction does too. */
  boolean looksFor(Statement insert, Execution own) {
    return !writes()
        && isOfTable(insert)
        && own.steps().stream()
            .anyMatch(
                step ->
                    step.number > number
                        && step.statement.equals(insert)
                        && step.touches.stream().allMatch(t -> t.kind() == Touch.Kind.INSERT));
  }

  private boolean isOfTable(Statement of) {
    String table = of.table();
    return table != null && facts.scanned().contains(table.substring(table.lastIndexOf('.') + 1));
  }

  /** Whether it touched no rows but these. */
  public boolean isWithin(Set<Long> rows) {
    return !scans() && touches.stream().allMatch(touch -> rows.contains(touch.key()));
  }

  /** Whether it removed rows. */
  public boolean deletes() {
    return touches.stream().anyMatch(touch -> touch.kind() == Touch.Kind.DELETE);
  }

  /** Whether it changed rows. */
  public boolean writes() {
    return touches.stream().anyMatch(touch -> !touch.isRead());
  }
}
