package io.isotail.monitor.cli;

import io.isotail.incremental.level.IsolationLevel;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What a workload must be told that the URL of isotail's driver tells, as options of a command. */
final class RecordOptions {
  @Option(
      names = "--kafka",
      paramLabel = "HOST:PORT",
      description = "The broker that the transactions are recorded on.")
  private @Nullable String kafka;

  @Option(
      names = "--history",
      paramLabel = "ID",
      description = "The history that they are recorded in.")
  private @Nullable String history;

  @Option(
      names = "--promise",
      paramLabel = "LEVEL",
      description = "Of a store: the level that it says it gives, as in strict-serializable.")
  private @Nullable String promise;

  @Option(
      names = "--driver-jar",
      paramLabel = "FILE",
      description =
          "Jar of the JDBC driver, or of what speaks to a store; may be given for each jar that it"
              + " needs.")
  private List<Path> jars = List.of();

  @Mixin private LoginOptions loginOptions = new LoginOptions();

  /**
   * Checks that none is given.
   *
   * @throws IllegalArgumentException saying so
   */
  void requireNone() {
    boolean login = loginOptions.any();
    if (kafka != null || history != null || promise != null || login || !jars.isEmpty()) {
      throw new IllegalArgumentException(
          "--kafka, --history, --promise, --driver-jar, --user and --password are of other URLs;"
              + " expected none with isotail's, which tells all of it");
    }
  }

  /** Jars of what speaks to the database. */
  List<Path> jars() {
    return List.copyOf(jars);
  }

  /** Who connects. */
  Properties login() {
    return loginOptions.properties();
  }

  String kafka() {
    return required("--kafka HOST:PORT", kafka);
  }

  String history() {
    return required("--history ID", history);
  }

  IsolationLevel promise() {
    return IsolationLevel.ofLabel(required("--promise LEVEL", promise));
  }

  /**
   * Of a database records say themselves what they ran at.
   *
   * @return the least that there is
   */
  IsolationLevel noPromise() {
    if (promise != null) {
      throw new IllegalArgumentException(
          "--promise is of stores; expected none, since records of a database tell their level");
    }
    return IsolationLevel.READ_COMMITTED;
  }

  private static String required(String option, @Nullable String value) {
    if (value == null) {
      throw new IllegalArgumentException(
          "a URL that is not of isotail's driver needs %s; found none".formatted(option));
    }
    return value;
  }
}
