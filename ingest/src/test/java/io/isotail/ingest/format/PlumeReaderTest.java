package io.isotail.ingest.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.TransactionRecord;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlumeReaderTest {
  @TempDir private Path folder;

  @Test
  void sessionsMixedLineByLineKeepTheirTransactions() throws Exception {
    List<TransactionRecord> read =
        read("w(1,1,0,0)\nw(2,2,1,0)\nr(1,1,0,0)\nr(1,1,1,0)\nw(1,3,0,1)\n");
    assertThat(read).extracting(t -> t.session().name()).containsExactly("0", "1", "0");
    assertThat(read).extracting(TransactionRecord::transaction).containsExactly(0L, 0L, 1L);
    assertThat(read).extracting(TransactionRecord::sequence).containsExactly(0L, 0L, 1L);
    assertThat(read.get(0).operations())
        .isEqualTo(new Operations.Builder().write(1, 1).read(1, 1).build());
  }

  @Test
  void blanksAndLineEndsDoNotMatter() throws Exception {
    String plain = "w(1,1,0,0)\nr(1,1,1,0)\n";
    String generous = "\uFEFF\r\n \tw ( 1 , 1,0 ,\t0 ) \r\n\n\nr(1,1,1,0)";
    assertThat(read(generous)).isEqualTo(read(plain)).hasSize(2);
  }

  @Test
  void zeroIsTheInitialVersionUnlessSomebodyWritesIt() throws Exception {
    List<TransactionRecord> read = read("r(1,0,0,0)\nr(2,0,0,0)\nw(2,0,1,7)\n");
    assertThat(read.get(0).operations())
        .isEqualTo(new Operations.Builder().readInitial(1).read(2, 0).build());
    assertThat(read.get(1).operations()).isEqualTo(new Operations.Builder().write(2, 0).build());
  }

  @Test
  void minusOneMarksAbortedOperationsWithoutCuttingTheTransactionAround() throws Exception {
    List<TransactionRecord> read =
        read("w(1,1,0,4)\nw(9,9,0,-1)\nw(2,2,0,4)\nw(3,3,0,5)\nr(9,9,0,-1)\n");
    assertThat(read).extracting(TransactionRecord::sequence).containsExactly(0L, 1L, 2L, 3L);
    assertThat(read)
        .filteredOn(t -> t.outcome() == Outcome.COMMITTED)
        .extracting(TransactionRecord::operations)
        .containsExactly(
            new Operations.Builder().write(1, 1).write(2, 2).build(),
            new Operations.Builder().write(3, 3).build());
    assertThat(read)
        .filteredOn(t -> t.outcome() == Outcome.ABORTED)
        .extracting(TransactionRecord::operations)
        .containsExactly(
            new Operations.Builder().write(9, 9).build(),
            new Operations.Builder().read(9, 9).build());
  }

  @Test
  void numbersAreUnsigned64Bit() throws Exception {
    TransactionRecord record = read("w(18446744073709551615,9223372036854775808,3,2)").get(0);
    assertThat(record.operations().key(0)).isEqualTo(-1);
    assertThat(record.operations().version(0)).isEqualTo(Long.MIN_VALUE);
  }

  @Test
  void idsMayShrinkButNotComeBack() throws Exception {
    assertThat(read("w(1,1,0,5)\nw(1,2,0,4)\n"))
        .extracting(TransactionRecord::transaction)
        .containsExactly(5L, 4L);
    assertThatThrownBy(() -> read("w(1,1,0,5)\nw(1,2,0,4)\nw(1,3,0,5)\n"))
        .isInstanceOf(HistoryFormatException.class)
        .hasMessageContaining(":3: found transaction 5 of session 0 again");
  }

  @Test
  void abortedOperationsKeepTheirPlaceBetweenTransactions() throws Exception {
    assertThat(read("w(9,1,0,-1)\nw(1,1,0,4)\nw(9,2,0,-1)\nw(1,2,0,5)\nw(9,3,0,-1)\n"))
        .extracting(TransactionRecord::transaction)
        .containsExactly(-1L, 4L, -1L, 5L, -1L);
  }

  @Test
  void unusualLinesAmongUsualOnesAreReadAlike() throws Exception {
    StringBuilder plain = new StringBuilder();
    StringBuilder mixed = new StringBuilder("\uFEFF");
    Random random = new Random(7);
    // More than the buffer, so that lines of both kinds lie across its end.
    for (int i = 1; i < 60_000; i++) {
      String line = "%s(%d,%d,%d,%d)".formatted(i % 3 == 0 ? "w" : "r", i % 50, i, i % 7, i);
      plain.append(line).append('\n');
      mixed.append(random.nextInt(9) == 0 ? line.replace(",", " ,\t") : line);
      mixed.append(random.nextInt(9) == 0 ? "\r\n" : "\n");
    }
    assertThat(mixed.length()).isGreaterThan(1 << 20);
    assertThat(read(mixed.toString())).isEqualTo(read(plain.toString()));
  }

  @Test
  void anEmptyFileIsAnEmptyHistory() throws Exception {
    assertThat(read("")).isEmpty();
    assertThat(read("\n \r\n")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      value = {
        "x(1,1,1,1); 'x' at column 1; 'r' or 'w'",
        "r 1,1,1,1); '1' at column 3; '('",
        "r(1,1,1); ')' at column 8; ','",
        "r(1,,1,1); ',' at column 5; a digit",
        "r(1,1,1,-2); a transaction id of -2; -1",
        "r(1,1,1,1; the end of the line; ')'",
        "r(1,1,1,1) r; 'r' at column 12; the end of the line",
        "r(18446744073709551616,1,1,1); above 18446744073709551615; unsigned 64-bit",
        "r(1,-1,1,1); '-' at column 5; a digit",
      })
  void whatIsWrongIsNamedWithItsLine(String bad, String found, String expected) {
    assertThatThrownBy(() -> read("w(1,1,1,1)\n" + bad + "\n"))
        .isInstanceOf(HistoryFormatException.class)
        .hasMessageContaining("history.plume:2: found ")
        .hasMessageContaining(found)
        .hasMessageContaining(expected);
  }

  @Test
  void everyTruncationIsReadOrRefusedAndNothingElse() throws Exception {
    String whole = "w(10,11,1,1)\nr(10,11,2,1)\nw(3,4,1,2)";
    int refused = 0;
    for (int length = 0; length < whole.length(); length++) {
      try {
        read(whole.substring(0, length));
      } catch (HistoryFormatException e) {
        refused++;
      }
    }
    assertThat(refused).isGreaterThan(whole.length() - 10);
  }

  @Test
  void garbageIsRefusedAndNothingElse() throws Exception {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    String alphabet = "rw(),-019 \t\r\nx\u00e9";
    for (int i = 0; i < 2_000; i++) {
      StringBuilder text = new StringBuilder();
      for (int n = random.nextInt(40); n > 0; n--) {
        text.append(alphabet.charAt(random.nextInt(alphabet.length())));
      }
      try {
        read(text.toString());
      } catch (HistoryFormatException e) {
        assertThat(e.getMessage()).as("seed %d", seed).contains("expected");
      }
    }
  }

  private List<TransactionRecord> read(String text) throws Exception {
    return Histories.read(folder, new PlumeFormat(), text);
  }
}
