package io.isotail.ingest.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HistoryFormatTest {
  @TempDir private Path folder;

  @Test
  void theFirstCharacterTellsTheFormat() throws Exception {
    assertThat(detect("w(1,1,1,1)\n")).isEqualTo(new PlumeFormat());
    assertThat(detect("\n  r(1,1,1,1)\n")).isEqualTo(new PlumeFormat());
    assertThat(detect("\uFEFF{\"session\":1}")).isEqualTo(new JsonlFormat());
    assertThat(detect("")).isEqualTo(new PlumeFormat());
    assertThat(detect("w 1 1\n")).isEqualTo(new AwditFormat());
    assertThat(detect("r  (1,1,1,1)\n")).isEqualTo(new PlumeFormat());
    assertThat(detect("rx")).isEqualTo(new PlumeFormat());
    assertThat(detect("=====\nw 1 1\n")).isEqualTo(new AwditFormat());
    assertThat(detect("[ {\"mts\": {\"sid\":[1]},\n\"sid\":1")).isEqualTo(new ChronosFormat());
    assertThat(detect("[{\"type\":\"ok\",\"sid\":1")).isEqualTo(new ElleFormat());
    assertThat(detect("[{:type :ok")).isEqualTo(new ElleFormat());
    assertThat(detect("[]")).isEqualTo(new ElleFormat());
    assertThatThrownBy(() -> detect("--- a: 1")).isInstanceOf(HistoryFormatException.class);
    assertThatThrownBy(() -> detect("\n<xml/>"))
        .isInstanceOf(HistoryFormatException.class)
        .hasMessageContaining(":2: found '<' at the start")
        .hasMessageContaining("(jsonl)");
  }

  @Test
  void aFormatMayLookAtTheWholeFirstLineThatIsNotBlank() throws Exception {
    assertThat(firstLine("\n \n  #format v2 \r\nmore\n")).isEqualTo("#format v2 ");
    assertThat(firstLine("\uFEFF{}")).isEqualTo("{}");
    assertThat(firstLine("\n \n")).isEmpty();
    assertThat(firstLine("\0\1")).isEmpty();
  }

  private String firstLine(String text) throws Exception {
    Path file = folder.resolve("head");
    Files.writeString(file, text);
    try (HistoryHead head = HistoryHead.of(file)) {
      String line = new String(head.line().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(head.line().readAllBytes()).asString(StandardCharsets.UTF_8).isEqualTo(line);
      return line;
    }
  }

  @Test
  void onlyRegularFilesAreRead() {
    assertThatThrownBy(() -> HistoryFormats.detect(folder))
        .isInstanceOf(HistoryFormatException.class)
        .hasMessageContaining("found a directory with none of these; expected history.bincode");
    assertThatThrownBy(() -> HistoryFormats.detect(folder.resolve("none")))
        .isInstanceOf(NoSuchFileException.class);
  }

  @Test
  void unknownNamesAreRefusedWithTheKnownOnes() {
    assertThat(HistoryFormats.ofLabel("jsonl")).isEqualTo(new JsonlFormat());
    assertThatThrownBy(() -> HistoryFormats.ofLabel("xml"))
        .hasMessageContaining("plume, awdit, dbcop, cobra, chronos, elle, jsonl");
  }

  @Test
  void whatIsOnlyReadIsNotFoundForWriting() {
    assertThat(HistoryFormats.writableOfLabel("jsonl")).isEqualTo(new JsonlFormat());
    assertThatThrownBy(() -> HistoryFormats.writableOfLabel("chronos"))
        .hasMessage(
            "format 'chronos' can only be read; expected one of plume, dbcop, cobra, elle, jsonl");
    assertThatThrownBy(() -> HistoryFormats.writableOfLabel("xml"))
        .hasMessage("format 'xml' is unknown; expected one of plume, dbcop, cobra, elle, jsonl");
  }

  @Test
  void linesLongerThanTheBufferAreWhole() throws Exception {
    String blanks = " ".repeat(200_000);
    assertThat(Histories.read(folder, new PlumeFormat(), "w(1," + blanks + "1,1,1)\nw(1,2,2,2)"))
        .hasSize(2);
  }

  private HistoryFormat detect(String text) throws Exception {
    Path file = folder.resolve("history");
    Files.writeString(file, text);
    return HistoryFormats.detect(file);
  }

  private static final Pattern ROW = Pattern.compile("\\| `(\\w+)` \\| ([^|]*) \\| ([^|]*) \\|.*");

  @Test
  void theReadmesTableHasEveryFormatInTheirOrder() throws Exception {
    List<String> rows = new ArrayList<>();
    boolean inTable = false;
    for (String line : Files.readAllLines(Path.of("README.md"))) {
      Matcher row = ROW.matcher(line);
      inTable = line.startsWith("| format |") || (inTable && line.startsWith("|"));
      if (inTable && row.matches()) {
        rows.add(row.group(1) + ": " + row.group(2).replace("`", ""));
      }
    }
    assertThat(rows)
        .as("the table \"History files\" of README.md and META-INF/services")
        .isEqualTo(
            HistoryFormats.all().stream()
                .map(format -> format.label() + ": " + format.summary())
                .toList());
  }

  @Test
  void nothingIsTwoFormats() {
    assertThat(HistoryFormats.all()).extracting(HistoryFormat::label).doesNotHaveDuplicates();
  }

  @Test
  void aDirectoryOfBothIsDbcops() throws Exception {
    Files.writeString(folder.resolve("1.log"), "");
    Files.writeString(folder.resolve("history.bincode"), "");
    assertThat(HistoryFormats.detect(folder)).isEqualTo(new DbcopFormat());
  }

  /** Both begin with a hash or a bracket. */
  @Test
  void aMarkdownFileIsNotTakenForElles() throws Exception {
    for (String text :
        List.of(
            "# isotail\n",
            "## Changes\n",
            "[a link](to.md)\n",
            "[![a badge](b.svg)](c)\n",
            "#!/bin/sh\n")) {
      assertThatThrownBy(() -> detect(text)).as(text).hasMessageContaining("expected 'r(' or 'w('");
    }
    for (String text :
        List.of(
            "[{:type :invoke}]\n",
            "[\n{:type :invoke}]\n",
            "[ {:type :invoke}]\n",
            "[]\n",
            "#jepsen.history.Op{:type :invoke}\n",
            "#_ {:a 1}\n")) {
      assertThat(detect(text)).as(text).isEqualTo(new ElleFormat());
    }
  }

  @Test
  void whatIsUnknownIsAnsweredWithTheMarksOfEveryFormat() {
    assertThatThrownBy(() -> detect("<xml/>"))
        .hasMessageEndingWith(
            "expected 'r(' or 'w(' (plume), 'r ' or 'w ' (awdit), a binary file (dbcop), '[{\"' with a"
                + " field sid (chronos), '{:' or '[' (elle) or '{\"' (jsonl)");
    assertThatThrownBy(() -> HistoryFormats.detect(folder))
        .hasMessageEndingWith(
            "expected history.bincode (dbcop), *.log (cobra) or history.edn (elle)");
  }
}
