package io.isotail.monitor.explore.sql;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The tables of a program, and what stands in them before any transaction. */
final class Schema {
  /** As many as PostgreSQL lets an index have. */
  private static final int MOST_KEY_COLUMNS = 32;

  private final Names names;
  private final Map<String, Table> tables = new TreeMap<>();

  Schema(Names names) {
    this.names = names;
  }

  /** The table of a name. */
  Table table(SqlToken name) {
    Table table = tables.get(name.text());
    if (table == null) {
      throw name.error(
          "there is no table '%s'; expected one of %s".formatted(name.text(), tables.keySet()));
    }
    return table;
  }

  /** What follows {@code CREATE TABLE}. */
  void create(SqlTokens tokens, Target out) {
    SqlToken name = tokens.expectName("the name of a table");
    if (tables.containsKey(name.text())) {
      throw name.error("there is a table '" + name.text() + "' already");
    }
    Map<String, Type> columns = new LinkedHashMap<>();
    List<String> key = new ArrayList<>();
    tokens.expect("(");
    do {
      if (tokens.peek().is("primary")) {
        primaryKey(tokens, columns, key);
      } else {
        column(tokens, columns, key);
      }
    } while (tokens.accept(","));
    tokens.expect(")");
    tokens.expect(";");
    if (key.isEmpty()) {
      throw name.error(
          "the table '%s' has no primary key; expected one, by which its rows are told apart"
              .formatted(name.text()));
    }
    Table table = new Table(name.text(), names.declared(name.text()), columns, key);
    tables.put(name.text(), table);
    List<String> targets = columns.keySet().stream().map(Table::target).toList();
    out.line(name, "table %s(%s);".formatted(table.target(), String.join(", ", targets)));
  }

  private static void column(SqlTokens tokens, Map<String, Type> columns, List<String> key) {
    SqlToken column = tokens.expectName("a column");
    if (columns.put(column.text(), Type.read(tokens)) != null) {
      throw column.error("there is a column '" + column.text() + "' already");
    }
    while (!tokens.peek().is(",") && !tokens.peek().is(")")) {
      SqlToken word = tokens.peek();
      if (tokens.accept("primary")) {
        tokens.expect("key");
        if (!key.isEmpty()) {
          throw word.error("there is a primary key already");
        }
        key.add(column.text());
      } else if (tokens.accept("not")) {
        SqlToken what = tokens.take();
        if (!what.is("null")) {
          throw Refused.of(what, "NULL");
        }
      } else {
        throw Refused.of(word, "NOT NULL, PRIMARY KEY, ',' or ')'");
      }
    }
  }

  private static void primaryKey(SqlTokens tokens, Map<String, Type> columns, List<String> key) {
    SqlToken word = tokens.expect("primary");
    tokens.expect("key");
    if (!key.isEmpty()) {
      throw word.error("there is a primary key already");
    }
    tokens.expect("(");
    do {
      SqlToken column = tokens.expectName("a column");
      if (!columns.containsKey(column.text()) || key.contains(column.text())) {
        throw column.error(
            "found '%s'; expected each of the columns of the key once, behind their types"
                .formatted(column.text()));
      }
      key.add(column.text());
      if (key.size() > MOST_KEY_COLUMNS) {
        throw column.error(
            "found %d columns in a primary key; expected at most %d"
                .formatted(key.size(), MOST_KEY_COLUMNS));
      }
    } while (tokens.accept(","));
    tokens.expect(")");
  }

  /** Rows of an INSERT. */
  record Inserted(Table table, List<Map<String, String>> rows) {}

  /**
   * What follows {@code INSERT INTO}: a table, its columns and values.
   *
   * @param locals what the values may be made of
   */
  Inserted insert(SqlTokens tokens, Locals locals) {
    SqlToken name = tokens.expectName("a table");
    Table table = table(name);
    List<String> columns = new ArrayList<>(table.columns().keySet());
    if (tokens.peek().is("(")) {
      columns = columns(tokens, table);
    }
    tokens.expect("values");
    List<Map<String, String>> rows = new ArrayList<>();
    do {
      SqlToken open = tokens.expect("(");
      Map<String, String> values = new LinkedHashMap<>();
      Expressions expressions = new Expressions(tokens, locals, null, null);
      do {
        if (values.size() == columns.size()) {
          throw tokens.peek().error("found more values than columns: " + columns);
        }
        String column = columns.get(values.size());
        values.put(column, expressions.value(type(table, column)));
      } while (tokens.accept(","));
      tokens.expect(")");
      if (values.size() != columns.size()) {
        throw open.error(
            "found %d values; expected one for each of %s".formatted(values.size(), columns));
      }
      rows.add(values);
    } while (tokens.accept(","));
    return new Inserted(table, rows);
  }

  private static Type type(Table table, String column) {
    @Nullable Type type = table.columns().get(column);
    if (type == null) {
      throw new IllegalStateException(column + " was looked up before");
    }
    return type;
  }

  private static List<String> columns(SqlTokens tokens, Table table) {
    SqlToken open = tokens.expect("(");
    List<String> columns = new ArrayList<>();
    do {
      SqlToken column = tokens.expectName("a column");
      table.column(column);
      if (columns.contains(column.text())) {
        throw column.error("the column '" + column.text() + "' stands there twice");
      }
      columns.add(column.text());
    } while (tokens.accept(","));
    tokens.expect(")");
    if (columns.size() != table.columns().size()) {
      throw open.error(
          "found values for %s; expected a value for each of %s"
              .formatted(columns, table.columns().keySet()));
    }
    return columns;
  }
}
