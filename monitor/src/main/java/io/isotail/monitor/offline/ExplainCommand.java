package io.isotail.monitor.offline;

import io.isotail.ingest.format.HistoryFormatException;
import io.isotail.monitor.config.Durations;
import io.isotail.monitor.render.Dot;
import io.isotail.monitor.render.ExplainText;
import io.isotail.monitor.render.Svg;
import io.isotail.monitor.render.Witness;
import io.isotail.monitor.resolve.ResolveException;
import io.isotail.monitor.terminal.ColorOption;
import io.isotail.monitor.terminal.Paint;
import io.isotail.monitor.terminal.Printable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
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
          + " reads. A history is taken as a closed one, as 'check' takes it, and its weakest broken"
          + " level shown."
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
      names = "--open",
      description =
          "Of a history: it is a part of one, as a capsule is; a version may have a writer that is"
              + " not in it. As 'check --open --no-deletes' takes it.")
  private boolean open;

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
    Long uncertaintyNs = clockUncertainty == null ? null : uncertaintyNs(clockUncertainty);
    return new AskedWitness("explain", monitor, wanted, open, uncertaintyNs, this::note)
        .of(argument);
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
