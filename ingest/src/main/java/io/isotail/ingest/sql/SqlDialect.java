package io.isotail.ingest.sql;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How a family of databases writes SQL: where names, values and statements end, what controls a
 * transaction, what sets its level, and which functions write nothing. A family is one subclass, of
 * which there is one object. Immutable.
 *
 * <p>What a database may read in another way than its dialect says is taken for more than it may
 * be: a value for a literal that must not leave the process, a statement for a write of any row.
 */
public abstract class SqlDialect {

  /** Dialects are made in this package alone. */
  SqlDialect() {}

  /** The scanner of a text. */
  abstract SqlLexer lexer(String sql, Placeholders placeholders);

  /** Whether drivers number parameters, as in {@code $1}, and do not only write {@code ?}. */
  public boolean numbersParameters() {
    return false;
  }

  /**
   * Whether it is certain what the names in a text mean. Else case makes no difference, and what
   * stands in double quotes may be a name.
   */
  abstract boolean readsNamesExactly();

  /** Whether a text in which all values are masked may leave the process. */
  public abstract boolean showsTexts();

  /** The version column of tables for which nobody has declared one. */
  String versionColumn() {
    return "version";
  }

  /** Functions that write no table, by the names under which nobody can make another one. */
  abstract Set<String> harmlessFunctions();

  /** Whether a name before a parenthesis can mean a function of the database's own. */
  boolean maySayBuiltIn(Token name, Token parenthesis) {
    return true;
  }

  /** Words with which a part of a text begins that writes. */
  abstract Set<String> writingWords();

  /** Those of them that a parenthesis makes a function. */
  Set<String> alsoFunctions() {
    return Set.of();
  }

  /** Whether a text that is not parsed, and controls no transaction, writes no row. */
  abstract boolean isHarmless(LexedSql sql);

  /** Whether a write of several tables writes the one that it names first, and no other. */
  abstract boolean joinedWritesHaveOneTarget();

  /** Whether definitions are part of the transaction under way, and do not commit it. */
  abstract boolean definesInTransactions();

  /**
   * What a statement of SQL's core is, where its words alone must decide.
   *
   * @param mentioned the observed tables that it may mean
   * @return null if it can be looked at as any other
   */
  @Nullable Analysis unclear(
      LexedSql sql, List<ObservedTable> mentioned, ObservedTables tables, boolean writes) {
    return null;
  }

  /** Whether a text commits the transaction under way by itself. */
  boolean commitsTransaction(LexedSql sql) {
    return false;
  }

  /** Whether a text sets something that may be the isolation level, in a way that is not known. */
  boolean maySetLevel(LexedSql sql, Analysis analysis) {
    return false;
  }

  /**
   * What SET sets of a transaction.
   *
   * @param level the level after ISOLATION LEVEL, null if there is none
   * @return null if it is nothing of a transaction, or not certain
   */
  abstract @Nullable TransactionControl set(LexedSql sql, @Nullable String level);

  /**
   * Whether a text may ask what the statement before it has done, to which a question in between
   * would give another answer.
   */
  public boolean asksOfBefore(String text) {
    return false;
  }

  /** Whether XA START, XA COMMIT and the like are statements. */
  boolean hasXa() {
    return false;
  }

  /** What USE does to what names mean; null if it is no statement of the dialect. */
  @Nullable TransactionControl use() {
    return null;
  }

  /** What RESET and DISCARD do to the settings of transactions; null if they are not known. */
  @Nullable TransactionControl reset() {
    return null;
  }
}
