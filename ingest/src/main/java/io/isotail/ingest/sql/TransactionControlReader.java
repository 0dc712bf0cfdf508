package io.isotail.ingest.sql;

import io.isotail.ingest.sql.TransactionControl.Kind;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Recognises transaction control in the tokens of one statement. */
final class TransactionControlReader {
  private final LexedSql sql;
  private final SqlDialect dialect;

  private TransactionControlReader(LexedSql sql, SqlDialect dialect) {
    this.sql = sql;
    this.dialect = dialect;
  }

  /** The transaction control that {@code sql} is, or null if it is something else. */
  static @Nullable TransactionControl read(LexedSql sql, SqlDialect dialect) {
    return new TransactionControlReader(sql, dialect).read();
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
      case "use" -> dialect.use();
      case "xa" -> dialect.hasXa() ? xa() : null;
      case "set" -> dialect.set(sql, isolation());
      case "reset", "discard" -> dialect.reset();
      default -> null;
    };
  }

  /** XA START begins a transaction of the session, which no other statement ends. */
  private @Nullable TransactionControl xa() {
    if (sql.wordAt(1, "start") || sql.wordAt(1, "begin")) {
      return TransactionControl.ofXa(Kind.BEGIN);
    }
    if (sql.wordAt(1, "commit")) {
      return TransactionControl.ofXa(Kind.COMMIT);
    }
    return sql.wordAt(1, "rollback") ? TransactionControl.ofXa(Kind.ROLLBACK) : null;
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
}
