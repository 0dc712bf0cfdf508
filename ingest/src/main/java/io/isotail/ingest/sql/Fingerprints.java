package io.isotail.ingest.sql;

import java.util.Locale;
import java.util.Set;

/**
 * Names statements by their texts without any value. In a syntax that is not known, nothing is
 * certain but the first keyword: the rest is told by a keyed hash of the text in which all that may
 * be a value is masked, so that statements that differ in values alone share a name.
 */
final class Fingerprints {
  private static final Set<String> FIRST_WORDS =
      Functions.words(
          """
          abort alter analyze begin call close comment commit copy create declare
          deallocate delete describe do drop end execute explain fetch grant insert kill
          listen load lock merge move notify pragma prepare refresh reindex release rename
          replace reset revoke rollback savepoint select set show start table truncate
          unlisten unlock update upsert use vacuum values with xa
          """);

  private final SqlDialect dialect;
  private final Identities identities;

  Fingerprints(SqlDialect dialect, Identities identities) {
    this.dialect = dialect;
    this.identities = identities;
  }

  String of(LexedSql sql) {
    String first = FIRST_WORDS.contains(sql.firstWord()) ? sql.firstWord() : "";
    if (!sql.understood() || !sql.valueFree()) {
      return first;
    }
    if (dialect.showsTexts() || sql.tokens().isEmpty()) {
      return sql.normalized();
    }
    long hash = identities.text(sql.normalized().toLowerCase(Locale.ROOT));
    return (first.isEmpty() ? "statement" : first) + " #" + "%016x".formatted(hash);
  }
}
