package io.isotail.monitor.explore.witness;

import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.incremental.anomaly.CapsuleTransaction;
import io.isotail.monitor.terminal.Printable;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The text of a program of a witness. */
final class WitnessText {
  private final Anomaly anomaly;
  private final List<WitnessProgram.Part> parts;
  private final StringBuilder text = new StringBuilder();

  WitnessText(Anomaly anomaly, List<WitnessProgram.Part> parts) {
    this.anomaly = anomaly;
    this.parts = parts;
  }

  /** Without an assertion. */
  String plain() {
    return text(false);
  }

  /** With a final assertion that not every read returned what it returned in the witness. */
  String asserting() {
    return text(true);
  }

  private String text(boolean asserts) {
    line("# " + comment(anomaly.kind() + " " + anomaly.id() + " violates " + anomaly.level()));
    for (String row : rows()) {
      line("var rows[%s] = \"initial\";".formatted(quoted(row)));
    }
    if (asserts) {
      line(
          "var same[1 to %d] = false; # whether each read what it read there"
              .formatted(parts.size()));
    }
    String session = "";
    for (int i = 0; i < parts.size(); i++) {
      String own = parts.get(i).kind().substring(0, parts.get(i).kind().indexOf('.'));
      if (!own.equals(session)) {
        text.append(session.isEmpty() ? "" : "}\n");
        line("session %s { # %s".formatted(own, comment(parts.get(i).of().session().name())));
        session = own;
      }
      transaction(parts.get(i), asserts ? i + 1 : 0);
    }
    line("}");
    if (asserts) {
      line("final {");
      for (int i = 1; i <= parts.size(); i++) {
        line("  same%d := read(same[%d]);".formatted(i, i));
      }
      String all =
          IntStream.rangeClosed(1, parts.size())
              .mapToObj(i -> "same" + i)
              .collect(Collectors.joining(" and "));
      line("  assert not (%s), \"this %s happens\";".formatted(all, anomaly.kind()));
      line("}");
    }
    return text.toString();
  }

  /** One transaction; with its number it says at its end whether its reads are those there. */
  private void transaction(WitnessProgram.Part part, int number) {
    CapsuleTransaction of = part.of();
    String ranAt = of.ranAt() == null ? "" : ", ran at " + of.ranAt();
    line("  begin # " + comment(of.name() + ranAt));
    List<String> same = new ArrayList<>();
    int reads = 0;
    for (WitnessOperation operation : part.operations()) {
      String value = quoted(operation.value());
      String statement =
          operation.statement().isEmpty() ? "" : " # " + comment(operation.statement());
      if (operation.isRead()) {
        reads++;
        line("    r%d := read(rows[%s]);%s".formatted(reads, quoted(operation.row()), statement));
        same.add("r%d == %s".formatted(reads, value));
      } else {
        line("    write(rows[%s], %s);%s".formatted(quoted(operation.row()), value, statement));
      }
    }
    if (number > 0) {
      String all = same.isEmpty() ? "true" : String.join(" and ", same);
      line("    write(same[%d], %s);".formatted(number, all));
    }
    line("  commit");
  }

  private Set<String> rows() {
    return parts.stream()
        .flatMap(part -> part.operations().stream())
        .map(WitnessOperation::row)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** A text: what would end it, or could mean something to a terminal, is left out. */
  private static String quoted(String words) {
    return '"' + comment(words).replace('"', '\'') + '"';
  }

  private static String comment(String words) {
    return Printable.escaped(words);
  }

  private void line(String words) {
    text.append(words).append('\n');
  }
}
