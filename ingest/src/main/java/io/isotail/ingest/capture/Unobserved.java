package io.isotail.ingest.capture;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Why a table is not observed: the one list that capture chooses tables by, and that tells why.
 *
 * <p>Some reasons are conditions over PostgreSQL's catalog ({@code c} is a row of {@code pg_class},
 * {@code n} its {@code pg_namespace}); the first that holds counts. The others show in the {@link
 * TableFacts} that the catalog tells of what is left.
 */
public enum Unobserved {
  /** A view shows rows of tables; nobody writes its own. */
  VIEW(
      false,
      "a view: its rows have no version of their own",
      "statements on the tables below it are captured; those on the view are not",
      "c.relkind IN ('v', 'm')"),
  /** A foreign table. */
  FOREIGN_TABLE(
      false,
      "a foreign table: its rows have no version here",
      "capture the applications of the database that holds it",
      "c.relkind = 'f'"),
  /** Rules rewrite statements on it. */
  RULES(
      false,
      "it has rules, which rewrite statements on it",
      "replace the rules by triggers, or leave it unobserved",
      "c.relhasrules"),
  /** Row security hides rows. */
  ROW_SECURITY(
      false,
      "it has row security: what a statement returns depends on the role",
      "leave it unobserved, or declare a version column of it in isotail.tables",
      "c.relrowsecurity"),
  /** It has parents or children by plain inheritance. */
  INHERITANCE(
      false,
      "it inherits from a table or is inherited from: one key can stand in two tables",
      "declarative partitions are observed; plain inheritance is not",
      """
      EXISTS (
          SELECT 1 FROM pg_catalog.pg_inherits h
          WHERE h.inhrelid = c.oid OR (h.inhparent = c.oid AND c.relkind = 'r'))\
      """),
  /** The role may not use its schema. */
  NO_SCHEMA_PRIVILEGE(
      true,
      "the role may not use its schema",
      "GRANT USAGE ON SCHEMA … TO the application's role, or leave it unobserved",
      "NOT pg_catalog.has_schema_privilege(n.oid, 'USAGE')"),
  /** The role may not read it. */
  NO_SELECT_PRIVILEGE(
      true,
      "the role may not SELECT from it",
      "GRANT SELECT ON it TO the application's role, or leave it unobserved",
      "NOT pg_catalog.has_table_privilege(c.oid, 'SELECT')"),
  /** MariaDB's log does not tell rows. */
  NO_ROW_LOG(
      true,
      "the server has no binary log of whole rows",
      "start the server with log_bin, binlog_format=ROW and binlog_row_image=FULL",
      null),
  /** MariaDB's log does not tell its changes whole. */
  NOT_LOGGED(
      false,
      "its engine, or its own versions of rows, keep its changes out of the log",
      "keep it in InnoDB, without system versioning, or leave it unobserved",
      null),
  /** A foreign key changes its rows below MariaDB's log. */
  CASCADED(
      true,
      "a foreign key changes its rows (CASCADE, SET NULL), and these changes are in no log",
      "make the foreign key RESTRICT, or leave it unobserved",
      null),
  /** Its key is checked only at the end of a transaction. */
  DEFERRABLE_KEY(
      true,
      "its key is deferrable: two rows can have it until the commit",
      "make the constraint NOT DEFERRABLE",
      null),
  /** Its key has a column whose values have no safe form. */
  KEY_TYPE(
      true,
      "its key has a column of a type whose values have no safe form, as a time or an array",
      "give it another unique key, of whole numbers, text or uuid",
      null),
  /** Nothing identifies its rows. */
  NO_KEY(true, "no primary key, and no unique key", "add a primary key", null),
  /** Its name alone does not find it. */
  NOT_ON_PATH(
      false,
      "its name alone does not find it: not on the search path of this connection, or behind another",
      "name it with its schema in isotail.tables, or extend the search path",
      null),
  /** Others are declared, and it is not. */
  NOT_DECLARED(false, "not in isotail.tables", "add it, or leave isotail.tables away", null),
  /** It is declared, and the database has none of that name. */
  NOT_FOUND(true, "no such table", "correct isotail.tables, or the schema in it", null),
  /** It is declared with columns that it does not have. */
  NO_SUCH_COLUMN(
      true,
      "a column that isotail.tables names is not there",
      "correct the key or version column in isotail.tables",
      null);

  private final boolean mendable;
  private final String words;
  private final String advice;
  private final @Nullable String condition;

  Unobserved(boolean mendable, String words, String advice, @Nullable String condition) {
    this.mendable = mendable;
    this.words = words;
    this.advice = advice;
    this.condition = condition;
  }

  /** Whether an operator should look at it: the table could be observed. */
  public boolean mendable() {
    return mendable;
  }

  /** Why, in plain words. */
  public String words() {
    return words;
  }

  /** What to do about it. */
  public String advice() {
    return advice;
  }

  /** As it is named in JSON and in answers of the catalog: {@code no-key}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** The reason of a label; null if there is none. */
  static @Nullable Unobserved ofLabel(@Nullable String label) {
    return Arrays.stream(values())
        .filter(reason -> reason.label().equals(label))
        .findFirst()
        .orElse(null);
  }

  private static List<Unobserved> byCatalog() {
    return Arrays.stream(values()).filter(reason -> reason.condition != null).toList();
  }

  /** A condition: none of the reasons that the catalog tells holds. */
  static String noneInCatalog() {
    return byCatalog().stream()
        .map(reason -> "NOT (" + reason.condition + ")")
        .collect(Collectors.joining("\n  AND "));
  }

  /** An expression: the label of the first reason that the catalog tells, else NULL. */
  static String firstInCatalog() {
    return byCatalog().stream()
        .map(reason -> "WHEN %s THEN '%s'".formatted(reason.condition, reason.label()))
        .collect(Collectors.joining(" ", "CASE ", " END"));
  }

  /**
   * Why a table is not observed where none is declared and the catalog tells no reason.
   *
   * @param taken names of the tables that are observed already
   */
  static @Nullable Unobserved of(TableFacts table, Set<String> taken) {
    if (table.key().isEmpty()) {
      return NO_KEY;
    }
    return table.onPath() && !taken.contains(table.name()) ? null : NOT_ON_PATH;
  }
}
