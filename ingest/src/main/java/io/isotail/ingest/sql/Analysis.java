package io.isotail.ingest.sql;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a statement does to the observed tables. */
public sealed interface Analysis {

  /** Whether running the statement may write an observed table. */
  default boolean mayWrite() {
    return this instanceof Update
        || this instanceof Insert
        || this instanceof Delete
        || this instanceof Written
        || this instanceof Elsewhere
        || this instanceof Opaque;
  }

  /** Concerns no observed table. */
  record Harmless() implements Analysis {}

  /**
   * Writes a table that is not observed: a partition by its own name, a view, a table with a
   * trigger may write an observed one in turn, unseen.
   */
  record Elsewhere() implements Analysis {}

  /**
   * Reads an observed table in a way that is not recorded, and writes none.
   *
   * @param reason why
   */
  record Unread(Uninterpreted reason) implements Analysis {}

  /** Reads or writes rows of one observed table, if the name in the statement means that table. */
  sealed interface OneTable extends Analysis {

    /** The table. */
    ObservedTable table();

    /**
     * Whether the statement names the table's schema. If not, the session's search path tells
     * whether it means this table or another one of its name.
     */
    boolean qualified();
  }

  /**
   * A query over one observed table.
   *
   * @param table the table
   * @param qualified whether the statement names its schema
   * @param shape its result columns
   * @param predicate the keys it looks for, or null
   */
  record Select(
      ObservedTable table, boolean qualified, RowShape shape, @Nullable KeyPredicate predicate)
      implements OneTable {}

  /**
   * An update of rows named by their full key.
   *
   * @param table the table
   * @param qualified whether the statement names its schema
   * @param predicate the keys
   * @param version the version that it assigns
   * @param assigned what it sets columns to of which values are told alone
   * @param returning the RETURNING list, or null
   */
  record Update(
      ObservedTable table,
      boolean qualified,
      KeyPredicate predicate,
      Operand version,
      List<Assigned> assigned,
      @Nullable RowShape returning)
      implements OneTable {
    /** Copies the list. */
    public Update {
      assigned = List.copyOf(assigned);
    }
  }

  /**
   * What a statement sets a column to.
   *
   * @param column one of the table's {@link ObservedTable#comparableColumns}
   * @param value what the statement gives it
   */
  record Assigned(RowContent.Column column, Operand value) {}

  /**
   * INSERT … VALUES.
   *
   * @param table the table
   * @param qualified whether the statement names its schema
   * @param columns the column list, or null when the table's own order applies
   * @param rows the values of each row
   * @param conflict what happens to rows that exist
   * @param returning the RETURNING list, or null
   */
  record Insert(
      ObservedTable table,
      boolean qualified,
      @Nullable List<String> columns,
      List<List<Operand>> rows,
      OnConflict conflict,
      @Nullable RowShape returning)
      implements OneTable {}

  /** What an INSERT does with a row that exists already. */
  enum OnConflict {
    /** Fails: after success each row is written. */
    FAIL("a row that exists is an error"),
    /** Leaves it: the update count tells. */
    NOTHING("a row that exists is left"),
    /** Overwrites it with the version of the VALUES row: the written version is the same anyhow. */
    SAME_VERSION("a row that exists gets the version of the text"),
    /** Overwrites it with the version of the VALUES row under a condition: the count tells. */
    SAME_VERSION_IF("a row that exists may get the version of the text"),
    /** Overwrites it with a version that is not in the statement. */
    OTHER_VERSION("a row that exists gets a version that is not in the text"),
    /** Like {@link #OTHER_VERSION}, under a condition: the count tells. */
    OTHER_VERSION_IF("a row that exists may get a version that is not in the text");

    private final String words;

    OnConflict(String words) {
      this.words = words;
    }

    /** What happens, for people. */
    public String words() {
      return words;
    }
  }

  /**
   * A removal of rows named by their full key.
   *
   * @param table the table
   * @param qualified whether the statement names its schema
   * @param predicate the keys
   * @param returning the RETURNING list, or null
   */
  record Delete(
      ObservedTable table, boolean qualified, KeyPredicate predicate, @Nullable RowShape returning)
      implements OneTable {}

  /** How hidden columns tell the rows of a table that a result's row is made of. */
  enum Form {
    /** One row: a column for each column of the key, and one for the version. */
    COLUMNS,
    /** One row: the same columns, as text. */
    TEXTS,
    /** Any number of rows: one column, an array with an array of these texts for each. */
    ARRAY
  }

  /**
   * A table in the FROM list of a query.
   *
   * @param table the table
   * @param qualified whether the statement names its schema
   * @param locked whether the query locks its rows, and so reads them again, one after another,
   *     after all that it does not lock
   * @param form how its rows are told
   */
  record Source(ObservedTable table, boolean qualified, boolean locked, Form form) {

    /** Number of hidden columns that tell its rows. */
    public int columns() {
      return form == Form.ARRAY ? 1 : table.key().size() + 1;
    }
  }

  /**
   * A query whose rows end with the key and the version of the row, or the rows, of each source, in
   * their order: columns that isotail has added.
   *
   * @param sources the observed tables that the rows come from; never empty
   * @param predicate the keys it looks for where there is one source and no row of it means no such
   *     key, else null
   * @param readsMore whether it reads observed tables besides, in subqueries
   */
  record Query(List<Source> sources, @Nullable KeyPredicate predicate, boolean readsMore)
      implements Analysis {
    /** Copies the list. */
    public Query {
      sources = List.copyOf(sources);
    }
  }

  /** What a write does to a row. */
  enum WriteKind {
    /** Makes it. */
    INSERT,
    /** Makes another version of it. */
    UPDATE,
    /** Makes it, or another version of it. */
    MERGE,
    /** Removes it. */
    DELETE
  }

  /**
   * A write that answers with the key and the version of each row that it has written: columns that
   * isotail has added.
   *
   * @param table the table
   * @param qualified whether the statement names its schema
   * @param kind what it does
   * @param oneRow whether it writes one row at most
   * @param answersApplication whether the application has asked for rows too
   * @param bounded whether the statement names all its rows
   * @param versioned whether the answer has the version, or only the key
   * @param tellsReplaced whether the answer tells the version that was there before too
   */
  record Written(
      ObservedTable table,
      boolean qualified,
      WriteKind kind,
      boolean oneRow,
      boolean answersApplication,
      boolean bounded,
      boolean versioned,
      boolean tellsReplaced)
      implements OneTable {

    /** A write that does not answer with the versions of its rows. */
    Written withoutVersion() {
      return new Written(table, qualified, kind, oneRow, answersApplication, bounded, false, false);
    }

    /** How many ids of transactions the answer ends with. */
    public int xids() {
      return (versioned ? 1 : 0) + (tellsReplaced && kind != WriteKind.DELETE ? 1 : 0);
    }

    /** A write that answers with what was there before, too. */
    Written tellingReplaced() {
      return new Written(
          table, qualified, kind, oneRow, answersApplication, bounded, versioned, true);
    }
  }

  /**
   * May write any row of some observed tables.
   *
   * @param tables which; never empty
   * @param reason why it is not interpreted
   * @param named what tells by their keys which rows of the only table it may write, besides what
   *     triggers do; null if nothing does
   */
  record Opaque(List<ObservedTable> tables, Uninterpreted reason, @Nullable OneTable named)
      implements Analysis {

    /** A write that names no rows. */
    public Opaque(List<ObservedTable> tables, Uninterpreted reason) {
      this(tables, reason, null);
    }
  }

  /**
   * Transaction control.
   *
   * @param control what it does
   */
  record Control(TransactionControl control) implements Analysis {}
}
