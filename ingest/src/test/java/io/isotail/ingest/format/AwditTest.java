package io.isotail.ingest.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.TransactionRecord;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AwditTest {
  /** Two transactions of a first session, one of a second. */
  private static final String GOLDEN = "w 1 10\nr 2 0\n-----\nr 1 10\n=====\nw 2 20\n";

  @TempDir private Path folder;

  @Test
  void sessionsAreReadSideBySide() throws Exception {
    List<TransactionRecord> read = read(GOLDEN);
    assertThat(read).extracting(t -> t.session().name()).containsExactly("0", "1", "0");
    assertThat(read).extracting(TransactionRecord::sequence).containsExactly(0L, 0L, 1L);
    assertThat(read).extracting(TransactionRecord::transaction).containsExactly(0L, 0L, 1L);
    assertThat(read).extracting(TransactionRecord::outcome).containsOnly(Outcome.COMMITTED);
    assertThat(read)
        .extracting(TransactionRecord::operations)
        .containsExactly(
            new Operations.Builder().write(1, 10).readInitial(2).build(),
            new Operations.Builder().write(2, 20).build(),
            new Operations.Builder().read(1, 10).build());
  }

  @Test
  void zeroIsAVersionWhereItIsWrittenBeforeOrAfter() throws Exception {
    assertThat(read("r 1 0\nr 2 0\n=\nw 1 0\n"))
        .extracting(TransactionRecord::operations)
        .containsExactly(
            new Operations.Builder().read(1, 0).readInitial(2).build(),
            new Operations.Builder().write(1, 0).build());
  }

  @Test
  void blanksAndEmptyTransactionsAndSessionsAreNothing() throws Exception {
    String loose =
        "\uFEFF=\n\n -- \n\t w  1\t10 \r\n\n  r 2 0\n-\n-----\r\nr 1 10\n---\n=\n-\n= \nw 2 20\n---";
    assertThat(read(loose)).isEqualTo(read(GOLDEN));
    assertThat(read("")).isEmpty();
    assertThat(read("-\n=")).isEmpty();
  }

  @Test
  void numbersHave64Bits() throws Exception {
    assertThat(read("w 18446744073709551615 18446744073709551615"))
        .extracting(TransactionRecord::operations)
        .containsExactly(new Operations.Builder().write(-1, -1).build());
  }

  @Test
  void aCompressedFileIsReadInMoreThanOnePlaceToo() throws Exception {
    Path file = folder.resolve("history.gz");
    try (GZIPOutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
      out.write(GOLDEN.getBytes(StandardCharsets.UTF_8));
    }
    assertThat(HistoryFormats.detect(file)).isEqualTo(new AwditFormat());
    assertThat(Histories.read(file, new AwditFormat())).isEqualTo(read(GOLDEN));
  }

  /** More sessions than buffers of the usual size, and transactions longer than a buffer. */
  @Test
  void aLargeFileIsReadAsTheSameInPlume() throws Exception {
    Random random = new Random(1);
    StringBuilder awdit = new StringBuilder();
    StringBuilder plume = new StringBuilder();
    int transaction = 0;
    for (int session = 0; session < 2_000; session++) {
      awdit.append(session > 0 ? "=\n" : "");
      for (int t = 0; t < 3; t++, transaction++) {
        awdit.append(t > 0 ? "-\n" : "");
        for (int i = 0; i < 1 + random.nextInt(40); i++) {
          String kind = random.nextBoolean() ? "r" : "w";
          long key = random.nextInt(1_000_000);
          long value = 1 + random.nextInt(1_000_000);
          awdit.append("%s %d %d%n".formatted(kind, key, value));
          plume.append("%s(%d,%d,%d,%d)%n".formatted(kind, key, value, session, transaction));
        }
      }
    }
    assertThat(RandomHistories.essence(read(awdit.toString())))
        .isEqualTo(
            RandomHistories.essence(Histories.read(folder, new PlumeFormat(), plume.toString())));
  }

  @Test
  void whatIsWrongIsNamedWithItsLine() {
    refused("w 1 1\nx 1 1", 2, "'x' at column 1; expected 'r', 'w', '-' or '='");
    refused("w 1 1\n\n=\nw1 1", 4, "'1' at column 2; expected a blank");
    refused("w 1", 1, "the end of the line at column 4; expected a blank");
    refused("w 1 ", 1, "the end of the line at column 5; expected a digit");
    refused("r -1 1", 1, "'-' at column 3; expected a digit");
    refused("r 1 1x", 1, "'x' at column 6; expected the end of the line");
    refused("r 1 1 - w 1 2", 1, "'-' at column 7; expected the end of the line");
    refused("w 1 1\n-=\n", 2, "'=' at column 2; expected the end of the line");
    refused("r 1 1\n- r 2 2\n", 2, "'r' at column 3; expected the end of the line");
    refused("w 18446744073709551616 1", 1, "a number above 18446744073709551615 at column 3");
    refused("\uFEFE", 1, "byte 0xbe at column 3; expected a byte order mark whole");
  }

  @Test
  void aDirectoryIsRefused() {
    assertThatThrownBy(() -> Histories.read(folder, new AwditFormat()))
        .isInstanceOf(HistoryFormatException.class)
        .hasMessageContaining("found a directory; expected a history file");
  }

  private void refused(String text, long line, String message) {
    assertThatThrownBy(() -> read(text))
        .isInstanceOf(HistoryFormatException.class)
        .hasMessageContaining(":%d: found %s".formatted(line, message));
  }

  private List<TransactionRecord> read(String text) throws Exception {
    return Histories.read(folder, new AwditFormat(), text);
  }
}
