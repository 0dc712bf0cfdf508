package io.isotail.ingest.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.ingest.capture.CaptureConfig;
import io.isotail.ingest.sql.ObservedTables;
import java.sql.Array;
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
import org.postgresql.jdbc.PgStatement;
import org.postgresql.util.PGobject;

/** A statement that is sent in two forms is one to the application, as it is without isotail. */
class TwoFormsIT extends DatabaseScenario {
  private static final String QUERY = "SELECT v FROM public.reg WHERE k = ?";
  private static final String UPDATE = "UPDATE public.reg SET w = 'c' WHERE k = 1";

  /** Of a class that isotail does not know how to copy. */
  private static final class NotCopied extends PGobject {}

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
            PGobject sentAsItIs = new NotCopied();
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

  @Test
  void clearedParametersAreMissing() throws SQLException {
    same(
        (c, seen) -> {
          for (boolean executed : new boolean[] {false, true}) {
            for (boolean told : new boolean[] {false, true}) {
              try (PreparedStatement s = c.prepareStatement(QUERY)) {
                s.setLong(1, 1);
                if (told) {
                  seen.add(s.toString());
                }
                if (executed) {
                  s.executeQuery();
                }
                s.clearParameters();
                seen.add(failure(s::executeQuery));
                s.setLong(1, 1);
                seen.add(values(s.executeQuery()));
              }
            }
          }
        });
  }

  @Test
  void valuesChangeWhicheverFormHadThemFirst() throws SQLException {
    same(
        (c, seen) -> {
          try (PreparedStatement s = c.prepareStatement(QUERY)) {
            for (long key : new long[] {1, 2, 1, 77, 2}) {
              s.setLong(1, key);
              seen.add(values(s.executeQuery()));
              seen.add(s.toString());
            }
            PGobject sentAsItIs = new NotCopied();
            sentAsItIs.setType("int8");
            sentAsItIs.setValue("1");
            s.setObject(1, sentAsItIs);
            seen.add(values(s.executeQuery()));
            seen.add(s.toString());
            s.setLong(1, 2);
            seen.add(values(s.executeQuery()));
          }
          try (PreparedStatement s = c.prepareStatement(QUERY)) {
            PGobject first = new NotCopied();
            first.setType("int8");
            first.setValue("2");
            s.setMaxRows(1);
            s.setObject(1, first);
            seen.add(s.getMaxRows() + " " + values(s.executeQuery()));
            s.setLong(1, 1);
            seen.add(s.getMaxRows() + " " + values(s.executeQuery()));
          }
        });
  }

  @Test
  void arraysAreSetOnBothForms() throws SQLException {
    same(
        (c, seen) -> {
          String any = "SELECT v FROM public.reg WHERE k = ANY (?) ORDER BY k";
          try (PreparedStatement s = c.prepareStatement(any)) {
            Array array = c.createArrayOf("bigint", new Object[] {1L, 2L});
            s.setArray(1, array);
            seen.add(values(s.executeQuery()));
            array.free();
            seen.add(values(s.executeQuery()));
            seen.add(s.toString());
            seen.add(values(s.executeQuery()));
            for (boolean told : new boolean[] {false, true}) {
              Array other = c.createArrayOf("bigint", new Object[] {2L});
              s.setArray(1, other);
              other.free();
              if (told) {
                seen.add(s.getMetaData().getColumnCount());
              }
              seen.add(values(s.executeQuery()));
            }
            s.setArray(1, null);
            seen.add(values(s.executeQuery()));
          }
          for (Object keys : new Object[] {new long[] {1, 77}, new Long[] {1L, 77L}}) {
            try (PreparedStatement s = c.prepareStatement(any)) {
              s.setObject(1, keys);
              java.lang.reflect.Array.set(keys, 0, 2L);
              seen.add(values(s.executeQuery()));
              seen.add(s.toString());
              seen.add(values(s.executeQuery()));
            }
          }
          try (PreparedStatement s = c.prepareStatement(QUERY)) {
            PGobject key = new PGobject();
            key.setType("int8");
            key.setValue("1");
            s.setObject(1, key);
            key.setValue("2");
            seen.add(values(s.executeQuery()));
            seen.add(s.toString());
            seen.add(values(s.executeQuery()));
          }
          String update = "UPDATE public.reg SET w = 'a' WHERE k = ANY (?)";
          try (PreparedStatement s = c.prepareStatement(update)) {
            for (long key = 1; key <= 3; key++) {
              Array keys = c.createArrayOf("bigint", new Object[] {key});
              s.setArray(1, keys);
              s.addBatch();
              keys.free();
            }
            seen.add(s.executeBatch());
          }
        });
  }

  @Test
  void rowsThatAnArrayAsksForAreRead() throws SQLException {
    ConnectionWrapper findsTables =
        IsotailDriver.wrapper(CaptureConfig.of("test", ObservedTables.parse("")), sink, "proxy");
    try (Connection c = findsTables.wrap(DriverManager.getConnection(database.jdbcUrl()))) {
      run(c, "SELECT v FROM public.reg WHERE k = 1");
      String any = "SELECT v FROM public.reg WHERE k = ANY (?)";
      for (Object keys :
          new Object[] {c.createArrayOf("bigint", new Object[] {1L, 2L}), new long[] {1, 2}}) {
        try (PreparedStatement s = c.prepareStatement(any)) {
          sink.clear();
          s.setObject(1, keys);
          assertThat(values(s.executeQuery())).hasSize(2);
        }
        assertThat(sink.records())
            .singleElement()
            .extracting(t -> t.operations().size())
            .isEqualTo(2);
      }
    }
  }

  @Test
  void whatIsWrongIsToldInTheDriversWords() throws SQLException {
    same(
        (c, seen) -> {
          PreparedStatement s = c.prepareStatement(QUERY);
          seen.add(failure(s::executeQuery));
          seen.add(failure(() -> set(s, 2)));
          seen.add(failure(() -> set(s, 0)));
          seen.add(failure(() -> c.prepareStatement("SELECT 'v FROM public.reg")));
          seen.add(
              failure(() -> c.prepareStatement("SELECT nosuch FROM public.reg").executeQuery()));
          s.close();
          s.close();
          seen.add(s.isClosed());
          seen.add(failure(() -> set(s, 1)));
          seen.add(failure(s::executeQuery));
          seen.add(failure(s::getMetaData));
          c.close();
          seen.add(failure(() -> c.prepareStatement(QUERY)));
        });
  }

  @Test
  void whatIsBehindItKnowsNothingOfTheOtherForm() throws SQLException {
    same(
        (c, seen) -> {
          try (PreparedStatement s = c.prepareStatement(QUERY)) {
            s.setLong(1, 1);
            PgStatement bare = s.unwrap(PgStatement.class);
            seen.add(bare.toString());
            try (ResultSet rows = ((PreparedStatement) bare).executeQuery()) {
              seen.add(rows.getMetaData().getColumnCount());
            }
            seen.add(values(s.executeQuery()));
            seen.add(s.getParameterMetaData().getParameterCount());
          }
        });
  }

  private static Object set(PreparedStatement statement, int parameter) throws SQLException {
    statement.setLong(parameter, 1);
    return "set";
  }

  private static List<Object> values(ResultSet rows) throws SQLException {
    List<Object> values = new ArrayList<>();
    while (rows.next()) {
      values.add(rows.getObject(1));
    }
    return values;
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
