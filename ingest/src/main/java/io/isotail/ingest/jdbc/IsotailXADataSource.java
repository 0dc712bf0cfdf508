package io.isotail.ingest.jdbc;

import io.isotail.ingest.capture.SinkFactory;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.Arrays;
import javax.sql.ConnectionPoolDataSource;
import javax.sql.DataSource;
import javax.sql.PooledConnection;
import javax.sql.XAConnection;
import javax.sql.XADataSource;
import org.jspecify.annotations.Nullable;

/**
 * Connections for a transaction manager or for a pool, whose transactions are recorded. PostgreSQL
 * only: pgjdbc's own XA and pooled connections work over a recorded connection, so that what they
 * send is seen as anything else.
 *
 * <p>A prepared transaction has the outcome of its COMMIT PREPARED or ROLLBACK PREPARED if this
 * process sends it within a minute, else an unknown one.
 */
public class IsotailXADataSource extends SourceSettings
    implements XADataSource, ConnectionPoolDataSource {
  private static final String XA = "org.postgresql.xa.PGXAConnection";
  private static final String POOLED = "org.postgresql.ds.PGPooledConnection";

  /** Connects by its URL, recording to Kafka. */
  public IsotailXADataSource() {
    this(null, null);
  }

  IsotailXADataSource(@Nullable DataSource behind, @Nullable SinkFactory sinks) {
    super(behind, sinks);
  }

  @Override
  public XAConnection getXAConnection() throws SQLException {
    return over(connect(), XA, XAConnection.class);
  }

  @Override
  public XAConnection getXAConnection(@Nullable String name, @Nullable String secret)
      throws SQLException {
    return over(connect(name, secret), XA, XAConnection.class);
  }

  @Override
  public PooledConnection getPooledConnection() throws SQLException {
    return over(connect(), POOLED, PooledConnection.class, true);
  }

  @Override
  public PooledConnection getPooledConnection(@Nullable String name, @Nullable String secret)
      throws SQLException {
    return over(connect(name, secret), POOLED, PooledConnection.class, true);
  }

  /** Makes pgjdbc's class over a connection, which is closed if that fails. */
  private static <T> T over(Connection connection, String name, Class<T> type, Object... more)
      throws SQLException {
    try {
      Class<?> real = Class.forName(name, true, connection.getClass().getClassLoader());
      Object[] arguments = new Object[1 + more.length];
      arguments[0] = connection;
      System.arraycopy(more, 0, arguments, 1, more.length);
      for (Constructor<?> each : real.getConstructors()) {
        if (each.getParameterCount() == arguments.length
            && each.getParameterTypes()[0].isInstance(connection)) {
          return type.cast(each.newInstance(arguments));
        }
      }
      throw new NoSuchMethodException(name + " with " + Arrays.toString(more));
    } catch (InvocationTargetException e) {
      connection.close();
      throw e.getCause() instanceof SQLException cause ? cause : new SQLException(e);
    } catch (ReflectiveOperationException | LinkageError e) {
      connection.close();
      throw new SQLFeatureNotSupportedException(
          "isotail: XA and pooled connections are those of pgjdbc; not found: " + name, e);
    }
  }
}
