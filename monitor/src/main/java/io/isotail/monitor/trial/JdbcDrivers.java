package io.isotail.monitor.trial;

import io.isotail.ingest.workload.ConnectionSource;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Iterator;
import java.util.List;
import java.util.Properties;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.concurrent.atomic.AtomicInteger;

/** Opens connections by JDBC drivers that are here, or in jars that the user names. */
public final class JdbcDrivers {
  private JdbcDrivers() {}

  /**
   * Opens connections to a database, to each of its nodes in turn.
   *
   * @param urls of the nodes, one or more of one kind of database
   * @param jars of drivers that are not on the class path
   * @param onConnect statements for each new connection, each by itself
   * @throws IllegalArgumentException if there is no such jar, or no driver that knows the URLs
   */
  public static ConnectionSource connecting(
      List<String> urls, Properties properties, List<Path> jars, List<String> onConnect) {
    Driver driver = driver(urls.get(0), jars);
    AtomicInteger turn = new AtomicInteger();
    return () -> {
      String url = urls.get(Math.floorMod(turn.getAndIncrement(), urls.size()));
      Connection c = driver.connect(url, properties);
      if (c == null) {
        throw new SQLException("the driver does not know the URL");
      }
      try (Statement s = c.createStatement()) {
        for (String statement : onConnect) {
          s.execute(statement);
        }
      } catch (SQLException | RuntimeException e) {
        c.close();
        throw e;
      }
      return c;
    };
  }

  private static Driver driver(String url, List<Path> jars) {
    ClassLoader loader = DriverJars.loader(jars);
    String broken = "";
    for (Iterator<Driver> drivers = ServiceLoader.load(Driver.class, loader).iterator(); ; ) {
      try {
        if (!drivers.hasNext()) {
          break;
        }
        Driver driver = drivers.next();
        if (driver.acceptsURL(url)) {
          return driver;
        }
      } catch (SQLException e) {
        // It is for others to say what is wrong with the URL.
      } catch (ServiceConfigurationError e) {
        broken = "; one could not be loaded, perhaps for want of another jar: " + e.getMessage();
      }
    }
    throw new IllegalArgumentException(
        "--url names a database for which there is no JDBC driver here; expected one in"
            + " --driver-jar FILE, or postgresql, which needs none"
            + broken);
  }
}
