package io.isotail.monitor.explore.witness;

import io.isotail.incremental.explore.language.SourceError;
import io.isotail.monitor.explore.sql.SqlShape;
import java.util.Optional;

/**
 * What the text of a statement says of the rows that it touched beside those of the witness.
 *
 * @param missing why a program of the witness's rows is less than the statement; empty if it is not
 */
record StatementReading(Optional<String> missing) {

  /** Reads a statement without literals; one that was not recorded says nothing. */
  static StatementReading of(String fingerprint) {
    if (fingerprint.isEmpty()) {
      return new StatementReading(Optional.empty());
    }
    try {
      return new StatementReading(SqlShape.of(fingerprint).beyondItsRows());
    } catch (SourceError e) {
      return new StatementReading(
          Optional.of("it cannot be interpreted (" + e.reason() + "); only its rows are there"));
    }
  }
}
