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
}
