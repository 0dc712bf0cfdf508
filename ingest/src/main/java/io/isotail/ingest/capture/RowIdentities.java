package io.isotail.ingest.capture;

import io.isotail.ingest.sql.ColumnType;
import io.isotail.ingest.sql.Identities;
import io.isotail.ingest.sql.ObservedTable;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * From the columns of a row to the identities of its key and version. The driver makes them here,
 * and so does a person that wants to know which row an identity stands for. Thread-safe.
 */
public final class RowIdentities {
  private final ColumnCatalog catalog;
  private final Identities identities;

  RowIdentities(ColumnCatalog catalog, Identities identities) {
    this.catalog = catalog;
    this.identities = identities;
  }

  /** Identities of rows of these tables; columns of undeclared type wait for {@link #readTypes}. */
  public RowIdentities(List<ObservedTable> tables, Identities identities) {
    this(new ColumnCatalog(tables), identities);
  }

  /**
   * The key of a row.
   *
   * @param id its identity
   * @param columns canonical texts of the key's columns, in the order of the table's key
   */
  public record Key(long id, List<String> columns) {
    /** Copies the list. */
    public Key {
      columns = List.copyOf(columns);
    }
  }

  /** Asks the database for the types of the columns that are declared without one. */
  public <X extends Exception> void readTypes(Catalog<X> database) throws X {
    catalog.refresh(database, System.nanoTime());
  }

  /** Type of a column, null when neither the declaration nor the database told it. */
  public @Nullable ColumnType type(ObservedTable table, ObservedTable.Column column) {
    return catalog.type(table, column);
  }

  /**
   * Type of the key's column {@code i}, null when neither the declaration nor the database told.
   */
  @Nullable ColumnType keyType(ObservedTable table, int i) {
    return catalog.keyType(table, i);
  }

  /** The key with these values in its columns, null when one of them has no identity. */
  public @Nullable Key key(ObservedTable table, List<Object> values) {
    List<String> canonical = canonical(table, values);
    return canonical == null ? null : new Key(id(table, canonical), canonical);
  }

  /** Canonical texts of the values of a key's columns; null if one of them has none. */
  @Nullable List<String> canonical(ObservedTable table, List<Object> values) {
    List<String> canonical = new ArrayList<>(values.size());
    for (int i = 0; i < values.size(); i++) {
      String text = catalog.canonicalKey(table, i, values.get(i));
      if (text == null) {
        return null;
      }
      canonical.add(text);
    }
    return canonical;
  }

  /** Identity of the key with these canonical texts. */
  long id(ObservedTable table, List<String> canonical) {
    return identities.key(table, canonical);
  }

  /** Identity of the key that is this number alone. */
  long id(ObservedTable table, long number) {
    return identities.key(table, number);
  }

  /** Canonical text of a value of the version column, null when it has no identity. */
  public @Nullable String versionText(ObservedTable table, Object value) {
    return catalog.canonicalVersion(table, value);
  }

  /**
   * Identity of a version of a row.
   *
   * @param key identity of the row's key
   * @param versionText canonical text of the version
   */
  public long version(long key, String versionText) {
    return identities.version(key, versionText);
  }
}
