package io.isotail.junit;

import io.isotail.incremental.forecast.Execution;
import io.isotail.incremental.forecast.Step;
import io.isotail.ingest.jdbc.IsotailDriver;
import io.isotail.ingest.jdbc.SentStatement;
import io.isotail.ingest.jdbc.StatementListener;
import io.isotail.junit.Rehearsal.Outcome;
import io.isotail.junit.Rehearsal.Result;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.sql.DataSource;

/**
 * Transactions that run once more, each on a connection of its own, on copies of tables.
 *
 * <p>Statements run whose tables are copied, and advisory locks. What takes a number of a sequence
 * or asks for a constant is left out. Anything else ends the replay. Before a transaction commits
 * the server is asked whether it has touched anything but the copies; then it does not commit. What
 * a transaction makes for itself, as a row with a new number, another run of the same one leaves
 * out.
 *
 * <p>Used by one thread: a statement that waits for another transaction ends after a second.
 */
final class Replay implements AutoCloseable {
  /** As the end of an {@link Order}: all statements, and the commit. */
  static final int COMMIT = -1;

  private static final String LIMITS = "SET lock_timeout = '1s'; SET statement_timeout = '10s'";
  private static final String REFUSED_LOCK = "55P03";
  private static final Set<String> REFUSALS = Set.of("40001", "40P01", "23505", "23503", "23P01");
  private static final String DUPLICATE = "23505";
  private static final Pattern QUOTED = Pattern.compile("\"([^\"]+)\"");
  private static final int MOST_ROWS = 1_000;

  private static final Pattern ADVISORY =
      Pattern.compile(
          "(?is)select\\s+(pg_catalog\\.)?pg_(try_)?advisory_(xact_)?lock(_shared)?\\s*\\(.*");
  private static final Pattern LEFT_OUT =
      Pattern.compile(
          "(?is)(set|show|reset)\\b.*|select\\s+(\\?|nextval\\s*\\([^()]*\\)|now\\s*\\(\\s*\\)|current_\\w+)");
  private static final Pattern SEQUENCES =
      Pattern.compile("(?is).*\\b(nextval|setval|set_config)\\s*\\(.*");
  private static final Pattern WRITES =
      Pattern.compile("(?is)\\s*(insert|update|delete|merge|with)\\b.*");

  private static final String TOUCHED_OTHERS =
      """
      SELECT count(*) FROM pg_catalog.pg_locks l
      JOIN pg_catalog.pg_class c ON c.oid = l.relation
      JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
      WHERE l.pid = pg_backend_pid() AND l.mode <> 'AccessShareLock' AND n.nspname <> ?
      """;

  /**
   * What is to run next.
   *
   * @param part which transaction
   * @param end number of its statements that have then run; {@link #COMMIT} for all and the commit
   */
  record Order(int part, int end) {}

  /** The database did something else than is asked for. */
  static final class OtherCourseException extends Exception {
    private static final long serialVersionUID = 1L;
    private final transient Outcome outcome;

    OtherCourseException(Result result, String why) {
      super(why, null, false, false);
      this.outcome = new Outcome(result, why);
    }

    Outcome outcome() {
      return outcome;
    }
  }

  private final List<Part> parts = new ArrayList<>();
  private final String schema;

  /** A transaction. */
  private static final class Part {
    final Script script;
    final Connection connection;

    /** The statements that touched rows or looked at tables. */
    final Set<Integer> told = new HashSet<>();

    /** Those of them that another part of the same execution runs. */
    final Set<Integer> leftOut = new HashSet<>();

    /** How many rows a write changed when it was seen, where that is known. */
    final Map<Integer, Integer> changed = new HashMap<>();

    /** Without capture, to ask for what it holds. */
    final Connection real;

    final List<String> answers = new ArrayList<>();
    int next;

    Part(
        Execution of,
        Script script,
        Connection real,
        Connection connection,
        Set<Integer> leftOutSteps) {
      this.real = real;
      this.script = script;
      this.connection = connection;
      Set<Integer> kept = new HashSet<>();
      for (Step step : of.steps()) {
        if (step.runs() == 1 && step.writes()) {
          changed.put(step.firstRun(), step.touches().size());
        }
        for (int run = step.firstRun(); run < step.firstRun() + step.runs(); run++) {
          told.add(run);
          (leftOutSteps.contains(step.number()) ? leftOut : kept).add(run);
        }
      }
      leftOut.removeAll(kept); // A join, of which another table counts.
    }
  }

  /**
   * Begins them.
   *
   * @param leftOut for each the numbers of steps that do not run
   */
  Replay(
      DataSource real,
      CopiedTables copies,
      List<Execution> executions,
      List<Script> scripts,
      List<Set<Integer>> leftOut,
      CheckedHistory seen)
      throws SQLException {
    this.schema = copies.schema();
    Properties settings = new Properties();
    settings.setProperty("isotail.history", seen.name());
    settings.setProperty("isotail.start-wait-ms", "0");
    settings.setProperty("isotail.instance", "1");
    settings.setProperty("isotail.clear-names", "true");
    settings.setProperty("isotail.key", seen.name()); // one capture for all of them
    try {
      for (int i = 0; i < executions.size(); i++) {
        Connection own = real.getConnection();
        Connection connection = own;
        try (Statement statement = connection.createStatement()) {
          statement.execute("SET search_path = %s; %s".formatted(copies.searchPath(), LIMITS));
          connection.setTransactionIsolation(isolation(executions.get(i)));
          connection = IsotailDriver.captured(connection, settings, seen, StatementListener.NONE);
          connection.setAutoCommit(false);
        } finally {
          parts.add(new Part(executions.get(i), scripts.get(i), own, connection, leftOut.get(i)));
        }
      }
    } catch (SQLException | RuntimeException e) {
      close();
      throw e;
    }
  }

  private static int isolation(Execution execution) {
    String level = String.valueOf(execution.ranAt());
    return level.endsWith("repeatable-read")
        ? Connection.TRANSACTION_REPEATABLE_READ
        : level.endsWith("serializable")
            ? Connection.TRANSACTION_SERIALIZABLE
            : Connection.TRANSACTION_READ_COMMITTED;
  }

  /** Runs them in this order; returns what the statements of each answer. */
  List<List<String>> run(List<Order> orders) throws OtherCourseException {
    for (Order order : orders) {
      Part part = parts.get(order.part());
      boolean all = order.end() == COMMIT;
      runUpTo(part, all ? part.script.statements().size() : order.end());
      if (all) {
        try {
          if (touchesOthers(part.real)) {
            throw new OtherCourseException(Result.OPEN, "it touches more than the copies");
          }
          part.connection.commit();
        } catch (SQLException e) {
          throw refused(e, "COMMIT");
        }
      }
    }
    return parts.stream().map(part -> part.answers).toList();
  }

  private boolean touchesOthers(Connection connection) throws SQLException {
    try (PreparedStatement ask = connection.prepareStatement(TOUCHED_OTHERS)) {
      ask.setString(1, schema);
      try (ResultSet row = ask.executeQuery()) {
        row.next();
        return row.getLong(1) > 0;
      }
    }
  }

  private static void runUpTo(Part part, int end) throws OtherCourseException {
    while (part.next < end) {
      int number = part.next++;
      SentStatement statement = part.script.statements().get(number);
      String text = statement.fingerprint();
      boolean told = part.told.contains(number);
      if (part.leftOut.contains(number) || (!told && LEFT_OUT.matcher(text).matches())) {
        part.answers.add("");
        continue;
      }
      if (!statement.isRepeatable()) {
        throw new OtherCourseException(Result.OPEN, "a statement's values are not known");
      }
      if (told ? SEQUENCES.matcher(text).matches() : !ADVISORY.matcher(text).matches()) {
        throw new OtherCourseException(Result.OPEN, "`%s` is not tried".formatted(text));
      }
      part.answers.add(run(part, number, statement));
    }
  }

  private static String run(Part part, int number, SentStatement statement)
      throws OtherCourseException {
    try (PreparedStatement again = statement.on(part.connection)) {
      boolean answers = again.execute();
      boolean writes = WRITES.matcher(statement.fingerprint()).matches();
      List<String> rows = answers ? rows(again) : List.of();
      long count = answers ? rows.size() : again.getUpdateCount();
      Integer touched = part.changed.get(number);
      long before =
          !answers && statement.count() >= 0
              ? statement.count()
              : touched == null ? SentStatement.NOT_COUNTED : touched;
      if (writes && before < 0) {
        throw new OtherCourseException(
            Result.OPEN, "it is not known how many rows a write changed");
      }
      if (writes && count != before) {
        throw new OtherCourseException(
            Result.PREVENTED,
            "`%s` hits %d rows then, in place of %d"
                .formatted(statement.fingerprint(), count, before));
      }
      return writes ? "" : String.join("\n", rows); // a write may answer with new numbers
    } catch (SQLException e) {
      if (DUPLICATE.equals(e.getSQLState()) && isOfPrimaryKey(part.real, e)) {
        throw new OtherCourseException(
            Result.OPEN,
            "`%s` gives its row the same key again".formatted(statement.fingerprint()));
      }
      throw refused(e, statement.fingerprint());
    }
  }

  /** Whether a primary key was violated: the application may give each row another one. */
  private static boolean isOfPrimaryKey(Connection connection, SQLException e) {
    Matcher name = QUOTED.matcher(String.valueOf(e.getMessage()));
    if (!name.find()) {
      return false;
    }
    try {
      connection.rollback();
      try (PreparedStatement ask =
          connection.prepareStatement(
              "SELECT 1 FROM pg_catalog.pg_constraint WHERE contype = 'p' AND conname = ?")) {
        ask.setString(1, name.group(1));
        try (ResultSet row = ask.executeQuery()) {
          return row.next();
        }
      }
    } catch (SQLException unknown) {
      return true;
    }
  }

  /** The rows, sorted; all are fetched, for the checker sees only these. */
  private static List<String> rows(PreparedStatement statement) throws SQLException {
    List<String> all = new ArrayList<>();
    try (ResultSet rows = statement.getResultSet()) {
      int columns = rows.getMetaData().getColumnCount();
      while (rows.next()) {
        StringBuilder row = new StringBuilder();
        for (int column = 1; column <= columns && all.size() < MOST_ROWS; column++) {
          row.append(rows.getString(column)).append('\t');
        }
        all.add(row.toString());
      }
    }
    all.sort(null);
    return all;
  }

  private static OtherCourseException refused(SQLException e, String statement) {
    String state = String.valueOf(e.getSQLState());
    if (state.equals(REFUSED_LOCK)) {
      return new OtherCourseException(
          Result.PREVENTED, "`%s` waits for the other transaction".formatted(statement));
    }
    return new OtherCourseException(
        REFUSALS.contains(state) ? Result.PREVENTED : Result.OPEN,
        "`%s` fails with SQLSTATE %s".formatted(statement, state));
  }

  @Override
  public void close() {
    for (Part part : parts) {
      try {
        part.connection.close();
      } catch (SQLException e) {
        // The server ends it with the process.
      }
    }
  }
}
