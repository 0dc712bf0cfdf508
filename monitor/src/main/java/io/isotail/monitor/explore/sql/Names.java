package io.isotail.monitor.explore.sql;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Names of the compiled program: as in SQL where they mean nothing else there. Every name of that
 * program means one thing.
 */
final class Names {
  /** Words that mean something in the language of programs. */
  private static final Set<String> WORDS =
      Set.of(
          "param",
          "var",
          "table",
          "row",
          "transaction",
          "session",
          "final",
          "to",
          "begin",
          "commit",
          "read",
          "write",
          "if",
          "else",
          "abort",
          "assert",
          "select",
          "insert",
          "update",
          "delete",
          "where",
          "set",
          "true",
          "false",
          "absent",
          "and",
          "or",
          "not",
          "key");

  /** Words behind which something is declared that every transaction can see. */
  private static final Set<String> DECLARES = Set.of("table", "parameter", "transaction");

  private final Set<String> declared = new TreeSet<>();
  private final Set<String> locals = new TreeSet<>();
  private int hidden;

  /**
   * Names of a text.
   *
   * @param tokens all of it
   */
  Names(List<SqlToken> tokens) {
    for (int i = 0; i + 1 < tokens.size(); i++) {
      if (tokens.get(i).kind() == SqlToken.Kind.LOCAL) {
        locals.add(tokens.get(i).text());
      }
      if (DECLARES.contains(tokens.get(i).text())) {
        declared.add(declared(tokens.get(i + 1).text()));
      }
    }
  }

  /** Of a table, a parameter of the program, a transaction or a session. */
  String declared(String name) {
    return WORDS.contains(name) ? name + "_" : name;
  }

  /** Of a local or a parameter of a transaction. */
  String local(String name) {
    String free = name;
    while (WORDS.contains(free)
        || declared.contains(free)
        || (!free.equals(name) && locals.contains(free))) {
      free += "_";
    }
    return free;
  }

  /** Of something that the text has no name for. */
  String hidden(String like) {
    String free;
    do {
      hidden++;
      free = like + hidden;
    } while (declared.contains(free) || locals.contains(free));
    return free;
  }
}
