package io.isotail.monitor.offline;

import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.ingest.format.HistoryFormatException;
import io.isotail.ingest.format.HistoryFormats;
import io.isotail.monitor.config.Durations;
import io.isotail.monitor.render.Dot;
import io.isotail.monitor.render.Svg;
import io.isotail.monitor.render.Witness;
import io.isotail.monitor.resolve.Printable;
import io.isotail.monitor.resolve.ResolveException;
import io.isotail.monitor.terminal.ColorOption;
import io.isotail.monitor.terminal.Paint;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code isotail explain}: one anomaly as text or as a drawing. */
@Command(
    name = "explain",
    mixinStandardHelpOptions = true,
    description = {
      "Shows one anomaly: what broke, the transactions that prove it, and why each edge of the cycle"
          + " holds.",
      "",
      "A file is an anomaly as /api/anomalies/ID gives it or the anomalies topic has it, what"
          + " 'check --json' printed, or a capsule or other small history in a format that 'check'"
          + " reads. A history is checked as an open one, and its weakest broken level shown."
    },
    footerHeading = "%n",
    footer = {
      "Examples:",
      "  isotail explain f8b5859806f5a42b",
      "  isotail explain --format svg --out anomaly.svg f8b5859806f5a42b.jsonl",
      "",
      "Exit status: 0 when it is shown, 2 bad usage, bad input, or no monitor."
    })
public final class ExplainCommand implements Callable<Integer> {
  private static final String ID = "[A-Za-z0-9][A-Za-z0-9_-]{0,99}";

  @Spec private @Nullable CommandSpec spec;

  @Mixin private MonitorOptions monitor = new MonitorOptions();

  @Mixin private ColorOption color = new ColorOption();

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      completionCandidates = ExplainFormat.Names.class,
      converter = ExplainFormat.Converter.class,
      defaultValue = "text",
      description =
          "${COMPLETION-CANDIDATES} (default: text). dot is Graphviz's language; svg is drawn"
              + " without Graphviz, with a lane for each session.")
  private ExplainFormat format = ExplainFormat.TEXT;

  @Option(
      names = "--out",
      paramLabel = "FILE",
      description = "Write to this file (default: standard output).")
  private @Nullable Path out;

  @Option(
      names = "--anomaly",
      paramLabel = "ID",
      description = "Of a file with several anomalies, show this one (default: the first).")
  private @Nullable String wanted;

  @Option(
      names = "--clock-uncertainty",
      paramLabel = "DURATION",
      description = "Of a history: how far two clocks may be apart, as for 'check'.")
  private @Nullable String clockUncertainty;

  @Parameters(
      paramLabel = "FILE|ID",
      description = {
        "A file (- is standard input), or the id of an anomaly or a cause, of which a running monitor"
            + " is asked; the address of its page will do too."
      })
  private String argument = "";

  @Override
  public Integer call() throws InterruptedException {
    try {
      Witness witness = witness();
      write(witness);
      return ExitCode.PASSED;
    } catch (ResolveException | HistoryFormatException e) {
      return bad(String.valueOf(e.getMessage()));
    } catch (IOException e) {
      return bad(Printable.escaped(e.toString()));
    }
  }

  private Witness witness()
      throws ResolveException, HistoryFormatException, IOException, InterruptedException {
    if (argument.equals("-")) {
      Path copy = Files.createTempFile("isotail-explain", ".jsonl");
      try {
        Files.writeString(copy, InputFiles.text("explain", "-"));
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
      return new ExplainSource(this::note).ask(monitor.api(asked.base()), asked.id());
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
    ExplainSource source = new ExplainSource(this::note);
    Optional<Witness> document =
        Files.isDirectory(path) ? Optional.empty() : source.document(path, wanted);
    return document.isPresent() ? document.get() : ofHistory(path, source);
  }

  private Witness ofHistory(Path path, ExplainSource source)
      throws ResolveException, HistoryFormatException, IOException {
    CheckerConfig config =
        CheckerConfig.forFile(
                String.valueOf(path.getFileName()), IsolationLevel.STRICT_SERIALIZABLE)
            .withClosed(false)
            .withDeletes(false)
            .withPromise(IsolationLevel.STRICT_SERIALIZABLE);
    if (clockUncertainty != null) {
      config = config.withClockUncertainty(uncertaintyNs(clockUncertainty));
    }
    FileCheck.Result result =
        FileCheck.run(
            path,
            HistoryFormats.detect(path),
            config,
            EnumSet.allOf(IsolationLevel.class),
            Progress.onTerminal(path));
    List<Anomaly> found =
        result.anomalies().stream()
            .sorted(Comparator.comparing(Anomaly::level).thenComparing(Anomaly::offset))
            .toList();
    Anomaly chosen =
        found.stream()
            .filter(each -> wanted == null || each.id().equals(wanted))
            .findFirst()
            .orElseThrow(() -> nothing(path, result, found));
    if (wanted == null) {
      source.others(found.stream().skip(1).map(Anomaly::id).toList());
    }
    return new Witness(chosen, result.occurrencesOf(chosen), null, null);
  }

  private ResolveException nothing(Path path, FileCheck.Result result, List<Anomaly> found) {
    return new ResolveException(
        found.isEmpty()
            ? "%s: found %,d transactions that prove no violation by themselves; expected a capsule%s"
                .formatted(
                    path,
                    result.report().transactions(),
                    clockUncertainty == null
                        ? ", or --clock-uncertainty for one of strict-serializable"
                        : "")
            : "%s: found no anomaly %s; expected one of %s"
                .formatted(path, wanted, found.stream().map(Anomaly::id).toList()));
  }

  private void write(Witness witness) throws IOException, ResolveException {
    boolean plain = out != null || format != ExplainFormat.TEXT;
    Paint paint = color.paintUnless(plain);
    String text =
        switch (format) {
          case TEXT -> ExplainText.of(witness, paint);
          case DOT -> Dot.of(witness.anomaly());
          case SVG -> Svg.of(witness.anomaly());
        };
    if (out == null) {
      spec().commandLine().getOut().print(text);
      spec().commandLine().getOut().flush();
      return;
    }
    try {
      Files.writeString(out, text, StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new ResolveException("--out %s cannot be written: %s".formatted(out, e), e);
    }
  }

  private long uncertaintyNs(String duration) {
    try {
      return Durations.parse("--clock-uncertainty", duration).toNanos();
    } catch (IllegalArgumentException | ArithmeticException e) {
      throw new ParameterException(spec().commandLine(), String.valueOf(e.getMessage()), e);
    }
  }

  private void note(String words) {
    spec().commandLine().getErr().println("isotail explain: " + Printable.escaped(words));
  }

  private int bad(String words) {
    spec().commandLine().getErr().println("isotail explain: " + words);
    return ExitCode.BAD;
  }

  private CommandSpec spec() {
    return Objects.requireNonNull(spec);
  }
}
