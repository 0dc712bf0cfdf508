package io.isotail.monitor.explore;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.isotail.monitor.cli.Main;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is said where options do not fit, a file is none, or an answer has an edge. */
final class ExploreOptionsTest {
  private static final String COUNTER =
      """
      param by = 1;
      var n = 0;
      transaction up() { a := read(n); write(n, a + by); }
      session alice { up(); }
      session bob { up(); }
      final { a := read(n); assert a == 2 * by, "an update is lost"; }
      """;

  @TempDir private Path folder;

  private record Said(int status, String out, String err) {
    JsonNode json() throws IOException {
      return new ObjectMapper().readTree(out);
    }
  }

  private static Said isotail(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int status = Main.run(new PrintWriter(out, true), new PrintWriter(err, true), arguments);
    return new Said(status, out.toString(), err.toString());
  }

  private static Said run(String... arguments) {
    List<String> all = new ArrayList<>(List.of("explore"));
    all.addAll(List.of(arguments));
    return isotail(all.toArray(String[]::new));
  }

  private String file(String text) throws IOException {
    return Files.writeString(folder.resolve("p.explore"), text).toString();
  }

  @Test
  void whatFailsAtSerializableIsNotMendedByRaising() throws IOException {
    String path = file(COUNTER.replace("a == 2", "a == 3"));
    Said said = run("--raise", "serializable", path);
    assertThat(said.status()).isEqualTo(1);
    assertThat(said.out())
        .containsPattern("up +none: they fail at serializable too")
        .contains("It is not enough to raise one transaction.");
    JsonNode json = run("--raise", "serializable", "--json", path).json();
    assertThat(json.path("raised").path(0).path("exact").asBoolean()).isTrue();
  }

  @Test
  void whatWouldHaveNoEffectIsRefused() throws IOException {
    String path = file(COUNTER);
    for (String[] options :
        new String[][] {
          {"--anomaly", "abcd", "--mixed", "up=causal"},
          {"--cause", "abcd", "--param", "by=2"},
          {"--anomaly", "abcd", "--depth-first"},
          {"--anomaly", "abcd", "--raise", "causal"},
          {"--print", "--param", "by=2"},
          {"--print", "--mixed", "up=causal"},
          {"--print", "--level", "causal"},
          {"--print", "--json"},
          {"--weakest", "--level", "causal"},
          {"--compare", "causal", "prefix", "--json"},
        }) {
      List<String> all = new ArrayList<>(List.of(options));
      all.add(path);
      Said said = run(all.toArray(String[]::new));
      assertThat(said.status()).as("%s", all).isEqualTo(2);
      assertThat(said.err()).contains(options[0] + ": expected no --").contains(" with it: ");
      if (!all.contains("--json")) {
        assertThat(said.out()).isEmpty();
      }
    }
    String url = "http://127.0.0.1:1";
    assertThat(run("--url", url, path).err()).contains("--url: expected --anomaly or --cause");
    assertThat(run("--url", url, "--anomaly", "abcd", path).err()).contains("and no FILE");
  }

  @Test
  void onlyLevelsThatCanBeExploredAreExpected() throws IOException {
    String path = file(COUNTER);
    for (String[] options :
        new String[][] {{"--level", "bogus"}, {"--raise", "bogus"}, {"--mixed", "up=bogus"}}) {
      assertThat(run(options[0], options[1], path).err())
          .contains("'bogus' is unknown; expected one of read-committed, ")
          .doesNotContain("strict-serializable");
    }
  }

  @Test
  void theIdThatCheckPrintsOfACauseIsEnough() throws IOException {
    String history = folder.resolve("history.jsonl").toString();
    run("--level", "prefix", "--out", history, file(COUNTER));
    String checked = isotail("check", "--promise", "snapshot-isolation", history).out();
    String id =
        checked
            .lines()
            .filter(line -> line.matches("  [0-9a-f]{16}: .*"))
            .findFirst()
            .orElseThrow(() -> new AssertionError(checked))
            .substring(2, 18);
    Path json = folder.resolve("out.json");
    Files.writeString(json, isotail("check", "--json", history).out());
    for (String file : new String[] {history, json.toString()}) {
      assertThat(run("--cause", id, file).out()).as(file).contains("(lost-update)");
      assertThat(run("--anomaly", id, file).out()).as(file).contains("(lost-update)");
    }
  }

  @Test
  void whatOnlyAnAbortedTransactionReadIsSaid() throws IOException {
    String path =
        file(
            """
            var x = 0; var y = 0;
            session a { begin write(x, 1); write(y, 1); commit }
            session b { begin r := read(x); s := read(y); abort; commit }
            """);
    assertThat(run("--compare", "read-committed", "read-atomic", path).out())
        .contains("read-atomic forbids this history, but the checker finds nothing wrong")
        .contains("it leaves out what a transaction read that aborted");
    Said fails = run(file(COUNTER));
    assertThat(fails.out()).contains("(lost-update)").doesNotContain("forbids this history");
  }

  @Test
  void aPersonIsToldOfTheProgramsVariablesOnly() throws IOException {
    for (String level : new String[] {"read-committed", "read-atomic", "prefix"}) {
      assertThat(run("--level", level, file(COUNTER)).out()).doesNotContain("end of ");
      assertThat(run("--json", "--level", level, file(COUNTER)).out())
          .doesNotContain("read end of");
    }
    assertThat(run("--level", "read-committed", file(COUNTER)).out())
        .contains("although bob/0, which had ended before, had overwritten it");
  }

  @Test
  void everyLevelThatWasNotExhaustedIsNamed() throws IOException {
    String path = file(COUNTER.replace("a == 2 * by", "true"));
    Said said = run("--max-histories", "1", "--level", "causal", "--level", "serializable", path);
    assertThat(said.out()).contains("causal, serializable were not exhausted: nothing is said of");
  }

  @Test
  void aProgramWithoutAssertionsNeedsNothing() throws IOException {
    Said said =
        run("--raise", "causal", file("var x = 0; session a { begin n := read(x); commit }"));
    assertThat(said.status()).isZero();
    assertThat(said.out())
        .contains("The program asserts nothing, so nothing can fail.")
        .doesNotContain("all assertions hold");
  }

  @Test
  void aMistakeIsAnObjectForPrograms() throws IOException {
    Said said = run("--json", file("var x = 0; session a { begin n := read(y); commit }"));
    assertThat(said.status()).isEqualTo(2);
    assertThat(said.json().path("error").asText()).contains("there is no variable 'y'");
    assertThat(run("--json", folder.resolve("none").toString()).json().path("error").asText())
        .contains("found nothing there");
  }

  @Test
  void nothingMoreIsExploredOnceNobodyReads() throws IOException {
    Writer closed =
        new Writer() {
          @Override
          public void write(char[] text, int from, int length) throws IOException {
            throw new IOException("closed pipe");
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    StringWriter err = new StringWriter();
    int status =
        Main.run(
            new PrintWriter(closed),
            new PrintWriter(err, true),
            "explore",
            "--max-histories",
            "1",
            file(COUNTER));
    assertThat(status).isEqualTo(3);
    assertThat(err.toString()).contains("read-committed was not").doesNotContain("causal was not");
  }
}
