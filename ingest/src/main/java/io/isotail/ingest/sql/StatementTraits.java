package io.isotail.ingest.sql;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Tells the {@link StatementTrait}s of a text from its tokens. */
final class StatementTraits {
  private static final String SET_CONFIG = "set_config";
  private static final Set<String> CONTROL =
      Set.of("begin", "start", "commit", "end", "rollback", "abort", "prepare", "call", "do");
  private static final Set<String> DEFINING = Set.of("create", "alter", "drop", "do", "call");
  private static final Set<String> MAKING = Set.of("create", "alter");
  private static final Set<String> CALLED = Set.of("function", "aggregate", "routine", "extension");
  private static final Set<String> CALLING = Set.of("do", "call");
  private static final Set<String> SETTING =
      Set.of("set", "reset", "discard", "do", "call", "execute", "rollback", "abort");
  private static final Set<String> ROLES = Set.of("role", "authorization", "session_authorization");
  private static final Set<String> LOCKING = Set.of("update", "share", "no", "key");

  private static final Set<String> OPENING_SCHEMAS = Set.of("alter", "grant", "revoke", "import");
  private static final Set<String> DROPPING_UNNAMED =
      Set.of("cascade", "schema", "owned", "extension");

  /** Before INTO: what follows is a table that is written, and none that is made. */
  private static final Set<String> BEFORE_TARGET =
      Set.of("insert", "merge", "ignore", "delayed", "replace", "low_priority", "high_priority");

  private static final Set<String> TABLES = Set.of("table", "schema", "unique");
  private static final Set<String> TEMPORARY = Set.of("temp", "temporary");

  private StatementTraits() {}

  /** Whether they may differ with the values that stand in the text. */
  static boolean dependOnValues(LexedSql sql) {
    return hasToken(sql, SET_CONFIG);
  }

  static Set<StatementTrait> of(
      LexedSql sql,
      Analysis analysis,
      ObservedTables tables,
      Functions functions,
      SqlDialect dialect) {
    EnumSet<StatementTrait> traits = EnumSet.noneOf(StatementTrait.class);
    if (dialect.commitsTransaction(sql)) {
      traits.add(StatementTrait.COMMITS_TRANSACTION);
    }
    if (dialect.maySetLevel(sql, analysis)) {
      traits.add(StatementTrait.MAY_SET_LEVEL);
    }
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
    if (definesTables(sql, tables, dialect)) {
      traits.add(
          sql.understood() && !sql.severalStatements() && CALLING.contains(first)
              ? StatementTrait.MAY_DEFINE_TABLES
              : StatementTrait.DEFINES_TABLES);
    }
    if (hasWord(sql, MAKING) && hasWord(sql, CALLED)) {
      traits.add(StatementTrait.DEFINES_FUNCTIONS);
    }
    if (makesTable(sql)) {
      traits.add(StatementTrait.MAKES_TABLE);
    }
    if (movesNames(sql, tables)) {
      traits.add(StatementTrait.MOVES_NAMES);
      if (hasWord(sql, TEMPORARY) && hasWord(sql, Set.of("create"))) {
        traits.add(StatementTrait.HIDES_TABLES);
      }
    }
    if (changesSettings(sql, analysis, functions)) {
      traits.add(StatementTrait.CHANGES_SETTINGS);
    }
    if (dialect.asksOfBefore(sql.normalized())) {
      traits.add(StatementTrait.ASKS_OF_BEFORE);
    }
    if (changesRole(sql)) {
      traits.add(StatementTrait.CHANGES_ROLE);
    }
    for (int i = 1; i < sql.tokens().size(); i++) {
      if (sql.wordAt(i - 1, "for") && LOCKING.contains(sql.tokens().get(i).text())) {
        traits.add(StatementTrait.LOCKS_ROWS);
      }
      if (sql.wordAt(i - 1, "in") && sql.wordAt(i, "share") && sql.wordAt(i + 1, "mode")) {
        traits.add(StatementTrait.LOCKS_ROWS); // As MySQL says it.
      }
    }
    return Set.copyOf(traits);
  }

  /** Whether settings may change, other than by a statement that is nothing but SET or RESET. */
  private static boolean changesSettings(LexedSql sql, Analysis analysis, Functions functions) {
    boolean setsOwn = setsOnlySettingsOfTheApplication(sql);
    if (!sql.understood()
        || sql.symbolAt(0, "{")
        || (hasWord(sql, Set.of("set_config")) && !setsOwn)) {
      return true;
    }
    if (sql.severalStatements()) {
      return hasWord(sql, SETTING) || functions.callsUnknown(sql, Set.of());
    }
    return Set.of("do", "call", "execute").contains(sql.firstWord())
        || (analysis instanceof Analysis.Opaque opaque
            && opaque.reason() == Uninterpreted.UNKNOWN_FUNCTION
            && !(setsOwn && !functions.callsUnknown(sql, Set.of("set_config"))));
  }

  /** Whether each set_config names a setting with a dot, as the database's own never are. */
  private static boolean setsOnlySettingsOfTheApplication(LexedSql sql) {
    List<String> names = settingNames(sql);
    return !names.isEmpty() && names.stream().allMatch(name -> name.indexOf('.') >= 0);
  }

  /** Whether the role may change; what a function or a block of code does is not seen. */
  private static boolean changesRole(LexedSql sql) {
    boolean several = sql.severalStatements() && hasWord(sql, SETTING) && hasWord(sql, ROLES);
    return several
        || !sql.understood()
        || settingNames(sql).stream().anyMatch(name -> name.isEmpty() || ROLES.contains(name));
  }

  /** The setting that each set_config names, in lower case; empty where it is not a literal. */
  private static List<String> settingNames(LexedSql sql) {
    if (!hasToken(sql, SET_CONFIG)) {
      return List.of();
    }
    List<String> names = new ArrayList<>();
    int values = 0;
    for (int i = 0; i < sql.tokens().size(); i++) {
      if (sql.tokens().get(i).text().equals(SET_CONFIG)) {
        boolean literal =
            sql.symbolAt(i + 1, "(")
                && i + 2 < sql.tokens().size()
                && sql.tokens().get(i + 2).kind() == Token.Kind.VALUE
                && values < sql.slots().size();
        names.add(
            literal
                    && sql.slots().get(values) instanceof Slot.Literal value
                    && value.value() instanceof String name
                ? name.toLowerCase(Locale.ROOT)
                : "");
      }
      values += sql.tokens().get(i).isMasked() ? 1 : 0;
    }
    return names;
  }

  private static boolean definesTables(LexedSql sql, ObservedTables tables, SqlDialect dialect) {
    if (!sql.understood()) {
      return true;
    }
    if (sql.severalStatements()) {
      return hasWord(sql, DEFINING);
    }
    String first = sql.firstWord();
    return first.equals("create")
        ? !tables.mentioned(sql, dialect).isEmpty()
        : DEFINING.contains(first);
  }

  /** Whether there is a new table afterwards, or a new key, that other sessions see too. */
  private static boolean makesTable(LexedSql sql) {
    boolean one = !sql.severalStatements() && !sql.firstWord().equals("explain");
    boolean makes = (does(sql, one, Set.of("create")) && hasWord(sql, TABLES)) || selectsInto(sql);
    return makes && !hasWord(sql, TEMPORARY);
  }

  /**
   * Whether tables of the name of an observed one may come or go, in its own schema or in another,
   * temporary or not, or a schema of the search path may become visible. What happens inside of
   * functions and of texts that are not understood counts as a change of settings: other sessions
   * need not doubt their names each time.
   */
  private static boolean movesNames(LexedSql sql, ObservedTables tables) {
    boolean one = !sql.severalStatements() && !sql.firstWord().equals("explain");
    if (does(sql, one, OPENING_SCHEMAS)
        || (does(sql, one, Set.of("create")) && hasWord(sql, Set.of("extension")))
        || (does(sql, one, Set.of("drop")) && hasWord(sql, DROPPING_UNNAMED))) {
      return true;
    }
    return (does(sql, one, Set.of("create", "drop")) || selectsInto(sql)) && tables.nameOccurs(sql);
  }

  private static boolean does(LexedSql sql, boolean one, Set<String> words) {
    return one ? words.contains(sql.firstWord()) : hasWord(sql, words);
  }

  /** Whether a query makes a table of its rows. */
  private static boolean selectsInto(LexedSql sql) {
    for (int i = 0; i < sql.tokens().size(); i++) {
      boolean writes = i > 0 && BEFORE_TARGET.contains(sql.tokens().get(i - 1).text());
      if (sql.wordAt(i, "into") && !writes) {
        return true;
      }
    }
    return false;
  }

  private static boolean hasWord(LexedSql sql, Set<String> words) {
    for (Token token : sql.tokens()) {
      if (token.isName() && words.contains(token.text())) {
        return true;
      }
    }
    return false;
  }

  private static boolean hasToken(LexedSql sql, String text) {
    for (Token token : sql.tokens()) {
      if (token.text().equals(text)) {
        return true;
      }
    }
    return false;
  }
}
