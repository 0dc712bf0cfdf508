package io.isotail.ingest.jdbc;

import io.isotail.ingest.sql.ColumnType;
import io.isotail.ingest.sql.ObservedTable;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Types and order of the columns of the observed tables: as declared, else as the database's
 * catalog says. Thread-safe.
 *
 * <p>A column whose type is not known has no identities: its rows are not read and its writes are
 * opaque, because the same value could otherwise get two identities.
 */
final class ColumnCatalog {
  /** PostgreSQL reports more for a numeric column without limits. */
  private static final int MAX_NUMERIC_PRECISION = 1_000;

  private static final long RETRY_NS = 5_000_000_000L;

  private final List<ObservedTable> tables;
  private volatile Map<ObservedTable, Columns> known = Map.of();
  private volatile boolean stale = true;
  private volatile long nextTryNs = System.nanoTime();
  private long nextChangeTryNs = nextTryNs;
  private long changes;
  private boolean changed;

  ColumnCatalog(List<ObservedTable> tables) {
    this.tables = tables;
  }

  /**
   * The columns of one table in their order.
   *
   * @param columns name to column
   */
  private record Columns(Map<String, Column> columns) {}

  /**
   * A column.
   *
   * @param type its type
   * @param scale digits after the decimal point that it keeps, or -1 when all
   */
  private record Column(ColumnType type, int scale) {}

  /** Canonical text of a value in a column, or null when it has no identity. */
  @Nullable String canonical(ObservedTable table, ObservedTable.Column column, Object value) {
    ColumnType declared = column.type();
    if (declared != null) {
      return declared.canonical(value);
    }
    Column catalogued = column(table, column.name());
    if (catalogued == null) {
      stale = true;
      return null;
    }
    String text = catalogued.type().canonical(value);
    boolean rounded =
        text != null
            && catalogued.type() == ColumnType.NUMERIC
            && catalogued.scale() >= 0
            && text.indexOf('.') >= 0
            && text.length() - text.indexOf('.') - 1 > catalogued.scale();
    return rounded ? null : text;
  }

  /** Type of a column, null when unknown. */
  @Nullable ColumnType type(ObservedTable table, ObservedTable.Column column) {
    ColumnType declared = column.type();
    if (declared != null) {
      return declared;
    }
    Column catalogued = column(table, column.name());
    if (catalogued == null) {
      stale = true;
      return null;
    }
    return catalogued.type();
  }

  /** Names of a table's columns in their order, null when unknown. */
  @Nullable List<String> columnNames(ObservedTable table) {
    Columns columns = known.get(table);
    return columns == null ? null : List.copyOf(columns.columns().keySet());
  }

  private @Nullable Column column(ObservedTable table, String name) {
    if (name.equals("xmin")) {
      return new Column(ColumnType.READ_ONLY_TEXT, -1);
    }
    Columns columns = known.get(table);
    return columns == null ? null : columns.columns().get(name);
  }

  /**
   * A statement may change the tables, or has changed them. Nothing is known of them until the
   * catalog is asked again, which happens only so often however often the tables change.
   */
  synchronized void invalidate() {
    known = Map.of();
    changes++;
    stale = true;
    if (!changed) {
      changed = true;
      nextTryNs = nextChangeTryNs;
    }
  }

  /** Whether {@link #refresh} would be of use. */
  boolean needsRefresh(long nowNs) {
    return stale && nowNs - nextTryNs >= 0;
  }

  /** Asks the catalog. The connection must be idle and in autocommit mode. */
  void refresh(Connection idle, long nowNs) throws SQLException {
    long changesBefore = startRefresh(nowNs);
    Map<ObservedTable, Columns> fresh = new HashMap<>();
    for (ObservedTable table : tables) {
      Columns columns = read(idle, table);
      if (columns != null) {
        fresh.put(table, columns);
      }
    }
    publish(fresh, changesBefore);
  }

  private synchronized long startRefresh(long nowNs) {
    nextTryNs = nowNs + RETRY_NS;
    if (changed) {
      nextChangeTryNs = nextTryNs;
      changed = false;
    }
    stale = false;
    return changes;
  }

  private synchronized void publish(Map<ObservedTable, Columns> fresh, long changesBefore) {
    if (changes == changesBefore) {
      known = Map.copyOf(fresh);
    }
  }

  private static @Nullable Columns read(Connection idle, ObservedTable table) throws SQLException {
    DatabaseMetaData metaData = idle.getMetaData();
    String escape = metaData.getSearchStringEscape();
    Map<String, Map<String, Column>> bySchema = new LinkedHashMap<>();
    boolean named =
        table.schema() != null || "PostgreSQL".equals(metaData.getDatabaseProductName());
    String schema = named ? literal(table.schemaOrPublic(), escape) : null;
    try (ResultSet rows = metaData.getColumns(null, schema, literal(table.name(), escape), null)) {
      while (rows.next()) {
        String rowSchema = rows.getString("TABLE_SCHEM");
        bySchema
            .computeIfAbsent(rowSchema == null ? "" : rowSchema, s -> new LinkedHashMap<>())
            .put(rows.getString("COLUMN_NAME"), column(rows));
      }
    }
    if (bySchema.size() == 1) {
      return new Columns(bySchema.values().iterator().next());
    }
    List<String> candidates = new ArrayList<>();
    if (!bySchema.isEmpty() && idle.getSchema() != null) {
      candidates.add(idle.getSchema());
    }
    candidates.add("public");
    for (String candidate : candidates) {
      Map<String, Column> columns = bySchema.get(candidate);
      if (columns != null) {
        return new Columns(columns);
      }
    }
    return null;
  }

  private static String literal(String name, @Nullable String escape) {
    if (escape == null || escape.isEmpty()) {
      return name;
    }
    return name.replace(escape, escape + escape)
        .replace("_", escape + "_")
        .replace("%", escape + "%");
  }

  private static Column column(ResultSet row) throws SQLException {
    String name = row.getString("TYPE_NAME");
    ColumnType type = ColumnType.named(name == null ? "" : name);
    int sqlType = row.getInt("DATA_TYPE");
    if (type == ColumnType.UNSUPPORTED) {
      type =
          switch (sqlType) {
            case Types.TINYINT, Types.SMALLINT, Types.INTEGER, Types.BIGINT -> ColumnType.INTEGER;
            case Types.NUMERIC, Types.DECIMAL -> ColumnType.NUMERIC;
            default -> ColumnType.UNSUPPORTED;
          };
    }
    boolean caseInsensitive = name != null && name.toLowerCase(Locale.ROOT).contains("ignorecase");
    int size = row.getInt("COLUMN_SIZE");
    boolean unbounded = size == 0 || size > MAX_NUMERIC_PRECISION;
    return new Column(
        caseInsensitive ? ColumnType.UNSUPPORTED : type,
        unbounded ? -1 : row.getInt("DECIMAL_DIGITS"));
  }
}
