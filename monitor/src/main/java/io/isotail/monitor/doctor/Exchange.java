package io.isotail.monitor.doctor;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Something that is said to a server to see what it answers. It only reads, and leaves the
 * transaction in which it is said as it was.
 *
 * @param words what it is, for people
 * @param saying says it
 * @param columns the only labels that its columns may have; null if it need not be known
 * @param rows what every server answers; null if that depends on its data
 * @param onTables statements on tables in it
 */
record Exchange(
    String words,
    Saying saying,
    @Nullable List<String> columns,
    @Nullable List<List<@Nullable String>> rows,
    int onTables) {
  private static final int MANY = 1_000;
  private static final int PORTION = 100;

  /** Rows of a table that are read. */
  private static final int FEW = 10;

  private static final String CONSTANTS =
      "SELECT 7::int2 AS small, 1234567.125::numeric AS number, 'tätig \"x\"'::text AS text,"
          + " NULL::int4 AS nothing, '\\x00ff'::bytea AS bytes, ARRAY[1, 2] AS list,"
          + " '2020-02-29 12:00:00'::timestamp AS at";

  interface Saying {
    Answer to(Connection connection) throws SQLException;
  }

  /**
   * A table to be read.
   *
   * @param name as SQL has it, with its schema
   * @param key the columns of its key, as SQL has them
   * @param columns names of its columns
   */
  record Table(String name, List<String> key, List<String> columns) {}

  /** Says it within a savepoint, so that what is refused costs no more than itself. */
  Answer on(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("SAVEPOINT isotail_doctor");
      try {
        Answer answer = saying.to(connection);
        statement.execute("RELEASE SAVEPOINT isotail_doctor");
        return answer;
      } catch (SQLException e) {
        statement.execute("ROLLBACK TO SAVEPOINT isotail_doctor");
        return Answer.refused(e);
      }
    }
  }

  /** All that is said with the extended protocol. */
  static List<Exchange> extended(List<Table> tables) {
    List<Exchange> all = new ArrayList<>(both(tables));
    all.add(prepared());
    all.add(portions());
    tables.forEach(table -> all.add(byKey(table)));
    return all;
  }

  /** All that is said with the simple protocol. */
  static List<Exchange> simple(List<Table> tables) {
    return both(tables);
  }

  private static List<Exchange> both(List<Table> tables) {
    List<Exchange> all = new ArrayList<>();
    all.add(
        new Exchange(
            "a query without a table",
            connection -> query(connection, CONSTANTS),
            List.of("small", "number", "text", "nothing", "bytes", "list", "at"),
            List.of(
                row(
                    "7",
                    "1234567.125",
                    "tätig \"x\"",
                    null,
                    "\\x00ff",
                    "{1,2}",
                    "2020-02-29 12:00:00")),
            0));
    all.add(
        new Exchange(
            "a statement that fails",
            connection -> query(connection, "SELECT no_such_column FROM generate_series(1, 2)"),
            null,
            null,
            0));
    tables.forEach(table -> all.add(someRows(table)));
    return all;
  }

  private static List<@Nullable String> row(@Nullable String... values) {
    List<@Nullable String> row = new ArrayList<>();
    for (String value : values) {
      row.add(value);
    }
    return row;
  }

  private static Answer query(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      return Answer.of(result);
    }
  }

  private static Exchange prepared() {
    return new Exchange(
        "a prepared query that is executed twice",
        connection -> {
          try (PreparedStatement statement =
              connection.prepareStatement("SELECT ?::int4 + 1 AS next, ?::text AS same")) {
            statement.setInt(1, 41);
            statement.setString(2, "x");
            return answer(statement).and(answer(statement));
          }
        },
        List.of("next", "same", "next", "same"),
        List.of(row("42", "x"), row("42", "x")),
        0);
  }

  private static Answer answer(PreparedStatement statement) throws SQLException {
    try (ResultSet result = statement.executeQuery()) {
      return Answer.of(result);
    }
  }

  private static Exchange portions() {
    return new Exchange(
        "many rows in portions",
        connection -> {
          try (PreparedStatement statement =
              connection.prepareStatement("SELECT n FROM generate_series(1, ?::int4) AS n")) {
            statement.setFetchSize(PORTION);
            statement.setInt(1, MANY);
            return answer(statement);
          }
        },
        List.of("n"),
        IntStream.rangeClosed(1, MANY).mapToObj(n -> row(Integer.toString(n))).toList(),
        0);
  }

  private static Exchange someRows(Table table) {
    return new Exchange(
        "rows of " + table.name(),
        connection ->
            query(
                connection,
                "SELECT * FROM %s ORDER BY %s LIMIT %d"
                    .formatted(table.name(), String.join(", ", table.key()), FEW)),
        table.columns(),
        null,
        1);
  }

  /** A row is looked up by its key, twice, with what a query before has told of the key. */
  private static Exchange byKey(Table table) {
    String keys = String.join(", ", table.key());
    String first = "SELECT %s FROM %s ORDER BY %s LIMIT 1".formatted(keys, table.name(), keys);
    String lookup =
        "SELECT * FROM %s WHERE %s = ?"
            .formatted(table.name(), String.join(" = ? AND ", table.key()));
    List<String> twice = new ArrayList<>(table.columns());
    twice.addAll(table.columns());
    return new Exchange(
        "a row of %s by its key".formatted(table.name()),
        connection -> {
          try (PreparedStatement statement = connection.prepareStatement(lookup)) {
            key(connection, first, statement);
            return answer(statement).and(answer(statement));
          }
        },
        twice,
        null,
        3);
  }

  private static void key(Connection connection, String first, PreparedStatement lookup)
      throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(first)) {
      boolean found = row.next();
      for (int i = 1; i <= row.getMetaData().getColumnCount(); i++) {
        if (found) {
          lookup.setObject(i, row.getObject(i));
        } else {
          lookup.setNull(i, row.getMetaData().getColumnType(i));
        }
      }
    }
  }
}
