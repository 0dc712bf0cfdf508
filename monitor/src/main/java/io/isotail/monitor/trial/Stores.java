package io.isotail.monitor.trial;

import io.isotail.ingest.store.StoreProvider;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds what speaks to a store without SQL, among what is here and in jars that the user names. */
public final class Stores {
  private static final Pattern SCHEME = Pattern.compile("([A-Za-z][A-Za-z0-9+.-]*):.*");

  private Stores() {}

  /** Whether a URL is of a store without SQL, so that it is none of JDBC. */
  public static boolean isStore(String url) {
    return !url.startsWith("jdbc:");
  }

  /**
   * What opens stores of a URL's scheme.
   *
   * @param jars of stores that are not on the class path
   * @throws IllegalArgumentException if there is no such jar, or nothing that takes the URL
   */
  public static StoreProvider provider(String url, List<Path> jars) {
    Matcher matcher = SCHEME.matcher(url);
    String wanted = matcher.matches() ? matcher.group(1) : "";
    Set<String> schemes = new TreeSet<>();
    String broken = "";
    ClassLoader loader = DriverJars.loader(jars);
    for (Iterator<StoreProvider> found = ServiceLoader.load(StoreProvider.class, loader).iterator();
        ; ) {
      try {
        if (!found.hasNext()) {
          break;
        }
        StoreProvider provider = found.next();
        if (provider.scheme().equalsIgnoreCase(wanted)) {
          return provider;
        }
        schemes.add(provider.scheme() + ":");
      } catch (ServiceConfigurationError e) {
        broken = "; one could not be loaded, perhaps for want of another jar: " + e.getMessage();
      }
    }
    schemes.add("jdbc:");
    throw new IllegalArgumentException(
        "--url begins with '%s', of which no store is known; expected one of %s, or one in --driver-jar FILE%s"
            .formatted(wanted + (wanted.isEmpty() ? "" : ":"), String.join(", ", schemes), broken));
  }
}
