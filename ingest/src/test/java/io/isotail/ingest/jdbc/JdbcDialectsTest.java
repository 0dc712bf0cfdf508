package io.isotail.ingest.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

final class JdbcDialectsTest {
  private static final String NOT_TOLD = "not told";

  /** A connection that knows its URL and the name of its database. */
  private static Connection connection(String url, String product) {
    DatabaseMetaData metaData =
        proxy(
            DatabaseMetaData.class,
            method -> {
              if (method.equals("getURL")) {
                return url;
              }
              if (product.equals(NOT_TOLD)) {
                throw new SQLException(NOT_TOLD);
              }
              return product;
            });
    return proxy(Connection.class, method -> metaData);
  }

  private interface Answers {
    Object to(String method) throws SQLException;
  }

  private static <T> T proxy(Class<T> type, Answers answers) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) -> answers.to(method.getName())));
  }

  private static String database(String url, String product) throws SQLException {
    Connection connection = connection(url, product);
    String database = JdbcDialects.of(connection, url).database();
    assertThat(new JdbcCatalog(connection).dialect().database()).isEqualTo(database);
    return database;
  }

  @Test
  void theDatabaseIsKnownByItsNameWhateverTheUrlNames() throws SQLException {
    for (String url :
        new String[] {
          "jdbc:postgresql://h/d",
          "jdbc:pgsql://h/d",
          "jdbc:tc:postgresql:16:///d",
          "jdbc:aws-wrapper:postgresql://h/d"
        }) {
      assertThat(database(url, "PostgreSQL")).isEqualTo("postgresql");
      assertThat(JdbcDialects.of(connection(url, "PostgreSQL"), url).defaultSchema())
          .isEqualTo("public");
    }
    assertThat(database("jdbc:tc:mysql:8:///d", "MySQL")).isEqualTo("mysql");
    assertThat(database("jdbc:tc:mariadb:11:///d", "MariaDB")).isEqualTo("mariadb");
  }

  @Test
  void theUrlTellsWhereTheNameDoesNot() throws SQLException {
    assertThat(database("jdbc:postgresql://h/d", NOT_TOLD)).isEqualTo("postgresql");
    assertThat(database("jdbc:h2:mem:d", "H2")).isEqualTo("h2");
    assertThat(database("jdbc:h2:mem:d", NOT_TOLD)).isEqualTo("h2");
  }
}
