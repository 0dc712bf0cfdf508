package io.isotail.ingest.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.SessionInfo;
import io.isotail.incremental.record.TransactionRecord;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CobraTest {
  @TempDir private Path folder;

  private static BinaryHistory golden() {
    return new BinaryHistory()
        .text("S")
        .big(5)
        .text("R")
        .big(0xbebeebeeL, 0xbebeebeeL, 7, 1)
        .text("R")
        .big(0xdeadbeefL, 0xdeadbeefL, -8, 1)
        .text("W")
        .big(70, 7, 1)
        .text("C")
        .big(5)
        .text("S")
        .big(6)
        .text("R")
        .big(5, 70, 7, 1)
        .text("A");
  }

  @Test
  void logsAreReadSideBySide() throws Exception {
    Files.write(folder.resolve("T1.log"), golden().toBytes());
    Files.write(
        folder.resolve("22.log"), new BinaryHistory().text("S").big(9).text("C").big(9).toBytes());
    Files.writeString(folder.resolve("notes.txt"), "not a log");
    assertThat(HistoryFormats.detect(folder)).isEqualTo(new CobraFormat());
    List<TransactionRecord> read = Histories.read(folder, new CobraFormat());
    assertThat(read)
        .extracting(TransactionRecord::session)
        .containsExactly(
            SessionInfo.ofFile(22, "22"),
            SessionInfo.ofFile(ClearName.hash("T1"), "T1"),
            SessionInfo.ofFile(ClearName.hash("T1"), "T1"));
    assertThat(read).extracting(TransactionRecord::transaction).containsExactly(9L, 5L, 6L);
    assertThat(read).extracting(TransactionRecord::sequence).containsExactly(0L, 0L, 1L);
    assertThat(read.get(2).outcome()).isEqualTo(Outcome.ABORTED);
    assertThat(read.get(1).operations())
        .isEqualTo(new Operations.Builder().readInitial(7).readInitial(-8).write(7, 70).build());
    assertThat(read.get(2).operations()).isEqualTo(new Operations.Builder().read(7, 70).build());
  }

  @Test
  void theWriterMakesTheseBytes() throws Exception {
    Path directory = folder.resolve("written");
    try (HistoryWriter writer = new CobraFormat().create(directory)) {
      writer.write(
          new TransactionRecord(
              SessionInfo.ofFile(ClearName.hash("T1"), "T1"),
              0,
              5,
              0,
              Outcome.COMMITTED,
              null,
              TransactionRecord.NO_TIME,
              TransactionRecord.NO_TIME,
              null,
              new Operations.Builder().readInitial(7).read(8, 80).write(7, 70).build()));
    }
    byte[] expected =
        new BinaryHistory()
            .text("S")
            .big(5)
            .text("R")
            .big(0xbebeebeeL, 0xbebeebeeL, 7, 0xbebeebeeL)
            .text("R")
            .big(0, 80, 8, 80)
            .text("W")
            .big(70, 7, 70)
            .text("C")
            .big(5)
            .toBytes();
    assertThat(BinaryHistory.hex(Files.readAllBytes(directory.resolve("T1.log"))))
        .isEqualTo(BinaryHistory.hex(expected));
    assertThatThrownBy(() -> new CobraFormat().create(directory).close())
        .hasMessageContaining("holds logs; expected a new or an empty directory");
  }

  @Test
  void truncationsAreRefusedExceptBetweenTransactions() throws Exception {
    byte[] whole = golden().toBytes();
    for (int length = 1; length < whole.length; length++) {
      byte[] cut = Arrays.copyOf(whole, length);
      if (length == 9 + 33 + 33 + 25 + 9) {
        assertThat(read(cut)).hasSize(1);
      } else {
        assertThatThrownBy(() -> read(cut))
            .as("%d bytes", length)
            .isInstanceOf(HistoryFormatException.class)
            .hasMessageContaining("T1.log at byte %d: found the end of the file".formatted(length));
      }
    }
  }

  @Test
  void whatIsWrongIsNamedWithItsByte() {
    refused(new BinaryHistory().text("C"), "at byte 0: found 'C'; expected 'S', the start");
    refused(
        new BinaryHistory().text("S").big(1).text("S"),
        "at byte 9: found 'S'; expected 'R', 'W', 'C' or 'A' in transaction 1");
    refused(
        new BinaryHistory().text("S").big(1).text("C").big(2),
        "at byte 10: found the commit of transaction 2; expected that of 1");
    refused(
        new BinaryHistory().text("S").big(1).text("W").big(0xdeadbeefL, 1, 1),
        "at byte 10: found the write id 0xdeadbeef; expected another one");
  }

  @Test
  void onlyDirectoriesOfLogsAreRead() throws Exception {
    assertThatThrownBy(() -> Histories.read(folder, new CobraFormat()))
        .hasMessageContaining("found no *.log; expected one log a session");
    Path log = Files.write(folder.resolve("T1.log"), golden().toBytes());
    assertThatThrownBy(() -> Histories.read(log, new CobraFormat()))
        .hasMessageContaining("found a file; expected the directory of a cobra history's logs");
    assertThatThrownBy(() -> HistoryFormats.detect(log))
        .hasMessageContaining("found a binary log; expected the directory");
  }

  private void refused(BinaryHistory bytes, String message) {
    assertThatThrownBy(() -> read(bytes.toBytes()))
        .isInstanceOf(HistoryFormatException.class)
        .hasMessageContaining("T1.log " + message);
  }

  private List<TransactionRecord> read(byte[] bytes) throws Exception {
    Files.write(folder.resolve("T1.log"), bytes);
    return Histories.read(folder, new CobraFormat());
  }
}
