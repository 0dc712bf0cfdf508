package io.isotail.ingest.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JepsenStoreTest {
  private static final String HISTORY =
      "{:process 1 :type :invoke :f :write :value 1}\n{:process 1 :type :ok :f :write :value 1}\n";

  @TempDir private Path store;

  @Test
  void aRunIsReadByItsHistory() throws Exception {
    Path run = Files.createDirectory(store.resolve("20261126T120000"));
    Files.writeString(run.resolve("history.edn"), HISTORY);
    Files.writeString(run.resolve("history.txt"), "1 :invoke :write 1");
    Files.writeString(run.resolve("jepsen.log"), "INFO");
    Files.writeString(run.resolve("test.jepsen"), "JEPSEN\0\0");
    Files.createSymbolicLink(store.resolve("latest"), run.getFileName());
    for (Path path : new Path[] {run, store, store.resolve("latest")}) {
      HistoryFormat format = HistoryFormats.detect(path);
      assertThat(format).isEqualTo(new ElleFormat());
      assertThat(Histories.read(path, format)).hasSize(1);
    }
  }

  @Test
  void aRunOfABinaryFileAloneIsRefused() throws Exception {
    Path binary = Files.writeString(store.resolve("test.jepsen"), "JEPSEN\0\0");
    assertThatThrownBy(() -> HistoryFormats.detect(store))
        .isInstanceOf(HistoryFormatException.class)
        .hasMessageContaining("found test.jepsen without history.edn; expected history.edn, which");
    assertThatThrownBy(() -> HistoryFormats.detect(binary))
        .isInstanceOf(HistoryFormatException.class)
        .hasMessageContaining("found Jepsen's binary file; expected history.edn, which");
    Files.delete(binary);
    Files.writeString(store.resolve("jepsen.log"), "INFO");
    assertThatThrownBy(() -> HistoryFormats.detect(store))
        .hasMessageContaining("found jepsen.log without history.edn");
  }

  @Test
  void whatIsWrongIsNamedInTheFileOfTheRun() throws Exception {
    Files.writeString(store.resolve("history.edn"), "{:process 1 :type :invoke :f :add :value 1}");
    assertThatThrownBy(() -> Histories.read(store, new ElleFormat()))
        .hasMessageContaining("history.edn:1: found ':add' as :f");
  }
}
