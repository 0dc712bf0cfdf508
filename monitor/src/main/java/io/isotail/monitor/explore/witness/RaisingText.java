package io.isotail.monitor.explore.witness;

import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.monitor.explore.witness.LevelAnswers.Ran;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Whether it is enough to raise one transaction of the code, in lines for people. */
final class RaisingText {
  private static final int MOST_EXECUTIONS_NAMED = 4;
  private static final String POSTGRES = "postgresql:";

  private final WitnessProgram witness;
  private final LevelAnswers answers;
  private final List<String> lines = new ArrayList<>();

  /** The levels that the lines advise. */
  private final Set<IsolationLevel> advised = new TreeSet<>();

  private RaisingText(WitnessProgram witness, LevelAnswers answers) {
    this.witness = witness;
    this.answers = answers;
  }

  /** The lines; none if nothing can be said. */
  static List<String> of(WitnessProgram witness, LevelAnswers answers) {
    return new RaisingText(witness, answers).render();
  }

  private List<String> render() {
    if (answers.ran().isEmpty() || !answers.excludesFrom(witness.anomaly().level())) {
      return lines;
    }
    if (!answers.asRun()) {
      excludedAsTheyRan();
    } else if (!witness.missing().isEmpty()) {
      lines.add(
          "Whether raising one of them is enough is not known: what the transactions have and");
      lines.add("the program lacks, above, may decide it.");
    } else {
      raises();
    }
    if (!advised.isEmpty()) {
      lines.add(
          advised.stream()
              .map(level -> postgresName(level) + " for " + level)
              .collect(Collectors.joining(", ", "(In PostgreSQL: ", ".)")));
    }
    executionsAlone();
    perhapsOfOne();
    return lines;
  }

  /** Which of those that are raised are no transactions of the code. */
  private void executionsAlone() {
    String single =
        answers.raises().stream()
            .map(Raise::group)
            .filter(group -> !group.isCode())
            .map(group -> execution(group.parts().get(0)))
            .collect(Collectors.joining(", "));
    if (!single.isEmpty()) {
      lines.add(
          single
              + ": what is raised is one execution, not a transaction of the code, since statements were not recorded.");
    }
  }

  /** Which of those that are raised apart may be of one transaction of the code. */
  private void perhapsOfOne() {
    for (Raise cut : answers.raises()) {
      for (Raise longer : answers.raises()) {
        boolean matters = cut.enough() == null || longer.enough() == null;
        if (matters && cut.group().mayBeCutFrom(longer.group())) {
          lines.add(
              "%s may be of the same transaction of the code as %s, since a witness keeps only the operations that matter: then both are raised."
                  .formatted(
                      execution(cut.group().parts().get(0)),
                      execution(longer.group().parts().get(0))));
        }
      }
    }
  }

  private void excludedAsTheyRan() {
    boolean mix = answers.ran().stream().map(Ran::level).distinct().count() > 1;
    if (answers.asRunBySnapshots()) {
      lines.add("This mix of levels excludes it by the definition. But PostgreSQL documents");
      lines.add(
          "serializable only among serializable transactions; beside others it is a snapshot.");
      lines.add("So raise all of them to %s.".formatted(advise(levelOfAll())));
      return;
    }
    if (answers.ran().stream().anyMatch(Ran::assumed)) {
      lines.add("The levels that were recorded exclude it, whatever the others ran at.");
    } else if (mix) {
      lines.add("This mix of levels excludes it by the definition.");
    } else {
      lines.add("The levels at which they ran exclude it.");
    }
    lines.add(
        "So the database gave less than %s, or ran at other levels than were recorded: raising one changes nothing."
            .formatted(mix ? "the definition" : "it documents"));
  }

  private void raises() {
    List<Raise> raises = answers.raises();
    String levels =
        answers.ran().stream()
            .map(Ran::level)
            .distinct()
            .sorted()
            .map(IsolationLevel::label)
            .collect(Collectors.joining(" or "));
    boolean allOfOne = raises.size() == 1 && raises.get(0).group().isCode();
    lines.add(
        (allOfOne
                ? "They run the same statements, and are taken for one transaction of the code. Raised from "
                    + levels
                : "Raising one of them, while the others stay at " + levels)
            + assumption()
            + ":");
    raises.forEach(raise -> lines.add("  " + raise(raise)));
    if (raises.stream().allMatch(raise -> raise.enough() == null && !raise.open())) {
      lines.add(
          "So raising one is not enough; all of them at %s exclude it."
              .formatted(advise(levelOfAll())));
    }
    if (raises.stream().anyMatch(this::leavesWeakerBesideSerializable)) {
      lines.add(
          "PostgreSQL's SERIALIZABLE does not see what transactions at weaker levels write: there raise all.");
    }
  }

  /** The weakest level that excludes the anomaly if all of them run at it. */
  private IsolationLevel levelOfAll() {
    return witness.anomaly().level().weakerOf(IsolationLevel.SERIALIZABLE);
  }

  private IsolationLevel advise(IsolationLevel level) {
    advised.add(level);
    return level;
  }

  /** Of the transactions without a level that is known. */
  private String assumption() {
    List<Boolean> recorded =
        IntStream.range(0, answers.ran().size())
            .filter(i -> answers.ran().get(i).assumed())
            .mapToObj(i -> witness.parts().get(i).of().ranAt() != null)
            .distinct()
            .toList();
    if (recorded.isEmpty()) {
      return "";
    }
    String where =
        recorded.size() > 1
            ? "where no level was recorded, or one that is not known"
            : recorded.get(0)
                ? "where the level that was recorded is not known"
                : "where no level was recorded";
    return " (" + where + ", the strongest that allows it is taken)";
  }

  /** Whether, as advised, transactions at serializable and at weaker levels run side by side. */
  private boolean leavesWeakerBesideSerializable(Raise raise) {
    IsolationLevel enough = raise.enough();
    if (enough == null) {
      return false;
    }
    List<IsolationLevel> levels =
        IntStream.range(0, answers.ran().size())
            .mapToObj(
                part -> {
                  IsolationLevel own = answers.ran().get(part).level();
                  return raise.group().parts().contains(part) && enough.atLeast(own) ? enough : own;
                })
            .distinct()
            .toList();
    return levels.size() > 1 && levels.contains(IsolationLevel.SERIALIZABLE);
  }

  private String raise(Raise raise) {
    String name = name(raise.group());
    IsolationLevel enough = raise.enough();
    IsolationLevel allowed = raise.allowed();
    if (enough != null) {
      return "Raising only %s to %s is enough for these operations%s."
          .formatted(
              name,
              advise(enough),
              raise.open() ? "; whether a weaker level is was not found out in time" : "");
    }
    if (raise.open()) {
      return "Whether raising only %s is enough was not found out in time.".formatted(name);
    }
    if (allowed == null) {
      return "%s ran at the strongest level already.".formatted(name);
    }
    return "Raising only %s to %s is not enough, because %s."
        .formatted(name, allowed, because(raise));
  }

  private String because(Raise raise) {
    Raise.Found found = raise.found();
    if (found != null) {
      return found.kind() == witness.anomaly().kind()
          ? "other reads of the same transactions have such an anomaly then"
          : "other reads of the same transactions have another anomaly then: %s, which violates %s"
              .formatted(found.kind(), found.level());
    }
    return "with the commits in the order "
        + raise.commits().stream().map(this::execution).collect(Collectors.joining(", "))
        + " each of them still reads what its own level allows";
  }

  /** The statements of a transaction of the code, whose it is, and its executions. */
  private String name(CodeGroup group) {
    int count = group.parts().size();
    if (!group.isCode()) {
      return AnswersText.name(witness.parts().get(group.parts().get(0)));
    }
    String executions =
        group.parts().stream()
                .limit(MOST_EXECUTIONS_NAMED)
                .map(this::execution)
                .collect(Collectors.joining(", "))
            + (count > MOST_EXECUTIONS_NAMED ? ", …" : "");
    return "`%s` (%s)"
        .formatted(
            AnswersText.shortened(String.join("; ", group.statements())),
            Stream.of(
                    group.service() == null ? "" : group.service() + ", ",
                    count + (count == 1 ? " execution: " : " executions: "),
                    executions)
                .collect(Collectors.joining()));
  }

  private String execution(int part) {
    return witness.parts().get(part).of().name();
  }

  /** PostgreSQL's own name of the weakest of its levels that gives a level. */
  static String postgresName(IsolationLevel level) {
    return CheckerConfig.DEFAULT_PROMISES.entrySet().stream()
        .filter(promise -> promise.getKey().startsWith(POSTGRES))
        .filter(promise -> promise.getValue().atLeast(level))
        .min(Map.Entry.<String, IsolationLevel>comparingByValue().thenComparing(Map.Entry::getKey))
        .orElseThrow()
        .getKey()
        .substring(POSTGRES.length())
        .replace('-', ' ')
        .toUpperCase(Locale.ROOT);
  }
}
