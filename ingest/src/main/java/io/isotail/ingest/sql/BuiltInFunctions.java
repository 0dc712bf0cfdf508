package io.isotail.ingest.sql;

import java.util.Set;

/**
 * Names of the functions that come with the database, as its catalog tells, but for those that
 * somebody else's function has too. Immutable.
 *
 * @param values those that make one value of one row
 * @param others aggregates, and those that make many rows
 */
public record BuiltInFunctions(Set<String> values, Set<String> others) {
  /** The catalog has not been asked. */
  public static final BuiltInFunctions NOT_TOLD = new BuiltInFunctions(Set.of(), Set.of());

  /** Copies both sets. */
  public BuiltInFunctions {
    values = Set.copyOf(values);
    others = Set.copyOf(others);
  }

  boolean contains(String name) {
    return values.contains(name) || others.contains(name);
  }
}
