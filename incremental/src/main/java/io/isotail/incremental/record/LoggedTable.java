package io.isotail.incremental.record;

import java.util.List;

/**
 * A table as the log of its database shows its rows.
 *
 * @param name as {@link Statement#table} has it
 * @param columns names of the columns whose contents a change tells, in the order in which it does
 */
public record LoggedTable(String name, List<String> columns) {
  /** Copies the list. */
  public LoggedTable {
    columns = List.copyOf(columns);
  }
}
