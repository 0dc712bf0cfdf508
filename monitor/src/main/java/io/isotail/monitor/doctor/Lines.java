package io.isotail.monitor.doctor;

import io.isotail.monitor.reach.Cause;
import io.isotail.monitor.reach.DatabaseFailure;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PSQLException;

/** Connections through a proxy and past it, of which each has the same properties. */
final class Lines {
  private final ProxyTarget target;

  Lines(ProxyTarget target) {
    this.target = target;
  }

  /**
   * Connects through the proxy.
   *
   * @param mode pgjdbc's {@code preferQueryMode}
   * @throws UnansweredException saying why not, and whether it would work past the proxy
   */
  Connection through(String mode) throws UnansweredException {
    try {
      return open(target.url(), mode);
    } catch (SQLException e) {
      throw new UnansweredException(words(e) + pastTheProxy());
    }
  }

  /** Connects past the proxy; null if there is no URL for that. */
  @Nullable Connection directly(String mode) throws UnansweredException {
    String url = target.directUrl();
    if (url == null) {
      return null;
    }
    try {
      return open(url, mode);
    } catch (SQLException e) {
      throw new UnansweredException("past the proxy, " + DatabaseFailure.words(e, url));
    }
  }

  private Connection open(String url, String mode) throws SQLException {
    Properties properties = new Properties();
    properties.putAll(target.properties());
    properties.setProperty("preferQueryMode", mode);
    properties.setProperty("prepareThreshold", "1");
    return DriverManager.getConnection(url, properties);
  }

  private String words(SQLException failure) {
    String network = Cause.ofNetwork(failure);
    if (network != null) {
      return "no proxy answers at %s: %s".formatted(target.proxy(), network);
    }
    boolean said =
        failure instanceof PSQLException answered && answered.getServerErrorMessage() != null;
    // Without a message of the server, this is the driver's word for a login that cannot be.
    if (said || "08004".equals(failure.getSQLState())) {
      return "no login through %s: %s".formatted(target.proxy(), failure.getMessage());
    }
    return "what listens at %s does not speak PostgreSQL's protocol: %s"
        .formatted(target.proxy(), failure.getMessage());
  }

  /** Whether the same login works without the proxy. */
  private String pastTheProxy() {
    String url = target.directUrl();
    if (url == null) {
      return "";
    }
    try {
      open(url, "extended").close();
      return "; past the proxy, the database takes the same login";
    } catch (SQLException e) {
      return "; past the proxy, " + DatabaseFailure.words(e, url);
    }
  }
}
