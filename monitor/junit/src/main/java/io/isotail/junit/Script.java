package io.isotail.junit;

import io.isotail.ingest.jdbc.SentStatement;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The statements that a transaction sent, and the database as it was before.
 *
 * @param before null if it is not known
 */
record Script(List<SentStatement> statements, @Nullable HeldSnapshot before) {
  Script {
    statements = List.copyOf(statements);
  }

  List<String> fingerprints() {
    return statements.stream().map(SentStatement::fingerprint).toList();
  }
}
