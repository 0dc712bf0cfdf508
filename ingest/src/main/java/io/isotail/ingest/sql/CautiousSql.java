package io.isotail.ingest.sql;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What can be told of statements of other databases than PostgreSQL, whose dialects are not
 * interpreted in full: what is not certain is taken for more than it may be.
 */
abstract class CautiousSql extends SqlDialect {
  /** First words of statements that are not parsed and write no row. */
  private static final Set<String> HARMLESS =
      Set.of("commit", "desc", "describe", "help", "rollback", "set", "show");

  /** First words of statements that leave the transaction open, or that control it. */
  private static final Set<String> KEEPING_TRANSACTION =
      Functions.words(
          """
          abort call close commit deallocate declare delete desc describe do end execute
          explain fetch handler help insert merge open pragma prepare release replace
          rollback savepoint select set show table update upsert use values with
          """);

  private static final Set<String> READING = Set.of("select", "values", "table");

  /** REPLACE inserts a row in the place of others; MySQL has functions of these names, too. */
  private static final Set<String> WRITING =
      Set.of("insert", "delete", "merge", "replace", "update");

  private static final Set<String> ALSO_FUNCTIONS = Set.of("insert", "replace");

  /** Settings that are no isolation level, by what follows SET. */
  static final Set<String> NO_LEVEL =
      Set.of("@", "autocommit", "names", "role", "schema", "search_path", "time", "timezone");

  /** Hints under which a table is read at another level. */
  private static final Set<String> LEVEL_HINTS =
      Set.of("nolock", "readuncommitted", "readpast", "system_time", "ur");

  /** After SET: the sessions that begin later are meant, not this one. */
  private static final Set<String> OF_OTHERS = Set.of("global", "persist", "persist_only");

  @Override
  final boolean readsNamesExactly() {
    return false;
  }

  @Override
  final Set<String> writingWords() {
    return WRITING;
  }

  @Override
  final Set<String> alsoFunctions() {
    return ALSO_FUNCTIONS;
  }

  @Override
  final boolean isHarmless(LexedSql sql) {
    return HARMLESS.contains(sql.firstWord()) && !sql.wordAt(1, "statement");
  }

  /** Its target may be an alias, or several. */
  @Override
  final boolean joinedWritesHaveOneTarget() {
    return false;
  }

  @Override
  final boolean definesInTransactions() {
    return false;
  }

  @Override
  final @Nullable Analysis unclear(
      LexedSql sql, List<ObservedTable> mentioned, ObservedTables tables, boolean writes) {
    boolean read = READING.contains(sql.firstWord());
    boolean nameUnclear =
        sql.tokens().stream()
            .anyMatch(t -> t.kind() == Token.Kind.UNCLEAR && tables.mayName(t.text()));
    if (!nameUnclear && !(read && (writes || readsAtOtherLevel(sql)))) {
      return null;
    }
    return writes
        ? new Analysis.Opaque(mentioned, Uninterpreted.DIALECT_UNCLEAR)
        : new Analysis.Unread(Uninterpreted.DIALECT_UNCLEAR);
  }

  private static boolean readsAtOtherLevel(LexedSql sql) {
    for (int i = 0; i < sql.tokens().size(); i++) {
      Token token = sql.tokens().get(i);
      if ((token.kind() == Token.Kind.WORD && LEVEL_HINTS.contains(token.text()))
          || (token.isWord("of") && sql.wordAt(i - 1, "as"))) {
        return true;
      }
    }
    return false;
  }

  /** From then on bare names mean tables of another database. */
  @Override
  final TransactionControl use() {
    return TransactionControl.of(TransactionControl.Kind.SET_SEARCH_PATH);
  }

  @Override
  final boolean commitsTransaction(LexedSql sql) {
    return sql.understood()
        && !sql.severalStatements()
        && !sql.firstWord().isEmpty()
        && !KEEPING_TRANSACTION.contains(sql.firstWord());
  }

  @Override
  final boolean maySetLevel(LexedSql sql, Analysis analysis) {
    if (analysis instanceof Analysis.Control) {
      return false;
    }
    boolean mayName =
        sql.tokens().stream()
            .anyMatch(t -> t.text().toLowerCase(Locale.ROOT).contains("isolation"));
    boolean sets = Set.of("set", "alter", "pragma").contains(sql.firstWord());
    if (sql.severalStatements() || !sql.understood()) {
      return mayName || (!sql.understood() && sets);
    }
    return sets && (mayName ? !setsForOthers(sql) : setsLevelUnnamed(sql));
  }

  private static boolean setsForOthers(LexedSql sql) {
    return sql.tokens().size() > 1
        && OF_OTHERS.contains(sql.tokens().get(1).text())
        && sql.tokens().stream().noneMatch(t -> t.isSymbol(","));
  }

  /** Whether a SET, ALTER or PRAGMA that does not name the level may set it all the same. */
  abstract boolean setsLevelUnnamed(LexedSql sql);
}
