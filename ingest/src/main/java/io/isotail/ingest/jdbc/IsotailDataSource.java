package io.isotail.ingest.jdbc;

import io.isotail.ingest.capture.SinkFactory;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Properties;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Connections whose transactions are recorded, without a pool: {@code url}, {@code user}, {@code
 * password} and {@code properties} as {@link IsotailDriver} takes them. For where a class of a data
 * source is configured instead of a URL.
 */
public class IsotailDataSource extends SourceSettings implements DataSource {

  /** Connects by its URL, recording to Kafka. */
  public IsotailDataSource() {
    this(null, null);
  }

  IsotailDataSource(@Nullable DataSource behind, @Nullable SinkFactory sinks) {
    super(behind, sinks);
  }

  /**
   * Records what the connections of another data source do. A session lasts from one {@code
   * getConnection} to its {@code close}: wrap what a pool connects by, not the pool, so that a
   * session is a connection to the database.
   *
   * @param settings settings of isotail, such as {@code isotail.kafka} and {@code isotail.history}
   */
  public static IsotailDataSource wrap(DataSource behind, Properties settings) {
    IsotailDataSource source = new IsotailDataSource(behind, null);
    source.setProperties(settings);
    return source;
  }

  @Override
  public Connection getConnection() throws SQLException {
    return connect();
  }

  @Override
  public Connection getConnection(@Nullable String name, @Nullable String secret)
      throws SQLException {
    return connect(name, secret);
  }

  @Override
  public <T> T unwrap(Class<T> type) throws SQLException {
    DataSource behind = behind();
    if (type.isInstance(this)) {
      return type.cast(this);
    }
    if (behind == null) {
      throw new SQLException("isotail: there is no " + type.getName() + " behind this data source");
    }
    return type.isInstance(behind) ? type.cast(behind) : behind.unwrap(type);
  }

  @Override
  public boolean isWrapperFor(Class<?> type) throws SQLException {
    DataSource behind = behind();
    return type.isInstance(this)
        || (behind != null && (type.isInstance(behind) || behind.isWrapperFor(type)));
  }
}
