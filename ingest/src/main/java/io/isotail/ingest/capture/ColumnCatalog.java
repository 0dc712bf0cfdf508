package io.isotail.ingest.capture;

import io.isotail.ingest.sql.Analysis;
import io.isotail.ingest.sql.ColumnType;
import io.isotail.ingest.sql.ObservedTable;
import io.isotail.ingest.sql.Operand;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
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
  private static final long RETRY_NS = 5_000_000_000L;
  private static final Catalog.Column XMIN =
      new Catalog.Column("", ObservedTable.XMIN, ColumnType.READ_ONLY_TEXT, -1);

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
   * @param ofKey those of its key, in the key's order, null for one that the catalog does not have:
   *     they are asked for with each row
   */
  private record Columns(
      Map<String, Catalog.Column> columns, List<Catalog.@Nullable Column> ofKey) {
    static Columns of(ObservedTable table, Map<String, Catalog.Column> columns) {
      List<Catalog.@Nullable Column> ofKey = new ArrayList<>(table.key().size());
      table.key().forEach(column -> ofKey.add(columns.get(column.name())));
      return new Columns(columns, ofKey);
    }
  }

  /** Canonical text of a value of the version column, or null when it has no identity. */
  @Nullable String canonicalVersion(ObservedTable table, Object value) {
    ObservedTable.Column version = table.version();
    ColumnType declared = version.type();
    return declared != null
        ? declared.canonical(value)
        : canonical(column(table, version.name()), value);
  }

  /** Canonical text of a value of the key's column {@code i}, or null when it has no identity. */
  @Nullable String canonicalKey(ObservedTable table, int i, Object value) {
    ColumnType declared = table.key().get(i).type();
    return declared != null ? declared.canonical(value) : canonical(keyColumn(table, i), value);
  }

  private @Nullable String canonical(Catalog.@Nullable Column catalogued, Object value) {
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
    return type(column(table, column.name()));
  }

  private @Nullable ColumnType type(Catalog.@Nullable Column catalogued) {
    if (catalogued == null) {
      stale = true;
      return null;
    }
    return catalogued.type();
  }

  /** Type of the key's column {@code i}, null when unknown. */
  @Nullable ColumnType keyType(ObservedTable table, int i) {
    ColumnType declared = table.key().get(i).type();
    return declared != null ? declared : type(keyColumn(table, i));
  }

  /** Names of a table's columns in their order, null when unknown. */
  @Nullable List<String> columnNames(ObservedTable table) {
    Columns columns = known.get(table);
    return columns == null ? null : List.copyOf(columns.columns().keySet());
  }

  /** How many columns a table has at least. */
  int columnsAtLeast(ObservedTable table) {
    Columns columns = known.get(table);
    return columns == null ? table.key().size() : columns.columns().size();
  }

  /** What a row of an INSERT gives the key; null if it does not give all of it. */
  @Nullable List<Operand> keyOf(Analysis.Insert insert, List<Operand> row) {
    List<String> columns =
        insert.columns() == null ? columnNames(insert.table()) : insert.columns();
    if (columns == null) {
      return null;
    }
    List<Operand> key = new ArrayList<>(insert.table().key().size());
    for (ObservedTable.Column column : insert.table().key()) {
      int at = columns.indexOf(column.name());
      if (at < 0 || at >= row.size()) {
        return null;
      }
      key.add(row.get(at));
    }
    return key;
  }

  private Catalog.@Nullable Column column(ObservedTable table, String name) {
    if (name.equals(ObservedTable.XMIN)) {
      return XMIN;
    }
    Columns columns = known.get(table);
    return columns == null ? null : columns.columns().get(name);
  }

  private Catalog.@Nullable Column keyColumn(ObservedTable table, int i) {
    Columns columns = known.get(table);
    return columns == null ? null : columns.ofKey().get(i);
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

  /** Asks the database's catalog. */
  <X extends Exception> void refresh(Catalog<X> catalog, long nowNs) throws X {
    long changesBefore = startRefresh(nowNs);
    Map<ObservedTable, Columns> fresh = new HashMap<>();
    for (ObservedTable table : tables) {
      Columns columns = read(catalog, table);
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

  private static <X extends Exception> @Nullable Columns read(
      Catalog<X> catalog, ObservedTable table) throws X {
    String declared = table.schema();
    String schema = declared == null ? catalog.dialect().defaultSchema() : declared;
    Map<String, Map<String, Catalog.Column>> bySchema = new LinkedHashMap<>();
    for (Catalog.Column column : catalog.columns(schema, table.name())) {
      bySchema
          .computeIfAbsent(column.schema(), s -> new LinkedHashMap<>())
          .put(column.name(), column);
    }
    if (bySchema.size() == 1) {
      return Columns.of(table, bySchema.values().iterator().next());
    }
    List<String> candidates = new ArrayList<>();
    String current = bySchema.isEmpty() ? null : catalog.currentSchema();
    if (current != null) {
      candidates.add(current);
    }
    candidates.add("public");
    for (String candidate : candidates) {
      Map<String, Catalog.Column> columns = bySchema.get(candidate);
      if (columns != null) {
        return Columns.of(table, columns);
      }
    }
    return null;
  }
}
