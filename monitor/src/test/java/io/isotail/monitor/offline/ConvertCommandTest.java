package io.isotail.monitor.offline;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.ZstdOutputStream;
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
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConvertCommandTest {
  private static final String HISTORY = "r(7,0,1,5)\nw(7,1,1,5)\nr(7,1,0,2)\nw(7,2,0,-1)\n";

  @TempDir private Path folder;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private Path in;

  @BeforeEach
  void writeHistory() throws IOException {
    in = Files.writeString(folder.resolve("in.txt"), HISTORY);
  }

  @Test
  void throughJsonlAndBackIsTheSameHistory() throws Exception {
    Path jsonl = folder.resolve("h.jsonl");
    assertThat(convert("--to", "jsonl", in, jsonl)).isEqualTo(ExitCode.PASSED);
    assertThat(out.toString()).contains("h.jsonl: 3 transactions, 4 operations, from plume to");
    Path back = folder.resolve("back.txt");
    assertThat(convert("--from", "jsonl", "--to", "plume", jsonl, back)).isZero();
    assertThat(Files.readString(back).lines().sorted().toList())
        .isEqualTo(HISTORY.lines().sorted().toList());
  }

  @Test
  void numbersThatSessionsCountForThemselvesAreReadAndWrittenUnique() throws Exception {
    Path restarting =
        Files.writeString(folder.resolve("restarting.txt"), "w(7,1,0,0)\nr(7,1,1,0)\nw(7,2,1,1)\n");
    Path target = folder.resolve("out.txt");
    assertThat(run("check", restarting)).isEqualTo(ExitCode.PASSED);
    assertThat(convert("--to", "plume", restarting, target)).isEqualTo(ExitCode.BAD);
    assertThat(err.toString())
        .contains("transaction 0 of session 1 has a number that another transaction has");
    assertThat(convert("--lossy", "--to", "plume", restarting, target)).isEqualTo(ExitCode.PASSED);
    assertThat(Files.readString(target)).isEqualTo("w(7,1,0,0)\nr(7,1,1,1)\nw(7,2,1,2)\n");
    assertThat(run("check", target)).isEqualTo(ExitCode.PASSED);
  }

  @Test
  void anEmptyFileHasNoFormatUnlessItIsTold() throws IOException {
    Path empty = Files.createFile(folder.resolve("empty.txt"));
    Path target = folder.resolve("out.txt");
    assertThat(convert("--to", "plume", empty, target)).isEqualTo(ExitCode.BAD);
    assertThat(err.toString())
        .contains("empty.txt: found an empty file; expected a history, or its format by --from")
        .doesNotContain("plume to plume");
    assertThat(target).doesNotExist();
    assertThat(convert("--from", "jsonl", "--to", "plume", empty, target)).isZero();
  }

  @Test
  void everyFormatKeepsTheVerdict() {
    for (String format : List.of("plume", "dbcop", "cobra", "elle", "jsonl")) {
      Path target = folder.resolve("to-" + format);
      assertThat(convert("--lossy", "--to", format, in, target)).as(format).isZero();
      assertThat(run("check", target)).as("%s: %s", format, err).isEqualTo(ExitCode.PASSED);
    }
  }

  @Test
  void aFormatThatIsOnlyReadIsConvertedFromAndNotTo() throws Exception {
    Path awdit = Files.writeString(folder.resolve("test.txt"), "w 1 1\n-\nw 1 2\n=\nr 1 2\n");
    Path target = folder.resolve("out.txt");
    assertThat(convert("--lossy", "--to", "plume", awdit, target)).isEqualTo(ExitCode.PASSED);
    assertThat(Files.readString(target)).isEqualTo("w(1,1,0,0)\nr(1,2,1,1)\nw(1,2,0,2)\n");
    for (String format : List.of("awdit", "chronos")) {
      assertThat(convert("--to", format, in, folder.resolve("none"))).isEqualTo(ExitCode.BAD);
      assertThat(err.toString())
          .contains("--to: format '%s' can only be read; expected one of plume,".formatted(format));
    }
    assertThat(folder.resolve("none")).doesNotExist();
  }

  @Test
  void whatWouldBeLostIsRefusedAndNothingIsLeft() throws Exception {
    Path target = folder.resolve("out");
    assertThat(convert("--to", "dbcop", in, target)).isEqualTo(ExitCode.BAD);
    assertThat(err.toString())
        .contains("in.txt: transaction 5 of session 1 has a number that is not its position")
        .contains("only a lossy conversion");
    Path unknown =
        Files.writeString(
            folder.resolve("unknown.jsonl"),
            "{\"session\":1,\"txn\":1,\"outcome\":\"unknown\",\"ops\":[[\"w\",1,1]]}\n");
    assertThat(convert("--lossy", "--to", "plume", unknown, target)).isEqualTo(ExitCode.BAD);
    assertThat(err.toString())
        .contains("transaction 1 of session 1 has an unknown outcome, which plume cannot hold");
    assertThat(names()).containsExactly("in.txt", "unknown.jsonl");
  }

  @Test
  void badInputAndBadUsageAreNamed() throws Exception {
    Path target = folder.resolve("out");
    Path bad = Files.writeString(folder.resolve("bad.txt"), "w(1,1,1,1)\nw(1,\n");
    assertThat(convert("--to", "jsonl", bad, target)).isEqualTo(ExitCode.BAD);
    assertThat(err.toString()).contains("bad.txt:2: found the end of the line");
    assertThat(convert("--to", "jsonl", folder.resolve("none"), target)).isEqualTo(ExitCode.BAD);
    assertThat(err.toString()).contains("found nothing there");
    assertThat(convert("--to", "xml", in, target)).isEqualTo(ExitCode.BAD);
    assertThat(err.toString()).contains("--to: format 'xml' is unknown; expected one of plume");
    assertThat(convert("--to", "jsonl", in, bad)).isEqualTo(ExitCode.BAD);
    assertThat(err.toString()).contains("bad.txt: found something there; expected a new path");
    assertThat(names()).containsExactly("bad.txt", "in.txt");
  }

  @Test
  void aFileThatMustBeReadTwiceIsWrittenOnce() throws Exception {
    Path zero = Files.writeString(folder.resolve("zero.txt"), "r(1,0,0,0)\nr(2,2,0,1)\nw(1,0,1,1)");
    Path target = folder.resolve("out.jsonl");
    assertThat(convert("--to", "jsonl", zero, target)).isZero();
    assertThat(Files.readString(target).lines())
        .hasSize(3)
        .allMatch(line -> !line.contains("null"));
  }

  @Test
  void aCompressedFileIsConvertedAsThePlainOne() throws Exception {
    Path packed = folder.resolve("packed.zst");
    try (OutputStream file = new ZstdOutputStream(Files.newOutputStream(packed))) {
      file.write(HISTORY.getBytes(StandardCharsets.UTF_8));
    }
    Path target = folder.resolve("out.jsonl");
    Path ofPlain = folder.resolve("plain.jsonl");
    assertThat(convert("--to", "jsonl", packed, target)).isEqualTo(ExitCode.PASSED);
    assertThat(convert("--to", "jsonl", in, ofPlain)).isEqualTo(ExitCode.PASSED);
    assertThat(target).hasSameTextualContentAs(ofPlain);

    Files.write(packed, Arrays.copyOf(Files.readAllBytes(packed), 12));
    Files.delete(target);
    assertThat(convert("--to", "jsonl", packed, target)).isEqualTo(ExitCode.BAD);
    assertThat(err.toString())
        .contains("packed.zst: found the end of the file within its zstd data; expected a whole");
    assertThat(target).doesNotExist();
  }

  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(path -> path.getFileName().toString()).sorted().toList();
    }
  }

  private int convert(Object... args) {
    List<Object> all = new ArrayList<>(List.of("convert"));
    all.addAll(List.of(args));
    return run(all.toArray());
  }

  private int run(Object... args) {
    return Main.run(
        new PrintWriter(out, true),
        new PrintWriter(err, true),
        Stream.of(args).map(Object::toString).toArray(String[]::new));
  }
}
