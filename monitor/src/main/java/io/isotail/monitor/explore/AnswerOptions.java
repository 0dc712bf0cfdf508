package io.isotail.monitor.explore;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.isotail.incremental.explore.Program;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.ingest.format.JsonlWriter;
import io.isotail.monitor.terminal.ColorOption;
import io.isotail.monitor.terminal.Printable;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options that say how the answer is given: as text or JSON, and its history in a file. */
final class AnswerOptions {
  @Spec(Spec.Target.MIXEE)
  private @Nullable CommandSpec spec;

  @Mixin private ColorOption color = new ColorOption();

  @Option(
      names = "--json",
      description = "Print one JSON object instead of the table; not with --compare.")
  private boolean json;

  @Option(
      names = "--out",
      paramLabel = "FILE",
      description =
          "Write the history that is shown as jsonl, for 'isotail check' and 'explain'. A file is"
              + " left as it is where no history is shown.")
  private @Nullable Path out;

  boolean json() {
    return json;
  }

  /**
   * Refuses a file that the history cannot be written to, before work is done that would be lost.
   *
   * @param program the file that is read; null if none is
   * @throws ParameterException if it cannot be written
   */
  void checkFile(@Nullable Path program) throws IOException {
    String mistake = out == null ? null : new HistoryFile(out).wrong(program);
    if (mistake != null) {
      throw new ParameterException(command().commandLine(), mistake);
    }
  }

  /** Prints text as it is. */
  void print(String text) {
    writer().print(text);
    writer().flush();
  }

  /** What tells people what was found; silent where JSON is printed. */
  ExploreText text(Program program) {
    PrintWriter to = json ? new PrintWriter(Writer.nullWriter()) : writer();
    return new ExploreText(to, color.paintUnless(json), program);
  }

  /** Prints the object where JSON is printed, and ends the answer. */
  void object(ObjectNode object) {
    if (json) {
      writer().println(object.toPrettyString());
    }
    writer().flush();
  }

  /** Tells a person what is no part of the answer. */
  void tell(String words) {
    PrintWriter err = command().commandLine().getErr();
    err.println("isotail explore: " + Printable.escaped(words));
  }

  /** Writes the history that is shown, if that is wanted. */
  void save(List<TransactionRecord> records) throws IOException {
    if (out == null) {
      return;
    }
    List<String> lines = records.stream().map(JsonlWriter::line).toList();
    HistoryFile file = new HistoryFile(out);
    if (file.isStandardOutput()) {
      lines.forEach(writer()::println);
      writer().flush();
      return;
    }
    file.write(lines);
    note("%nThe history is in %s.%n");
  }

  /** Says that there is no history. */
  void nothingToSave() {
    if (out != null) {
      boolean old = new HistoryFile(out).exists();
      note(
          old
              ? "%nThere is no history to write; %s is left as it was.%n"
              : "%nThere is no history to write to %s.%n");
    }
  }

  private void note(String format) {
    if (!json) {
      writer().printf(format, out);
      writer().flush();
    }
  }

  private PrintWriter writer() {
    return command().commandLine().getOut();
  }

  private CommandSpec command() {
    return Objects.requireNonNull(spec);
  }
}
