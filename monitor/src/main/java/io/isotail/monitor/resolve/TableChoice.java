package io.isotail.monitor.resolve;

import io.isotail.ingest.sql.ObservedTable;
import io.isotail.ingest.sql.ObservedTables;
import io.isotail.monitor.terminal.Printable;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Which tables to look through: those that the keys name; for keys without a table those asked for,
 * else all observed ones, else all with a primary key. A table that is not among the observed ones
 * is taken by its primary key.
 */
public final class TableChoice {
  private final @Nullable ObservedTables observed;
  private final @Nullable Connection database;
  private @Nullable PrimaryKeys primaryKeys;
  private boolean guessed;

  /**
   * A choice.
   *
   * @param observed tables as the applications name them, null if that is not known
   * @param database where primary keys can be looked up, null for nowhere
   */
  public TableChoice(@Nullable ObservedTables observed, @Nullable Connection database) {
    this.observed = observed;
    this.database = database;
  }

  /** Whether some table's key columns were taken from its primary key. */
  public boolean guessed() {
    return guessed;
  }

  /**
   * The tables.
   *
   * @param asked names of tables asked for; empty for no choice
   * @throws ResolveException when one cannot be found
   */
  public List<SearchTable> tables(List<HashedKey> keys, List<String> asked)
      throws ResolveException, SQLException {
    Set<SearchTable> tables = new LinkedHashSet<>();
    for (String name : named(keys)) {
      tables.addAll(found(name));
    }
    if (keys.stream().anyMatch(key -> key.table() == null)) {
      if (!asked.isEmpty()) {
        for (String name : asked) {
          tables.addAll(found(name));
        }
      } else if (observed != null) {
        observed.all().forEach(table -> tables.add(searched(table)));
      } else if (database != null) {
        guessed = true;
        tables.addAll(primaryKeys().all());
      } else {
        throw new ResolveException("found no tables; expected isotail.tables, or --url");
      }
    }
    return new ArrayList<>(tables);
  }

  private static Set<String> named(List<HashedKey> keys) {
    return keys.stream()
        .map(HashedKey::table)
        .filter(Objects::nonNull)
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  private List<SearchTable> found(String name) throws ResolveException, SQLException {
    List<ObservedTable> known = observed == null ? List.of() : observed.all();
    for (ObservedTable table : known) {
      if (table.identityName().equals(name)) {
        return List.of(searched(table));
      }
    }
    List<SearchTable> byPrimaryKey = primaryKeys().named(name);
    if (byPrimaryKey.isEmpty()) {
      throw new ResolveException(
          "found no table %s in isotail.tables (%s)%s"
              .formatted(
                  Printable.value(name),
                  known.isEmpty()
                      ? "not set"
                      : known.stream()
                          .map(ObservedTable::identityName)
                          .collect(Collectors.joining(", ")),
                  database == null
                      ? "; expected its key there, or --url"
                      : ", nor one with a primary key that this user may read; expected either"));
    }
    guessed = true;
    return byPrimaryKey;
  }

  private PrimaryKeys primaryKeys() throws SQLException {
    PrimaryKeys known = primaryKeys;
    if (known == null) {
      known = database == null ? PrimaryKeys.none() : PrimaryKeys.read(database);
      primaryKeys = known;
    }
    return known;
  }

  private static SearchTable searched(ObservedTable table) {
    String schema = table.schema() == null ? SearchTable.DEFAULT_SCHEMA : table.schema();
    return new SearchTable(schema, table.name(), List.of(table), true);
  }
}
