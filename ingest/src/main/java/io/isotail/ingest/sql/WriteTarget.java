package io.isotail.ingest.sql;

import org.jspecify.annotations.Nullable;

/**
 * The one table that a statement writes by its name.
 *
 * @param schema as it is named; null if it is not
 * @param name its name
 * @param inserts whether the statement only adds rows
 */
public record WriteTarget(@Nullable String schema, String name, boolean inserts) {

  /**
   * The target of a statement of PostgreSQL's; null if it is not certain that it is the only one.
   */
  static @Nullable WriteTarget of(LexedSql sql) {
    boolean copies = sql.wordAt(0, "copy");
    boolean inserts = sql.wordAt(0, "insert") && sql.wordAt(1, "into");
    boolean deletes = sql.wordAt(0, "delete") && sql.wordAt(1, "from");
    int at = inserts || deletes ? 2 : copies || sql.wordAt(0, "update") ? 1 : -1;
    int writes = 0;
    boolean updates = false;
    for (int i = 0; i < sql.tokens().size(); i++) {
      boolean update = sql.wordAt(i, "update");
      boolean locks = update && (sql.wordAt(i - 1, "for") || sql.wordAt(i - 1, "key"));
      boolean onConflict = update && sql.wordAt(i - 1, "do");
      updates |= onConflict;
      boolean write =
          sql.wordAt(i, "insert") || sql.wordAt(i, "delete") || sql.wordAt(i, "merge") || update;
      writes += write && !locks && !onConflict ? 1 : 0;
    }
    if (at < 0 || writes != (copies ? 0 : 1)) {
      return null;
    }
    int first = sql.wordAt(at, "only") ? at + 1 : at;
    String name = nameAt(sql, first);
    String second = sql.symbolAt(first + 1, ".") ? nameAt(sql, first + 2) : null;
    boolean adds = (inserts && !updates) || copies;
    return name == null
        ? null
        : second == null ? new WriteTarget(null, name, adds) : new WriteTarget(name, second, adds);
  }

  private static @Nullable String nameAt(LexedSql sql, int token) {
    return token < sql.tokens().size() && sql.tokens().get(token).isName()
        ? sql.tokens().get(token).text()
        : null;
  }
}
