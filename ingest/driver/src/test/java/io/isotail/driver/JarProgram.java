package io.isotail.driver;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;

/** An application that knows nothing but JDBC and a URL. */
public final class JarProgram {
  private JarProgram() {}

  /** Runs three transactions; the only argument is the URL. */
  public static void main(String[] args) throws Exception {
    try (Connection c = DriverManager.getConnection(args[0]);
        Statement s = c.createStatement()) {
      s.execute("CREATE TABLE reg (k bigint PRIMARY KEY, v bigint)");
      s.execute("INSERT INTO reg (k, v) VALUES (1, 10)");
      c.setAutoCommit(false);
      s.executeQuery("SELECT k, v FROM reg WHERE k = 1").next();
      s.executeUpdate("UPDATE reg SET v = 11 WHERE k = 1");
      c.commit();
      try (ResultSet rows = s.executeQuery("SELECT k, v FROM reg WHERE k = 1")) {
        rows.next();
        System.out.println("read " + rows.getLong("v"));
      }
      c.commit();
    }
  }
}
