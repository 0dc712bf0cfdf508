package io.isotail.monitor.offline;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.isotail.incremental.anomaly.AnomalyKind;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.ingest.generate.GenerateConfig;
import io.isotail.monitor.cli.Main;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code generate} writes, {@code check} reads. */
class GenerateCommandTest {
  private static final Set<AnomalyKind> BEYOND_CAUSAL =
      EnumSet.of(AnomalyKind.LONG_FORK, AnomalyKind.LOST_UPDATE, AnomalyKind.WRITE_SKEW);

  @TempDir private Path folder;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  /** What is injected may be out of date by the clock too. */
  private static final String UP_TO_SERIALIZABLE =
      "read-committed,read-atomic,causal,prefix,snapshot-isolation,serializable";

  static Stream<AnomalyKind> kinds() {
    return GenerateConfig.Injections.KINDS.stream();
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void checkFindsWhatWasPutInAndNothingElse(AnomalyKind kind) throws Exception {
    for (String format : List.of("plume", "jsonl")) {
      for (String order : List.of("commit", "session", "shuffled")) {
        Path file = folder.resolve("history-" + order + "." + format);
        assertThat(generate(file, "--format", format, "--order", order, "--inject", kind + ":3"))
            .as("%s", err)
            .isEqualTo(ExitCode.PASSED);
        JsonNode result = check(file, "--level", UP_TO_SERIALIZABLE);
        boolean causal = BEYOND_CAUSAL.contains(kind);
        assertThat(result.get("verdicts").get("causal").textValue())
            .isEqualTo(causal ? "pass" : "fail");
        List<JsonNode> listed = lines(GeneratedFile.injectedList(file));
        assertThat(listed).hasSize(3).allMatch(each -> isKind(each.get("kind"), kind));
        assertThat(result.get("verdicts").get("serializable").textValue()).isEqualTo("fail");
        assertThat(result.get("anomalies")).as("%s %s", format, order).hasSize(3);
        for (JsonNode anomaly : result.get("anomalies")) {
          assertThat(isKind(anomaly.get("anomaly"), kind)).as("%s", anomaly).isTrue();
          assertThat(listed).anyMatch(each -> covers(each, anomaly));
        }
      }
    }
  }

  @Test
  void aSerializableHistoryWithTimesIsStrictInAnyOrderOfLinesAndOthersAreNot() throws Exception {
    for (String order : List.of("commit", "session", "shuffled")) {
      Path file = folder.resolve("serializable-" + order + ".jsonl");
      assertThat(generate(file, "--format", "jsonl", "--order", order, "--level", "serializable"))
          .as("%s", err)
          .isEqualTo(ExitCode.PASSED);
      assertThat(check(file).get("verdicts").get("strict-serializable").textValue())
          .isEqualTo("pass");
    }
    Path file = folder.resolve("snapshots.jsonl");
    assertThat(generate(file, "--format", "jsonl", "--level", "snapshot-isolation"))
        .isEqualTo(ExitCode.PASSED);
    assertThat(check(file).get("verdicts").get("strict-serializable").textValue())
        .isEqualTo("fail");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "read-committed",
        "read-atomic",
        "causal",
        "prefix",
        "snapshot-isolation",
        "serializable"
      })
  void eachLevelIsWrittenInEachFormat(String level) throws Exception {
    for (String format : List.of("plume", "jsonl", "dbcop", "cobra", "elle")) {
      Path path = folder.resolve(level + "." + format);
      assertThat(generate(path, "--format", format, "--level", level, "--abort-ratio", "0.1"))
          .as("%s %s", format, err)
          .isEqualTo(ExitCode.PASSED);
      JsonNode verdicts = check(path, "--format", format).get("verdicts");
      assertThat(verdicts.get("read-committed").textValue()).as(format).isEqualTo("pass");
      assertThat(verdicts.get("read-atomic").textValue())
          .as(format)
          .isEqualTo(level.equals("read-committed") ? "fail" : "pass");
      assertThat(verdicts.get("causal").textValue())
          .as(format)
          .isEqualTo(level.startsWith("read-") ? "fail" : "pass");
      for (IsolationLevel weaker : IsolationLevel.values()) {
        if (IsolationLevel.ofLabel(level).atLeast(weaker)) {
          assertThat(verdicts.get(weaker.label()).textValue()).as(format).isEqualTo("pass");
        }
      }
    }
  }

  @Test
  void theSameSeedGivesTheSameFileAndAMissingOneIsPrinted() throws Exception {
    Path first = folder.resolve("first");
    Path again = folder.resolve("again");
    assertThat(run("generate", "--output", first.toString())).isEqualTo(ExitCode.PASSED);
    String seed = err.toString().replaceAll("(?s).*--seed (\\d+).*", "$1");
    assertThat(out.toString())
        .contains("first: 1,000 transactions (1,000 committed, 0 aborted, 0 unknown)")
        .contains("8,000 operations, 0 anomalies put in; seed " + seed);
    assertThat(run("generate", "--seed", seed, "--output", again.toString()))
        .isEqualTo(ExitCode.PASSED);
    assertThat(again).hasSameTextualContentAs(first);
    assertThat(GeneratedFile.injectedList(first)).doesNotExist();
  }

  @Test
  void aPlumeFileNumbersItsTransactionsOnce() throws Exception {
    for (String order : List.of("commit", "session", "shuffled")) {
      Path file = folder.resolve("numbers-" + order);
      assertThat(generate(file, "--order", order, "--abort-ratio", "0.1", "--inject", "all:2"))
          .as("%s", err)
          .isEqualTo(ExitCode.PASSED);
      Map<String, Set<String>> sessionsOf = new HashMap<>();
      for (String line : Files.readAllLines(file)) {
        String[] parts = line.split("[,)]", -1);
        if (!parts[3].equals("-1")) {
          sessionsOf.computeIfAbsent(parts[3], number -> new HashSet<>()).add(parts[2]);
        }
      }
      assertThat(sessionsOf).as(order).hasSizeGreaterThan(800);
      assertThat(sessionsOf.values()).as(order).allMatch(sessions -> sessions.size() == 1);
    }
  }

  @Test
  void everyAnomalyAtOnceAddsUp() throws Exception {
    Path file = folder.resolve("all.jsonl");
    assertThat(
            generate(
                file,
                "--format",
                "jsonl",
                "--inject",
                "all:2",
                "--inject",
                "fractured-read",
                "--inject-span",
                "10",
                "--clock-skew",
                "50ms",
                "--unknown-ratio",
                "0.05"))
        .isEqualTo(ExitCode.PASSED);
    assertThat(lines(GeneratedFile.injectedList(file))).hasSize(2 * 14 + 1);
    assertThat(check(file).get("anomalies")).hasSize(2 * 14 + 1);
    assertThat(lines(file).get(0).fieldNames())
        .toIterable()
        .contains("session", "txn", "clock", "begin", "end", "ops");
  }

  @Test
  void aListOfAnomaliesDoesNotOutliveItsHistory() {
    Path file = folder.resolve("file");
    generate(file, "--inject", "fractured-read");
    assertThat(GeneratedFile.injectedList(file)).exists();
    generate(file);
    assertThat(GeneratedFile.injectedList(file)).doesNotExist();
  }

  @Test
  void badUsageSaysWhatWasExpected() {
    Path file = folder.resolve("file");
    assertBad(file, "expected one of read-committed", "--level", "strong");
    assertBad(file, "expected serializable", "--level", "strict-serializable");
    assertBad(file, "sessions 0; expected 1 to", "--sessions", "0");
    assertBad(file, "keys 0; expected 1 to", "--keys", "0");
    assertBad(file, "expected 0 to 1", "--read-ratio", "1.5");
    assertBad(file, "expected uniform, zipfian", "--distribution", "pareto");
    assertBad(file, "expected all or one of", "--inject", "dirty-write");
    assertBad(file, "expected all or one of", "--inject", "causality-cycle");
    assertBad(file, "expected a number after the colon", "--inject", "lost-update:x");
    assertBad(file, "expected 1 to", "--inject", "lost-update:0");
    assertBad(file, "commit, session, shuffled", "--order", "random");
    assertBad(file, "expected one of plume", "--format", "csv");
    assertBad(file, "format 'chronos' can only be read", "--format", "chronos");
    assertBad(file, "expected elle or jsonl", "--clock-skew", "1ms");
    assertBad(file, "expected elle or jsonl", "--latency", "1ms");
    assertBad(file, "expected 1 to", "--latency", "2s", "--format", "jsonl");
    assertBad(file, "1h30m or 50ms", "--clock-skew", "much", "--format", "jsonl");
    assertBad(file, "an unknown outcome, which plume cannot hold", "--unknown-ratio", "0.5");
    assertThat(file).doesNotExist();
    assertBad(folder.resolve("none").resolve("file"), "not written");
    assertBad(folder, "not written");
    assertThat(run("generate")).isEqualTo(ExitCode.BAD);
  }

  private void assertBad(Path file, String message, String... options) {
    err.getBuffer().setLength(0);
    assertThat(generate(file, options)).as("%s", String.join(" ", options)).isEqualTo(ExitCode.BAD);
    assertThat(err.toString()).contains(message).doesNotContain("\tat ");
  }

  private static boolean isKind(JsonNode name, AnomalyKind kind) {
    return name.textValue().equals(kind.label());
  }

  /** Whether the transactions of the anomaly's capsule are among those put in. */
  private static boolean covers(JsonNode injection, JsonNode anomaly) {
    Set<String> members = new HashSet<>();
    for (JsonNode member : injection.get("transactions")) {
      members.add(member.get("session") + "/" + member.get("txn"));
    }
    for (JsonNode transaction : anomaly.get("capsule")) {
      // Plume has no numbers for aborted transactions.
      boolean aborted = "aborted".equals(transaction.path("outcome").textValue());
      if (!aborted
          && !members.contains(transaction.get("session") + "/" + transaction.get("txn"))) {
        return false;
      }
    }
    return true;
  }

  private int generate(Path file, String... options) {
    List<String> args = new ArrayList<>(List.of("generate", "--output", file.toString()));
    args.addAll(List.of("--seed", "7"));
    args.addAll(List.of(options));
    return run(args.toArray(String[]::new));
  }

  private JsonNode check(Path file, String... options) throws IOException {
    out.getBuffer().setLength(0);
    List<String> args = new ArrayList<>(List.of("check", "--json"));
    args.addAll(List.of(options));
    args.add(file.toString());
    int status = run(args.toArray(String[]::new));
    JsonNode result = new ObjectMapper().readTree(out.toString());
    boolean failed = result.get("verdicts").toString().contains("\"fail\"");
    assertThat(status).as("%s", err).isEqualTo(failed ? ExitCode.VIOLATION : ExitCode.PASSED);
    return result;
  }

  private static List<JsonNode> lines(Path file) throws IOException {
    List<JsonNode> objects = new ArrayList<>();
    for (String line : Files.readAllLines(file)) {
      objects.add(new ObjectMapper().readTree(line));
    }
    return objects;
  }

  private int run(String... args) {
    return Main.run(new PrintWriter(out, true), new PrintWriter(err, true), args);
  }
}
