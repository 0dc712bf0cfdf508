package io.isotail.junit;

import io.isotail.incremental.forecast.Templates;
import io.isotail.ingest.jdbc.SentStatement;
import java.util.List;
import java.util.Locale;
import java.util.Set;
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

  /** The statements as they ran. */
  List<Templates.Ran> ran() {
    return statements.stream()
        .map(each -> new Templates.Ran(each.fingerprint(), each.count() == 0 && isOfRows(each)))
        .toList();
  }

  /** Whether a statement changes the rows that it counts. */
  private static boolean isOfRows(SentStatement statement) {
    String[] words = statement.fingerprint().strip().split("\\s", 2);
    return Set.of("insert", "update", "delete").contains(words[0].toLowerCase(Locale.ROOT));
  }
}
