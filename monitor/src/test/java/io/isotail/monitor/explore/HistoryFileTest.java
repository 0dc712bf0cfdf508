package io.isotail.monitor.explore;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.monitor.cli.Main;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of the file that {@code --out} names. */
final class HistoryFileTest {
  private static final String OLD = "of another run";

  @TempDir private Path folder;
  private final StringWriter said = new StringWriter();
  private Path program = Path.of("");

  @BeforeEach
  void writeProgram() throws IOException {
    program = folder.resolve("counter.explore");
    Files.writeString(
        program,
        """
        var n = 0;
        session alice { begin a := read(n); write(n, a + 1); commit }
        session bob { begin a := read(n); write(n, a + 1); commit }
        final { a := read(n); assert a == 2, "an update is lost"; }
        """);
  }

  private int explore(String level, Path out) {
    PrintWriter writer = new PrintWriter(said, true);
    return Main.run(
        writer, writer, "explore", "--level", level, "--out", out.toString(), program.toString());
  }

  private Path old() throws IOException {
    return Files.writeString(folder.resolve("old.jsonl"), OLD);
  }

  @Test
  void theProgramIsNeverWrittenTo() throws IOException {
    String text = Files.readString(program);
    Path other = Files.createSymbolicLink(folder.resolve("link"), program);
    for (String level : new String[] {"serializable", "causal"}) {
      assertThat(explore(level, program)).isEqualTo(2);
      assertThat(explore(level, other)).isEqualTo(2);
      assertThat(explore(level, folder.resolve("../" + folder.getFileName() + "/counter.explore")))
          .isEqualTo(2);
    }
    assertThat(program).hasContent(text);
    assertThat(said.toString()).contains("found the program itself; expected another file");
  }

  @Test
  void aFileIsLeftAsItIsWhereNoHistoryIsShown() throws IOException {
    Path old = old();
    assertThat(explore("serializable", old)).isZero();
    assertThat(said.toString()).contains("There is no history to write; " + old + " is left");
    assertThat(explore("bogus", old)).isEqualTo(2);
    PrintWriter writer = new PrintWriter(said, true);
    Main.run(writer, writer, "explore", "--anomaly", "abcd", "--out", old.toString(), "" + program);
    assertThat(old).hasContent(OLD);
    assertThat(explore("serializable", folder.resolve("none.jsonl"))).isZero();
    assertThat(folder.resolve("none.jsonl")).doesNotExist();
  }

  @Test
  void aHistoryTakesThePlaceOfAnOldOne() throws IOException {
    Path old = old();
    assertThat(explore("causal", old)).isEqualTo(1);
    assertThat(Files.readString(old)).contains("alice").doesNotContain(OLD);
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files).containsExactlyInAnyOrder(program, old);
    }
  }

  @Test
  void aLinkIsWrittenThrough() throws IOException {
    Path old = old();
    Path link = Files.createSymbolicLink(folder.resolve("link"), Path.of("old.jsonl"));
    assertThat(explore("causal", link)).isEqualTo(1);
    assertThat(Files.isSymbolicLink(link)).isTrue();
    assertThat(Files.readString(old)).contains("alice");
    Path open = Files.createSymbolicLink(folder.resolve("open"), Path.of("new.jsonl"));
    assertThat(explore("causal", open)).isEqualTo(1);
    assertThat(Files.isSymbolicLink(open)).isTrue();
    assertThat(Files.isRegularFile(folder.resolve("new.jsonl"), LinkOption.NOFOLLOW_LINKS))
        .isTrue();
  }

  @Test
  void whatIsNoFileIsWrittenToOrRefused() throws IOException {
    Path directory = Files.createDirectory(folder.resolve("empty"));
    assertThat(explore("causal", directory)).isEqualTo(2);
    assertThat(said.toString()).contains("found a directory; expected a file");
    assertThat(directory).isDirectory();
    assertThat(explore("causal", folder.resolve("no/where"))).isEqualTo(2);
    assertThat(said.toString()).contains("found no directory " + folder.resolve("no"));
    assertThat(explore("causal", Path.of("/dev/null"))).isEqualTo(1);
    assertThat(explore("causal", Path.of("/dev/stdout"))).isEqualTo(1);
    assertThat(said.toString()).contains("\"session\":\"alice\"");
  }
}
