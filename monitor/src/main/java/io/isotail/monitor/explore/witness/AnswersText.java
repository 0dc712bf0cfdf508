package io.isotail.monitor.explore.witness;

import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.monitor.explore.witness.LevelAnswers.Raise;
import io.isotail.monitor.explore.witness.LevelAnswers.Ran;
import io.isotail.monitor.render.CauseText;
import io.isotail.monitor.resolve.Printable;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

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
    List<String> raising = raising();
    if (!raising.isEmpty()) {
      text.append('\n');
      raising.forEach(this::line);
    }
    return text.toString();
  }

  private void part(int i) {
    WitnessProgram.Part part = witness.parts().get(i);
    StringBuilder head = new StringBuilder("  " + name(i));
    String ranAt = part.of().ranAt();
    if (ranAt != null) {
      head.append(", ran at ").append(ranAt);
      if (!answers.ran().isEmpty()
          && !answers.ran().get(i).assumed()
          && !answers.ran().get(i).level().label().equals(ranAt)) {
        head.append(", which gives ").append(answers.ran().get(i).level());
      }
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

  /** Whether it is enough to raise one transaction. */
  private List<String> raising() {
    List<String> lines = new ArrayList<>();
    if (answers.ran().isEmpty() || !answers.excludesFrom(witness.anomaly().level())) {
      return lines;
    }
    if (!answers.asRun()) {
      lines.add("The levels at which they ran exclude it. So the database gave less than it");
      lines.add(
          "documents, or ran at other levels than were recorded: raising one changes nothing.");
      return lines;
    }
    if (!witness.missing().isEmpty()) {
      lines.add(
          "Whether raising one of them is enough is not known: what the transactions have and");
      lines.add("the program lacks, above, may decide it.");
      return lines;
    }
    boolean assumed = answers.ran().stream().anyMatch(Ran::assumed);
    lines.add(
        "Raising one of them, while the others stay at "
            + answers.ran().stream()
                .map(Ran::level)
                .distinct()
                .sorted()
                .map(IsolationLevel::label)
                .collect(Collectors.joining(" or "))
            + (assumed
                ? " (where no level was recorded, the strongest that allows it is taken):"
                : ":"));
    answers.raises().forEach(raise -> lines.add("  " + raise(raise)));
    if (answers.raises().stream().allMatch(raise -> raise.enough() == null && !raise.open())) {
      lines.add(
          "So raising one is not enough; all of them at %s exclude it."
              .formatted(answers.excluded().get(0)));
    }
    if (answers.raises().stream().anyMatch(r -> r.enough() == IsolationLevel.SERIALIZABLE)) {
      lines.add(
          "PostgreSQL's SERIALIZABLE does not see what transactions at weaker levels write: there raise all.");
    }
    return lines;
  }

  private String raise(Raise raise) {
    String name = name(raise.part());
    IsolationLevel enough = raise.enough();
    IsolationLevel allowed = raise.allowed();
    if (enough != null) {
      return "Raising only %s to %s is enough for these operations%s."
          .formatted(
              name,
              enough,
              raise.open() ? "; whether a weaker level is was not found out in time" : "");
    }
    if (raise.open()) {
      return "Whether raising only %s is enough was not found out in time.".formatted(name);
    }
    if (allowed == null) {
      return "%s ran at the strongest level already.".formatted(name);
    }
    return "Raising only %s to %s is not enough, because %s."
        .formatted(name, allowed, because(raise.commits()));
  }

  private String because(List<Integer> commits) {
    if (commits.isEmpty()) {
      return "other reads of the same transactions have such an anomaly then";
    }
    String order =
        commits.stream()
            .map(part -> witness.parts().get(part).of().name())
            .collect(Collectors.joining(", "));
    return "with the commits in the order "
        + order
        + " each of them still reads what its own level allows";
  }

  /** A transaction: its name, what it runs, and whose it is. */
  private String name(int i) {
    WitnessProgram.Part part = witness.parts().get(i);
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

  private static String shortened(@Nullable String words) {
    String whole = Objects.requireNonNullElse(words, "");
    return whole.length() <= MOST_STATEMENT_CHARS
        ? whole
        : whole.substring(0, MOST_STATEMENT_CHARS - 1) + "…";
  }

  private void line(String words) {
    text.append(Printable.escaped(words)).append('\n');
  }
}
