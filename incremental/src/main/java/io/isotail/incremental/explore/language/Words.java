package io.isotail.incremental.explore.language;

import java.util.Set;

/** Words that mean something in the language, so that nothing can be named so. */
final class Words {
  private static final Set<String> STATEMENTS =
      Set.of(
          "write", "if", "else", "abort", "assert", "insert", "update", "delete", "begin",
          "commit");

  private static final Set<String> VALUES =
      Set.of("true", "false", "absent", "and", "or", "not", "read", "select");

  /** The row that a condition of a statement is asked of. */
  static final String ROW = "row";

  private Words() {}

  /** A name of a transaction, if it can be one. */
  static void expectTransaction(Token name) {
    if (STATEMENTS.contains(name.text()) || VALUES.contains(name.text()) || name.is("final")) {
      throw refused(name, "a transaction");
    }
  }

  /** A name of a local or a parameter of a transaction, if it can be one. */
  static void expectLocal(Token name) {
    if (name.is(ROW)) {
      throw name.error(
          "'row' is the row that a statement looks at; expected another name of a local");
    }
    if (STATEMENTS.contains(name.text()) || VALUES.contains(name.text())) {
      throw refused(name, "a local");
    }
  }

  private static SourceError refused(Token name, String of) {
    return name.error(
        "'%s' means something in the language; expected another name of %s"
            .formatted(name.text(), of));
  }
}
