package io.isotail.monitor.offline;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.isotail.incremental.RandomHistory;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.naive.NaiveChecker;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.monitor.cli.Main;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Random small histories through files of every format into {@code check}: the verdicts must be
 * those of the definitions. What a seed does, it does again.
 */
final class RandomHistoriesInFiles {
  private static final Set<IsolationLevel> LEVELS =
      EnumSet.range(IsolationLevel.READ_COMMITTED, IsolationLevel.SERIALIZABLE);
  private static final String LEVEL_NAMES =
      LEVELS.stream().map(IsolationLevel::label).collect(Collectors.joining(","));
  private static final ObjectMapper JSON = new ObjectMapper();

  /** The format is told to {@code check} for one seed in so many, and detected for the others. */
  private static final int FORMAT_TOLD_ONE_IN = 10;

  private final Path folder;

  final Map<String, Long> files = new LinkedHashMap<>();
  long histories;
  long passed;
  long failed;

  RandomHistoriesInFiles(Path folder) {
    this.folder = folder;
  }

  /** All files of one seed. */
  void run(long seed) throws IOException {
    List<TransactionRecord> history = RandomHistory.of(seed);
    Map<String, String> expected = definitions(history);
    Path here = Files.createDirectory(folder.resolve("history-" + seed));
    List<HistoryVariants.Variant> variants = HistoryVariants.write(here, history, seed);
    boolean told = seed % FORMAT_TOLD_ONE_IN == 0;
    List<JsonNode> answers = told ? toldFormat(variants) : check(List.of(), variants);
    for (int i = 0; i < variants.size(); i++) {
      JsonNode answer = answers.get(i);
      for (Map.Entry<String, String> each : expected.entrySet()) {
        String verdict = answer.path("verdicts").path(each.getKey()).asText("none");
        if (!verdict.equals(each.getValue())) {
          throw new AssertionError(
              "seed %d, %s: %s at %s, but the definitions say %s%n%s%n%s"
                  .formatted(
                      seed,
                      variants.get(i),
                      verdict,
                      each.getKey(),
                      each.getValue(),
                      RandomHistory.describe(history),
                      answer));
        }
        passed += verdict.equals("pass") ? 1 : 0;
        failed += verdict.equals("fail") ? 1 : 0;
      }
      files.merge(variants.get(i).format().label(), 1L, Long::sum);
    }
    histories++;
    HistoryVariants.remove(here);
  }

  /** What nobody committed anything to is not checked. */
  private static Map<String, String> definitions(List<TransactionRecord> history) {
    boolean empty = history.stream().noneMatch(t -> t.outcome() == Outcome.COMMITTED);
    List<NaiveChecker.Input> inputs = new ArrayList<>();
    for (TransactionRecord t : history) {
      inputs.add(NaiveChecker.Input.of(t));
    }
    Map<String, String> verdicts = new LinkedHashMap<>();
    for (IsolationLevel level : LEVELS) {
      boolean satisfied = NaiveChecker.satisfies(inputs, level, true);
      verdicts.put(level.label(), satisfied ? (empty ? "not-checked" : "pass") : "fail");
    }
    return verdicts;
  }

  private static List<JsonNode> toldFormat(List<HistoryVariants.Variant> variants)
      throws IOException {
    List<JsonNode> answers = new ArrayList<>();
    for (HistoryVariants.Variant each : variants) {
      answers.addAll(check(List.of("--format", each.format().label()), List.of(each)));
    }
    return answers;
  }

  /** What {@code isotail check --json} answers, one object a file. */
  private static List<JsonNode> check(List<String> options, List<HistoryVariants.Variant> variants)
      throws IOException {
    List<String> arguments = new ArrayList<>(List.of("check", "--json", "--level", LEVEL_NAMES));
    arguments.addAll(options);
    variants.forEach(each -> arguments.add(each.path().toString()));
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int status =
        Main.run(
            new PrintWriter(out, true),
            new PrintWriter(err, true),
            arguments.toArray(String[]::new));
    List<JsonNode> answers = new ArrayList<>();
    for (String line : out.toString().lines().toList()) {
      answers.add(JSON.readTree(line));
    }
    if (answers.size() != variants.size() || status == ExitCode.BAD) {
      throw new AssertionError("status %d of %s%n%s%n%s".formatted(status, arguments, out, err));
    }
    return answers;
  }
}
