package io.isotail.ingest.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HistoryFormatTest {
  @TempDir private Path folder;

  @Test
  void theFirstCharacterTellsTheFormat() throws Exception {
    assertThat(detect("w(1,1,1,1)\n")).isEqualTo(HistoryFormat.PLUME);
    assertThat(detect("\n  r(1,1,1,1)\n")).isEqualTo(HistoryFormat.PLUME);
    assertThat(detect("\uFEFF{\"session\":1}")).isEqualTo(HistoryFormat.JSONL);
    assertThat(detect("")).isEqualTo(HistoryFormat.PLUME);
    assertThatThrownBy(() -> detect("\n<xml/>"))
        .isInstanceOf(HistoryFormatException.class)
        .hasMessageContaining(":2: found '<' at the start")
        .hasMessageContaining("(jsonl)");
  }

  @Test
  void onlyRegularFilesAreRead() {
    assertThatThrownBy(() -> HistoryFormat.detect(folder))
        .isInstanceOf(HistoryFormatException.class)
        .hasMessageContaining("found a directory with neither; expected history.bincode");
    assertThatThrownBy(() -> HistoryFormat.detect(folder.resolve("none")))
        .isInstanceOf(NoSuchFileException.class);
  }

  @Test
  void unknownNamesAreRefusedWithTheKnownOnes() {
    assertThat(HistoryFormat.ofLabel("jsonl")).isEqualTo(HistoryFormat.JSONL);
    assertThatThrownBy(() -> HistoryFormat.ofLabel("xml"))
        .hasMessageContaining("plume, dbcop, cobra, elle, jsonl");
  }

  @Test
  void linesLongerThanTheBufferAreWhole() throws Exception {
    String blanks = " ".repeat(200_000);
    assertThat(Histories.read(folder, HistoryFormat.PLUME, "w(1," + blanks + "1,1,1)\nw(1,2,2,2)"))
        .hasSize(2);
  }

  private HistoryFormat detect(String text) throws Exception {
    Path file = folder.resolve("history");
    Files.writeString(file, text);
    return HistoryFormat.detect(file);
  }
}
