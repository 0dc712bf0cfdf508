package io.isotail.monitor.cli;

import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Who connects to a database, and by which driver, as options of a command. */
final class ConnectOptions {
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

  @Option(
      names = "--driver-jar",
      paramLabel = "FILE",
      description =
          "Jar of the JDBC driver, or of what speaks to a store; may be given for each jar that it"
              + " needs.")
  private List<Path> jars = List.of();

  /** Whether any of them is given; the environment may be meant for others. */
  boolean any() {
    return user != null || password != null || !jars.isEmpty();
  }

  /** Jars of what speaks to the database, beside what is here. */
  List<Path> jars() {
    return List.copyOf(jars);
  }

  /** Who connects: {@code user} and {@code password}, each where it was given. */
  Properties login() {
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
