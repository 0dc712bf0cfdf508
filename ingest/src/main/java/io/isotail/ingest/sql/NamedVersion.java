package io.isotail.ingest.sql;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An application's name, and the version that stands behind it: {@code shop/1.42}, {@code shop
 * 1.42}, {@code shop@v1.42.0-rc1}. A version has a dot between numbers and ends the text; so the
 * number of a worker is none. An address of four numbers is none either.
 *
 * @param name the whole text where it has no version
 */
public record NamedVersion(String name, @Nullable String version) {
  private static final Pattern NAMED =
      Pattern.compile(
          "(?<name>\\S.*?)(?:\\s*[/@]\\s*|\\s+)[vV]?(?<version>\\d+\\.\\d[\\w+-]*(?:\\.[\\w+-]+)*)");

  private static final Pattern ADDRESS = Pattern.compile("\\d{1,3}(?:\\.\\d{1,3}){3}");

  /** What a text tells that has been bounded. */
  public static NamedVersion of(String text) {
    Matcher named = NAMED.matcher(text);
    boolean told = named.matches() && !ADDRESS.matcher(named.group("version")).matches();
    return told
        ? new NamedVersion(named.group("name"), named.group("version"))
        : new NamedVersion(text, null);
  }
}
