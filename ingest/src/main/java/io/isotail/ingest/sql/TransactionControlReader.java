package io.isotail.ingest.sql;

import io.isotail.ingest.sql.TransactionControl.Kind;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Recognises transaction control in the tokens of one statement. */
final class TransactionControlReader {
  private final LexedSql sql;
  private final SqlSyntax syntax;

  private TransactionControlReader(LexedSql sql, SqlSyntax syntax) {
    this.sql = sql;
    this.syntax = syntax;
  }

  /** The transaction control that {@code sql} is, or null if it is something else. */
  static @Nullable TransactionControl read(LexedSql sql, SqlSyntax syntax) {
    return new TransactionControlReader(sql, syntax).read();
  }

  private @Nullable TransactionControl read() {
    return switch (sql.firstWord()) {
      case "begin" -> new TransactionControl(Kind.BEGIN, isolation(), null, false);
      case "start" ->
          sql.wordAt(1, "transaction")
              ? new TransactionControl(Kind.BEGIN, isolation(), null, false)
              : null;
      case "commit", "end" ->
          sql.wordAt(1, "prepared")
              ? prepared(Kind.COMMIT_PREPARED)
              : new TransactionControl(Kind.COMMIT, null, null, chain());
      case "rollback", "abort" -> rollback();
      case "savepoint" -> named(Kind.SAVEPOINT);
      case "release" -> named(Kind.RELEASE);
      case "prepare" -> sql.wordAt(1, "transaction") ? prepared(Kind.PREPARE) : null;
      case "set" ->
          syntax.isPostgresql() ? set() : new OtherSettings(sql, syntax).read(isolation());
      case "reset", "discard" ->
          syntax.isPostgresql() ? TransactionControl.of(Kind.RESET_SETTINGS) : null;
      default -> null;
    };
  }

  private @Nullable TransactionControl rollback() {
    if (sql.wordAt(1, "prepared")) {
      return prepared(Kind.ROLLBACK_PREPARED);
    }
    for (int i = 1; i < 3; i++) {
      if (sql.wordAt(i, "to")) {
        return named(Kind.ROLLBACK_TO);
      }
    }
    return new TransactionControl(Kind.ROLLBACK, null, null, chain());
  }

  private TransactionControl named(Kind kind) {
    List<Token> tokens = sql.tokens();
    return new TransactionControl(kind, null, tokens.get(tokens.size() - 1).text(), false);
  }

  /** PREPARE TRANSACTION, COMMIT PREPARED, ROLLBACK PREPARED, with the name in the literal. */
  private TransactionControl prepared(Kind kind) {
    String name =
        sql.slots().size() == 1
                && sql.slots().get(0) instanceof Slot.Literal literal
                && literal.value() instanceof String text
            ? text
            : null;
    return new TransactionControl(kind, null, name, false);
  }

  private boolean chain() {
    for (int i = 1; i < sql.tokens().size(); i++) {
      if (sql.wordAt(i, "chain")) {
        return !sql.wordAt(i - 1, "no");
      }
    }
    return false;
  }

  private @Nullable TransactionControl set() {
    int at = 1;
    boolean session = sql.wordAt(1, "session");
    if (session || sql.wordAt(1, "local")) {
      at++;
    }
    if (session && sql.wordAt(at, "characteristics")) {
      return new TransactionControl(Kind.SET_SESSION, isolation(), null, false);
    }
    if (sql.wordAt(at, "transaction") && sql.wordAt(at + 1, "snapshot")) {
      return TransactionControl.of(Kind.IMPORT_SNAPSHOT);
    }
    if (sql.wordAt(at, "transaction")) {
      return new TransactionControl(Kind.SET_TRANSACTION, isolation(), null, false);
    }
    if (setting(at, "transaction_isolation")) {
      return new TransactionControl(Kind.SET_TRANSACTION, literal(), null, false);
    }
    if (setting(at, "default_transaction_isolation")) {
      String level = literal();
      return level == null
          ? TransactionControl.of(Kind.RESET_SETTINGS)
          : new TransactionControl(Kind.SET_SESSION, level, null, false);
    }
    boolean authorization =
        setting(at, "session_authorization")
            || sql.wordAt(at, "authorization")
            || (sql.wordAt(at, "session") && sql.wordAt(at + 1, "authorization"));
    if (setting(at, "role") || authorization) {
      return TransactionControl.of(Kind.SET_ROLE);
    }
    if (setting(at, "search_path") || sql.wordAt(at, "schema")) {
      return TransactionControl.of(Kind.SET_SEARCH_PATH);
    }
    return null;
  }

  /** Whether token {@code at} names a setting; quoted or not, in any case, as the server does. */
  private boolean setting(int at, String name) {
    return at < sql.tokens().size()
        && sql.tokens().get(at).isName()
        && sql.tokens().get(at).text().equalsIgnoreCase(name);
  }

  /** The level after ISOLATION LEVEL, in lower case. */
  private @Nullable String isolation() {
    List<Token> tokens = sql.tokens();
    for (int i = 2; i < tokens.size(); i++) {
      if (sql.wordAt(i - 2, "isolation") && sql.wordAt(i - 1, "level")) {
        String first = tokens.get(i).text();
        boolean twoWords = first.equals("read") || first.equals("repeatable");
        return twoWords && i + 1 < tokens.size() ? first + " " + tokens.get(i + 1).text() : first;
      }
    }
    return null;
  }

  /** The level in {@code SET name = 'level'}. */
  private @Nullable String literal() {
    if (sql.slots().size() == 1
        && sql.slots().get(0) instanceof Slot.Literal literal
        && literal.value() instanceof String level) {
      return level.toLowerCase(Locale.ROOT);
    }
    return sql.wordAt(sql.tokens().size() - 1, "serializable") ? "serializable" : null;
  }
}
