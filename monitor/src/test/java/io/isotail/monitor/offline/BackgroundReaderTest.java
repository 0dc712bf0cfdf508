package io.isotail.monitor.offline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.isotail.incremental.record.TransactionRecord;
import io.isotail.ingest.format.HistoryFormatException;
import io.isotail.ingest.format.PlumeFormat;
import io.isotail.ingest.format.TransactionConsumer;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BackgroundReaderTest {
  @TempDir private Path folder;

  @Test
  void theConsumerSeesWhatItWouldSeeReadingItself() throws Exception {
    for (int transactions : new int[] {0, 1, 511, 512, 513, 20_000}) {
      for (boolean restarts : new boolean[] {false, true}) {
        Path file = history(transactions, restarts ? "r(9,0,9,0)\nw(9,0,8,0)\n" : "");
        Log itself = new Log();
        new PlumeFormat().read(file, itself);
        Log background = new Log();
        BackgroundReader.read(file, new PlumeFormat(), background);
        assertThat(background.seen).isEqualTo(itself.seen);
        assertThat(background.restarts).isEqualTo(restarts ? 1 : 0);
      }
    }
  }

  @Test
  void anErrorOfTheFormatReachesTheCaller() throws Exception {
    Path file = history(5_000, "r(1,\n");
    Log log = new Log();
    assertThatThrownBy(() -> BackgroundReader.read(file, new PlumeFormat(), log))
        .isInstanceOf(HistoryFormatException.class)
        .hasMessageContaining(":5001: found");
    assertThat(log.seen).isNotEmpty();
    assertNoThreadIsLeft();
  }

  @Test
  void aFailingConsumerEndsTheReader() throws Exception {
    Path file = history(20_000, "");
    IllegalStateException failure = new IllegalStateException("full");
    assertThatThrownBy(
            () ->
                BackgroundReader.read(
                    file,
                    new PlumeFormat(),
                    (line, transaction) -> {
                      throw failure;
                    }))
        .isSameAs(failure);
    assertNoThreadIsLeft();
  }

  @Test
  void anInterruptionEndsBothAndStays() throws Exception {
    Path file = history(20_000, "");
    TransactionConsumer interrupting = (line, transaction) -> Thread.currentThread().interrupt();
    assertThatThrownBy(() -> BackgroundReader.read(file, new PlumeFormat(), interrupting))
        .isInstanceOf(InterruptedIOException.class);
    assertThat(Thread.interrupted()).isTrue();
    assertNoThreadIsLeft();
  }

  private static void assertNoThreadIsLeft() {
    assertThat(Thread.getAllStackTraces().keySet())
        .noneMatch(thread -> thread.getName().equals("isotail-parse"));
  }

  private Path history(int transactions, String end) throws Exception {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < transactions; i++) {
      text.append("w(1,%d,%d,%d)\n".formatted(i + 1, i % 3, i));
    }
    return Files.writeString(folder.resolve("history.txt"), text.append(end));
  }

  private static final class Log implements TransactionConsumer {
    final List<Object> seen = new ArrayList<>();
    int restarts;

    @Override
    public void accept(long line, TransactionRecord transaction) {
      seen.add(List.of(line, transaction));
    }

    @Override
    public void restart() {
      seen.clear();
      restarts++;
    }
  }
}
