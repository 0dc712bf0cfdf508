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
      assertThat(said.out()).isEmpty();
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
}
