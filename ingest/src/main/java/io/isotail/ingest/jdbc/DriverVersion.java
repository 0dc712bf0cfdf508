package io.isotail.ingest.jdbc;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The version that Maven built, from a file that it fills in.
 *
 * @param major what incompatible changes raise
 * @param minor what additions raise
 */
record DriverVersion(int major, int minor) {
  private static final Pattern START = Pattern.compile("(\\d+)\\.(\\d+).*");

  /**
   * Reads the version.
   *
   * @throws IllegalStateException if Maven did not fill it in
   */
  static DriverVersion read() {
    Properties build = new Properties();
    try (InputStream file = DriverVersion.class.getResourceAsStream("build.properties")) {
      if (file != null) {
        build.load(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return of(build.getProperty("version", ""));
  }

  /** The version that a text such as {@code 2.3.1-SNAPSHOT} begins with. */
  static DriverVersion of(String text) {
    Matcher start = START.matcher(text);
    if (!start.matches()) {
      throw new IllegalStateException("found the version '" + text + "'; expected MAJOR.MINOR.…");
    }
    return new DriverVersion(Integer.parseInt(start.group(1)), Integer.parseInt(start.group(2)));
  }
}
