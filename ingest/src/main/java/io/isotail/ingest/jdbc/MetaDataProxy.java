package io.isotail.ingest.jdbc;

import java.lang.reflect.Method;
import java.sql.DatabaseMetaData;
import org.jspecify.annotations.Nullable;

/** Stands in for a connection's meta data, which may query the catalog in its transaction. */
final class MetaDataProxy extends ProxyHandler {
  private final ConnectionProxy connection;

  MetaDataProxy(DatabaseMetaData real, ConnectionProxy connection) {
    super(real, DatabaseMetaData.class);
    this.connection = connection;
  }

  @Override
  @Nullable Object call(Method method, Object[] arguments) throws Throwable {
    if (method.getName().equals("getConnection")) {
      return connection.proxy();
    }
    if (java.sql.ResultSet.class.isAssignableFrom(method.getReturnType())) {
      connection.session().touch();
    }
    return delegate(method, arguments);
  }
}
