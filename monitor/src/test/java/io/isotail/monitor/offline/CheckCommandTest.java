package io.isotail.monitor.offline;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.isotail.monitor.cli.Main;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CheckCommandTest {
  /** Passes every level but strict-serializable, which is undecided: there are no times. */
  private static final String GOOD = "w(1,1,0,0)\nr(1,1,1,0)\n";

  /** Read committed, but 1/0 saw only half of what 0/1 wrote. */
  private static final String FRACTURED =
      "w(1,1,0,0)\nw(2,1,0,0)\nw(1,2,0,1)\nw(2,2,0,1)\nr(1,1,1,0)\nr(2,2,1,0)\n";

  /** 1/0 reads a version that nobody wrote. */
  private static final String THIN_AIR = "w(1,1,0,0)\nr(1,9,1,0)\n";

  @TempDir private Path folder;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private Path good;
  private Path fractured;

  @BeforeEach
  void writeFiles() throws IOException {
    good = file("good.txt", GOOD);
    fractured = file("fractured.txt", FRACTURED);
  }

  @Test
  void aGoodHistoryPasses() throws Exception {
    assertThat(check("--json", good)).isEqualTo(ExitCode.PASSED);
    JsonNode result = objects().get(0);
    assertThat(result.fieldNames())
        .toIterable()
        .containsExactly(
            "path",
            "sessions",
            "transactions",
            "operations",
            "verdicts",
            "anomalies",
            "undecided",
            "coverage",
            "seconds",
            "levels",
            "edgesDropped",
            "reads",
            "causes",
            "estimatedOrder");
    assertThat(result.get("path").textValue()).isEqualTo(good.toString());
    assertThat(result.get("sessions").intValue()).isEqualTo(2);
    assertThat(result.get("transactions").intValue()).isEqualTo(2);
    assertThat(result.get("operations").intValue()).isEqualTo(2);
    assertThat(result.get("verdicts").toString())
        .isEqualTo(
            "{\"read-committed\":\"pass\",\"read-atomic\":\"pass\",\"causal\":\"pass\","
                + "\"prefix\":\"pass\",\"snapshot-isolation\":\"pass\",\"serializable\":\"pass\","
                + "\"strict-serializable\":\"undecided\"}");
    assertThat(result.get("anomalies")).isEmpty();
    assertThat(result.get("undecided").toString()).isEqualTo("{\"no-times\":2}");
    assertThat(result.get("coverage").doubleValue()).isEqualTo(1);
    assertThat(result.get("seconds").fieldNames()).toIterable().containsExactly("parse", "check");
  }

  /** A shuffled file used to end undecided, or not at all: nearly every guess was wrong. */
  @Test
  void aFileInNoOrderOfCommitsIsDecidedInAnEstimatedOne() throws Exception {
    for (String order : List.of("commit", "session", "shuffled")) {
      out.getBuffer().setLength(0);
      Path file = folder.resolve(order);
      run(
          "generate",
          "--transactions=3000",
          "--sessions=100",
          "--seed=5",
          "--order=" + order,
          "--output=" + file);
      out.getBuffer().setLength(0);
      assertThat(check("--json", "--level", "serializable", file)).isEqualTo(ExitCode.PASSED);
      JsonNode result = objects().get(0);
      assertThat(result.get("transactions").intValue()).isEqualTo(3_000);
      assertThat(result.get("estimatedOrder").booleanValue())
          .as(order)
          .isEqualTo(!order.equals("commit"));
      assertThat(check("--level", "causal", file)).isEqualTo(ExitCode.PASSED);
    }
  }

  /** Weak levels alone are checked as the lines come; what is found there is explained there. */
  @Test
  void whatIsFoundWithoutAnEstimateIsExplained() throws Exception {
    Path file = folder.resolve("fractured");
    run(
        "generate",
        "--transactions=3000",
        "--sessions=100",
        "--seed=5",
        "--order=shuffled",
        "--inject=fractured-read:3",
        "--output=" + file);
    for (String levels : List.of("causal", "all")) {
      out.getBuffer().setLength(0);
      assertThat(check("--json", "--level", levels, file)).isEqualTo(ExitCode.VIOLATION);
      for (JsonNode anomaly : objects().get(0).get("anomalies")) {
        String id = anomaly.get("id").textValue();
        assertThat(run("explain", "--anomaly", id, file.toString()))
            .as("%s, %s", levels, err)
            .isZero();
      }
    }
  }

  @Test
  void aViolationIsReportedWithItsCycle() throws Exception {
    assertThat(check("--json", fractured)).isEqualTo(ExitCode.VIOLATION);
    JsonNode anomaly = objects().get(0).get("anomalies").get(0);
    assertThat(anomaly.fieldNames())
        .toIterable()
        .startsWith(
            "id", "level", "anomaly", "adya", "explanation", "occurrences", "cycle", "capsule");
    assertThat(anomaly.get("level").textValue()).isEqualTo("read-atomic");
    assertThat(anomaly.get("cycle")).isNotEmpty();
    assertThat(anomaly.get("cycle").get(0).fieldNames())
        .toIterable()
        .startsWith("from", "to", "kind", "key");
  }

  @Test
  void onlyTheLevelsAskedForCount() throws Exception {
    assertThat(check("--json", "--level", "read-committed", fractured)).isEqualTo(ExitCode.PASSED);
    assertThat(objects().get(0).get("verdicts").toString())
        .isEqualTo("{\"read-committed\":\"pass\"}");
    assertThat(objects().get(0).get("anomalies")).isEmpty();
    assertThat(check("--level", "causal,read-committed", fractured)).isEqualTo(ExitCode.VIOLATION);
  }

  @Test
  void aCapsuleFailsByItselfAsAnOpenHistory() throws Exception {
    check("--json", fractured);
    StringBuilder lines = new StringBuilder();
    for (JsonNode line : objects().get(0).get("anomalies").get(0).get("capsule")) {
      lines.append(line).append('\n');
    }
    Path capsule = file("capsule.jsonl", lines.toString());
    assertThat(check("--open", capsule)).isEqualTo(ExitCode.VIOLATION);
  }

  @Test
  void theJudgeConfirmsACapsuleWithoutTheChecker() throws Exception {
    check("--json", fractured);
    StringBuilder lines = new StringBuilder();
    for (JsonNode line : objects().get(0).get("anomalies").get(0).get("capsule")) {
      lines.append(line).append('\n');
    }
    Path capsule = file("capsule.jsonl", lines.toString());
    assertThat(check("--judge", "--json", capsule)).isEqualTo(ExitCode.VIOLATION);
    assertThat(objects().get(1).get("judged").toString())
        .startsWith("{\"read-committed\":\"accepted\",\"read-atomic\":\"violated\"");
    assertThat(check("--judge", "--level", "read-atomic", capsule)).isEqualTo(ExitCode.VIOLATION);
    assertThat(out.toString()).contains("read-atomic          violated (a cycle was checked)");
    assertThat(check("--judge", good)).isEqualTo(ExitCode.PASSED);
    assertThat(out.toString())
        .contains("serializable         accepted (a schedule was run that satisfies it; trying");
    assertThat(check("--judge", file("thin-air.txt", THIN_AIR))).isEqualTo(ExitCode.PASSED);
    assertThat(check("--judge", "--level", "strict-serializable", good))
        .isEqualTo(ExitCode.UNDECIDED);
    assertThat(out.toString()).contains("not confirmed (not all transactions have times");
    assertThat(check("--judge", "--window", "9", good)).isEqualTo(ExitCode.BAD);
    assertThat(check("--judge", "--promise", "causal", good)).isEqualTo(ExitCode.BAD);
    assertThat(check("--judge", "--no-deletes", good)).isEqualTo(ExitCode.BAD);
  }

  @Test
  void ofManyTransactionsTheJudgeChecksAProof() throws Exception {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < 12; i++) {
      lines.append(
          "{\"session\":\"s%d\",\"txn\":1,\"ops\":[[\"r\",\"x\",null],[\"w\",\"x\",%d]]}%n"
              .formatted(i, i + 1));
    }
    Path many = file("many.jsonl", lines.toString());
    assertThat(check("--judge", "--level", "snapshot-isolation", many))
        .isEqualTo(ExitCode.VIOLATION);
    assertThat(out.toString()).contains("violated (a cycle in each of 2 cases was checked)");
    for (int i = 0; i < JudgedFile.MOST_TRANSACTIONS; i++) {
      lines.append("{\"session\":\"s\",\"txn\":%d,\"ops\":[]}%n".formatted(i));
    }
    assertThat(check("--judge", file("more.jsonl", lines.toString()))).isEqualTo(ExitCode.BAD);
    assertThat(err.toString()).contains("more than 1,000 transactions; expected a capsule");
  }

  @Test
  void anOpenHistoryMayHaveWritersThatAreNotInTheFile() throws Exception {
    Path file = file("thin-air.txt", THIN_AIR);
    assertThat(check("--json", file)).isEqualTo(ExitCode.VIOLATION);
    assertThat(check("--json", "--open", file)).isEqualTo(ExitCode.UNDECIDED);
    assertThat(objects().get(1).get("undecided").get("unknown-writer").intValue()).isEqualTo(1);
    assertThat(check("--open", "--level", "causal", file)).isEqualTo(ExitCode.PASSED);
  }

  @Test
  void whoeverWroteInBetweenAReadOfTheOldVersionBreaksCausal() throws Exception {
    Path file = file("aba.txt", "w(7,2,0,0)\nr(7,3,0,1)\nr(7,2,0,2)\n");
    assertThat(check("--open", file)).isEqualTo(ExitCode.VIOLATION);
    assertThat(out.toString()).contains("uncaptured/");
  }

  @Test
  void versionsThatComeBackLeaveAMissingWriterUndecidedInAnOpenHistory() throws Exception {
    Path file = file("back.txt", "w(7,2,0,0)\nw(7,2,1,1)\nr(7,3,0,2)\n");
    assertThat(check("--json", "--open", file)).isEqualTo(ExitCode.UNDECIDED);
    assertThat(objects().get(0).get("undecided").get("unknown-writer").intValue()).isEqualTo(1);
  }

  @Test
  void aPromiseThatIsAskedForCountsWhereTheFileHasNoTimes() throws Exception {
    assertThat(check(good)).isEqualTo(ExitCode.PASSED);
    assertThat(check("--promise", "strict-serializable", good)).isEqualTo(ExitCode.UNDECIDED);
    assertThat(check("--promise", "serializable", good)).isEqualTo(ExitCode.PASSED);
    assertThat(check("--level", "serializable, all", good)).isEqualTo(ExitCode.PASSED);
    assertThat(check("--level", "serializable,all", "--promise", "strict-serializable", good))
        .isEqualTo(ExitCode.UNDECIDED);
    assertThat(check("--level", "strict-serializable, all", good)).isEqualTo(ExitCode.UNDECIDED);
  }

  @Test
  void badInputLetsTheOtherFilesBeChecked() throws Exception {
    Path bad = file("bad.txt", "w(1,1,0,0)\nw(1,\n");
    assertThat(check("--json", bad, fractured, folder.resolve("none"), good))
        .isEqualTo(ExitCode.BAD);
    List<JsonNode> objects = objects();
    assertThat(objects).hasSize(4);
    assertThat(objects.get(0).get("error").textValue()).contains("bad.txt:2: found ");
    assertThat(objects.get(1).has("verdicts")).isTrue();
    assertThat(objects.get(2).get("error").textValue()).contains("expected a history file");
    assertThat(objects.get(3).get("path").textValue()).isEqualTo(good.toString());
    assertThat(err.toString()).contains("bad.txt:2: found ");
  }

  @Test
  void aCompressedFileHasTheVerdictsAndAnomaliesOfThePlainOne() throws Exception {
    Path packed = Files.createDirectory(folder.resolve("packed")).resolve("fractured.txt");
    gzip(packed, FRACTURED);
    assertThat(check("--json", fractured, packed)).isEqualTo(ExitCode.VIOLATION);
    List<JsonNode> objects = objects();
    for (String field : List.of("verdicts", "anomalies", "causes", "transactions")) {
      assertThat(objects.get(1).get(field)).isEqualTo(objects.get(0).get(field));
    }
  }

  @Test
  void aCompressedFileThatIsCutOffIsBadInput() throws Exception {
    Path cut = folder.resolve("cut.gz");
    gzip(cut, FRACTURED);
    Files.write(cut, Arrays.copyOf(Files.readAllBytes(cut), (int) Files.size(cut) - 3));
    assertThat(check(cut)).isEqualTo(ExitCode.BAD);
    assertThat(err.toString())
        .isEqualTo(
            "isotail check: %s: found the end of the file within its gzip data; expected a whole gzip file%n"
                .formatted(cut));
  }

  private static void gzip(Path path, String text) throws IOException {
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(path))) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    }
  }

  @Test
  void aViolationCountsMoreThanAnUndecidedFile() throws Exception {
    Path undecided = file("back.txt", "w(7,2,0,0)\nw(7,2,1,1)\nr(7,3,0,2)\n");
    assertThat(check("--open", undecided, good)).isEqualTo(ExitCode.UNDECIDED);
    assertThat(check("--open", undecided, fractured)).isEqualTo(ExitCode.VIOLATION);
  }

  @Test
  void anEmptyFileHasNothingToCheck() throws Exception {
    assertThat(check(file("empty", ""))).isEqualTo(ExitCode.UNDECIDED);
    assertThat(out.toString()).contains("nothing to check").contains("not-checked");
    assertThat(check("--level", "causal", file("empty", ""))).isEqualTo(ExitCode.UNDECIDED);
  }

  @Test
  void whatRanAtReadCommittedIsHeldToThatUnlessMoreIsPromised() throws Exception {
    String history =
        """
        {"session":"a","txn":1,"level":"postgresql:read-committed","ops":[["w","x",1]]}
        {"session":"b","txn":1,"level":"postgresql:read-committed","ops":[["r","x",1],["w","x",2]]}
        {"session":"c","txn":1,"level":"postgresql:read-committed","ops":[["r","x",1],["w","x",3]]}
        """;
    Path file = file("promises.jsonl", history);
    assertThat(check(file)).isEqualTo(ExitCode.PASSED);
    assertThat(out.toString())
        .containsPattern("read-committed +pass")
        .containsPattern("serializable +not-checked \\(0 of 3 transactions were promised it\\)");
    assertThat(check("--level", "serializable", file)).isEqualTo(ExitCode.UNDECIDED);
    assertThat(check("--promise", "causal", file)).isEqualTo(ExitCode.PASSED);
    assertThat(check("--promise", "serializable", file)).isEqualTo(ExitCode.VIOLATION);
    assertThat(check("--promise", "solid", file)).isEqualTo(ExitCode.BAD);
  }

  /** A TRUNCATE that comes after the read in the file may have come before it. */
  @Test
  void aStatementThatMayHaveDeletedARowExplainsItsAbsenceWhereverItStands() throws Exception {
    String read =
        """
        {"session":"a","txn":1,"ops":[["w","x",1]]}
        {"session":"a","txn":2,"ops":[["r","x",null]]}
        """;
    String truncate =
        """
        {"session":"b","txn":1,"ops":[["o",null]]}
        """;
    assertThat(check(file("after.jsonl", read + truncate))).isEqualTo(ExitCode.UNDECIDED);
    assertThat(check(file("before.jsonl", truncate + read))).isEqualTo(ExitCode.UNDECIDED);
  }

  @Test
  void absenceInAnOpenHistoryProvesSomethingOnlyWithoutDeletes() throws Exception {
    Path file =
        file(
            "absent.jsonl",
            """
            {"session":"a","txn":1,"ops":[["w","x",1]]}
            {"session":"a","txn":2,"ops":[["r","x",null]]}
            """);
    assertThat(check(file)).isEqualTo(ExitCode.VIOLATION);
    assertThat(check("--open", file)).isEqualTo(ExitCode.UNDECIDED);
    assertThat(check("--open", "--no-deletes", file)).isEqualTo(ExitCode.VIOLATION);
  }

  @Test
  void peopleGetVerdictsAndTheExplanation() {
    check(fractured);
    assertThat(out.toString())
        .contains("fractured.txt: 3 transactions")
        .contains("read-atomic          fail")
        .contains("violates read-atomic")
        .contains(" -> ");
  }

  @Test
  void aFileWithoutTimesIsNotStrictlyJudgedAndFailsOnlyWhoAsksForThat() {
    assertThat(check(good)).isEqualTo(ExitCode.PASSED);
    assertThat(out.toString()).contains("strict-serializable  undecided").contains("no-times: ");
    assertThat(check("--level", "strict-serializable", good)).isEqualTo(ExitCode.UNDECIDED);
  }

  @Test
  void clocksAreComparedOnlyIfToldHowFarApartTheyAre(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("two-clocks.jsonl");
    Files.writeString(
        file,
        """
        {"session":"a","txn":1,"clock":"c","begin":0,"end":1000000,"ops":[["w","x",1]]}
        {"session":"b","txn":1,"clock":"d","begin":9000000,"end":9500000,"ops":[["r","x",null]]}
        """);
    assertThat(check(file)).isEqualTo(ExitCode.PASSED);
    assertThat(check("--clock-uncertainty", "20ms", file)).isEqualTo(ExitCode.PASSED);
    assertThat(check("--clock-uncertainty", "5ms", file)).isEqualTo(ExitCode.VIOLATION);
    assertThat(out.toString())
        .contains("strict-serializable  fail")
        .contains("had ended 8.000 ms before b/1 began, by clocks c and d");
  }

  @Test
  void badUsageSaysWhatWasExpected() {
    assertThat(check("--level", "strong", good)).isEqualTo(ExitCode.BAD);
    assertThat(err.toString())
        .contains("'strong' is unknown")
        .contains(
            "read-committed, read-atomic, causal, prefix, snapshot-isolation, serializable,"
                + " strict-serializable or all");
    assertThat(check("--clock-uncertainty", "some", good)).isEqualTo(ExitCode.BAD);
    assertThat(err.toString()).contains("--clock-uncertainty some; expected a time");
    assertThat(check("--format", "xml", good)).isEqualTo(ExitCode.BAD);
    assertThat(err.toString())
        .contains(
            "--format xml is unknown; expected auto, plume, awdit, dbcop, cobra, chronos, elle");
    assertThat(check("--format", "jsonl", good)).isEqualTo(ExitCode.BAD);
    assertThat(err.toString()).contains("good.txt:1: found no JSON");
    assertThat(check("--window", "1", good)).isEqualTo(ExitCode.BAD);
    assertThat(check()).isEqualTo(ExitCode.BAD);
    assertThat(check(folder)).isEqualTo(ExitCode.BAD);
    assertThat(err.toString()).contains("found a directory with none of these");
  }

  @Test
  void helpAndVersionPass() {
    for (String[] args : new String[][] {{"--help"}, {"--version"}, {"check", "--help"}}) {
      assertThat(run(args)).isEqualTo(ExitCode.PASSED);
    }
    assertThat(out.toString())
        .containsPattern("isotail \\d+\\.\\d+\\.\\d+")
        .contains("--window")
        .contains("gzip or zstd")
        .contains("plume");
    for (String command : List.of("check", "serve")) {
      out.getBuffer().setLength(0);
      assertThat(run(command, "--help")).isEqualTo(ExitCode.PASSED);
      assertThat(out.toString()).as(command).contains("Phantoms");
    }
    assertThat(run()).isEqualTo(ExitCode.BAD);
    assertThat(run("unknown")).isEqualTo(ExitCode.BAD);
  }

  @Test
  void aReadAfterADeleteIsNoAnomaly() throws Exception {
    Path deleted =
        file(
            "deleted.jsonl",
            """
            {"session":"a","txn":1,"ops":[["w","x",1]]}
            {"session":"a","txn":2,"ops":[["r","x",1],["d","x"]]}
            {"session":"a","txn":3,"ops":[["r","x",null]]}
            """);
    assertThat(check("--json", deleted)).isEqualTo(ExitCode.UNDECIDED);
    assertThat(objects().get(0).get("undecided").get("absence").intValue()).isEqualTo(1);
  }

  @Test
  void aVersionWrittenTwiceIsUndecidedInAnyOrderOfTheLines() throws Exception {
    String attempt =
        "{\"session\":\"a\",\"txn\":1,\"outcome\":\"aborted\",\"ops\":[[\"w\",\"x\",1]]}\n";
    String retry = "{\"session\":\"b\",\"txn\":1,\"ops\":[[\"w\",\"x\",1]]}\n";
    String other = "{\"session\":\"d\",\"txn\":1,\"ops\":[[\"w\",\"x\",1]]}\n";
    String reader = "{\"session\":\"c\",\"txn\":1,\"ops\":[[\"r\",\"x\",1]]}\n";
    assertThat(check(file("retry.jsonl", attempt + reader + retry))).isEqualTo(ExitCode.PASSED);
    assertThat(check(file("first.jsonl", retry + other + reader))).isEqualTo(ExitCode.UNDECIDED);
    assertThat(check(file("last.jsonl", retry + reader + other))).isEqualTo(ExitCode.UNDECIDED);
  }

  @Test
  void aLevelThatDoesNotExistIsBadInput() throws Exception {
    Path typo =
        file("typo.jsonl", "{\"session\":\"a\",\"txn\":1,\"level\":\"SERIALIZABLE\",\"ops\":[]}\n");
    assertThat(check(typo)).isEqualTo(ExitCode.BAD);
    assertThat(err.toString()).contains("typo.jsonl:1", "SERIALIZABLE", "read-committed");
  }

  @Test
  void anAnomalyHasTheSameIdWhereverTheFileLies() throws Exception {
    Path copy = Files.createDirectory(folder.resolve("elsewhere")).resolve("fractured.txt");
    Files.copy(fractured, copy);
    check("--json", fractured, copy);
    List<JsonNode> objects = objects();
    assertThat(objects.get(0).get("anomalies").get(0).get("id"))
        .isEqualTo(objects.get(1).get("anomalies").get(0).get("id"));
  }

  @Test
  void verdictsAreColouredWhereColoursAreAskedForAndNeverInJson() throws Exception {
    check(fractured);
    assertThat(out.toString()).as("no terminal").doesNotContain("\u001b");
    check("--color", "always", fractured);
    assertThat(out.toString())
        .contains("read-committed       \u001b[32mpass\u001b[0m")
        .contains("read-atomic          \u001b[31mfail\u001b[0m")
        .contains("violates \u001b[31mread-atomic\u001b[0m");
    check("--color", "always", good);
    assertThat(out.toString()).contains("strict-serializable  \u001b[33mundecided\u001b[0m");
    check("--color", "always", "--judge", "--level", "causal", good);
    assertThat(out.toString()).contains("causal               \u001b[32maccepted\u001b[0m");
    out.getBuffer().setLength(0);
    check("--color", "always", "--json", fractured);
    check("--color", "always", "--judge", "--json", fractured);
    assertThat(out.toString()).doesNotContain("\u001b");
  }

  private int check(Object... args) {
    List<String> all = new ArrayList<>(List.of("check"));
    for (Object arg : args) {
      all.add(arg.toString());
    }
    return run(all.toArray(String[]::new));
  }

  private int run(String... args) {
    return Main.run(new PrintWriter(out, true), new PrintWriter(err, true), args);
  }

  private List<JsonNode> objects() throws IOException {
    List<JsonNode> objects = new ArrayList<>();
    for (String line : out.toString().lines().toList()) {
      objects.add(new ObjectMapper().readTree(line));
    }
    return objects;
  }

  private Path file(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }
}
