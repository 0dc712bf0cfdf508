package io.isotail.monitor.trial;

import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Classes of drivers that are not on the class path, from the jars of {@code --driver-jar}. */
final class DriverJars {
  private DriverJars() {}

  /**
   * Loads classes that are here or in a jar. Never closed: a driver loads classes for as long as it
   * works.
   *
   * @throws IllegalArgumentException if there is no such jar
   */
  static ClassLoader loader(List<Path> jars) {
    List<URL> urls = new ArrayList<>();
    for (Path jar : jars) {
      if (!Files.isRegularFile(jar)) {
        throw new IllegalArgumentException("--driver-jar %s; expected a jar file".formatted(jar));
      }
      try {
        urls.add(jar.toUri().toURL());
      } catch (MalformedURLException e) {
        throw new IllegalArgumentException(
            "--driver-jar %s; expected a jar file".formatted(jar), e);
      }
    }
    return new URLClassLoader(urls.toArray(URL[]::new), DriverJars.class.getClassLoader());
  }
}
