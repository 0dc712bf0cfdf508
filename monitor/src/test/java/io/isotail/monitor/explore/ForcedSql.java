package io.isotail.monitor.explore;

import io.isotail.incremental.explore.ExploredHistory;
import io.isotail.incremental.explore.Program;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.postgresql.util.PSQLState;

/**
 * A program in SQL on a real PostgreSQL: its own tables, and the statements of its transactions as
 * they stand in the text. Each transaction is a function in PL/pgSQL, whose statements, locals, IF
 * and INTO are the same.
 */
final class ForcedSql implements ForcedData {
  private static final Pattern TRANSACTION =
      Pattern.compile("TRANSACTION (\\w+)\\(([^)]*)\\)\\s+BEGIN(.*?)COMMIT;", Pattern.DOTALL);
  private static final Pattern SESSION =
      Pattern.compile("SESSION (\\w+) BEGIN(.*?)END;", Pattern.DOTALL);
  private static final Pattern CALL = Pattern.compile("CALL (\\w+\\([^;]*\\));");
  private static final Pattern PARAMETER = Pattern.compile("PARAMETER (\\w+) = (.*?);");
  private static final Pattern LOCAL = Pattern.compile(":(\\w+)");
  private static final Pattern VARIABLE = Pattern.compile("(\\w+)\\[\"?(.*?)\"?]");
  private static final Pattern CREATED = Pattern.compile("CREATE TABLE (\\w+)");

  private final String name;
  private final String initialRows;
  private final List<String> tables = new ArrayList<>();
  private final List<String> calls = new ArrayList<>();

  /**
   * Makes the tables and the functions.
   *
   * @param name of the program; a schema has it
   * @param text in SQL
   */
  ForcedSql(String url, String name, String text) throws SQLException {
    this.name = "forced_" + name.replaceAll("\\W", "_");
    String plain = text.replaceAll("--.*", "");
    for (Matcher parameter = PARAMETER.matcher(plain); parameter.find(); ) {
      plain = plain.replace(":" + parameter.group(1), parameter.group(2));
    }
    String data = plain.substring(0, plain.indexOf("TRANSACTION")).replaceAll("PARAMETER.*", "");
    this.initialRows = statements(data, "INSERT");
    CREATED.matcher(data).results().forEach(found -> tables.add(found.group(1)));
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute(
          "DROP SCHEMA IF EXISTS %1$s CASCADE; CREATE SCHEMA %1$s".formatted(this.name));
      statement.execute("SET search_path = " + this.name);
      statement.execute(statements(data, "CREATE"));
      for (Matcher found = TRANSACTION.matcher(plain); found.find(); ) {
        statement.execute(function(found.group(1), found.group(2), found.group(3)));
      }
    }
    for (Matcher session = SESSION.matcher(plain); session.find(); ) {
      CALL.matcher(session.group(2)).results().forEach(call -> calls.add(call.group(1)));
    }
  }

  private static String statements(String text, String first) {
    return Pattern.compile(first + "\\s[^;]*;")
        .matcher(text)
        .results()
        .map(found -> found.group())
        .collect(Collectors.joining("\n"));
  }

  private static String function(String name, String parameters, String body) {
    String ownParameters =
        parameters.isBlank() ? "" : "l_" + parameters.strip().replaceAll(",\\s*", ", l_");
    Set<String> locals = new LinkedHashSet<>();
    LOCAL
        .matcher(body)
        .results()
        .map(found -> found.group(1))
        .filter(local -> !ownParameters.matches(".*\\bl_" + local + "\\b.*"))
        .forEach(locals::add);
    return """
    CREATE FUNCTION %s(%s) RETURNS void LANGUAGE plpgsql AS $$
    DECLARE
    %s
    BEGIN
    %s
    END $$
    """
        .formatted(
            name,
            ownParameters,
            locals.stream().map(local -> "l_" + local + " int;").collect(Collectors.joining("\n")),
            LOCAL
                .matcher(body)
                .replaceAll("l_$1")
                .replace("SELECT * FROM", "PERFORM * FROM")
                .replace("ROLLBACK;", "RAISE EXCEPTION 'it rolls back';"));
  }

  @Override
  public void fill(Connection connection, Program program) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String table : tables) {
        statement.execute("DELETE FROM %s.%s".formatted(name, table));
      }
      statement.execute("SET LOCAL search_path = " + name);
      statement.execute(initialRows);
    }
  }

  @Override
  public String read(Connection connection, String variable) throws SQLException {
    Matcher row = VARIABLE.matcher(variable);
    if (!row.matches()) {
      // What is read where the exploration reads nothing.
      row = VARIABLE.matcher(tables.get(0) + "[0]");
      row.matches();
    }
    String table = name + "." + row.group(1);
    List<String> key = key(connection, row.group(1));
    String condition =
        key.stream().map(column -> column + "::text = ?").collect(Collectors.joining(" AND "));
    String[] values = row.group(2).split(":", -1);
    try (PreparedStatement query =
        connection.prepareStatement("SELECT * FROM %s WHERE %s".formatted(table, condition))) {
      for (int i = 0; i < key.size(); i++) {
        query.setString(i + 1, i < values.length ? values[i] : "");
      }
      try (ResultSet rows = query.executeQuery()) {
        return rows.next() ? shown(rows) : String.valueOf(Program.ABSENT);
      }
    }
  }

  private List<String> key(Connection connection, String table) throws SQLException {
    List<String> columns = new ArrayList<>();
    try (ResultSet key = connection.getMetaData().getPrimaryKeys(null, name, table)) {
      while (key.next()) {
        columns.add(key.getString("COLUMN_NAME"));
      }
    }
    return columns;
  }

  private static String shown(ResultSet row) throws SQLException {
    ResultSetMetaData columns = row.getMetaData();
    List<String> values = new ArrayList<>();
    for (int i = 1; i <= columns.getColumnCount(); i++) {
      values.add(columns.getColumnName(i) + "=" + row.getObject(i));
    }
    return "(" + String.join(", ", values) + ")";
  }

  @Override
  public boolean act(Connection connection, ExploredHistory history, int transaction)
      throws SQLException {
    if (transaction > calls.size()) {
      // The final reads are compared, and do nothing else.
      return true;
    }
    try (Statement statement = connection.createStatement()) {
      statement.execute("SET LOCAL search_path = " + name);
      statement.execute("SELECT " + calls.get(transaction - 1));
    } catch (SQLException e) {
      boolean gaveUp =
          "P0001".equals(e.getSQLState())
              || PSQLState.UNIQUE_VIOLATION.getState().equals(e.getSQLState());
      if (gaveUp && !history.committed(transaction)) {
        return true;
      }
      throw e;
    }
    if (!history.committed(transaction)) {
      return false;
    }
    for (Map.Entry<String, Object> written : history.end(transaction).writes().entrySet()) {
      if (!read(connection, written.getKey()).equals(String.valueOf(written.getValue()))) {
        return false;
      }
    }
    return true;
  }
}
