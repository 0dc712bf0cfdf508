package io.isotail.ingest.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.ingest.capture.CaptureConfig;
import io.isotail.ingest.sql.ObservedTables;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.postgresql.PGStatement;
import org.postgresql.util.PGobject;

/** A statement that is sent in two forms is one to the application, as it is without isotail. */
class TwoFormsIT extends DatabaseScenario {
  private static final String QUERY = "SELECT v FROM public.reg WHERE k = ?";
  private static final String UPDATE = "UPDATE public.reg SET w = 'c' WHERE k = 1";

  /** What an application does, and what it sees. */
  private interface Application {
    void run(Connection c, List<Object> seen) throws SQLException;
  }

  @Test
  void settingsAreKnownAsSoonAsTheyAreMade() throws SQLException {
    same(
        (c, seen) -> {
          try (PreparedStatement s =
              c.prepareStatement(
                  QUERY, ResultSet.TYPE_SCROLL_INSENSITIVE, ResultSet.CONCUR_READ_ONLY)) {
            for (int i = 1; i <= 2; i++) {
              s.setMaxRows(i);
              s.setFetchSize(10 * i);
              s.setQueryTimeout(100 * i);
              s.setMaxFieldSize(1000 * i);
              s.setFetchDirection(i == 1 ? ResultSet.FETCH_REVERSE : ResultSet.FETCH_FORWARD);
              ((PGStatement) s).setPrepareThreshold(i);
              seen.add(s.getMaxRows() + " " + s.getFetchSize() + " " + s.getQueryTimeout());
              seen.add(s.getMaxFieldSize() + " " + s.getFetchDirection());
              seen.add(((PGStatement) s).getPrepareThreshold());
              seen.add(((PGStatement) s).isUseServerPrepare());
              read(s, 1);
            }
          }
        });
  }

  @Test
  void aStatementThatClosesOnCompletionIsClosedWithItsRows() throws SQLException {
    same(
        (c, seen) -> {
          PreparedStatement before = c.prepareStatement(QUERY);
          before.closeOnCompletion();
          read(before, 1);
          seen.add(before.isCloseOnCompletion() + " " + before.isClosed());
          PreparedStatement amid = c.prepareStatement(QUERY);
          amid.setLong(1, 1);
          ResultSet rows = amid.executeQuery();
          amid.closeOnCompletion();
          seen.add(amid.isCloseOnCompletion() + " " + amid.isClosed());
          rows.close();
          seen.add(amid.isCloseOnCompletion() + " " + amid.isClosed());
          seen.add(failure(amid::executeQuery));
        });
  }

  @Test
  void aWriteDoesNotCompleteIt() throws SQLException {
    same(
        (c, seen) -> {
          try (Statement plain = c.createStatement();
              PreparedStatement prepared = c.prepareStatement(UPDATE)) {
            plain.closeOnCompletion();
            prepared.closeOnCompletion();
            for (int i = 0; i < 2; i++) {
              seen.add(plain.executeUpdate(UPDATE));
              seen.add(prepared.executeUpdate());
              prepared.addBatch();
              seen.add(prepared.executeBatch());
              seen.add(plain.isClosed() + " " + prepared.isClosed());
            }
          }
        });
  }

  @Test
  void itsNextExecutionClosesItsRows() throws SQLException {
    same(
        (c, seen) -> {
          try (PreparedStatement s = c.prepareStatement(QUERY)) {
            PGobject sentAsItIs = new PGobject();
            sentAsItIs.setType("int8");
            sentAsItIs.setValue("1");
            List<ResultSet> before = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
              if (i % 2 == 0) {
                s.setLong(1, 1);
              } else {
                s.setObject(1, sentAsItIs);
              }
              before.add(s.executeQuery());
              for (ResultSet rows : before) {
                seen.add(rows.isClosed());
              }
            }
          }
        });
  }

  private static void read(PreparedStatement statement, long key) throws SQLException {
    statement.setLong(1, key);
    try (ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        rows.getObject(1);
      }
    }
  }

  private interface Call {
    Object run() throws SQLException;
  }

  private static String failure(Call call) {
    try {
      return String.valueOf(call.run());
    } catch (SQLException e) {
      return e.getSQLState() + " " + e.getMessage();
    }
  }

  private void same(Application application) throws SQLException {
    List<Object> expected = new ArrayList<>();
    try (Connection c = DriverManager.getConnection(database.jdbcUrl())) {
      application.run(c, expected);
    }
    List<Object> actual = new ArrayList<>();
    ConnectionWrapper findsTables =
        IsotailDriver.wrapper(CaptureConfig.of("test", ObservedTables.parse("")), sink, "proxy");
    try (Connection c = findsTables.wrap(DriverManager.getConnection(database.jdbcUrl()))) {
      run(c, "SELECT v FROM public.reg WHERE k = 1"); // From here on the tables are known.
      application.run(c, actual);
    }
    assertThat(actual).usingRecursiveComparison().isEqualTo(expected);
  }
}
