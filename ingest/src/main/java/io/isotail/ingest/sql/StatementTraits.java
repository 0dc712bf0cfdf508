package io.isotail.ingest.sql;

import java.util.EnumSet;
import java.util.Set;

/** Tells the {@link StatementTrait}s of a text from its tokens. */
final class StatementTraits {
  private static final Set<String> CONTROL =
      Set.of("begin", "start", "commit", "end", "rollback", "abort", "prepare", "call", "do");
  private static final Set<String> DEFINING = Set.of("create", "alter", "drop", "do", "call");
  private static final Set<String> LOCKING = Set.of("update", "share", "no", "key");

  private StatementTraits() {}

  static Set<StatementTrait> of(LexedSql sql, Analysis analysis, ObservedTables tables) {
    EnumSet<StatementTrait> traits = EnumSet.noneOf(StatementTrait.class);
    boolean several = sql.severalStatements() && !(analysis instanceof Analysis.Harmless);
    if (several || !sql.understood()) {
      traits.add(StatementTrait.SEVERAL_STATEMENTS);
      traits.add(StatementTrait.COMMITS_INSIDE);
    }
    if (!sql.understood() || (several && hasWord(sql, CONTROL))) {
      traits.add(StatementTrait.ENDS_TRANSACTION);
    }
    String first = sql.firstWord();
    if (first.equals("call") || first.equals("do") || sql.symbolAt(0, "{")) {
      traits.add(StatementTrait.COMMITS_INSIDE);
    }
    if (definesTables(sql, tables)) {
      traits.add(StatementTrait.DEFINES_TABLES);
    }
    for (int i = 1; i < sql.tokens().size(); i++) {
      if (sql.wordAt(i - 1, "for") && LOCKING.contains(sql.tokens().get(i).text())) {
        traits.add(StatementTrait.LOCKS_ROWS);
      }
    }
    return traits;
  }

  private static boolean definesTables(LexedSql sql, ObservedTables tables) {
    if (!sql.understood()) {
      return true;
    }
    if (sql.severalStatements()) {
      return hasWord(sql, DEFINING);
    }
    String first = sql.firstWord();
    return first.equals("create") ? !tables.mentioned(sql).isEmpty() : DEFINING.contains(first);
  }

  private static boolean hasWord(LexedSql sql, Set<String> words) {
    return sql.tokens().stream()
        .anyMatch(token -> token.kind() == Token.Kind.WORD && words.contains(token.text()));
  }
}
