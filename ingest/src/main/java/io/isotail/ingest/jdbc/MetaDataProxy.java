package io.isotail.ingest.jdbc;

import java.sql.DatabaseMetaData;
import org.jspecify.annotations.Nullable;

/** Stands in for a connection's meta data, which may query the catalog in its transaction. */
final class MetaDataProxy extends ProxyHandler {
  private final ConnectionProxy connection;

  MetaDataProxy(DatabaseMetaData real, ConnectionProxy connection) {
    super(real, DatabaseMetaData.class, connection.classes());
    this.connection = connection;
  }

  @Override
  @Nullable Object call(RealMethod method, Object[] arguments) throws Throwable {
    if (method.called() == Called.GET_CONNECTION) {
      return connection.proxy();
    }
    if (java.sql.ResultSet.class.isAssignableFrom(method.returns())) {
      connection.session().touch();
    }
    return delegate(method, arguments);
  }
}
