package io.isotail.incremental.record;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The statement behind an operation, in clear but without any literal.
 *
 * <p>Versions may name their writers, as PostgreSQL's {@code xmin} does: a version is then the
 * 32-bit id of the transaction, or subtransaction, that wrote it. This may be supposed of them, and
 * no more:
 *
 * <ul>
 *   <li>At most one committed transaction installs a version of a key.
 *   <li>Several writes of one transaction to a key may share a version, seen or not.
 *   <li>An aborted transaction and a committed one may have the same id, after a crash.
 * </ul>
 *
 * <p>All operations on a table either name writers, or none does; where that is not so, nothing
 * follows from its versions.
 *
 * @param table name of the observed table, null when unknown
 * @param fingerprint normalised statement text with every literal replaced by {@code ?}; may be
 *     empty
 * @param namesWriters whether the versions of its operations are ids of the writing transactions
 * @param inserts whether each row that it wrote was missing before, as a plain {@code INSERT} asks
 *     for: nobody's version stands between the absence of the row and the one that it installed
 * @param columns the columns of which its reads tell the contents; empty where their versions are
 *     no contents. The version of such a read is the sum of a keyed hash of each of these columns,
 *     and the changes of the log tell which transaction wrote it; see {@link RowChange}. Of a
 *     statement that may have written, the columns that it has set
 */
public record Statement(
    @Nullable String table,
    String fingerprint,
    boolean namesWriters,
    boolean inserts,
    List<String> columns) {
  /** In place of the text of a statement that is known from what others read. */
  public static final String NOT_SEEN = "(not seen: known from a read)";

  /** In place of the name of a table that is not observed. */
  public static final String ELSEWHERE = "(not observed)";

  /** Nothing is known of it. */
  public static final Statement NONE = new Statement(null, "");

  /** Copies the list. */
  public Statement {
    columns = List.copyOf(columns);
  }

  /** As of every record, but at once for the same object: it is asked for each operation. */
  @Override
  public boolean equals(@Nullable Object other) {
    return this == other
        || (other instanceof Statement statement
            && namesWriters == statement.namesWriters
            && inserts == statement.inserts
            && columns.equals(statement.columns)
            && fingerprint.equals(statement.fingerprint)
            && Objects.equals(table, statement.table));
  }

  @Override
  public int hashCode() {
    return 31 * fingerprint.hashCode() + Objects.hashCode(table);
  }

  /** A statement on the same table that nobody saw. */
  public Statement unseen() {
    return new Statement(table, NOT_SEEN, namesWriters);
  }

  /** Whether no statement of the application did it: the server told the transaction's id. */
  public boolean isOfServer() {
    return fingerprint.isEmpty() && namesWriters && ELSEWHERE.equals(table);
  }

  /** Whether its reads tell contents, and nobody has told yet who wrote them. */
  public boolean readsContents() {
    return !columns.isEmpty();
  }

  /** This statement, of which it is known who wrote what its operations are about. */
  public Statement resolved() {
    return new Statement(table, fingerprint, true, inserts);
  }

  /** A statement whose reads tell no contents. */
  public Statement(
      @Nullable String table, String fingerprint, boolean namesWriters, boolean inserts) {
    this(table, fingerprint, namesWriters, inserts, List.of());
  }

  /** A statement that may overwrite rows. */
  public Statement(@Nullable String table, String fingerprint, boolean namesWriters) {
    this(table, fingerprint, namesWriters, false);
  }

  /** A statement whose versions name nobody. */
  public Statement(@Nullable String table, String fingerprint) {
    this(table, fingerprint, false);
  }
}
