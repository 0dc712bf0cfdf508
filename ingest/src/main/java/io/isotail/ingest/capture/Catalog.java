package io.isotail.ingest.capture;

import io.isotail.ingest.sql.ColumnType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which columns the database's tables have.
 *
 * @param <X> what is thrown when the database cannot be asked
 */
public interface Catalog<X extends Exception> {

  /**
   * A column.
   *
   * @param schema of its table; empty when the database has none
   * @param name its name
   * @param type its type
   * @param scale digits after the decimal point that it keeps, or -1 when all
   */
  record Column(String schema, String name, ColumnType type, int scale) {}

  /** The dialect of the database. */
  Dialect dialect() throws X;

  /**
   * The columns of the tables of a name, those of one table in their order.
   *
   * @param schema the tables' schema, null for any
   */
  List<Column> columns(@Nullable String schema, String table) throws X;

  /** The schema in which unqualified names are looked for first; null when there is none. */
  @Nullable String currentSchema() throws X;
}
