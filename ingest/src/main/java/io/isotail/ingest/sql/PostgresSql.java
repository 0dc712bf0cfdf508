package io.isotail.ingest.sql;

import io.isotail.ingest.sql.TransactionControl.Kind;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** PostgreSQL: a double quote begins a name, comments nest, a dollar quotes. */
public final class PostgresSql extends SqlDialect {
  /** The dialect. */
  public static final PostgresSql DIALECT = new PostgresSql();

  /** First words of statements that are not parsed and write no row. */
  private static final Set<String> HARMLESS =
      Functions.words(
          """
          analyze checkpoint close cluster comment commit deallocate fetch grant listen load
          lock move notify prepare refresh reindex revoke rollback security set show unlisten
          vacuum
          """);

  private static final Set<String> WRITING = Set.of("insert", "delete", "merge", "update");

  private PostgresSql() {}

  @Override
  SqlLexer lexer(String sql, Placeholders placeholders) {
    return new SqlLexer(sql, placeholders);
  }

  @Override
  public boolean numbersParameters() {
    return true;
  }

  @Override
  boolean readsNamesExactly() {
    return true;
  }

  @Override
  public boolean showsTexts() {
    return true;
  }

  @Override
  String versionColumn() {
    return ObservedTable.XMIN;
  }

  @Override
  Set<String> harmlessFunctions() {
    return Functions.OF_POSTGRESQL;
  }

  @Override
  Set<String> writingWords() {
    return WRITING;
  }

  @Override
  boolean isHarmless(LexedSql sql) {
    return HARMLESS.contains(sql.firstWord());
  }

  @Override
  boolean joinedWritesHaveOneTarget() {
    return true;
  }

  @Override
  boolean definesInTransactions() {
    return true;
  }

  @Override
  TransactionControl reset() {
    return TransactionControl.of(Kind.RESET_SETTINGS);
  }

  @Override
  @Nullable TransactionControl set(LexedSql sql, @Nullable String level) {
    boolean session = sql.wordAt(1, "session");
    int at = session || sql.wordAt(1, "local") ? 2 : 1;
    if (session && sql.wordAt(at, "characteristics")) {
      return new TransactionControl(Kind.SET_SESSION, level, null, false);
    }
    if (sql.wordAt(at, "transaction") && sql.wordAt(at + 1, "snapshot")) {
      return TransactionControl.of(Kind.IMPORT_SNAPSHOT);
    }
    if (sql.wordAt(at, "transaction")) {
      return new TransactionControl(Kind.SET_TRANSACTION, level, null, false);
    }
    if (names(sql, at, "transaction_isolation")) {
      return new TransactionControl(Kind.SET_TRANSACTION, literal(sql), null, false);
    }
    if (names(sql, at, "default_transaction_isolation")) {
      String ofSession = literal(sql);
      return ofSession == null
          ? reset()
          : new TransactionControl(Kind.SET_SESSION, ofSession, null, false);
    }
    boolean authorization =
        names(sql, at, "session_authorization")
            || sql.wordAt(at, "authorization")
            || (sql.wordAt(at, "session") && sql.wordAt(at + 1, "authorization"));
    if (names(sql, at, "role") || authorization) {
      return TransactionControl.of(Kind.SET_ROLE);
    }
    if (names(sql, at, "search_path") || sql.wordAt(at, "schema")) {
      return TransactionControl.of(Kind.SET_SEARCH_PATH);
    }
    return null;
  }

  /** Whether token {@code at} names a setting; quoted or not, in any case, as the server does. */
  private static boolean names(LexedSql sql, int at, String name) {
    return at < sql.tokens().size()
        && sql.tokens().get(at).isName()
        && sql.tokens().get(at).text().equalsIgnoreCase(name);
  }

  /** The level in {@code SET name = 'level'}. */
  private static @Nullable String literal(LexedSql sql) {
    if (sql.slots().size() == 1
        && sql.slots().get(0) instanceof Slot.Literal literal
        && literal.value() instanceof String level) {
      return level.toLowerCase(Locale.ROOT);
    }
    return sql.wordAt(sql.tokens().size() - 1, "serializable") ? "serializable" : null;
  }
}
