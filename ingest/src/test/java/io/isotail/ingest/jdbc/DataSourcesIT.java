package io.isotail.ingest.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.isotail.ingest.capture.SinkFactory;
import io.isotail.ingest.emit.TransactionSink;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Properties;
import java.util.UUID;
import javax.sql.DataSource;
import javax.sql.PooledConnection;
import javax.sql.XAConnection;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;
import org.postgresql.ds.PGSimpleDataSource;

/** Classes of data sources instead of URLs, configured as beans. */
class DataSourcesIT extends DatabaseScenario {
  private final SinkFactory sinks =
      (config, oldest) ->
          new SinkFactory.OpenSink() {
            @Override
            public TransactionSink sink() {
              return sink;
            }

            @Override
            public String proxyId() {
              return "proxy";
            }

            @Override
            public boolean hasBegun() {
              return true;
            }

            @Override
            public void awaitStart(long timeoutNs) {
              throw new AssertionError("the stream has begun");
            }

            @Override
            public void close() {
              // The scenario looks at the sink itself.
            }
          };

  /** Of a history of its own, since captures are shared in the process. */
  private static Properties settings() {
    Properties settings = new Properties();
    settings.setProperty("isotail.history", UUID.randomUUID().toString());
    settings.setProperty("isotail.kafka", "nowhere:1");
    settings.setProperty("isotail.clear-names", "true");
    settings.setProperty("isotail.tables", "reg(k; v)");
    return settings;
  }

  private <T extends SourceSettings> T withUrl(T source) {
    source.setUrl("jdbc:isotail:postgresql://localhost:" + database.port() + "/postgres");
    source.setUser("postgres");
    source.setProperties(settings());
    return source;
  }

  @Test
  void aDataSourceConnectsByItsProperties() throws SQLException {
    IsotailDataSource source = withUrl(new IsotailDataSource(null, sinks));
    try (Connection c = source.getConnection()) {
      run(c, "UPDATE reg SET v = 11 WHERE k = 1");
    }
    source.setUrl(source.getUrl().replace("isotail:", ""));
    try (Connection c = source.getConnection("postgres", "")) {
      run(c, "UPDATE reg SET v = 12 WHERE k = 1");
    }
    expect("committed: w1=11", "committed: w1=12");
    source.setUrl("jdbc:isotail:nonsense:x");
    assertThatThrownBy(source::getConnection).isInstanceOf(SQLException.class);
  }

  @Test
  void anotherDataSourceCanBeBehindIt() throws SQLException {
    PGSimpleDataSource behind = new PGSimpleDataSource();
    behind.setUrl(database.jdbcUrl());
    IsotailDataSource source = new IsotailDataSource(behind, sinks);
    source.setProperties(settings());
    try (Connection c = source.getConnection()) {
      run(c, "UPDATE reg SET v = 11 WHERE k = 1");
      assertThat(((PGConnection) c).getBackendPID()).isPositive();
    }
    expect("committed: w1=11");
    assertThat(source.unwrap(PGSimpleDataSource.class)).isSameAs(behind);
    assertThat(source.isWrapperFor(HikariDataSource.class)).isFalse();
    Properties wrong = new Properties();
    wrong.setProperty("isotail.history", "h");
    assertThatThrownBy(() -> IsotailDataSource.wrap(behind, wrong).getConnection())
        .hasMessageContaining("isotail.kafka is missing");
  }

  @Test
  void aPoolMakesItByTheNameOfItsClass() {
    HikariConfig config = new HikariConfig();
    config.setDataSourceClassName(IsotailDataSource.class.getName());
    config.addDataSourceProperty("url", database.jdbcUrl() + "&isotail.enabled=false");
    config.addDataSourceProperty("user", "postgres");
    try (HikariDataSource pool = new HikariDataSource(config)) {
      DataSource source = pool;
      assertThat(source)
          .satisfies(
              s -> {
                try (Connection c = s.getConnection()) {
                  assertThat(c.unwrap(PGConnection.class)).isNotNull();
                }
              });
    }
  }

  @Test
  void aSessionIsThePhysicalConnectionOfAPool() throws SQLException {
    PooledConnection pooled = withUrl(new IsotailXADataSource(null, sinks)).getPooledConnection();
    for (int i = 0; i < 2; i++) {
      try (Connection c = pooled.getConnection()) {
        run(c, "UPDATE reg SET v = " + (11 + i) + " WHERE k = 1");
        c.setAutoCommit(false);
        run(c, "UPDATE reg SET v = 13 WHERE k = 1");
      }
    }
    pooled.close();
    expect("committed: w1=11", "aborted: w1=13", "committed: w1=12", "aborted: w1=13");
    assertThat(sink.records())
        .extracting(r -> r.session().id())
        .containsOnly(sink.records().get(0).session().id());
  }

  private record Branch(byte[] getGlobalTransactionId, byte[] getBranchQualifier) implements Xid {
    static Branch of(String name) {
      return new Branch(name.getBytes(java.nio.charset.StandardCharsets.UTF_8), new byte[] {1});
    }

    @Override
    public byte[] getGlobalTransactionId() {
      return getGlobalTransactionId;
    }

    @Override
    public byte[] getBranchQualifier() {
      return getBranchQualifier;
    }

    @Override
    public int getFormatId() {
      return 1;
    }
  }

  private static void work(XAConnection xa, Xid xid, String sql) throws SQLException, XAException {
    xa.getXAResource().start(xid, XAResource.TMNOFLAGS);
    try (Connection c = xa.getConnection()) {
      run(c, sql);
    }
    xa.getXAResource().end(xid, XAResource.TMSUCCESS);
  }

  @Test
  void branchesOfATransactionManagerHaveTheOutcomeThatItDecides() throws Exception {
    IsotailXADataSource source = withUrl(new IsotailXADataSource(null, sinks));
    XAConnection one = source.getXAConnection();
    XAConnection two = source.getXAConnection("postgres", "");
    Branch first = Branch.of(UUID.randomUUID().toString());
    Branch second = Branch.of(UUID.randomUUID().toString());
    Branch third = Branch.of(UUID.randomUUID().toString());
    work(one, first, "UPDATE reg SET v = 11 WHERE k = 1");
    assertThat(one.getXAResource().prepare(first)).isEqualTo(XAResource.XA_OK);
    work(two, second, "UPDATE reg SET v = 21 WHERE k = 2");
    two.getXAResource().prepare(second);
    assertThat(sink.records()).isEmpty();
    one.getXAResource().commit(first, false);
    one.getXAResource().rollback(second);
    work(two, third, "UPDATE reg SET v = 31 WHERE k = 3");
    two.getXAResource().commit(third, true);
    one.close();
    two.close();
    expect("committed: w1=11", "aborted: w2=21", "committed: w3=31");
  }

  /** Nobody of this process decides it: nothing is claimed. */
  @Test
  void aBranchThatIsLeftInDoubtHasAnUnknownOutcome() throws Exception {
    XAConnection xa = withUrl(new IsotailXADataSource(null, sinks)).getXAConnection();
    Branch branch = Branch.of(UUID.randomUUID().toString());
    work(xa, branch, "UPDATE reg SET v = 11 WHERE k = 1");
    xa.getXAResource().prepare(branch);
    xa.close();
    assertThat(sink.records()).isEmpty();
    IsotailDriver.shutDown();
    expect("unknown: w1=11");
    try (Connection c = java.sql.DriverManager.getConnection(database.jdbcUrl());
        java.sql.Statement s = c.createStatement();
        java.sql.ResultSet row = s.executeQuery("SELECT gid FROM pg_prepared_xacts")) {
      row.next();
      run(c, "ROLLBACK PREPARED '" + row.getString(1) + "'");
    }
  }
}
