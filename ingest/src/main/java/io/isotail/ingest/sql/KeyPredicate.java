package io.isotail.ingest.sql;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A condition that pins a statement to rows by their full key: {@code k = ?}, {@code a = ? AND b =
 * ?}, {@code k IN (?, ?)}.
 *
 * @param keys the keys, each as one operand per key column
 * @param version the version that the condition demands by {@code AND version = ?}, or null
 * @param exact whether nothing else restricts the rows, so that no row means no such key
 */
public record KeyPredicate(List<List<Operand>> keys, @Nullable Operand version, boolean exact) {

  /** Copies the list. */
  public KeyPredicate {
    keys = List.copyOf(keys);
  }
}
