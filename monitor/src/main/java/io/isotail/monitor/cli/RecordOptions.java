package io.isotail.monitor.cli;

import io.isotail.incremental.level.IsolationLevel;
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

  @Mixin private ConnectOptions connect = new ConnectOptions();

  /**
   * Checks that none is given.
   *
   * @throws IllegalArgumentException saying so
   */
  void requireNone() {
    if (kafka != null || history != null || promise != null || connect.any()) {
      throw new IllegalArgumentException(
          "--kafka, --history, --promise, --driver-jar, --user and --password are of other URLs;"
              + " expected none with isotail's, which tells all of it");
    }
  }

  /** How the database is connected to. */
  ConnectOptions connect() {
    return connect;
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
