package io.isotail.monitor.offline;

import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.incremental.cause.CauseReport;
import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.ingest.format.HistoryFormat;
import io.isotail.ingest.format.HistoryFormatException;
import io.isotail.ingest.format.HistoryFormats;
import io.isotail.monitor.render.Witness;
import io.isotail.monitor.resolve.ResolveException;
import io.isotail.monitor.terminal.Printable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The anomaly that a command is asked about: in a file, or at a running monitor. */
public final class AskedWitness {
  private static final String ID = "[A-Za-z0-9][A-Za-z0-9_-]{0,99}";

  private final String command;
  private final MonitorOptions monitor;
  private final @Nullable String wanted;
  private final boolean open;
  private final @Nullable Long clockUncertaintyNs;
  private final Consumer<String> note;

  /**
   * Looks for nothing yet.
   *
   * @param command the command that asks
   * @param monitor the monitor to ask for what is in no file
   * @param wanted the id of the anomaly, or of a cause for its simplest one, of a file with
   *     several; null for the first
   * @param open whether a history may be a part of another one: a version in it may have a writer
   *     that is not there; absence is the initial version all the same
   * @param clockUncertaintyNs of a history: how far two clocks may be apart, in ns; null if they
   *     are not compared
   * @param note told what else a person should know
   */
  public AskedWitness(
      String command,
      MonitorOptions monitor,
      @Nullable String wanted,
      boolean open,
      @Nullable Long clockUncertaintyNs,
      Consumer<String> note) {
    this.command = command;
    this.monitor = monitor;
    this.wanted = wanted;
    this.open = open;
    this.clockUncertaintyNs = clockUncertaintyNs;
    this.note = note;
  }

  /**
   * The anomaly.
   *
   * @param argument a file, {@code -} for standard input, the id of an anomaly or a cause, or the
   *     address of its page
   * @throws ResolveException if nothing is found, or no monitor answers
   * @throws HistoryFormatException if a file is a history that cannot be read
   */
  public Witness of(String argument)
      throws ResolveException, HistoryFormatException, IOException, InterruptedException {
    if (argument.equals("-")) {
      Path copy = Files.createTempFile("isotail-anomaly", ".jsonl");
      try {
        Files.writeString(copy, InputFiles.text(command, "-"));
        return ofFile(copy);
      } finally {
        Files.deleteIfExists(copy);
      }
    }
    Path file = existing(argument);
    if (file != null) {
      return ofFile(file);
    }
    ExplainSource.Asked asked = ExplainSource.Asked.of(argument);
    if (asked.base() == null && !argument.matches(ID)) {
      throw new ResolveException(
          "%s: found nothing there; expected a file, or the id of an anomaly or a cause"
              .formatted(Printable.escaped(argument)));
    }
    try {
      return new ExplainSource(note).ask(monitor.api(asked.base()), asked.id());
    } catch (ResolveException e) {
      throw asked.base() != null
          ? e
          : new ResolveException(
              "%s is no file here, and %s".formatted(argument, e.getMessage()), e);
    }
  }

  private static @Nullable Path existing(String text) {
    try {
      Path path = Path.of(text);
      return Files.exists(path) ? path : null;
    } catch (InvalidPathException e) {
      return null;
    }
  }

  private Witness ofFile(Path path) throws ResolveException, HistoryFormatException, IOException {
    ExplainSource source = new ExplainSource(note);
    Optional<Witness> document =
        Files.isDirectory(path) ? Optional.empty() : source.document(path, wanted);
    return document.isPresent() ? document.get() : ofHistory(path, source);
  }

  private Witness ofHistory(Path path, ExplainSource source)
      throws ResolveException, HistoryFormatException, IOException {
    CheckerConfig config =
        CheckerConfig.forFile(
                String.valueOf(path.getFileName()), IsolationLevel.STRICT_SERIALIZABLE)
            .withClosed(!open)
            .withDeletes(false)
            .withPromise(IsolationLevel.STRICT_SERIALIZABLE);
    if (clockUncertaintyNs != null) {
      config = config.withClockUncertainty(clockUncertaintyNs);
    }
    HistoryFormat format = HistoryFormats.detect(path);
    Set<IsolationLevel> levels = EnumSet.allOf(IsolationLevel.class);
    FileCheck.Result result =
        FileCheck.run(path, format, config, levels, Progress.onTerminal(path));
    if (wanted != null && result.estimatedOrder() && !isAmong(result)) {
      // In a window, and at weak levels alone, a file is checked in the order of its lines.
      result = FileCheck.inOrderOfLines(path, format, config, levels, Progress.onTerminal(path));
    }
    return chosen(path, result, found(result), source);
  }

  private static List<Anomaly> found(FileCheck.Result result) {
    return result.anomalies().stream()
        .sorted(Comparator.comparing(Anomaly::level).thenComparing(Anomaly::offset))
        .toList();
  }

  private boolean isAmong(FileCheck.Result result) {
    return result.causes().stream().anyMatch(cause -> cause.id().equals(wanted))
        || result.anomalies().stream().anyMatch(anomaly -> anomaly.id().equals(wanted));
  }

  private Witness chosen(
      Path path, FileCheck.Result result, List<Anomaly> found, ExplainSource source)
      throws ResolveException {
    String simplest =
        result.causes().stream()
            .filter(cause -> cause.id().equals(wanted))
            .map(CauseReport::simplest)
            .findFirst()
            .orElse(wanted);
    Anomaly chosen =
        found.stream()
            .filter(each -> simplest == null || each.id().equals(simplest))
            .findFirst()
            .orElseThrow(() -> nothing(path, result, found));
    if (wanted == null) {
      source.others(found.stream().skip(1).map(Anomaly::id).toList());
    }
    note.accept(
        open
            ? "taken as an open history: versions may have writers that are not in it"
            : "taken as a closed history, as 'check' takes it: every writer is in it");
    return new Witness(chosen, result.occurrencesOf(chosen), null, null);
  }

  private ResolveException nothing(Path path, FileCheck.Result result, List<Anomaly> found) {
    return new ResolveException(
        found.isEmpty()
            ? "%s: found %,d transactions that prove no violation as %s history; expected a capsule%s"
                .formatted(
                    path,
                    result.report().transactions(),
                    open ? "an open" : "a closed",
                    clockUncertaintyNs == null
                        ? ", or --clock-uncertainty for one of strict-serializable"
                        : "")
            : "%s: found no anomaly %s; expected one of %s"
                .formatted(path, wanted, found.stream().map(Anomaly::id).toList()));
  }
}
