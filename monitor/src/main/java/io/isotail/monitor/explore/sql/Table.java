package io.isotail.monitor.explore.sql;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A table of the schema.
 *
 * @param name in SQL
 * @param target its name in the compiled program
 * @param columns the types of its columns, in their order
 * @param key the columns of its primary key, in their order
 */
record Table(String name, String target, Map<String, Type> columns, List<String> key) {

  /** The type of a column. */
  Type column(SqlToken column) {
    Type type = columns.get(column.text());
    if (type == null) {
      throw column.error(
          "there is no column '%s' in %s; expected one of %s"
              .formatted(column.text(), name, String.join(", ", columns.keySet())));
    }
    return type;
  }

  /** A column's name in the compiled program, where every row has a {@code key} already. */
  static String target(String column) {
    return column.equals("key") ? "key_" : column;
  }

  /**
   * The key of a row in the compiled program.
   *
   * @param values of all columns of the primary key, in the compiled program
   */
  String keyOf(Map<String, String> values) {
    String whole = String.valueOf(values.get(key.get(0)));
    for (String column : key.subList(1, key.size())) {
      whole = "pair(%s, %s)".formatted(whole, values.get(column));
    }
    return whole;
  }

  /** The columns of a row in the compiled program: {@code (a = 1, b = 2)}. */
  String rowOf(Map<String, String> values) {
    return columns.keySet().stream()
        .map(column -> target(column) + " = " + values.get(column))
        .collect(Collectors.joining(", ", "(", ")"));
  }

  /**
   * A condition on rows.
   *
   * @param where {@code where …} in the compiled program; empty for all rows
   * @param oneRow whether it gives the whole primary key, so that one row is read
   */
  record Rows(String where, boolean oneRow) {}

  /** The rows that fulfil conditions, all of them; by their key where they give all of it. */
  Rows rows(List<Term> conjuncts) {
    Map<String, String> given = new LinkedHashMap<>();
    List<String> rest = new ArrayList<>();
    for (Term conjunct : conjuncts) {
      Term.Pin pin = conjunct.pin();
      if (pin != null && key.contains(pin.column()) && !given.containsKey(pin.column())) {
        given.put(pin.column(), pin.value());
      } else {
        rest.add(conjunct.in(Term.AND));
      }
    }
    if (given.size() == key.size()) {
      rest.add(0, "row.key == " + keyOf(given));
      return new Rows(" where " + String.join(" and ", rest), true);
    }
    List<String> all = conjuncts.stream().map(conjunct -> conjunct.in(Term.AND)).toList();
    return new Rows(all.isEmpty() ? "" : " where " + String.join(" and ", all), false);
  }
}
