package io.isotail.monitor.cli;

import io.isotail.incremental.level.IsolationLevel;
import io.isotail.ingest.store.StoreProvider;
import io.isotail.monitor.trial.Stores;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What a workload on a store must be told that the URL of JDBC tells, as options of a command. */
final class StoreOptions {
  @Option(
      names = "--kafka",
      paramLabel = "HOST:PORT",
      description = "Of a store: the broker that the transactions are recorded on.")
  private @Nullable String kafka;

  @Option(
      names = "--history",
      paramLabel = "ID",
      description = "Of a store: the history that they are recorded in.")
  private @Nullable String history;

  @Option(
      names = "--promise",
      paramLabel = "LEVEL",
      description = "Of a store: the level that it says it gives, as in strict-serializable.")
  private @Nullable String promise;

  @Option(
      names = "--driver-jar",
      paramLabel = "FILE",
      description = "Jar of what speaks to a store; may be given for each jar that it needs.")
  private List<Path> jars = List.of();

  /**
   * Checks that none is given.
   *
   * @throws IllegalArgumentException saying so
   */
  void requireNone() {
    if (kafka != null || history != null || promise != null || !jars.isEmpty()) {
      throw new IllegalArgumentException(
          "--kafka, --history, --promise and --driver-jar are of stores; expected none with JDBC,"
              + " whose URL tells broker and history");
    }
  }

  /** What speaks to the store of a URL. */
  StoreProvider provider(String url) {
    return Stores.provider(url, List.copyOf(jars));
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

  private static String required(String option, @Nullable String value) {
    if (value == null) {
      throw new IllegalArgumentException("a store needs %s; found none".formatted(option));
    }
    return value;
  }
}
