package io.isotail.monitor.api;

import io.isotail.monitor.config.MonitorConfig;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Lets the one user pass, by HTTP basic authentication, and everybody to what only tells whether
 * the monitor works.
 */
final class Login implements Handler<RoutingContext> {
  /** Orchestrators ask for these, without a password. */
  private static final Set<String> OPEN = Set.of("/healthz", "/readyz");

  private static final String SCHEME = "Basic ";
  private static final String CHALLENGE = "Basic realm=\"isotail\", charset=\"UTF-8\"";

  private final byte[] expected;

  Login(MonitorConfig.Login login) {
    this.expected = (login.user() + ":" + login.password()).getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public void handle(RoutingContext context) {
    // The path that the router matches too, so that both mean the same one.
    if (OPEN.contains(context.normalizedPath())
        || isUser(context.request().getHeader(HttpHeaders.AUTHORIZATION))) {
      context.next();
      return;
    }
    context.response().putHeader("WWW-Authenticate", CHALLENGE);
    Replies.error(context, 401, "expected the user and the password that the monitor was given");
  }

  private boolean isUser(@Nullable String authorization) {
    if (authorization == null
        || !authorization.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
      return false;
    }
    try {
      byte[] given = Base64.getDecoder().decode(authorization.substring(SCHEME.length()).trim());
      // As long for a guess that begins well as for any other.
      return MessageDigest.isEqual(expected, given);
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
