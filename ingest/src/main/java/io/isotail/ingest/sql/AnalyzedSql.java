package io.isotail.ingest.sql;

import java.util.List;
import java.util.Set;

/**
 * A statement text, analysed.
 *
 * @param analysis what it does to the observed tables
 * @param fingerprint its text without any value
 * @param slots where its values come from
 * @param traits what else it may do
 */
public record AnalyzedSql(
    Analysis analysis, String fingerprint, List<Slot> slots, Set<StatementTrait> traits) {

  /** Copies the set. */
  public AnalyzedSql {
    traits = Set.copyOf(traits);
  }

  /** Whether it may do this. */
  public boolean may(StatementTrait trait) {
    return traits.contains(trait);
  }
}
