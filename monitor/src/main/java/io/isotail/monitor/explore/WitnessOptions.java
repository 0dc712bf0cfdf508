package io.isotail.monitor.explore;

import io.isotail.ingest.format.HistoryFormatException;
import io.isotail.monitor.offline.AskedWitness;
import io.isotail.monitor.offline.MonitorOptions;
import io.isotail.monitor.render.Witness;
import io.isotail.monitor.resolve.ResolveException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options that say which anomaly is explored. */
final class WitnessOptions {
  @Mixin private MonitorOptions monitor = new MonitorOptions();

  @Option(
      names = "--anomaly",
      paramLabel = "ID",
      description =
          "Instead of a program: at which levels this anomaly is possible. Of FILE, which is as"
              + " 'explain' takes it; without one, of a running monitor.")
  private @Nullable String anomaly;

  @Option(
      names = "--cause",
      paramLabel = "ID",
      description =
          "The same of a cause's simplest anomaly, of FILE or of a running monitor; 'check' prints"
              + " the causes of a history.")
  private @Nullable String cause;

  /** Whether one is given. */
  boolean given() {
    return anomaly != null || cause != null;
  }

  /**
   * The anomaly.
   *
   * @param file where it is; null for a monitor
   * @param note told what else a person should know
   */
  Witness find(@Nullable Path file, Consumer<String> note)
      throws ResolveException, HistoryFormatException, IOException, InterruptedException {
    String id = Objects.requireNonNull(anomaly != null ? anomaly : cause);
    return file == null
        ? new AskedWitness("explore", monitor, null, true, null, note).of(id)
        : new AskedWitness("explore", monitor, id, true, null, note).of(file.toString());
  }
}
