package io.isotail.monitor.offline;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.incremental.explore.Program;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.ingest.format.HistoryFormat;
import io.isotail.ingest.format.HistoryFormatException;
import io.isotail.ingest.format.HistoryFormats;
import io.isotail.ingest.format.TransactionConsumer;
import io.isotail.monitor.explore.witness.LevelAnswers;
import io.isotail.monitor.explore.witness.WitnessProgram;
import io.isotail.monitor.render.WitnessReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A folder of histories whose verdicts are known, each as it is, shuffled, and in every other
 * format that can hold it, through the launcher's {@code check --json}.
 *
 * <p>The folder's {@code expected.jsonl} has an object for each history: {@code path}, {@code
 * format} and {@code verdicts}, from level to {@code pass} or {@code fail}. Where nothing is
 * expected at a level, the files of one history must still agree. The program of each anomaly must
 * be possible at the levels below the one that it violates, and at no other.
 */
final class ExpectedHistories {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** Files that one process checks. */
  private static final int FILES_A_PROCESS = 400;

  private final Path histories;
  private final Path work;
  private final Path launcher;
  private final Map<HistoryFormat, List<Expected>> waiting = new LinkedHashMap<>();

  final Map<String, Long> files = new LinkedHashMap<>();
  final List<String> wrong = new ArrayList<>();
  long count;
  long compared;
  long notDecided;
  long programs;

  ExpectedHistories(Path histories, Path work, Path launcher) {
    this.histories = histories;
    this.work = work;
    this.launcher = launcher;
  }

  /** A file, and what is expected of the history in it; filled in from its first file. */
  private record Expected(Path path, Map<String, String> verdicts) {}

  void run() throws IOException, InterruptedException {
    List<String> lines = Files.readAllLines(histories.resolve("expected.jsonl"));
    // The files as they are come first, so that the others can be compared with them.
    List<Map<String, String>> verdicts = new ArrayList<>();
    for (String line : lines) {
      JsonNode each = JSON.readTree(line);
      Map<String, String> expected = new TreeMap<>();
      each.path("verdicts")
          .properties()
          .forEach(entry -> expected.put(entry.getKey(), entry.getValue().asText()));
      verdicts.add(expected);
      add(format(each), new Expected(histories.resolve(each.path("path").asText()), expected));
    }
    checkAll();
    for (int i = 0; i < lines.size(); i++) {
      JsonNode each = JSON.readTree(lines.get(i));
      Path folder = Files.createDirectory(work.resolve(Integer.toString(i)));
      List<TransactionRecord> history =
          read(histories.resolve(each.path("path").asText()), format(each));
      for (HistoryVariants.Variant variant : HistoryVariants.write(folder, history, i + 1L)) {
        add(variant.format(), new Expected(variant.path(), verdicts.get(i)));
      }
      count++;
    }
    checkAll();
  }

  private void add(HistoryFormat format, Expected expected) {
    waiting.computeIfAbsent(format, f -> new ArrayList<>()).add(expected);
    files.merge(format.label(), 1L, Long::sum);
  }

  private static HistoryFormat format(JsonNode expected) {
    return HistoryFormats.ofLabel(expected.path("format").asText());
  }

  private static List<TransactionRecord> read(Path path, HistoryFormat format) throws IOException {
    List<TransactionRecord> history = new ArrayList<>();
    try {
      format.read(
          path,
          new TransactionConsumer() {
            @Override
            public void accept(long line, TransactionRecord transaction) {
              history.add(transaction);
            }

            @Override
            public void restart() {
              history.clear();
            }
          });
    } catch (HistoryFormatException e) {
      throw new IOException(e);
    }
    return history;
  }

  private void checkAll() throws IOException, InterruptedException {
    for (Map.Entry<HistoryFormat, List<Expected>> each : waiting.entrySet()) {
      List<Expected> all = each.getValue();
      for (int from = 0; from < all.size(); from += FILES_A_PROCESS) {
        int to = Math.min(all.size(), from + FILES_A_PROCESS);
        check(each.getKey(), all.subList(from, to));
      }
    }
    waiting.clear();
  }

  private void check(HistoryFormat format, List<Expected> expected)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(launcher.toString());
    command.addAll(List.of("check", "--json", "--level", "all", "--format", format.label()));
    expected.forEach(each -> command.add(each.path().toString()));
    Path errors = work.resolve("errors");
    Process process = new ProcessBuilder(command).redirectError(errors.toFile()).start();
    process.getOutputStream().close();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    int status = process.waitFor();
    List<String> lines = out.lines().toList();
    if (lines.size() != expected.size()) {
      throw new IOException(
          "%d answers for %d files, status %d: %s"
              .formatted(lines.size(), expected.size(), status, Files.readString(errors)));
    }
    for (int i = 0; i < lines.size(); i++) {
      compare(expected.get(i), JSON.readTree(lines.get(i)));
    }
  }

  private void compare(Expected expected, JsonNode answer) {
    JsonNode verdicts = answer.path("verdicts");
    if (verdicts.isEmpty()) {
      wrong.add(expected.path() + ": " + answer);
    }
    verdicts
        .properties()
        .forEach(
            each -> {
              String verdict = each.getValue().asText();
              String wanted = expected.verdicts().putIfAbsent(each.getKey(), verdict);
              if (wanted == null) {
                return;
              }
              compared++;
              if (!wanted.equals(verdict)) {
                wrong.add(
                    "%s: %s at %s, expected %s"
                        .formatted(expected.path(), verdict, each.getKey(), wanted));
              }
            });
    List<Anomaly> anomalies = new ArrayList<>();
    answer
        .path("anomalies")
        .forEach(document -> anomalies.add(WitnessReader.read(document).anomaly()));
    anomalies.forEach(anomaly -> program(expected, anomaly, anomalies));
    notDecided +=
        expected.verdicts().keySet().stream().filter(level -> !verdicts.has(level)).count();
  }

  /**
   * The program of an anomaly is possible at no level from the violated one on; and if nothing else
   * violates a weaker one, at each below it.
   */
  private void program(Expected expected, Anomaly anomaly, List<Anomaly> all) {
    boolean fits =
        !anomaly.capsule().isEmpty() && anomaly.capsule().size() < Program.MAX_TRANSACTIONS;
    if (!fits) {
      return;
    }
    programs++;
    LevelAnswers answers = answers(WitnessProgram.of(anomaly));
    boolean weakest = all.stream().noneMatch(other -> other.level().compareTo(anomaly.level()) < 0);
    boolean below = answers.excluded().stream().allMatch(level -> level.atLeast(anomaly.level()));
    if (answers.limited() || !answers.excludesFrom(anomaly.level()) || (weakest && !below)) {
      wrong.add(
          "%s: %s violates %s, but its program is possible at %s, excluded by %s"
              .formatted(
                  expected.path(),
                  anomaly.id(),
                  anomaly.level(),
                  answers.possible(),
                  answers.excluded()));
    }
  }

  private static LevelAnswers answers(WitnessProgram witness) {
    try {
      return LevelAnswers.of(witness, program -> LevelAnswers.Search.NONE);
    } catch (InterruptedException e) {
      throw new IllegalStateException("nothing is searched", e);
    }
  }
}
