package io.isotail.ingest.jdbc;

import io.isotail.ingest.capture.Catalog;
import io.isotail.ingest.capture.Dialect;
import io.isotail.ingest.sql.ColumnType;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The catalog as the meta data of a connection tell it. Owned by the connection's thread. */
public final class JdbcCatalog implements Catalog<SQLException> {
  /** PostgreSQL reports more for a numeric column without limits. */
  private static final int MAX_NUMERIC_PRECISION = 1_000;

  private static final String NO_TEXT = "";

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
    return collated(
        columns.isEmpty() && usual != StoredNames.AS_DECLARED
            ? columns(schema, table, StoredNames.AS_DECLARED) // It was made with quotes.
            : columns,
        table);
  }

  /** The columns, where texts are compared as their collations say. */
  private List<Column> collated(List<Column> columns, String table) throws SQLException {
    Dialect dialect = dialect();
    String query = dialect.collationsQuery(table);
    if (query == null) {
      return columns;
    }
    Map<String, String> collations = new HashMap<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      while (rows.next()) {
        String collation = rows.getString(2);
        collations.put(rows.getString(1), collation == null ? NO_TEXT : collation);
      }
    }
    List<Column> collated = new ArrayList<>(columns.size());
    for (Column column : columns) {
      boolean text = column.type() == ColumnType.TEXT || column.type() == ColumnType.PADDED_TEXT;
      String collation = collations.getOrDefault(column.name(), NO_TEXT);
      ColumnType type =
          !text
              ? column.type()
              : collation.equals(NO_TEXT)
                  ? ColumnType.UNSUPPORTED // It is not in the current schema.
                  : dialect.collated(column.type(), collation);
      collated.add(new Column(column.schema(), column.name(), type, column.scale()));
    }
    return collated;
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
