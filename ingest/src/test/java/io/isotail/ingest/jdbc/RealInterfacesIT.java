package io.isotail.ingest.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.isotail.ingest.capture.CaptureStats;
import io.isotail.ingest.capture.RecordingSink;
import io.isotail.ingest.sql.ObservedTables;
import java.io.StringReader;
import java.io.StringWriter;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;
import org.postgresql.PGResultSetMetaData;
import org.postgresql.PGStatement;
import org.postgresql.copy.CopyIn;
import org.postgresql.copy.CopyManager;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.BaseStatement;
import org.postgresql.jdbc.AutoSave;
import org.postgresql.largeobject.LargeObject;
import org.postgresql.largeobject.LargeObjectManager;

/** Applications cast what they get to pgjdbc's own interfaces; what these do is still seen. */
class RealInterfacesIT extends DatabaseScenario {

  @Test
  void everythingCanBeCastAsTheRealObject() throws SQLException {
    PGConnection pg = (PGConnection) connection;
    assertThat(pg.getBackendPID()).isPositive();
    assertThat(connection.unwrap(PGConnection.class)).isSameAs(connection);
    assertThat(connection.unwrap(BaseConnection.class)).isSameAs(connection);
    assertThat(((BaseConnection) connection).haveMinimumServerVersion(90_000)).isTrue();
    pg.setPrepareThreshold(3);
    try (Statement plain = connection.createStatement();
        PreparedStatement prepared =
            connection.prepareStatement("SELECT v AS n FROM reg WHERE k = ?");
        CallableStatement call = connection.prepareCall("{? = call abs(-1)}")) {
      assertThat(((PGStatement) plain).getPrepareThreshold()).isEqualTo(3);
      ((PGStatement) prepared).setPrepareThreshold(1);
      assertThat(((PGStatement) prepared).isUseServerPrepare()).isTrue();
      assertThat(call).isInstanceOf(PGStatement.class);
      prepared.setLong(1, 1);
      try (ResultSet row = prepared.executeQuery()) {
        PGResultSetMetaData metaData = (PGResultSetMetaData) row.getMetaData();
        assertThat(metaData.getBaseTableName(1)).isEqualTo("reg");
        assertThat(metaData.getBaseColumnName(1)).isEqualTo("v");
      }
    }
  }

  /** With columns that the application does not see. */
  @Test
  void metaDataWithHiddenColumnsCanBeCastToo() throws SQLException {
    RecordingSink own = new RecordingSink();
    ConnectionWrapper unprepared =
        IsotailDriver.wrapper(
            io.isotail.ingest.capture.CaptureConfig.of("test", ObservedTables.parse("")),
            own,
            "proxy");
    try (Connection c = unprepared.wrap(DriverManager.getConnection(database.jdbcUrl()));
        PreparedStatement s = c.prepareStatement("SELECT v FROM reg WHERE k = 1")) {
      ((PGStatement) s).setPrepareThreshold(1);
      for (int i = 0; i < 2; i++) {
        try (ResultSet row = s.executeQuery()) {
          PGResultSetMetaData metaData = (PGResultSetMetaData) row.getMetaData();
          assertThat(metaData.getBaseColumnName(1)).isEqualTo("v");
          assertThatThrownBy(() -> metaData.getBaseColumnName(2)).isInstanceOf(SQLException.class);
          assertThat(row.next()).isTrue();
        }
      }
    }
    assertThat(own.records()).hasSize(2).allMatch(r -> r.operations().size() == 1);
  }

  @Test
  void aCopyIsAnOpaqueWriteOfItsTransaction() throws Exception {
    connection.setAutoCommit(false);
    CopyManager copies = ((PGConnection) connection).getCopyAPI();
    assertThat(((PGConnection) connection).getCopyAPI()).isSameAs(copies);
    run("UPDATE reg SET v = 11 WHERE k = 1");
    assertThat(copies.copyIn("COPY reg (k, v) FROM STDIN", new StringReader("7\t70\n8\t80\n")))
        .isEqualTo(2);
    connection.commit();
    run("UPDATE reg SET v = 12 WHERE k = 1");
    connection.commit();
    copies.copyIn("COPY reg (k, v) FROM STDIN", new StringReader("9\t90\n"));
    connection.rollback();
    StringWriter out = new StringWriter();
    copies.copyOut("COPY other TO STDOUT", out);
    connection.commit();
    expect("committed: w1=11 opaque(reg)", "committed: w1=12", "aborted: opaque(reg)");
  }

  @Test
  void aCopyInAutocommitEndsWithItsLastCall() throws Exception {
    CopyManager copies = new CopyManager(connection.unwrap(BaseConnection.class));
    CopyIn copy = copies.copyIn("COPY reg (k, v) FROM STDIN");
    byte[] row = "7\t70\n".getBytes(StandardCharsets.UTF_8);
    copy.writeToCopy(row, 0, row.length);
    assertThat(sink.records()).isEmpty();
    copy.endCopy();
    expect("committed: opaque(reg)");
    copies.copyIn("COPY reg (k, v) FROM STDIN").cancelCopy();
    assertThatThrownBy(
            () -> copies.copyIn("COPY reg (k, v) FROM STDIN", new StringReader("7\t70\n")))
        .hasMessageContaining("duplicate key");
    expect("committed: opaque(reg)", "aborted:", "aborted:");
  }

  @Test
  void whatIsSentByConnectionsAndStatementsOfPgjdbcIsSeen() throws SQLException {
    BaseConnection base = (BaseConnection) connection;
    base.execSQLUpdate("UPDATE reg SET v = 11 WHERE k = 1");
    try (Statement s = connection.createStatement()) {
      ((BaseStatement) s).executeWithFlags("UPDATE reg SET v = 12 WHERE k = 1", 0);
    }
    base.execSQLUpdate("BEGIN");
    base.execSQLUpdate("UPDATE reg SET v = 13 WHERE k = 1");
    base.execSQLUpdate("ROLLBACK");
    assertThatThrownBy(() -> base.execSQLUpdate("UPDATE reg SET w = 1 / 0 WHERE k = 1"))
        .isInstanceOf(SQLException.class);
    expect("committed: opaque(reg)", "committed: w1=12", "aborted: opaque(reg)", "aborted:");
  }

  @Test
  void aCallOfAFunctionByItsNumberIsAnOpaqueWrite() throws SQLException {
    connection.setAutoCommit(false);
    @SuppressWarnings("deprecation")
    org.postgresql.fastpath.Fastpath calls = ((PGConnection) connection).getFastpathAPI();
    calls.addFunction("touch", functionNumber("touch"));
    callTouch(calls);
    connection.commit();
    expect("committed: opaque(*)");
  }

  @SuppressWarnings("deprecation")
  private static void callTouch(org.postgresql.fastpath.Fastpath calls) throws SQLException {
    assertThat(calls.getInteger("touch", new org.postgresql.fastpath.FastpathArg[0])).isOne();
  }

  private static int functionNumber(String name) throws SQLException {
    try (Connection c = DriverManager.getConnection(database.jdbcUrl());
        Statement s = c.createStatement();
        ResultSet row = s.executeQuery("SELECT '" + name + "'::regproc::oid::int")) {
      row.next();
      return row.getInt(1);
    }
  }

  @Test
  void largeObjectsAndSettingsDisturbNothing() throws Exception {
    connection.setAutoCommit(false);
    PGConnection pg = (PGConnection) connection;
    pg.setAutosave(AutoSave.NEVER);
    pg.addDataType("box", org.postgresql.geometric.PGbox.class);
    LargeObjectManager objects = pg.getLargeObjectAPI();
    long id = objects.createLO();
    try (LargeObject object = objects.open(id)) {
      object.write(new byte[] {1, 2, 3});
    }
    run("UPDATE reg SET v = 11 WHERE k = 1");
    connection.commit();
    pg.cancelQuery();
    assertThat(pg.getNotifications()).isEmpty();
    run("UPDATE reg SET v = 12 WHERE k = 1");
    connection.commit();
    expect("committed: w1=11", "committed: w1=12");
    assertThat(wrapper.stats().of(CaptureStats.Event.HIDDEN_STATEMENTS)).isZero();
  }

  @Test
  void aConnectionOfAPoolIsSeenThroughWhenItIsUnwrapped() throws Exception {
    Connection pooled =
        (Connection)
            Proxy.newProxyInstance(
                RealInterfacesIT.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                (self, method, arguments) ->
                    method.invoke(realConnectionOf(database.jdbcUrl()), arguments));
    try (Connection c = wrapper.wrap(pooled)) {
      assertThat(c).isNotInstanceOf(PGConnection.class);
      PGConnection behind = c.unwrap(PGConnection.class);
      run((Connection) behind, "UPDATE reg SET v = 11 WHERE k = 1");
    }
    expect("committed: w1=11");
    inPool.close();
    inPool = null;
  }

  private Connection inPool;

  private Connection realConnectionOf(String url) throws SQLException {
    if (inPool == null) {
      inPool = DriverManager.getConnection(url);
    }
    return inPool;
  }
}
