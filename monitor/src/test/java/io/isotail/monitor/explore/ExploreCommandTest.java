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
    "courseware, snapshot-isolation, more students were told, lost-update",
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
  void threadsFindTheSameNumber() {
    String[] lines = new String[2];
    for (int threads = 1; threads <= 2; threads++) {
      Said said = run("--threads", "" + threads, "--level", "read-committed", "--example", "tpc-c");
      lines[threads - 1] =
          said.out().lines().filter(l -> l.startsWith("read-committed")).findFirst().orElseThrow();
    }
    assertThat(lines[0].substring(0, 60)).isEqualTo(lines[1].substring(0, 60));
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
    assertThat(holds.has("failure")).isFalse();
  }

  @Test
  void nothingIsLeftWhereNoHistoryIsToBeWritten() throws IOException {
    Path history = folder.resolve("old.jsonl");
    Files.writeString(history, "of another run");
    Said said =
        run("--level", "serializable", "--out", history.toString(), "--example", "last-item");
    assertThat(said.out()).contains("There is no history to write");
    assertThat(history).doesNotExist();
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
    assertThat(run(folder.resolve("missing").toString()).err()).contains("NoSuchFile");
    assertThat(run("--time-limit", "x", "--example", "last-item").err())
        .contains("expected a time");
    assertThat(run("--threads", "0", "--example", "last-item").err()).contains("expected 1 to 256");
    assertThat(run("--compare", "causal", "prefix", "--weakest", "--example", "last-item").err())
        .contains("expected no --level, no --weakest and no --json");
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
