package io.isotail.monitor.reach;

import java.sql.SQLException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Why a database could not be asked, in plain words. */
public final class DatabaseFailure {
  /** Host and port of a JDBC URL, without a user and a password. */
  private static final Pattern SERVERS =
      Pattern.compile("jdbc:[a-z0-9:]*//(?:[^/?;]*@)?([^/?;@]+).*", Pattern.CASE_INSENSITIVE);

  private static final String POSTGRESQL = "jdbc:postgresql:";

  private DatabaseFailure() {}

  /**
   * What the database says, or which host keeps it from saying anything, and why.
   *
   * @param url the real driver's, of which only hosts and ports are told
   */
  public static String words(SQLException failure, String url) {
    String cause = Cause.ofNetwork(failure);
    return cause == null
        ? "the database says: " + failure.getMessage()
        : "no database answers at %s: %s".formatted(servers(url), cause);
  }

  private static String servers(String url) {
    Matcher matcher = SERVERS.matcher(url);
    if (!matcher.matches()) {
      return url.startsWith(POSTGRESQL) ? "localhost:5432" : "the place that --url names";
    }
    String servers = matcher.group(1);
    boolean known = servers.matches(".*:[0-9]+") || !url.startsWith(POSTGRESQL);
    return known ? servers : servers + ":5432";
  }
}
