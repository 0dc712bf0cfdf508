package io.isotail.ingest.sql;

import io.isotail.ingest.sql.TransactionControl.Kind;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads SET of other databases than PostgreSQL, as far as it is certain which level and which mode
 * it sets, and for which transactions.
 */
final class CautiousSettings {
  private static final Set<String> LEVELS =
      Set.of("read uncommitted", "read committed", "repeatable read", "serializable");
  private static final Set<String> LEVEL_VARIABLES =
      Set.of("transaction_isolation", "tx_isolation");
  private static final Set<String> OF_SESSION = Set.of("session", "local");
  private static final Set<String> OF_OTHERS = Set.of("global", "persist", "persist_only");
  private static final Set<String> ON = Set.of("1", "on", "true");

  /** As a scope: {@code @x} is a variable of the user's, not of the server's. */
  private static final String OF_USER = "user";

  private static final Set<String> OFF = Set.of("0", "off", "false");

  private final LexedSql sql;

  CautiousSettings(LexedSql sql) {
    this.sql = sql;
  }

  /**
   * What SET sets on any database.
   *
   * @param level the level after ISOLATION LEVEL, null if there is none
   * @return null if it is nothing of a transaction, or not certain
   */
  @Nullable TransactionControl any(@Nullable String level) {
    int autocommit = variable(Set.of("autocommit"));
    if (autocommit >= 0) {
      return setsLevelToo() ? null : autocommit(autocommit);
    }
    return sql.wordAt(1, "session") && sql.wordAt(2, "characteristics")
        ? ofLevel(Kind.SET_SESSION, level)
        : null;
  }

  /** What SET sets on MySQL; else as {@link #any}. */
  @Nullable TransactionControl mysql(@Nullable String level) {
    TransactionControl any = any(level);
    if (any != null || variable(Set.of("autocommit")) >= 0) {
      return any;
    }
    if (sql.wordAt(1, "transaction")) {
      return new TransactionControl(Kind.SET_TRANSACTION, level, null, false);
    }
    if (sql.wordAt(2, "transaction")) {
      return OF_SESSION.contains(text(1))
          ? new TransactionControl(Kind.SET_SESSION, level, null, false)
          : null;
    }
    int variable = variable(LEVEL_VARIABLES);
    return variable < 0 || hasComma() ? null : level(variable);
  }

  private static @Nullable TransactionControl ofLevel(Kind kind, @Nullable String level) {
    return level == null || !LEVELS.contains(level)
        ? null
        : new TransactionControl(kind, level, null, false);
  }

  /** {@code SET SESSION x = …}, {@code SET @@SESSION.x = …}, {@code SET @@x = …}. */
  private @Nullable TransactionControl level(int variable) {
    String scope = scope(variable);
    Kind kind =
        scope.equals("@")
            ? Kind.SET_TRANSACTION
            : scope.isEmpty() || OF_SESSION.contains(scope) ? Kind.SET_SESSION : null;
    int value = value(variable);
    boolean last = value >= 0 && value == sql.tokens().size() - 1;
    return kind == null || !last
        ? null
        : ofLevel(kind, valueText(value).replace('-', ' ').toLowerCase(Locale.ROOT));
  }

  private @Nullable TransactionControl autocommit(int variable) {
    int value = value(variable);
    String scope = scope(variable);
    boolean ofOthers = OF_OTHERS.contains(scope) || scope.equals(OF_USER);
    String text = value < 0 || ofOthers ? "" : valueText(value);
    boolean on = ON.contains(text.toLowerCase(Locale.ROOT));
    return on || OFF.contains(text.toLowerCase(Locale.ROOT))
        ? new TransactionControl(Kind.SET_AUTO_COMMIT, null, on ? "on" : "off", false)
        : null;
  }

  /** The token that names one of these variables; -1 if none does. */
  private int variable(Set<String> names) {
    for (int i = 1; i < sql.tokens().size(); i++) {
      if (sql.tokens().get(i).isName() && names.contains(text(i))) {
        return i;
      }
    }
    return -1;
  }

  /** Whose variable it is: {@code session}, {@code @} for the next transaction's; or empty. */
  private String scope(int variable) {
    if (sql.symbolAt(variable - 1, ".")) {
      return text(variable - 2);
    }
    String before = text(variable - 1);
    if (before.equals("@") && !text(variable - 2).equals("@")) {
      return OF_USER;
    }
    return before.equals("@") || OF_SESSION.contains(before) || OF_OTHERS.contains(before)
        ? before
        : "";
  }

  /** The token after the sign of assignment; -1 if there is none. */
  private int value(int variable) {
    int at = variable + 1;
    at += sql.symbolAt(at, ":") ? 1 : 0;
    at += sql.symbolAt(at, "=") || sql.wordAt(at, "to") ? 1 : 0;
    return at < sql.tokens().size() ? at : -1;
  }

  private String valueText(int token) {
    int slot = 0;
    for (int i = 0; i < token; i++) {
      slot += sql.tokens().get(i).isMasked() ? 1 : 0;
    }
    return sql.tokens().get(token).kind() == Token.Kind.VALUE
            && sql.slots().get(slot) instanceof Slot.Literal literal
        ? String.valueOf(literal.value())
        : text(token);
  }

  private String text(int token) {
    return token < 0 || token >= sql.tokens().size() ? "" : sql.tokens().get(token).text();
  }

  /** Whether it may set the level beside something else: then neither is certain. */
  private boolean setsLevelToo() {
    return hasComma()
        && sql.tokens().stream()
            .anyMatch(token -> token.text().toLowerCase(Locale.ROOT).contains("isolation"));
  }

  private boolean hasComma() {
    return sql.tokens().stream().anyMatch(token -> token.isSymbol(","));
  }
}
