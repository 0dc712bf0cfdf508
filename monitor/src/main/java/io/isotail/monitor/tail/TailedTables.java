package io.isotail.monitor.tail;

import io.isotail.ingest.capture.MariaDbCatalog;
import io.isotail.ingest.sql.ObservedTable;
import io.isotail.ingest.sql.RowContent;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The tables whose changes are told, as the catalog of a server has them. Immutable. */
final class TailedTables {
  /** Of a text that only looks like it, rather a table too few. */
  private static final Pattern CASCADES =
      Pattern.compile("ON (DELETE|UPDATE) (CASCADE|SET NULL|SET DEFAULT)");

  private static final int MOST_DIGESTS = 250;
  private static final int DIGEST = 13;

  private final String database;
  private final Map<String, TailedTable> tables;
  private final Set<String> names = new HashSet<>();
  private final String digests;

  private TailedTables(String database, Map<String, TailedTable> tables, Set<String> leftOut) {
    this.database = database;
    this.tables = Map.copyOf(tables);
    tables.keySet().forEach(name -> names.add(name.toLowerCase(Locale.ROOT)));
    leftOut.forEach(name -> names.add(name.toLowerCase(Locale.ROOT)));
    Stream<String> words = tables.values().stream().map(TailedTable::words);
    this.digests =
        tables.size() > MOST_DIGESTS
            ? digest(words.sorted().collect(Collectors.joining("\n")))
            : words.map(TailedTables::digest).sorted().collect(Collectors.joining(","));
  }

  /**
   * Asks a server for those of the connection's database.
   *
   * @param database its name
   * @param leftOut names of tables whose rows in the log cannot be read
   */
  static TailedTables of(Connection connection, String database, Set<String> leftOut)
      throws SQLException {
    Map<String, List<TailedColumn>> columns = new HashMap<>();
    Map<String, TailedTable> tables = new HashMap<>();
    try (Statement statement = connection.createStatement()) {
      try (ResultSet rows = statement.executeQuery(MariaDbCatalog.columns())) {
        while (rows.next()) {
          columns.computeIfAbsent(rows.getString(2), t -> new ArrayList<>()).add(column(rows));
        }
      }
      try (ResultSet rows = statement.executeQuery(MariaDbCatalog.tables())) {
        while (rows.next()) {
          ObservedTable table = MariaDbCatalog.table(texts(rows));
          TailedTable tailed =
              table == null
                  ? null
                  : TailedTable.of(table, columns.getOrDefault(table.name(), List.of()));
          if (table != null && tailed != null) {
            tables.put(table.name(), tailed);
          }
        }
      }
    }
    tables.keySet().removeAll(leftOut);
    for (String name : List.copyOf(tables.keySet())) {
      if (isCascaded(connection, name)) {
        tables.remove(name);
      }
    }
    return new TailedTables(database, tables, leftOut);
  }

  /**
   * Whether cascades change a table, which are in no log. The catalog shows its foreign keys to
   * those alone who may do more than read it; the definition is shown to readers, too.
   */
  private static boolean isCascaded(Connection connection, String table) throws SQLException {
    String query = "SHOW CREATE TABLE `%s`".formatted(table.replace("`", "``"));
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(query)) {
      return !row.next() || CASCADES.matcher(row.getString(2)).find();
    }
  }

  private static TailedColumn column(ResultSet row) throws SQLException {
    String kind = row.getString("kind");
    String charset = row.getString("character_set_name");
    String type = row.getString("data_type");
    int length =
        switch (type) {
          case "tinyint" -> 1;
          case "smallint" -> 2;
          case "mediumint" -> 3;
          case "int" -> 4;
          case "bigint" -> 8;
          default -> (int) Math.min(Integer.MAX_VALUE, row.getLong("character_maximum_length"));
        };
    return new TailedColumn(
        row.getString("name"),
        kind == null ? null : RowContent.Kind.named(kind),
        row.getString("column_type").contains("unsigned"),
        "latin1".equals(charset),
        length,
        type,
        (int) Math.min(Integer.MAX_VALUE, row.getLong("character_octet_length")));
  }

  private static List<@Nullable String> texts(ResultSet row) throws SQLException {
    List<@Nullable String> texts = new ArrayList<>();
    for (int i = 1; i <= row.getMetaData().getColumnCount(); i++) {
      texts.add(row.getString(i));
    }
    return texts;
  }

  /** The database whose tables they are. */
  String database() {
    return database;
  }

  /** The table of a name; null if its changes are not told. */
  @Nullable TailedTable find(String of, String table) {
    return of.equals(database) ? tables.get(table) : null;
  }

  /** Whether a name in lower case may be that of one of them, or of one that was left out. */
  boolean isTold(String name) {
    return names.contains(name);
  }

  /** Their names in records. */
  Set<String> names() {
    Set<String> names = new HashSet<>();
    tables.values().forEach(table -> names.add(table.name()));
    return names;
  }

  /**
   * A hash of all that is known of each of them, in their order, without blanks; one for all of
   * them if they are many.
   */
  String digests() {
    return digests;
  }

  private static String digest(String words) {
    byte[] bytes = words.getBytes(StandardCharsets.UTF_8);
    return UUID.nameUUIDFromBytes(bytes).toString().substring(0, DIGEST);
  }

  /**
   * The names in records of those that were not there, or were others.
   *
   * @param digestsThen {@link #digests} of then
   */
  Set<String> othersThan(String digestsThen) {
    Set<String> before = new HashSet<>(List.of(digestsThen.split(",", -1)));
    boolean same = digests.equals(digestsThen);
    Set<String> others = new HashSet<>();
    tables.values().stream()
        .filter(table -> !same && !before.contains(digest(table.words())))
        .forEach(table -> others.add(table.name()));
    return others;
  }

  /** All of them, for identities. */
  List<ObservedTable> observed() {
    return tables.values().stream().map(TailedTable::table).toList();
  }

  /** The names in records of those that are called so in lower case. */
  Set<String> named(Set<String> lowerCase) {
    Set<String> named = new HashSet<>();
    tables.forEach(
        (name, table) -> {
          if (lowerCase.contains(name.toLowerCase(Locale.ROOT))) {
            named.add(table.name());
          }
        });
    return named;
  }

  /** The names in records of those that are others now; new ones do not count. */
  Set<String> othersIn(TailedTables now) {
    Set<String> others = new HashSet<>();
    tables.forEach(
        (name, table) -> {
          if (!table.equals(now.tables.get(name))) {
            others.add(table.name());
          }
        });
    return others;
  }
}
