package io.isotail.ingest.capture;

import io.isotail.ingest.sql.ColumnType;
import io.isotail.ingest.sql.ObservedTable;
import io.isotail.ingest.sql.SqlDialect;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What differs between families of databases, beside how they write SQL. Immutable. A family is one
 * class, and {@link Dialects} lists them. What a class does not say is what can be said of any
 * database.
 */
public interface Dialect {

  /** Whether a write of a table can return what its rows were before, by {@code old.xmin}. */
  default boolean returnsReplaced(int majorVersion) {
    return false;
  }

  /** What a failed statement does to its transaction of several statements. */
  enum AfterFailure {
    /** The transaction goes on. */
    GOES_ON,
    /** The transaction can only be rolled back; its COMMIT is answered with a rollback. */
    DOOMED,
    /** The server has rolled the transaction back, and the next statement is in another one. */
    ROLLED_BACK,
    /** It goes on or was rolled back, depending on what is not known here. */
    UNCERTAIN
  }

  /** The kind of database as URLs and levels name it: {@code postgresql}. */
  String database();

  /** How its statements are written. */
  SqlDialect sql();

  /** Schema of an observed table that is declared without one; null if only a session can tell. */
  default @Nullable String defaultSchema() {
    return null;
  }

  /** Whether a transaction that has its snapshot keeps its level, whatever a function does. */
  default boolean fixesLevelBySnapshot() {
    return false;
  }

  /**
   * One query for the settings on which the meaning of statements depends. Its row holds the level
   * of the next transaction as SQL names it, what {@link #standbyQuery} asks for, the identity,
   * what {@link UnqualifiedNames#answered} is told of the tables' bare names, the role whose rights
   * count, and, where {@link #committedIdQuery} asks for it, the whole form of the last id.
   *
   * @param identity see {@link #databaseIdentity}; null if it is not to be asked for, and NULL is
   *     in its place
   * @return null if no query tells; {@link Server#isolation} then tells the level, and every bare
   *     name is taken to mean the observed table
   */
  default @Nullable String settingsQuery(List<ObservedTable> tables, @Nullable String identity) {
    return null;
  }

  /** Whether {@link #settingsQuery} tells where a temporary table stands before an observed one. */
  default boolean tellsTemporaryTables() {
    return true;
  }

  /**
   * An expression of a text that is another one for each database whose ids of transactions do not
   * go on from the other's; a server may refuse it, and then fails the whole query.
   *
   * @param majorVersion of the server
   * @return null if there is none
   */
  default @Nullable String databaseIdentity(int majorVersion) {
    return null;
  }

  /**
   * One query for the identity of the cluster whose servers give transactions the same ids, and so
   * are one database; asked once for each server. Its one value is NULL where that is not of one.
   *
   * @return null if there is none
   */
  default @Nullable String clusterQuery() {
    return null;
  }

  /**
   * One query that is answered with {@code yes} by a physical standby and with {@code no} by
   * others.
   *
   * @return null if there is none; all that is recorded is then taken for the primary's
   */
  default @Nullable String standbyQuery() {
    return null;
  }

  /**
   * One query for the tables whose rows can tell who wrote them, a row each as {@link
   * TableFacts#of} reads it, those of the search path first and in its order.
   *
   * @return null if rows do not tell it
   */
  default @Nullable String tablesQuery() {
    return null;
  }

  /**
   * One query for the names of the functions that come with the database, or with an extension that
   * is trusted. Its row has three columns: of the names that no other function has, those that make
   * one value of one row, and the rest; then the names of the database's own that another one has.
   *
   * @return null if the catalog does not tell
   */
  default @Nullable String functionsQuery() {
    return null;
  }

  /**
   * One query for all tables that a person may look for. Its rows are those of {@link #tablesQuery}
   * with two columns more: the label of the {@link Unobserved} reason that the catalog tells, NULL
   * for none, and {@code yes} if there is a unique key that is checked only at the end of a
   * transaction.
   *
   * @return null if rows do not tell who wrote them
   */
  default @Nullable String surveyQuery() {
    return null;
  }

  /**
   * One query for the least id of a transaction that has not ended, and for one more than the
   * greatest id of one that has, both of 64 bits, by the ids that rows tell.
   *
   * @return null if rows tell none
   */
  default @Nullable String runningQuery() {
    return null;
  }

  /**
   * One query for the id, of 64 bits, that a transaction writes under; it is answered with NULL,
   * and no id is given out, where it has written nothing.
   *
   * @param majorVersion of the server
   * @return null if there is none that can't fail
   */
  default @Nullable String writerIdQuery(int majorVersion) {
    return null;
  }

  /**
   * One query for the id, of 64 bits, of the last transaction of the session that is in the
   * database's log, and for the id's whole form, which is another one for each of them. It is asked
   * after a commit: a transaction that has written nothing leaves the answer as it was.
   *
   * @return null if there is none
   */
  default @Nullable String committedIdQuery() {
    return null;
  }

  /**
   * One query for the columns of the tables that {@link #tablesQuery} tells, as {@link
   * PostgresColumns} reads them.
   *
   * @return null if a question for each table is to be asked
   */
  default @Nullable String columnsQuery() {
    return null;
  }

  /**
   * Whether a read that locks its rows shows what was committed last, whatever the snapshot of its
   * transaction is.
   */
  default boolean lockingReadsAreCurrent() {
    return false;
  }

  /**
   * One query for how many bytes the rows of a table take at this moment. It has no row where that
   * says nothing of what a write of the table finds, as of one with tables that inherit from it,
   * and where the answer would wait for a lock of somebody else.
   *
   * @return null if there is none that can't fail
   */
  default @Nullable String sizeQuery(ObservedTable table) {
    return null;
  }

  /** Whether MERGE can return the rows that it wrote. */
  default boolean returnsFromMerge(int majorVersion) {
    return false;
  }

  /**
   * One query for the collations of the columns of a table of the current schema: a row for each,
   * with its name and its collation, NULL for what is no text.
   *
   * @param table its name, of a database's own choice
   * @return null if texts are compared byte by byte wherever their type does not tell otherwise
   */
  default @Nullable String collationsQuery(String table) {
    return null;
  }

  /**
   * The type of a text of a collation, as far as it decides when two of them are the same.
   *
   * @param declared its type without a collation
   */
  default ColumnType collated(ColumnType declared, String collation) {
    return declared;
  }

  /** What a failed statement does to its transaction when the server's state is not known. */
  AfterFailure afterFailure(Failure failure);

  /**
   * Whether an error may say that a column of a query is not there, may not be read, or cannot be
   * returned. Such a query had no effect.
   */
  boolean mayRefuseColumns(Failure failure);

  /** Whether a batch that fails inside a transaction leaves nothing of its elements. */
  default boolean undoesFailedBatches() {
    return false;
  }

  /** Whether closing a connection certainly rolls back the transaction under way. */
  default boolean closingRollsBack() {
    return false; // A driver may commit.
  }

  /**
   * Whether no question of isotail's begins a transaction or takes a snapshot, also where
   * autocommit is off.
   */
  default boolean questionsBeginNone() {
    return false;
  }

  /** Whether a rollback takes back what the transaction set for its session. */
  boolean undoesSettings();

  /**
   * Whether SET TRANSACTION outside of a transaction sets the level of the next one, and not of
   * none.
   */
  default boolean setsLevelOfNext() {
    return true;
  }

  /**
   * The name of a level in records where a statement may have set any: one that promises nothing,
   * since it may be the weakest.
   *
   * @return null if every level of the database promises read committed
   */
  default @Nullable String unknownLevel() {
    return database() + "-unknown:read-uncommitted";
  }

  /** Whether a transaction that SQL began goes on when autocommit mode is switched off. */
  default boolean keepsTransactionWithoutAutoCommit() {
    return false;
  }

  /**
   * The level in records of a transaction that has locked rows that it read, where {@link
   * #lockingReadsAreCurrent}: they are not of its snapshot.
   *
   * @param level without them; null if unknown
   */
  static @Nullable String withLockingReads(@Nullable String level) {
    return level != null && level.endsWith(":repeatable-read") ? level + "-locking" : level;
  }

  /**
   * The name of a level in records, as {@code postgresql:repeatable-read}; on a standby {@code
   * postgresql-standby:repeatable-read}.
   *
   * @param sqlName as in {@code repeatable read}
   * @return null if it is no level, or if the copy is not known
   */
  default @Nullable String level(@Nullable String sqlName, DatabaseCopy copy) {
    if (sqlName == null || copy == DatabaseCopy.NOT_TOLD) {
      return null;
    }
    return switch (sqlName) {
      case "read uncommitted", "read committed", "repeatable read", "serializable" ->
          database() + copy.suffix() + ":" + sqlName.replace(' ', '-');
      default -> null;
    };
  }
}
