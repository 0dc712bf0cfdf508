package io.isotail.incremental.explore.language;

import io.isotail.incremental.level.IsolationLevel;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What a program has declared: parameters, variables, tables with their rows, transactions. */
final class Declarations {
  /**
   * A transaction with parameters, of which the text is read for each call.
   *
   * @param parameters their names
   * @param level the level that it runs at; null if none is declared
   * @param body the words between its braces
   */
  record Template(List<String> parameters, @Nullable IsolationLevel level, List<Token> body) {}

  /** Parameters and their values. */
  final Map<String, Object> parameters = new LinkedHashMap<>();

  /**
   * A table.
   *
   * @param columns their names
   * @param keys those that its rows can have; null if a variable of its own holds those that its
   *     rows have
   */
  record Table(List<String> columns, @Nullable RowKeys keys) {}

  /** The tables by name. */
  final Map<String, Table> tables = new HashMap<>();

  final Map<String, Template> templates = new HashMap<>();

  /** Initial values of variables. */
  final Map<String, Object> initial = new LinkedHashMap<>();

  /** What a name is declared as. */
  private enum Kind {
    PARAMETER,
    VARIABLE,
    TABLE,
    TRANSACTION
  }

  private final Map<String, Kind> kinds = new HashMap<>();

  boolean isVariable(String name) {
    Kind kind = kinds.get(name);
    return kind == Kind.VARIABLE || kind == Kind.TABLE;
  }

  void parameter(Token name) {
    claim(name, Kind.PARAMETER);
  }

  /** A variable; its elements are declared one by one. */
  void variable(Token name) {
    if (kinds.get(name.text()) != Kind.VARIABLE) {
      claim(name, Kind.VARIABLE);
    }
  }

  void claimTable(Token name) {
    claim(name, Kind.TABLE);
  }

  void transaction(Token name) {
    claim(name, Kind.TRANSACTION);
  }

  /** Every name means one thing. */
  private void claim(Token name, Kind kind) {
    Kind other = kinds.putIfAbsent(name.text(), kind);
    if (other != null) {
      throw name.error(
          "'%s' is declared already, as a %s"
              .formatted(name.text(), other.name().toLowerCase(Locale.ROOT)));
    }
  }

  /** A table. */
  Table table(Token table) {
    Table declared = tables.get(table.text());
    if (declared == null) {
      throw table.error(
          "there is no table '%s'; expected one of %s"
              .formatted(table.text(), new TreeSet<>(tables.keySet())));
    }
    return declared;
  }
}
