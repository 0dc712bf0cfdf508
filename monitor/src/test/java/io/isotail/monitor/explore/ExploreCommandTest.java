package io.isotail.monitor.explore;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.isotail.monitor.cli.Main;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ExploreCommandTest {
  @TempDir private Path folder;

  private record Said(int status, String out, String err) {}

  private static Said run(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    List<String> all = new ArrayList<>(List.of("explore"));
    all.addAll(List.of(arguments));
    int status =
        Main.run(
            new PrintWriter(out, true), new PrintWriter(err, true), all.toArray(String[]::new));
    return new Said(status, out.toString(), err.toString());
  }

  /** The known results of the literature: what goes wrong, below which level, and its name. */
  @ParameterizedTest
  @CsvSource({
    "last-item, snapshot-isolation, more was sold than there was, lost-update",
    "shopping-cart, snapshot-isolation, a change of the quantity is lost, lost-update",
    "courseware, serializable, more students were told, write-skew",
    "small-bank, serializable, the customer has spent more, write-skew",
    "long-fork, prefix, the readers saw the messages in opposite orders, long-fork",
    "twitter, causal, a tweet that was seen has vanished, causality-violation",
    "wikipedia, snapshot-isolation, a revision is lost, lost-update",
    "tpc-c, snapshot-isolation, an order is lost, lost-update",
  })
  void examplesFailBelowTheLevelThatKeepsThem(
      String example, String weakest, String failure, String anomaly) {
    Said said = run("--example", example);
    assertThat(said.status()).isEqualTo(1);
    assertThat(said.out())
        .contains("Weakest level at which all assertions hold: " + weakest)
        .contains(failure)
        .contains("(" + anomaly + "): it violates " + weakest);
  }

  @ParameterizedTest
  @ValueSource(strings = {"last-item", "small-bank", "long-fork"})
  void theHistoryThatIsShownIsRefusedByCheckAtTheLevelThatForbidsIt(String example)
      throws IOException {
    Path history = folder.resolve("history.jsonl");
    Said said = run("--example", example, "--out", history.toString());
    assertThat(said.out()).contains("The history is in " + history);
    StringWriter out = new StringWriter();
    PrintWriter writer = new PrintWriter(out, true);
    int status = Main.run(writer, writer, "check", history.toString());
    assertThat(status).isEqualTo(1);
    String weakest =
        said.out().lines().filter(line -> line.startsWith("Weakest")).findFirst().orElseThrow();
    String level = weakest.substring(weakest.lastIndexOf(' ') + 1);
    assertThat(out.toString()).containsPattern(level + " +FAIL|" + level + ".*fail");
    assertThat(Files.readAllLines(history)).isNotEmpty();
  }

  @Test
  void levelsCanBeChosenAndCompared() {
    Said one = run("--level", "serializable", "--example", "small-bank");
    assertThat(one.status()).isZero();
    assertThat(one.out()).contains("serializable").doesNotContain("causal");
    Said compared =
        run("--compare", "serializable", "snapshot-isolation", "--example", "small-bank");
    assertThat(compared.status()).isZero();
    assertThat(compared.out())
        .contains("snapshot-isolation allows 3 histories; 1 of them violate serializable")
        .contains("write-skew");
    assertThat(run("--weakest", "--example", "last-item").out())
        .contains("snapshot-isolation")
        .doesNotContain("\nserializable");
  }

  @Test
  void theWeakestLevelIsFoundOrThereIsNoneOrItIsNotKnown() throws IOException {
    Said found = run("--weakest", "--example", "last-item");
    assertThat(found.status()).isZero();
    assertThat(found.out()).contains("fail in", "Weakest level").contains("One history that");
    Path program = folder.resolve("counter.explore");
    Files.writeString(program, COUNTER);
    Said chosen = run("--weakest", "--level", "serializable", program.toString());
    assertThat(chosen.status()).isEqualTo(2);
    assertThat(chosen.err()).contains("--weakest: expected no --level with it");
    Files.writeString(program, COUNTER.replace("a == 2", "a == 3"));
    assertThat(run("--weakest", program.toString()).status()).isEqualTo(1);
    Files.writeString(
        program,
        """
        var n = 0;
        session alice { begin a := read(n); write(n, a + 1); commit }
        session bob { begin a := read(n); write(n, a + 1); commit }
        final { a := read(n); assert true; }
        """);
    String path = program.toString();
    Said limited = run("--weakest", "--max-histories", "3", path);
    assertThat(limited.out())
        .containsPattern("causal .* not exhausted")
        .containsPattern("snapshot-isolation .* hold")
        .doesNotContain("\nserializable");
    assertThat(limited.status()).isEqualTo(3);
    assertThat(run("--weakest", "--max-histories", "1", path).status()).isEqualTo(3);
  }

  @Test
  void threadsFindTheSameNumber() {
    String[] lines = new String[2];
    for (int threads = 1; threads <= 2; threads++) {
      Said said = run("--threads", "" + threads, "--level", "read-committed", "--example", "tpc-c");
      assertThat(said.out()).doesNotContain("not exhausted");
      lines[threads - 1] =
          said.out().lines().filter(l -> l.startsWith("read-committed")).findFirst().orElseThrow();
    }
    assertThat(lines[0].substring(0, 60)).isEqualTo(lines[1].substring(0, 60));
    Said shared = run("--threads", "2", "--level", "serializable", "--example", "tpc-c");
    assertThat(shared.out()).containsPattern("serializable .* hold");
    assertThat(shared.status()).isZero();
  }

  @Test
  void aLimitIsNeverAPass() throws IOException {
    Path program = folder.resolve("p.explore");
    Files.writeString(
        program,
        """
        var x = 0;
        session a { begin n := read(x); write(x, 1); commit }
        session b { begin n := read(x); write(x, 2); commit }
        final { assert true; }
        """);
    Said said = run("--max-histories", "1", "--level", "causal", program.toString());
    assertThat(said.status()).isEqualTo(3);
    assertThat(said.out()).contains("not exhausted: no failure so far").doesNotContain("hold\n");
    assertThat(said.out()).contains("causal was not exhausted: nothing is said of it.");
    Said strong = run("--level", "serializable", "--example", "long-fork");
    assertThat(strong.out())
        .contains("All assertions hold at serializable. Of weaker levels that is not known.");
    Files.writeString(program, "var x = 0; session a { begin n := read(x); commit }");
    Said whole = run("--level", "causal", program.toString());
    assertThat(whole.status()).isZero();
    assertThat(whole.out()).contains("The program asserts nothing, so nothing can fail.");
  }

  @Test
  void oneObjectIsPrintedForPrograms() throws IOException {
    Said said = run("--json", "--example", "small-bank");
    assertThat(said.status()).isEqualTo(1);
    JsonNode json = new ObjectMapper().readTree(said.out());
    assertThat(json.path("weakest").asText()).isEqualTo("serializable");
    assertThat(json.path("levels")).hasSize(6);
    JsonNode failure = json.path("failure");
    assertThat(failure.path("level").asText()).isEqualTo("snapshot-isolation");
    assertThat(failure.path("anomaly").asText()).isEqualTo("write-skew");
    assertThat(failure.path("history")).hasSize(3);
    JsonNode holds =
        new ObjectMapper()
            .readTree(run("--json", "--level", "serializable", "--example", "small-bank").out());
    assertThat(holds.path("weakest").isNull()).isTrue();
    assertThat(holds.path("failure").isNull()).isTrue();
  }

  @Test
  void aLimitOfValuesIsNeverAPassAndIsSaid() throws IOException {
    Said said = run("--max-values", "2", "--level", "serializable", "--example", "small-bank");
    assertThat(said.status()).isEqualTo(3);
    assertThat(said.out()).contains("serializable was not exhausted: nothing is said of it.");
    assertThat(said.err())
        .contains(
            "serializable was not exhausted: it held as many different values as it may;"
                + " a larger --max-values gives more");
    JsonNode json =
        new ObjectMapper()
            .readTree(
                run("--json", "--max-values", "2", "--level", "causal", "--example", "small-bank")
                    .out());
    assertThat(json.path("levels").path(0).path("exhausted").asBoolean()).isFalse();
    assertThat(json.path("levels").path(0).path("limit").asText()).isEqualTo("values");
    assertThat(run("--max-values", "0", "--example", "small-bank").status()).isEqualTo(2);
    Said compared =
        run("--max-values", "2", "--compare", "causal", "prefix", "--example", "small-bank");
    assertThat(compared.status()).isEqualTo(3);
    Said raised = run("--max-values", "2", "--raise", "causal", "--example", "small-bank");
    assertThat(raised.status()).isEqualTo(3);
    assertThat(raised.err()).contains("a larger --max-values gives more");
  }

  @Test
  void whatIsHeldInMemoryIsSaid() throws IOException {
    Said said = run("--threads", "2", "--level", "causal", "--example", "small-bank");
    assertThat(said.out())
        .containsPattern(
            "Held in memory at most: [1-9]\\d* unfinished executions at one time,"
                + " [1-9]\\d* of 200,000 steps, [1-9]\\d* of 1,000,000 values");
    JsonNode json =
        new ObjectMapper()
            .readTree(run("--json", "--level", "causal", "--example", "small-bank").out());
    assertThat(json.path("memoryBounds").path("rememberedSteps").asInt()).isEqualTo(200_000);
    assertThat(json.path("memoryBounds").path("heldValues").asInt()).isEqualTo(1_000_000);
    JsonNode level = json.path("levels").path(0);
    assertThat(level.path("limit").isNull()).isTrue();
    for (String figure : List.of("openExecutions", "rememberedSteps", "heldValues")) {
      assertThat(level.path("memory").path(figure).asLong()).as(figure).isPositive();
    }
  }

  private static final String COUNTER =
      """
      var n = 0;
      transaction up() { a := read(n); write(n, a + 1); }
      transaction look() { a := read(n); }
      session alice { up(); }
      session bob { up(); }
      session carol { look(); }
      final { a := read(n); assert a == 2, "an update is lost"; }
      """;

  @Test
  void oneTransactionRunsAtALevelOfItsOwn() throws IOException {
    Path program = folder.resolve("counter.explore");
    Files.writeString(program, COUNTER);
    Said looks = run("--mixed", "look=read-committed", program.toString());
    assertThat(looks.status()).isEqualTo(1);
    assertThat(looks.out())
        .contains("look runs at read-committed")
        .contains("The level below is that of the other transactions.")
        .contains(
            "Weakest level of the other transactions at which all assertions hold:"
                + " snapshot-isolation")
        .contains("One history that the mix with prefix allows:")
        .contains("begin look() at read-committed")
        .contains("begin up() at prefix");
    Said counts = run("--mixed", "up=read-committed", program.toString());
    assertThat(counts.out()).contains("At no explored level are all assertions known to hold.");
    assertThat(run("--mixed", "down=causal", program.toString()).err())
        .contains("has no transaction 'down'; expected one of up, look, final");
    assertThat(run("--mixed", "up=strict-serializable", program.toString()).err())
        .contains("a program has none");
    assertThat(run("--mixed", "up=best", program.toString()).err())
        .contains("isolation level 'best' is unknown");
  }

  @Test
  void theLevelsOfAMixAreInTheObjectAndInTheHistory() throws IOException {
    Path program = folder.resolve("counter.explore");
    Files.writeString(program, COUNTER.replace("final {", "final at serializable {"));
    Path history = folder.resolve("history.jsonl");
    Said said =
        run(
            "--json",
            "--mixed",
            "up=read-committed",
            "--level",
            "serializable",
            "--out",
            history.toString(),
            program.toString());
    JsonNode json = new ObjectMapper().readTree(said.out());
    assertThat(json.path("mixed").path("up").path(0).asText()).isEqualTo("read-committed");
    assertThat(json.path("mixed").path("final").path(0).asText()).isEqualTo("serializable");
    assertThat(json.path("weakest").isNull()).isTrue();
    assertThat(json.path("failure").path("timeline").toString())
        .contains("begin up() at read-committed", "read n = 0, which is initial")
        .contains("begin look() at serializable", "begin reads at serializable");
    List<String> levels = new ArrayList<>();
    for (String line : Files.readAllLines(history)) {
      levels.add(new ObjectMapper().readTree(line).path("level").asText());
    }
    assertThat(levels)
        .containsExactly("read-committed", "read-committed", "serializable", "serializable");
  }

  @Test
  void aProgramThatDeclaresEveryLevelHasOneRow() throws IOException {
    Path program = folder.resolve("counter.explore");
    Files.writeString(program, COUNTER.replace("final {", "final at serializable {"));
    String path = program.toString();
    Said said = run("--mixed", "up=snapshot-isolation", "--mixed", "look=read-committed", path);
    assertThat(said.status()).isZero();
    assertThat(said.out())
        .containsPattern("mixed +\\d+")
        .doesNotContain("read-atomic")
        .contains("At the levels that the transactions declare, all assertions hold.");
    assertThat(
            run("--mixed", "up=prefix", "--mixed", "look=prefix", "--level", "causal", path).err())
        .contains("--level, --compare: every transaction declares a level of its own");
  }

  @Test
  void whichLevelOneTransactionNeedsWhileTheOthersStay() throws IOException {
    Path program = folder.resolve("counter.explore");
    Files.writeString(program, COUNTER);
    Said said = run("--raise", "read-committed", program.toString());
    assertThat(said.status()).isZero();
    assertThat(said.out())
        .containsPattern("up +snapshot-isolation\n")
        .containsPattern("look +none: they fail at serializable too\n")
        .contains("It is enough to raise one transaction.");
    Said skew = run("--raise", "snapshot-isolation", "--example", "small-bank");
    assertThat(skew.status()).isEqualTo(1);
    assertThat(skew.out()).contains("It is not enough to raise one transaction.");
    Said fine = run("--raise", "serializable", "--example", "small-bank");
    assertThat(fine.status()).isZero();
    assertThat(fine.out()).contains("Nothing need be raised.");
    JsonNode json =
        new ObjectMapper()
            .readTree(run("--raise", "read-committed", "--json", program.toString()).out());
    assertThat(json.path("holds").asBoolean()).isFalse();
    assertThat(json.path("raised").path(0).path("transaction").asText()).isEqualTo("up");
    assertThat(json.path("raised").path(0).path("weakest").asText())
        .isEqualTo("snapshot-isolation");
    assertThat(json.path("raised").path(1).path("weakest").isNull()).isTrue();
    Said limited = run("--raise", "causal", "--max-histories", "1", program.toString());
    assertThat(limited.status()).isEqualTo(3);
    assertThat(limited.out()).contains("not exhausted, so not known", "is not known.");
    assertThat(run("--raise", "causal", "--weakest", program.toString()).err())
        .contains("--raise: expected no --weakest with it");
  }

  private static final String DIVIDES =
      """
      var n = 0;
      transaction increment() { a := read(n); write(n, a + 1); }
      session alice { increment(); }
      session bob { increment(); }
      final { total := read(n); y := 10 / (total - 1); assert total == 2; }
      """;

  /** Where increments are lost, the final reads divide by zero. */
  @ParameterizedTest
  @ValueSource(strings = {"1", "2"})
  void anErrorIsToldOnlyWhereTheLevelAllowsItsHistory(String threads) throws IOException {
    Path program = folder.resolve("divides.explore");
    Files.writeString(program, DIVIDES);
    String file = program.toString();
    for (String holds : List.of("snapshot-isolation", "serializable")) {
      Said said = run("--threads", threads, "--level", holds, file);
      assertThat(said.status()).as(said.err()).isZero();
      assertThat(said.out()).contains(" hold");
    }
    Said prefix = run("--threads", threads, "--level", "prefix", file);
    assertThat(prefix.status()).isEqualTo(2);
    assertThat(prefix.err())
        .contains("divides.explore: line 5, column 35: division by zero")
        .contains("in a history that prefix allows");
    Said all = run("--threads", threads, file);
    assertThat(all.status()).isEqualTo(2);
    assertThat(all.out())
        .contains("ended by an error")
        .contains("Weakest level at which all assertions hold: snapshot-isolation");
    Said weakest = run("--threads", threads, "--weakest", "--json", file);
    assertThat(weakest.status()).isZero();
    JsonNode json = new ObjectMapper().readTree(weakest.out());
    assertThat(json.path("weakest").asText()).isEqualTo("snapshot-isolation");
    assertThat(json.path("levels").get(0).path("error").asText())
        .isEqualTo("line 5, column 35: division by zero");
  }

  @Test
  void anErrorEndsNeitherAComparisonNorARaiseThatDoesNotHaveIt() throws IOException {
    Path program = folder.resolve("divides.explore");
    Files.writeString(program, DIVIDES);
    String file = program.toString();
    assertThat(run("--compare", "snapshot-isolation", "serializable", file).status()).isZero();
    Said compared = run("--compare", "causal", "serializable", file);
    assertThat(compared.status()).isEqualTo(2);
    assertThat(compared.err()).contains("division by zero: in a history that causal allows");
    assertThat(run("--raise", "snapshot-isolation", file).status()).isZero();
    Said raised = run("--raise", "causal", file);
    assertThat(raised.status()).isZero();
    assertThat(raised.out())
        .contains("Nothing raised, the others at causal: ended by an error")
        .contains("It is enough to raise one transaction.");
    Path sql = folder.resolve("divides.sql");
    Files.writeString(
        sql,
        """
        CREATE TABLE t (id INT PRIMARY KEY, n INT);
        INSERT INTO t VALUES (1, 0);
        TRANSACTION up() BEGIN
          SELECT n INTO :n FROM t WHERE id = 1;
          UPDATE t SET n = :n + 1 WHERE id = 1;
        COMMIT;
        SESSION alice BEGIN CALL up(); END;
        SESSION bob BEGIN CALL up(); END;
        FINAL BEGIN
          SELECT n INTO :s FROM t WHERE id = 1;
          SET :y = 10 / (:s - 1);
          ASSERT :s = 2;
        END;
        """);
    assertThat(run("--level", "serializable", sql.toString()).status()).isZero();
    Said said = run("--json", "--level", "causal", sql.toString());
    assertThat(said.err()).contains("divides.sql: line 11, column 3: division by zero");
    assertThat(said.out()).contains("line 11, column 3");
  }

  /** The checker would pass it. */
  @Test
  void thatOnlyAnAbortedTransactionReadWhatALevelForbidsIsSaid() throws IOException {
    Path program = folder.resolve("aborted.explore");
    Files.writeString(
        program,
        """
        var x = 0; var y = 0;
        session writer { begin write(x, 1); write(y, 1); commit }
        session reader { begin a := read(x); b := read(y); if a != b { abort; } commit }
        """);
    Said said = run("--compare", "read-committed", "serializable", program.toString());
    assertThat(said.status()).isZero();
    assertThat(said.out())
        .contains("1 of them violate serializable")
        .contains(
            "it leaves out what a transaction read that aborted, and so does 'isotail check'");
  }

  @Test
  void badInputIsSaidWithItsPlace() throws IOException {
    Path program = folder.resolve("bad.explore");
    Files.writeString(program, "var x = 0;\nsession s { begin a := read(y); commit }\n");
    Said said = run(program.toString());
    assertThat(said.status()).isEqualTo(2);
    assertThat(said.err()).contains("bad.explore: line 2, column 29: there is no variable 'y'");
    assertThat(run().err()).contains("expected a FILE, or --example NAME");
    assertThat(run("--example", "nothing").err()).contains("there is no example 'nothing'");
    assertThat(run("--level", "strict-serializable", "--example", "last-item").err())
        .contains("a program has none");
    assertThat(run("--param", "n=1", "--example", "last-item").err())
        .contains("no parameter 'n'; expected one of [stock]");
    assertThat(run(folder.resolve("missing").toString()).err())
        .contains("missing: found nothing there; expected a file with a program");
    assertThat(run(folder.toString()).err()).contains(folder + ": found a directory; expected");
    assertThat(run("--time-limit", "x", "--example", "last-item").err())
        .contains("expected a time");
    assertThat(run("--threads", "0", "--example", "last-item").err()).contains("expected 1 to 256");
    assertThat(run("--compare", "causal", "prefix", "--weakest", "--example", "last-item").err())
        .contains("--compare: expected no --weakest with it");
    Files.write(program, new byte[] {(byte) 0xff, (byte) 0xfe});
    assertThat(run(program.toString()).err()).contains("bad.explore: no text in UTF-8");
    assertThat(
            run("--out", folder.resolve("no/where").toString(), "--example", "last-item").status())
        .isEqualTo(2);
  }

  @Test
  void anExampleCanBePrintedAndExploredAsAFile() throws IOException {
    Said printed = run("--print", "--example", "small-bank");
    assertThat(printed.out()).contains("transaction writeCheck(c, n)");
    Path program = folder.resolve("mine.explore");
    Files.writeString(program, printed.out());
    assertThat(run(program.toString()).status()).isEqualTo(1);
  }
}
