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

class DbcopTest {
  @TempDir private Path folder;

  /** Two sessions: one of a committed and an aborted transaction, one of a single read of both. */
  private static BinaryHistory golden() {
    return header(2)
        .little(2)
        .little(2)
        .bytes(1)
        .little(7, 70)
        .bytes(1)
        .bytes(0)
        .little(8, 0)
        .bytes(1)
        .bytes(1)
        .little(2)
        .bytes(1)
        .little(8, 80)
        .bytes(1)
        .bytes(1)
        .little(9, 90)
        .bytes(0)
        .bytes(0)
        .little(1)
        .little(1)
        .bytes(0)
        .little(7, 70)
        .bytes(1)
        .bytes(1);
  }

  private static BinaryHistory header(long sessions) {
    return new BinaryHistory()
        .little(0, 2, 3, 2, 2)
        .little(2)
        .text("pg")
        .little(0)
        .little(1)
        .text("z")
        .little(sessions);
  }

  @Test
  void sessionsAreReadSideBySideAndFailedEventsIgnored() throws Exception {
    List<TransactionRecord> read = read(golden().toBytes());
    assertThat(read).extracting(t -> t.session().name()).containsExactly("0", "1", "0");
    assertThat(read).extracting(TransactionRecord::sequence).containsExactly(0L, 0L, 1L);
    assertThat(read)
        .extracting(TransactionRecord::outcome)
        .containsExactly(Outcome.COMMITTED, Outcome.COMMITTED, Outcome.ABORTED);
    assertThat(read)
        .extracting(TransactionRecord::operations)
        .containsExactly(
            new Operations.Builder().write(7, 70).readInitial(8).build(),
            new Operations.Builder().read(7, 70).build(),
            new Operations.Builder().write(8, 80).build());
  }

  @Test
  void aFolderThatHoldsTheFileIsReadToo() throws Exception {
    Path file = Files.write(folder.resolve("history.bincode"), golden().toBytes());
    assertThat(HistoryFormats.detect(folder)).isEqualTo(new DbcopFormat());
    assertThat(HistoryFormats.detect(file)).isEqualTo(new DbcopFormat());
    assertThat(Histories.read(folder, new DbcopFormat()))
        .isEqualTo(Histories.read(file, new DbcopFormat()));
  }

  @Test
  void theWriterMakesTheseBytes() throws Exception {
    Path file = folder.resolve("written");
    try (HistoryWriter writer = new DbcopFormat().create(file)) {
      writer.write(
          new TransactionRecord(
              SessionInfo.ofFile(0, "0"),
              0,
              0,
              0,
              Outcome.COMMITTED,
              null,
              TransactionRecord.NO_TIME,
              TransactionRecord.NO_TIME,
              null,
              new Operations.Builder().write(7, 70).readInitial(8).build()));
    }
    byte[] expected =
        new BinaryHistory()
            .little(0, 1, 0, 1, 0, 0, 0, 0, 1, 1, 2)
            .bytes(1)
            .little(7, 70)
            .bytes(1, 0)
            .little(8, 0)
            .bytes(1, 1)
            .toBytes();
    assertThat(BinaryHistory.hex(Files.readAllBytes(file))).isEqualTo(BinaryHistory.hex(expected));
  }

  @Test
  void everyTruncationIsRefusedAtItsEnd() {
    byte[] whole = golden().toBytes();
    for (int length = 0; length < whole.length; length++) {
      byte[] cut = Arrays.copyOf(whole, length);
      assertThatThrownBy(() -> read(cut))
          .as("%d bytes", length)
          .isInstanceOf(HistoryFormatException.class)
          .hasMessageContaining("history.bincode at byte ")
          .hasMessageContaining("expected ");
    }
  }

  @Test
  void whatIsWrongIsNamedWithItsByte() {
    refused(
        header(1).little(1, 1).bytes(2).little(1, 1).bytes(1, 1),
        "at byte 91: found byte 0x02; expected whether the event is a write: 0 or 1");
    refused(
        header(1).little(1, 1).bytes(1).little(1, 0).bytes(1, 1),
        "at byte 100: found a write of the value 0; expected another one: 0 is the initial");
    refused(
        header(1).little(1, 1).bytes(1).little(1, 1).bytes(1, 7),
        "at byte 109: found byte 0x07; expected whether the transaction committed: 0 or 1");
    refused(
        header(1).little(0).bytes(0),
        "at byte 83: found 1 more bytes; expected the end of the file after the last session");
    refused(
        header(-1).little(0),
        "at byte 67: found a number of sessions of 18446744073709551615; expected at most 1,");
    refused(
        header(1).little(1, 1L << 60).bytes(0),
        "at byte 83: found a number of events of a transaction of 1152921504606846976;");
    refused(
        header(0).little(0, 0),
        "at byte 75: found 16 more bytes; expected the end of the file after the last session");
  }

  private void refused(BinaryHistory bytes, String message) {
    assertThatThrownBy(() -> read(bytes.toBytes()))
        .isInstanceOf(HistoryFormatException.class)
        .hasMessageContaining("history.bincode " + message);
  }

  private List<TransactionRecord> read(byte[] bytes) throws Exception {
    Path file = Files.write(folder.resolve("history.bincode"), bytes);
    return Histories.read(file, new DbcopFormat());
  }
}
