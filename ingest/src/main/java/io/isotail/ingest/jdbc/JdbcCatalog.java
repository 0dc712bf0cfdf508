package io.isotail.ingest.jdbc;

import io.isotail.ingest.capture.Catalog;
import io.isotail.ingest.capture.Dialect;
import io.isotail.ingest.sql.ColumnType;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The catalog as the meta data of a connection tell it. Owned by the connection's thread. */
public final class JdbcCatalog implements Catalog<SQLException> {
  /** PostgreSQL reports more for a numeric column without limits. */
  private static final int MAX_NUMERIC_PRECISION = 1_000;

  private final Connection connection;

  /**
   * Over a connection that no transaction is open on, or whose transaction may read the catalog.
   */
  public JdbcCatalog(Connection connection) {
    this.connection = connection;
  }

  @Override
  public Dialect dialect() throws SQLException {
    return JdbcDialects.of(connection, connection.getMetaData().getURL());
  }

  @Override
  public List<Column> columns(@Nullable String schema, String table) throws SQLException {
    StoredNames usual = StoredNames.of(connection);
    List<Column> columns = columns(schema, table, usual);
    return columns.isEmpty() && usual != StoredNames.AS_DECLARED
        ? columns(schema, table, StoredNames.AS_DECLARED) // It was made with quotes.
        : columns;
  }

  private List<Column> columns(@Nullable String schema, String table, StoredNames names)
      throws SQLException {
    DatabaseMetaData metaData = connection.getMetaData();
    String escape = metaData.getSearchStringEscape();
    String schemaPattern = schema == null ? null : literal(names.stored(schema), escape);
    List<Column> columns = new ArrayList<>();
    try (ResultSet rows =
        metaData.getColumns(null, schemaPattern, literal(names.stored(table), escape), null)) {
      while (rows.next()) {
        String rowSchema = rows.getString("TABLE_SCHEM");
        columns.add(column(rowSchema == null ? "" : names.declared(rowSchema), names, rows));
      }
    }
    return columns;
  }

  @Override
  public @Nullable String currentSchema() throws SQLException {
    String schema = connection.getSchema();
    return schema == null ? null : StoredNames.of(connection).declared(schema);
  }

  private static String literal(String name, @Nullable String escape) {
    if (escape == null || escape.isEmpty()) {
      return name;
    }
    return name.replace(escape, escape + escape)
        .replace("_", escape + "_")
        .replace("%", escape + "%");
  }

  private static Column column(String schema, StoredNames names, ResultSet row)
      throws SQLException {
    String name = row.getString("TYPE_NAME");
    ColumnType type = ColumnType.named(name == null ? "" : name);
    if (type == ColumnType.UNSUPPORTED) {
      type =
          switch (row.getInt("DATA_TYPE")) {
            case Types.TINYINT, Types.SMALLINT, Types.INTEGER, Types.BIGINT -> ColumnType.INTEGER;
            case Types.NUMERIC, Types.DECIMAL -> ColumnType.NUMERIC;
            default -> ColumnType.UNSUPPORTED;
          };
    }
    boolean caseInsensitive = name != null && name.toLowerCase(Locale.ROOT).contains("ignorecase");
    int size = row.getInt("COLUMN_SIZE");
    boolean unbounded = size == 0 || size > MAX_NUMERIC_PRECISION;
    return new Column(
        schema,
        names.declared(row.getString("COLUMN_NAME")),
        caseInsensitive ? ColumnType.UNSUPPORTED : type,
        unbounded ? -1 : row.getInt("DECIMAL_DIGITS"));
  }
}
