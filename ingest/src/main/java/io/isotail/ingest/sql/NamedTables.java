package io.isotail.ingest.sql;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The tables that a statement seems to name, for somebody who has declared none. */
public final class NamedTables {
  private static final Set<String> BEFORE = Functions.words("from into join only table update");
  private static final Set<String> BETWEEN =
      Functions.words(
          "delayed exists if ignore lateral low_priority not only or quick replace table");
  private static final String KEY = "id";

  private NamedTables() {}

  /**
   * The tables that a text names after FROM, INTO, UPDATE and the like. Their key is {@code id},
   * their version {@code xmin} on PostgreSQL, else {@code version}.
   */
  public static ObservedTables in(String text, Placeholders placeholders, SqlDialect dialect) {
    LexedSql sql = SqlLexer.lex(text, placeholders, dialect);
    Map<String, ObservedTable> tables = new LinkedHashMap<>();
    for (int i = 0; i < sql.tokens().size(); i++) {
      int at = nameAfter(sql, i);
      String first = text(sql, at);
      if (first == null) {
        continue;
      }
      String second = sql.symbolAt(at + 1, ".") ? text(sql, at + 2) : null;
      String name = second == null ? first : second;
      tables.putIfAbsent(
          name,
          new ObservedTable(
              second == null ? null : first,
              name,
              List.of(new ObservedTable.Column(KEY, null)),
              new ObservedTable.Column(dialect.versionColumn(), null)));
    }
    return new ObservedTables(List.copyOf(tables.values()));
  }

  /** The token that may name a table, after a keyword at a token; -1 if there is no keyword. */
  private static int nameAfter(LexedSql sql, int keyword) {
    Token before = sql.tokens().get(keyword);
    boolean locks = sql.wordAt(keyword - 1, "for") || sql.wordAt(keyword - 1, "key");
    if (before.kind() != Token.Kind.WORD || !BEFORE.contains(before.text()) || locks) {
      return -1;
    }
    int at = keyword + 1;
    while (at < sql.tokens().size()
        && (sql.symbolAt(at, "[")
            || (sql.tokens().get(at).kind() == Token.Kind.WORD
                && BETWEEN.contains(sql.tokens().get(at).text())))) {
      at++;
    }
    boolean called = sql.symbolAt(at + 1, "(") && !before.isWord("into");
    return called ? -1 : at;
  }

  private static @Nullable String text(LexedSql sql, int at) {
    if (at < 0 || at >= sql.tokens().size()) {
      return null;
    }
    Token token = sql.tokens().get(at);
    return token.isName() || token.kind() == Token.Kind.UNCLEAR ? token.text() : null;
  }
}
