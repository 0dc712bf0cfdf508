package io.isotail.ingest.sql;

import io.isotail.incremental.record.Origin;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads what a comment of sqlcommenter tells of the code that sent a statement. */
public final class SqlCommenter {
  private static final Pattern PAIR = Pattern.compile("([\\w.%-]+)='([^']*)'");
  private static final Pattern TRACE =
      Pattern.compile("[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}.*");

  /** A part of a path that is a value and no name: a number, or a long id. */
  private static final Pattern VALUE =
      Pattern.compile("(?<=[/#])(?=[^/#]*\\d)(?:\\d+|[0-9a-fA-F-]{8,})(?=[/#]|$)");

  private static final int MOST_VERSION_CHARS = 60;

  private SqlCommenter() {}

  /**
   * What it tells; null if nothing. Its version is a word alone, to which the name is to be added.
   */
  public static @Nullable Origin read(String comment) {
    String application = null;
    String route = null;
    String controller = null;
    String action = null;
    String trace = null;
    String version = null;
    Matcher pair = PAIR.matcher(comment);
    while (pair.find()) {
      String value = decoded(pair.group(2));
      switch (pair.group(1)) {
        case "application" -> application = bounded(value);
        case "route" -> route = value;
        case "controller" -> controller = value;
        case "action" -> action = value;
        case "traceparent" -> trace = trace(value);
        case "version",
            "application_version",
            "app_version",
            "service_version",
            "service.version" ->
            version = version(value);
        default -> {}
      }
    }
    String code = controller == null || action == null ? controller : controller + "#" + action;
    code = code == null ? action : code;
    String endpoint = route == null ? code : code == null ? route : route + " " + code;
    if (application != null) {
      NamedVersion named = NamedVersion.of(application);
      application = named.name();
      version = version == null ? named.version() : version;
    }
    return Origin.of(
        application, endpoint == null ? null : bounded(named(endpoint)), trace, version);
  }

  /** A version as one word; null if nothing is left. */
  public static @Nullable String version(String text) {
    String line = bounded(text);
    if (line == null) {
      return null;
    }
    String word = line.replaceAll("\\s+", "-");
    return word.substring(0, Math.min(word.length(), MOST_VERSION_CHARS));
  }

  private static String decoded(String value) {
    try {
      // A plus is itself there: spaces are %20.
      return URLDecoder.decode(value.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      return "";
    }
  }

  private static @Nullable String trace(String value) {
    Matcher trace = TRACE.matcher(value.toLowerCase(Locale.ROOT));
    return trace.matches() ? trace.group(1) : null;
  }

  /** A route without what a request filled in. */
  private static String named(String endpoint) {
    int query = endpoint.indexOf('?');
    int cut = query < 0 ? endpoint.length() : query;
    return VALUE.matcher(endpoint.substring(0, cut)).replaceAll("?");
  }

  /** Text for people: in one line, and not longer than a record takes; null if nothing is left. */
  public static @Nullable String bounded(String text) {
    StringBuilder line = new StringBuilder();
    text.strip()
        .codePoints()
        .limit(Origin.MAX_CHARS)
        .filter(c -> !Character.isISOControl(c) && Character.isDefined(c))
        .forEach(line::appendCodePoint);
    while (line.length() > Origin.MAX_CHARS) {
      line.setLength(line.offsetByCodePoints(line.length(), -1));
    }
    return line.isEmpty() ? null : line.toString();
  }
}
