package io.isotail.monitor.explore.witness;

import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.monitor.render.CauseText;
import io.isotail.monitor.terminal.Printable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** What isolation levels say of an anomaly, for people. */
public final class AnswersText {
  private static final int MOST_STATEMENT_CHARS = 70;

  private final WitnessProgram witness;
  private final LevelAnswers answers;
  private final StringBuilder text = new StringBuilder();

  private AnswersText(WitnessProgram witness, LevelAnswers answers) {
    this.witness = witness;
    this.answers = answers;
  }

  /** Lines for a terminal. */
  public static String of(WitnessProgram witness, LevelAnswers answers) {
    return new AnswersText(witness, answers).render();
  }

  private String render() {
    Anomaly anomaly = witness.anomaly();
    line(
        "%s (%s), %s: it violates %s"
            .formatted(
                CauseText.plain(anomaly.kind()), anomaly.kind(), anomaly.id(), anomaly.level()));
    text.append('\n');
    line("Its transactions, and what they did to the rows of the witness:");
    for (int i = 0; i < witness.parts().size(); i++) {
      part(i);
    }
    witness.missing().forEach(words -> line("  - " + words + "."));
    text.append('\n');
    levels().forEach(this::line);
    List<String> raising = RaisingText.of(witness, answers);
    if (!raising.isEmpty()) {
      text.append('\n');
      raising.forEach(this::line);
    }
    return text.toString();
  }

  private void part(int i) {
    WitnessProgram.Part part = witness.parts().get(i);
    StringBuilder head = new StringBuilder("  " + name(part));
    String ranAt = part.of().ranAt();
    if (ranAt != null) {
      head.append(", ran at ").append(ranAt).append(given(i, ranAt));
    }
    line(head.toString());
    for (WitnessOperation operation : part.operations()) {
      String words =
          "%s %s = %s"
              .formatted(
                  operation.isRead() ? "read " : "wrote", operation.row(), operation.value());
      line(
          operation.statement().isEmpty()
              ? "    " + words
              : "    %-50s %s".formatted(words, shortened(operation.statement())));
    }
  }

  /** What the level that was recorded gives, where its name does not say it. */
  private String given(int i, String ranAt) {
    if (answers.ran().isEmpty() || answers.ran().get(i).level().label().equals(ranAt)) {
      return "";
    }
    return answers.ran().get(i).assumed()
        ? ", which is not known"
        : ", which gives " + answers.ran().get(i).level();
  }

  /** At which levels it is possible. */
  private List<String> levels() {
    Anomaly anomaly = witness.anomaly();
    String never = witness.never();
    List<String> lines = new ArrayList<>();
    if (never != null) {
      lines.add("No level allows this " + anomaly.kind() + ": " + never + ".");
      lines.add("So the database broke every level; raising one changes nothing.");
      return lines;
    }
    if (!answers.excludesFrom(anomaly.level())) {
      lines.add(
          "The program is less than what happened: it is possible at %s, though it violated %s."
              .formatted(range(answers.possible()), anomaly.level()));
      lines.add("What is missing above decides, so that nothing follows for the other levels.");
    } else if (answers.limited()) {
      lines.add(
          "This %s is possible at %s, and excluded by %s. Of the other levels it was not found out within the limits."
              .formatted(anomaly.kind(), names(answers.possible()), names(answers.excluded())));
    } else if (answers.excluded().isEmpty()) {
      lines.add(
          "This %s is possible at every level up to serializable: only %s, which speaks of time, excludes it."
              .formatted(anomaly.kind(), anomaly.level()));
    } else if (answers.possible().isEmpty()) {
      lines.add("No level allows this %s.".formatted(anomaly.kind()));
      lines.add("So the database broke every level; raising one changes nothing.");
    } else {
      lines.add(
          "This %s is possible at %s; %s."
              .formatted(anomaly.kind(), range(answers.possible()), exclude(answers.excluded())));
      countedLater(anomaly.level()).ifPresent(lines::add);
    }
    return lines;
  }

  /** Where the proof violates a weaker level than the anomaly was counted at. */
  private Optional<String> countedLater(IsolationLevel counted) {
    IsolationLevel weakest = answers.excluded().get(0);
    return weakest == counted
        ? Optional.empty()
        : Optional.of(
            "It was counted at %s: what violates %s here had been counted as another anomaly."
                .formatted(counted, weakest));
  }

  private static String names(List<IsolationLevel> levels) {
    return levels.isEmpty()
        ? "none"
        : levels.stream().map(IsolationLevel::label).collect(Collectors.joining(", "));
  }

  private static String range(List<IsolationLevel> levels) {
    if (levels.isEmpty()) {
      return "no level";
    }
    String first = levels.get(0).label();
    return levels.size() == 1 ? first : first + " to " + levels.get(levels.size() - 1);
  }

  private static String exclude(List<IsolationLevel> levels) {
    return levels.size() == 1
        ? levels.get(0) + " excludes it"
        : levels.get(0) + " and above exclude it";
  }

  /** A transaction: its name, what it runs, and whose it is. */
  static String name(WitnessProgram.Part part) {
    String service = part.of().session().service();
    String statements = statements(part);
    return part.of().name()
        + (statements.isEmpty() ? "" : " `" + statements + "`")
        + (service == null ? "" : " (" + service + ")");
  }

  private static String statements(WitnessProgram.Part part) {
    return shortened(
        part.operations().stream()
            .map(WitnessOperation::statement)
            .filter(statement -> !statement.isEmpty())
            .distinct()
            .collect(Collectors.joining("; ")));
  }

  /** As much as fits a line. */
  static String shortened(String words) {
    return words.length() <= MOST_STATEMENT_CHARS
        ? words
        : words.substring(0, MOST_STATEMENT_CHARS - 1) + "…";
  }

  private void line(String words) {
    text.append(Printable.escaped(words)).append('\n');
  }
}
