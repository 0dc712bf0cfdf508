package io.isotail.monitor.cli;

import java.util.Properties;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Who connects, as options of a command. */
final class LoginOptions {
  private static final String PASSWORD = "ISOTAIL_DB_PASSWORD";

  @Option(names = "--user", paramLabel = "NAME", description = "User, unless the URL tells it.")
  private @Nullable String user;

  @Option(
      names = "--password",
      paramLabel = "PASSWORD",
      arity = "0..1",
      interactive = true,
      description = "Password; asked for if nothing follows. Environment: " + PASSWORD + ".")
  private char @Nullable [] password;

  /** Whether any of them is given; the environment may be meant for others. */
  boolean any() {
    return user != null || password != null;
  }

  /** What they say: {@code user} and {@code password}, each where it was given. */
  Properties properties() {
    Properties login = new Properties();
    if (user != null) {
      login.setProperty("user", user);
    }
    String secret = password == null ? System.getenv(PASSWORD) : String.valueOf(password);
    if (secret != null) {
      login.setProperty("password", secret);
    }
    return login;
  }
}
