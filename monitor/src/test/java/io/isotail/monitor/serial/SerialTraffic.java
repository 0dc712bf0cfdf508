package io.isotail.monitor.serial;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.List;
import java.util.Random;

/** Random transactions, each of which has ended when the call returns. */
final class SerialTraffic {
  /** A constraint is broken: the application's own mistake. */
  private static final String CONSTRAINT = "23";

  private static final List<String> LEVELS =
      List.of("READ COMMITTED", "REPEATABLE READ", "SERIALIZABLE");

  private static final int[] JDBC_LEVELS = {
    Connection.TRANSACTION_READ_COMMITTED,
    Connection.TRANSACTION_REPEATABLE_READ,
    Connection.TRANSACTION_SERIALIZABLE
  };

  private final Random random;
  private final Statements statements;

  SerialTraffic(Random random, Statements statements) {
    this.random = random;
    this.statements = statements;
  }

  /** One transaction; in autocommit mode several if a statement is made of several. */
  void transaction(Connection connection) throws SQLException {
    switch (random.nextInt(5)) {
      case 0 -> inAutocommit(connection);
      case 1 -> inSql(connection);
      default -> inJdbc(connection);
    }
  }

  private void inAutocommit(Connection c) throws SQLException {
    try {
      statements.any(c);
    } catch (SQLException e) {
      requireConstraint(e);
    }
  }

  private void inJdbc(Connection c) throws SQLException {
    c.setTransactionIsolation(JDBC_LEVELS[random.nextInt(JDBC_LEVELS.length)]);
    c.setAutoCommit(false);
    try {
      for (int i = random.nextInt(5); i >= 0; i--) {
        if (random.nextInt(6) == 0) {
          withSavepoint(c);
        } else {
          statements.any(c);
        }
      }
      if (random.nextInt(7) == 0) {
        c.rollback();
      } else {
        c.commit();
      }
    } catch (SQLException e) {
      requireConstraint(e);
      c.rollback();
    }
    c.setAutoCommit(true);
  }

  private void withSavepoint(Connection c) throws SQLException {
    Savepoint savepoint = c.setSavepoint();
    try {
      statements.any(c);
      if (random.nextBoolean()) {
        c.rollback(savepoint);
      } else {
        c.releaseSavepoint(savepoint);
      }
    } catch (SQLException e) {
      requireConstraint(e);
      c.rollback(savepoint);
    }
  }

  private void inSql(Connection c) throws SQLException {
    run(c, "BEGIN ISOLATION LEVEL " + LEVELS.get(random.nextInt(LEVELS.size())));
    try {
      boolean savepoint = random.nextInt(3) == 0;
      statements.any(c);
      if (savepoint) {
        run(c, "SAVEPOINT here");
      }
      statements.any(c);
      if (savepoint && random.nextBoolean()) {
        run(c, "ROLLBACK TO here");
        statements.any(c);
      }
      run(c, random.nextInt(7) == 0 ? "ROLLBACK" : "COMMIT");
    } catch (SQLException e) {
      requireConstraint(e);
      // The answer to a commit of what has failed is a rollback.
      run(c, random.nextBoolean() ? "ROLLBACK" : "COMMIT");
    }
  }

  private static void run(Connection c, String text) throws SQLException {
    try (Statement statement = c.createStatement()) {
      statement.execute(text);
    }
  }

  private static void requireConstraint(SQLException e) throws SQLException {
    String state = e.getSQLState();
    if (state == null || !state.startsWith(CONSTRAINT)) {
      throw e;
    }
  }
}
