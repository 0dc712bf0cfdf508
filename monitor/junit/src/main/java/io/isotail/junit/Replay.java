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
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.Set;
import java.util.UUID;
import javax.sql.DataSource;

/**
 * Transactions that run once more, each on a connection of its own, on copies of tables.
 *
 * <p>Only statements run whose tables are copied, and queries that name no table. What a
 * transaction makes for itself, as a row with a new number, another run of the same one leaves out.
 *
 * <p>Used by one thread: a statement that waits for another transaction ends after a second.
 */
final class Replay implements AutoCloseable {
  /** As the end of an {@link Order}: all statements, and the commit. */
  static final int COMMIT = -1;

  private static final String LIMITS = "SET lock_timeout = '1s'; SET statement_timeout = '10s'";
  private static final String REFUSED_LOCK = "55P03";
  private static final Set<String> REFUSALS = Set.of("40001", "40P01", "23505", "23P01");
  private static final int MOST_ROWS = 1_000;

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

  /** A transaction. */
  private static final class Part {
    final Script script;
    final Connection connection;

    /** The statements that touched rows or looked at tables. */
    final Set<Integer> told = new HashSet<>();

    /** Those of them that another part of the same execution runs. */
    final Set<Integer> leftOut = new HashSet<>();

    final List<String> answers = new ArrayList<>();
    int next;

    Part(Execution of, Script script, Connection connection, boolean copy) {
      this.script = script;
      this.connection = connection;
      Set<Long> own = of.ownRows();
      for (Step step : of.steps()) {
        for (int run = step.firstRun(); run < step.firstRun() + step.runs(); run++) {
          told.add(run);
          if (copy && step.isWithin(own)) {
            leftOut.add(run);
          }
        }
      }
    }
  }

  Replay(
      DataSource real,
      CopiedTables copies,
      List<Execution> executions,
      List<Script> scripts,
      CheckedHistory seen)
      throws SQLException {
    Properties settings = new Properties();
    settings.setProperty("isotail.history", seen.name());
    settings.setProperty("isotail.start-wait-ms", "0");
    settings.setProperty("isotail.instance", "1");
    settings.setProperty("isotail.clear-names", "true");
    settings.setProperty("isotail.key", UUID.randomUUID().toString());
    try {
      for (int i = 0; i < executions.size(); i++) {
        Connection connection = real.getConnection();
        boolean copy = executions.subList(0, i).contains(executions.get(i));
        try (Statement statement = connection.createStatement()) {
          statement.execute("SET search_path = %s; %s".formatted(copies.searchPath(), LIMITS));
          connection.setTransactionIsolation(isolation(executions.get(i)));
          connection = IsotailDriver.captured(connection, settings, seen, StatementListener.NONE);
          connection.setAutoCommit(false);
        } finally {
          parts.add(new Part(executions.get(i), scripts.get(i), connection, copy));
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
          part.connection.commit();
        } catch (SQLException e) {
          throw refused(e, "COMMIT");
        }
      }
    }
    return parts.stream().map(part -> part.answers).toList();
  }

  private static void runUpTo(Part part, int end) throws OtherCourseException {
    while (part.next < end) {
      int number = part.next++;
      SentStatement statement = part.script.statements().get(number);
      boolean runs =
          part.told.contains(number)
              ? !part.leftOut.contains(number)
              : namesNoTable(statement.fingerprint());
      part.answers.add(runs ? run(part.connection, statement) : "");
    }
  }

  private static boolean namesNoTable(String fingerprint) {
    String text = fingerprint.toLowerCase(Locale.ROOT);
    return text.startsWith("select ") && !text.contains(" from ") && !text.contains("(select");
  }

  private static String run(Connection connection, SentStatement statement)
      throws OtherCourseException {
    if (!statement.isRepeatable()) {
      throw new OtherCourseException(Result.OPEN, "a statement's values are not known");
    }
    try (PreparedStatement again = statement.on(connection)) {
      if (again.execute()) {
        return rows(again);
      }
      long count = again.getUpdateCount();
      if (statement.count() >= 0 && count >= 0 && count != statement.count()) {
        throw new OtherCourseException(
            Result.PREVENTED,
            "`%s` hits %d rows then, in place of %d"
                .formatted(statement.fingerprint(), count, statement.count()));
      }
      return Long.toString(count);
    } catch (SQLException e) {
      throw refused(e, statement.fingerprint());
    }
  }

  /** The rows as a text; all are fetched, for the checker sees only these. */
  private static String rows(PreparedStatement statement) throws SQLException {
    StringBuilder text = new StringBuilder();
    try (ResultSet rows = statement.getResultSet()) {
      int columns = rows.getMetaData().getColumnCount();
      for (int row = 0; rows.next(); row++) {
        for (int column = 1; column <= columns && row < MOST_ROWS; column++) {
          text.append(rows.getString(column)).append('\t');
        }
        text.append('\n');
      }
    }
    return text.toString();
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
  public void close() throws SQLException {
    for (Part part : parts) {
      part.connection.close();
    }
  }
}
