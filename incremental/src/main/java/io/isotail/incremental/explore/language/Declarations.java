package io.isotail.incremental.explore.language;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** What a program has declared: parameters, variables, tables with their rows, transactions. */
final class Declarations {
  /**
   * A transaction with parameters, of which the text is read for each call.
   *
   * @param parameters their names
   * @param body the words between its braces
   */
  record Template(List<String> parameters, List<Token> body) {}

  /** Parameters and their values. */
  final Map<String, Object> parameters = new LinkedHashMap<>();

  /** Columns of each table. */
  final Map<String, List<String>> tables = new HashMap<>();

  final Map<String, Template> templates = new HashMap<>();

  /** Initial values of variables. */
  final Map<String, Object> initial = new LinkedHashMap<>();

  /** Names of variables, without indexes. */
  private final Map<String, Token> names = new HashMap<>();

  boolean isVariable(String name) {
    return names.containsKey(name);
  }

  /** Every name means one thing. */
  void claim(Token name) {
    Token other = names.putIfAbsent(name.text(), name);
    boolean parameter = parameters.containsKey(name.text());
    if (other != null || parameter || templates.containsKey(name.text())) {
      throw name.error("'" + name.text() + "' is declared already");
    }
  }

  /** The columns of a table. */
  List<String> columns(Token table) {
    List<String> columns = tables.get(table.text());
    if (columns == null) {
      throw table.error(
          "there is no table '%s'; expected one of %s"
              .formatted(table.text(), new TreeSet<>(tables.keySet())));
    }
    return columns;
  }
}
