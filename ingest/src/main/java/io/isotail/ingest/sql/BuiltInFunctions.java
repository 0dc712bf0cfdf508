package io.isotail.ingest.sql;

import java.util.Set;

/**
 * Names of the functions that come with the database or an extension of it and that write no table,
 * as its catalog tells: all functions of such a name, in whatever schema. Immutable.
 *
 * @param values those that make one value of one row
 * @param others aggregates, and those that make many rows
 * @param shared names that somebody else's function has too, and that are in no other set: the
 *     server calls whichever fits the arguments better
 */
public record BuiltInFunctions(Set<String> values, Set<String> others, Set<String> shared) {
  /** The catalog has not been asked. */
  public static final BuiltInFunctions NOT_TOLD =
      new BuiltInFunctions(Set.of(), Set.of(), Set.of());

  /** Copies the sets. */
  public BuiltInFunctions {
    values = Set.copyOf(values);
    others = Set.copyOf(others);
    shared = Set.copyOf(shared);
  }

  boolean contains(String name) {
    return values.contains(name) || others.contains(name);
  }
}
