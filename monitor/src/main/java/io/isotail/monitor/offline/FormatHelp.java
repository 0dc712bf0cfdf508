package io.isotail.monitor.offline;

import io.isotail.ingest.format.Content;
import io.isotail.ingest.format.HistoryFormat;
import io.isotail.ingest.format.HistoryFormats;
import io.isotail.ingest.format.WritableFormat;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** Ends a command's help with the formats of history files and what each holds. */
final class FormatHelp implements CommandLine.IModelTransformer {

  /** The names of the formats. */
  static final class Names implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return HistoryFormats.all().stream().map(HistoryFormat::label).iterator();
    }
  }

  /** The names of the formats that can be written. */
  static final class WritableNames implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return HistoryFormats.writable().stream().map(HistoryFormat::label).iterator();
    }
  }

  @Override
  public CommandSpec transform(CommandSpec command) {
    List<String> footer = new ArrayList<>(Arrays.asList(command.usageMessage().footer()));
    footer.add("");
    footer.add("Formats. All hold reads and writes of committed transactions, and all that can be");
    footer.add("written those of aborted ones.");
    for (HistoryFormat format : HistoryFormats.all()) {
      footer.add("  %-7s %s%s".formatted(format.label(), format.summary(), more(format)));
    }
    command.usageMessage().footer(footer.toArray(String[]::new));
    return command;
  }

  private static String more(HistoryFormat format) {
    String readOnly = format instanceof WritableFormat ? "" : "; read, not written";
    Set<Content> held = format.holds();
    if (held.isEmpty()) {
      return readOnly;
    }
    return held.containsAll(EnumSet.allOf(Content.class))
        ? "; holds everything" + readOnly
        : "; also %s%s"
            .formatted(
                held.stream().sorted().map(Content::label).collect(Collectors.joining(", ")),
                readOnly);
  }

  /** The formats that hold something and can be written, as in {@code elle or jsonl}. */
  static String holding(Content content) {
    return HistoryFormats.holding(content).stream()
        .map(HistoryFormat::label)
        .collect(Collectors.joining(" or "));
  }
}
