package io.isotail.monitor.resolve;

import io.isotail.ingest.capture.RowIdentities;
import io.isotail.ingest.jdbc.JdbcCatalog;
import io.isotail.ingest.sql.ColumnType;
import io.isotail.ingest.sql.Identities;
import io.isotail.ingest.sql.ObservedTable;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Hashes keys as the driver does and compares them with those wanted. */
public final class KeyMatcher {
  private final List<SearchTable> tables;
  private final RowIdentities rows;
  private final WantedKeys wanted;
  private final VersionSearch versions;
  private final SearchListener listener;

  /** For keys in these tables. */
  public KeyMatcher(
      List<SearchTable> tables, Identities identities, WantedKeys wanted, SearchListener listener) {
    this.tables = List.copyOf(tables);
    this.rows =
        new RowIdentities(
            tables.stream().flatMap(table -> table.names().stream()).toList(), identities);
    this.wanted = wanted;
    this.versions = new VersionSearch(rows);
    this.listener = listener;
  }

  /** Asks the database for types that are not declared. */
  public void readTypes(Connection database) throws SQLException {
    rows.readTypes(new JdbcCatalog(database));
  }

  List<SearchTable> tables() {
    return tables;
  }

  RowIdentities rows() {
    return rows;
  }

  /** Whether something that is still looked for can be in the table. */
  boolean isWanted(SearchTable table) {
    return table.names().stream().anyMatch(name -> wanted.anyIn(name.identityName()));
  }

  /**
   * Compares one key.
   *
   * @param values the values of its columns
   * @param version canonical text of the row's version, null if it is not known
   * @return whether values of this kind have a hash at all
   */
  boolean compare(SearchTable table, List<Object> values, @Nullable String version) {
    boolean hashed = false;
    for (ObservedTable name : table.names()) {
      RowIdentities.Key key = rows.key(name, values);
      if (key == null) {
        continue;
      }
      hashed = true;
      for (HashedKey found : wanted.take(name.identityName(), key.id())) {
        listener.found(
            new ResolvedKey(
                found,
                key.id(),
                name.identityName(),
                columns(name, key),
                versions.search(name, key.id(), version, table.versioned(), found.versions())));
      }
    }
    return hashed;
  }

  private List<ResolvedKey.Column> columns(ObservedTable table, RowIdentities.Key key) {
    List<ResolvedKey.Column> columns = new ArrayList<>();
    for (int i = 0; i < key.columns().size(); i++) {
      ObservedTable.Column column = table.key().get(i);
      boolean bytes = rows.type(table, column) == ColumnType.BYTES;
      columns.add(
          new ResolvedKey.Column(column.name(), (bytes ? "\\x" : "") + key.columns().get(i)));
    }
    return columns;
  }
}
