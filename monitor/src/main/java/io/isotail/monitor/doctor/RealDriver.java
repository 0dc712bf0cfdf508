package io.isotail.monitor.doctor;

import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Properties;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/** The database's own driver: PostgreSQL's is in this program, others come in a jar. */
public final class RealDriver {
  private RealDriver() {}

  /**
   * Connects.
   *
   * @param jar the driver's jar, null for a driver that is in this program
   * @throws IllegalArgumentException if there is no driver for the URL; the message names no part
   *     of it that may be secret
   */
  public static Connection connect(String url, Properties properties, @Nullable Path jar)
      throws SQLException, IOException {
    Connection connection = driver(url, jar).connect(url, properties);
    if (connection == null) {
      throw noDriver(jar);
    }
    return connection;
  }

  private static Driver driver(String url, @Nullable Path jar) throws SQLException, IOException {
    if (jar == null) {
      try {
        return DriverManager.getDriver(url);
      } catch (SQLException e) {
        throw noDriver(null);
      }
    }
    if (!Files.isReadable(jar)) {
      throw new IllegalArgumentException("--driver-jar " + jar + " cannot be read");
    }
    URI place = jar.toUri();
    @SuppressWarnings("resource") // classes are loaded from it as long as the program runs
    URLClassLoader loader =
        new URLClassLoader(new URL[] {place.toURL()}, RealDriver.class.getClassLoader());
    for (Driver driver : ServiceLoader.load(Driver.class, loader)) {
      if (driver.acceptsURL(url)) {
        return driver;
      }
    }
    throw noDriver(jar);
  }

  private static IllegalArgumentException noDriver(@Nullable Path jar) {
    return new IllegalArgumentException(
        jar == null
            ? "--url cannot be read, or is of a database whose driver is not in this program;"
                + " expected jdbc:postgresql://HOST:PORT/DATABASE?NAME=VALUE&…, or --driver-jar"
            : "--driver-jar " + jar + " has no driver for --url");
  }
}
