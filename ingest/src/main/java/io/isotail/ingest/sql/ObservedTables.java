package io.isotail.ingest.sql;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The observed tables of a history, and which of them a statement names. Immutable.
 *
 * <p>Written as {@code name(key columns; version column)}, separated by commas, for instance {@code
 * accounts(id; version), app.stock(warehouse, item; "rev")}. Each column may be followed by its
 * type ({@code id bigint}); otherwise the database's catalog is asked. Identifiers fold as in
 * PostgreSQL.
 */
public final class ObservedTables {
  private final List<ObservedTable> tables;
  private final Set<String> names = new HashSet<>();

  /** The given tables. */
  public ObservedTables(List<ObservedTable> tables) {
    this.tables = List.copyOf(tables);
    for (ObservedTable table : tables) {
      names.add(table.name());
      if (table.schemaOrPublic().startsWith("pg_temp")) {
        throw new IllegalArgumentException(
            "observed tables: expected tables that sessions share but found the temporary "
                + table.identityName());
      }
    }
    if (names.size() != tables.size()) {
      throw new IllegalArgumentException(
          "two observed tables share a name, and unqualified statements could mean either: "
              + tables.stream().map(ObservedTable::identityName).toList());
    }
  }

  /**
   * Reads the textual form.
   *
   * @throws IllegalArgumentException saying what was expected where
   */
  public static ObservedTables parse(String text) {
    return new ObservedTables(new SpecParser(text).tables());
  }

  /** Whether rows of any table tell who wrote them. */
  public boolean anyNamesWriters() {
    return tables.stream().anyMatch(ObservedTable::namesWriters);
  }

  /** Whether of any table the contents of rows are told. */
  public boolean anyTellsContents() {
    return tables.stream().anyMatch(table -> table.content() != null);
  }

  /** All observed tables. */
  public List<ObservedTable> all() {
    return tables;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ObservedTables o && tables.equals(o.tables);
  }

  @Override
  public int hashCode() {
    return tables.hashCode();
  }

  /** Whether of one of them somebody tells who wrote a row, however that was done. */
  boolean tellRows() {
    return tables.stream().anyMatch(ObservedTable::tellsRows);
  }

  /** The table that a name in a statement means, or null if none or if it is unclear. */
  @Nullable ObservedTable find(@Nullable String schema, String name, SqlDialect dialect) {
    for (ObservedTable table : tables) {
      String named = named(table, name, dialect);
      if (table.match(schema, named) == ObservedTable.Match.YES) {
        return table;
      }
    }
    return null;
  }

  /** A name in a statement as the table's is written, where case makes no difference. */
  private static String named(ObservedTable table, String name, SqlDialect dialect) {
    return !dialect.readsNamesExactly() && table.name().equalsIgnoreCase(name)
        ? table.name()
        : name;
  }

  /** Whether a quoted text may name an observed table, alone or after a schema, in any case. */
  boolean mayName(String text) {
    String name = text.substring(text.lastIndexOf('.') + 1);
    return tables.stream().anyMatch(table -> table.name().equalsIgnoreCase(name));
  }

  /** Observed tables whose name occurs anywhere among the tokens, whatever it means there. */
  List<ObservedTable> mentioned(LexedSql sql, SqlDialect dialect) {
    return dialect.readsNamesExactly() ? mentioned(sql) : mentionedInAnyCase(sql);
  }

  /** What {@link #mentioned} finds where not all names are certain: more rather than less. */
  private List<ObservedTable> mentionedInAnyCase(LexedSql sql) {
    Set<ObservedTable> found = new LinkedHashSet<>();
    for (Token token : sql.tokens()) {
      if (token.isName() || token.kind() == Token.Kind.UNCLEAR) {
        String name = token.text().substring(token.text().lastIndexOf('.') + 1);
        for (ObservedTable table : tables) {
          if (table.name().equalsIgnoreCase(name)) {
            found.add(table);
          }
        }
      }
    }
    return List.copyOf(found);
  }

  private List<ObservedTable> mentioned(LexedSql sql) {
    Set<ObservedTable> found = new LinkedHashSet<>();
    List<Token> tokens = sql.tokens();
    for (int i = 0; i < tokens.size(); i++) {
      Token token = tokens.get(i);
      if (!token.isName() || !names.contains(token.text())) {
        continue;
      }
      boolean qualified = sql.symbolAt(i - 1, ".") && i >= 2 && tokens.get(i - 2).isName();
      String schema = qualified ? tokens.get(i - 2).text() : null;
      for (ObservedTable table : tables) {
        if (table.match(schema, token.text()) != ObservedTable.Match.NO) {
          found.add(table);
        }
      }
    }
    return List.copyOf(found);
  }

  /** How often an observed table, by its name, is read: after FROM, JOIN or a comma. */
  int readIn(LexedSql sql) {
    int count = 0;
    for (int i = 0; i < sql.tokens().size(); i++) {
      Token token = sql.tokens().get(i);
      if (token.isName() && names.contains(token.text()) && !sql.symbolAt(i + 1, ".")) {
        int before = sql.symbolAt(i - 1, ".") ? i - 3 : i - 1;
        boolean read =
            sql.wordAt(before, "from")
                || sql.wordAt(before, "join")
                || sql.wordAt(before, "only")
                || sql.symbolAt(before, ",");
        count += read ? 1 : 0;
      }
    }
    return count;
  }

  /** Whether a name of an observed table occurs, in whatever schema and whatever it means there. */
  boolean nameOccurs(LexedSql sql) {
    return sql.tokens().stream().anyMatch(token -> token.isName() && names.contains(token.text()));
  }

  private static final class SpecParser {
    private final String text;
    private final LexedSql spec;
    private int at;

    SpecParser(String text) {
      this.text = text;
      this.spec = SqlLexer.lex(text, Placeholders.NONE);
    }

    List<ObservedTable> tables() {
      List<ObservedTable> tables = new ArrayList<>();
      while (at < spec.tokens().size()) {
        if (!tables.isEmpty()) {
          expect(",");
        }
        tables.add(table());
      }
      return tables;
    }

    private ObservedTable table() {
      String name = name("a table name");
      String schema = null;
      if (spec.symbolAt(at, ".")) {
        at++;
        schema = name;
        name = name("a table name");
      }
      expect("(");
      List<ObservedTable.Column> key = new ArrayList<>();
      key.add(column());
      while (spec.symbolAt(at, ",")) {
        at++;
        key.add(column());
      }
      expect(";");
      ObservedTable.Column version = column();
      expect(")");
      return new ObservedTable(schema, name, key, version);
    }

    private ObservedTable.Column column() {
      String name = name("a column name");
      if (at < spec.tokens().size() && spec.tokens().get(at).kind() == Token.Kind.WORD) {
        String typeName = name("a type");
        ColumnType type = ColumnType.named(typeName);
        if (type == ColumnType.UNSUPPORTED) {
          throw new IllegalArgumentException(
              "observed tables: column "
                  + name
                  + " has type "
                  + typeName
                  + ", which is not supported");
        }
        return new ObservedTable.Column(name, type);
      }
      return new ObservedTable.Column(name, null);
    }

    private String name(String what) {
      if (at >= spec.tokens().size() || !spec.tokens().get(at).isName()) {
        throw unexpected(what);
      }
      return spec.tokens().get(at++).text();
    }

    private void expect(String symbol) {
      if (!spec.symbolAt(at, symbol)) {
        throw unexpected("'" + symbol + "'");
      }
      at++;
    }

    private IllegalArgumentException unexpected(String expected) {
      String found =
          at < spec.tokens().size() ? "'" + spec.tokens().get(at).text() + "'" : "the end";
      return new IllegalArgumentException(
          "observed tables: expected "
              + expected
              + " as token "
              + (at + 1)
              + " but found "
              + found
              + " in \""
              + text
              + "\"; the form is name(key columns; version column), …");
    }
  }
}
