package io.isotail.monitor.explore;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.monitor.cli.Main;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The program that the documents begin with, explored, says what stands there. */
final class ExploreInDocumentsTest {
  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"../README.md", "../incremental/guide/exploring.md"})
  void theFirstProgramSaysWhatIsPrinted(String document) throws IOException {
    List<String> blocks = List.of(Files.readString(Path.of(document)).split("```", -1));
    int program = first(blocks, "var n = 0;");
    int output = first(blocks, "histories     end states");
    Path file = folder.resolve("counter.explore");
    Files.writeString(file, blocks.get(program));

    StringWriter out = new StringWriter();
    PrintWriter writer = new PrintWriter(out, true);
    Main.run(writer, writer, "explore", file.toString());

    List<String> told = lines(blocks.get(output));
    assertThat(told).hasSizeGreaterThan(5);
    assertThat(lines(out.toString().replace(folder + "/", ""))).containsAll(told);
  }

  private static int first(List<String> blocks, String text) {
    for (int i = 1; i < blocks.size(); i += 2) {
      if (blocks.get(i).contains(text)) {
        return i;
      }
    }
    throw new AssertionError("no block with " + text);
  }

  /** Without the time that it took. */
  private static List<String> lines(String text) {
    return text.lines()
        .map(line -> line.replaceAll("\\d+\\.\\d\\d  ", "TIME  ").strip())
        .filter(line -> !line.isEmpty())
        .toList();
  }
}
