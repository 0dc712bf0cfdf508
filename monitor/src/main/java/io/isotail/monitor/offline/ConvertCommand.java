package io.isotail.monitor.offline;

import io.isotail.ingest.format.Fidelity;
import io.isotail.ingest.format.HistoryFormat;
import io.isotail.ingest.format.HistoryFormatException;
import io.isotail.ingest.format.HistoryFormats;
import io.isotail.ingest.format.WritableFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code isotail convert}: a history file in another format. */
@Command(
    name = "convert",
    modelTransformer = FormatHelp.class,
    mixinStandardHelpOptions = true,
    description = "Writes a history in another format.",
    footerHeading = "%n",
    footer =
        "Without --lossy, reading OUT gives the very transactions of IN, session by session; what"
            + " FORMAT has no place for is refused. --lossy drops no unknown outcomes or versions,"
            + " deletes, opaque writes, undone operations or list reads. Only jsonl"
            + " keeps order across sessions apart from times. Exit status: 0 converted, 2 bad"
            + " usage, bad input, or something that FORMAT has no place for; OUT is then not made.")
public final class ConvertCommand implements Callable<Integer> {
  private static final String AUTO = "auto";

  @Spec private @Nullable CommandSpec spec;

  @Option(
      names = "--from",
      paramLabel = "FORMAT",
      defaultValue = AUTO,
      completionCandidates = FormatHelp.Names.class,
      description = "auto or one of ${COMPLETION-CANDIDATES} (default: auto, by what IN holds).")
  private String from = AUTO;

  @Option(
      names = "--to",
      paramLabel = "FORMAT",
      required = true,
      completionCandidates = FormatHelp.WritableNames.class,
      description = "One of ${COMPLETION-CANDIDATES}.")
  private String to = "";

  @Option(
      names = "--lossy",
      description =
          "Drop what FORMAT has no place for and no verdict depends on, up to serializable: names"
              + " in clear, numbers of sessions and transactions, isolation levels, times,"
              + " statements, transactions without operations.")
  private boolean lossy;

  @Parameters(
      index = "0",
      paramLabel = "IN",
      description = "History file, which gzip or zstd may have compressed, or directory.")
  private Path in = Path.of("");

  @Parameters(
      index = "1",
      paramLabel = "OUT",
      description = "What to make: a file, for cobra a directory. It must not be there yet.")
  private Path out = Path.of("");

  @Override
  public Integer call() {
    WritableFormat target = format("--to", to, HistoryFormats::writableOfLabel);
    HistoryFormat known =
        from.equals(AUTO) ? null : format("--from", from, HistoryFormats::ofLabel);
    if (Files.exists(out)) {
      return bad(out + ": found something there; expected a new path");
    }
    try {
      HistoryFormat source = known == null ? HistoryFormats.detect(in) : known;
      if (known == null && Files.isRegularFile(in) && Files.size(in) == 0) {
        // Any format could have written it, and none can be told.
        return bad(in + ": found an empty file; expected a history, or its format by --from");
      }
      FileConversion.Counts counts =
          FileConversion.run(in, source, out, target, lossy ? Fidelity.LOSSY : Fidelity.EXACT);
      command()
          .commandLine()
          .getOut()
          .printf(
              "%s: %,d transactions, %,d operations, from %s to %s%n",
              out, counts.transactions(), counts.operations(), source.label(), target.label());
      return ExitCode.PASSED;
    } catch (NoSuchFileException e) {
      return bad(e.getFile() + ": found nothing there; expected a history");
    } catch (HistoryFormatException e) {
      return bad(String.valueOf(e.getMessage()));
    } catch (IllegalArgumentException e) {
      return bad(in + ": " + e.getMessage());
    } catch (IOException e) {
      return bad(e.toString());
    }
  }

  private <F extends HistoryFormat> F format(
      String option, String label, Function<String, F> named) {
    try {
      return named.apply(label);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(command().commandLine(), option + ": " + e.getMessage(), e);
    }
  }

  private int bad(String message) {
    command().commandLine().getErr().println("isotail convert: " + message);
    return ExitCode.BAD;
  }

  private CommandSpec command() {
    return Objects.requireNonNull(spec);
  }
}
