package io.isotail.ingest.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.incremental.record.VersionKind;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Jepsen's and Knossos' operations on registers and mutexes. */
class ElleRegisterTest {
  private static final long REGISTER = ClearName.hash("register");
  private static final long MUTEX = ClearName.hash("mutex");

  @TempDir private Path folder;

  @Test
  void eachOperationIsATransactionOfOneKey() throws Exception {
    List<TransactionRecord> read =
        read(
            """
            [{:process 0, :type :invoke, :f :write, :value 4}
            {:process 1, :type :invoke, :f :read, :value nil}
            {:process 1, :type :ok, :f :read, :value nil}
            {:process 0, :type :ok, :f :write, :value 4}
            {:process 1, :type :invoke, :f :cas, :value [4 5]}
            {:process 1, :type :ok, :f :cas, :value [4 5]}
            {:process 0, :type :invoke, :f :cas, :value [7 8]}
            {:process 0, :type :fail, :f :cas, :value [7 8]}]
            """);
    assertThat(read)
        .extracting(TransactionRecord::operations)
        .containsExactly(
            register().readInitial(REGISTER).names("register", null).build(),
            register().write(REGISTER, 4).names("register", null).build(),
            register()
                .read(REGISTER, 4)
                .names("register", null)
                .write(REGISTER, 5)
                .names("register", null)
                .build(),
            register().write(REGISTER, 8).names("register", null).build());
    assertThat(read).extracting(TransactionRecord::beginNs).containsExactly(1L, 0L, 4L, 6L);
    assertThat(read).extracting(TransactionRecord::endNs).containsExactly(2L, 3L, 5L, 7L);
    assertThat(read).extracting(TransactionRecord::clock).containsOnly(ElleReader.PLACES);
    assertThat(read.get(3).outcome()).isEqualTo(Outcome.ABORTED);
  }

  @Test
  void tuplesNameIndependentKeys() throws Exception {
    List<TransactionRecord> read =
        read(
            """
            {:process 0, :time 10, :type :invoke, :f :write, :value [7 4]}
            {:process 0, :time 12, :type :ok, :f :write, :value [7 nil]}
            {:process 0, :time 13, :type :invoke, :f :cas, :value #jepsen.independent/tuple [8 [1 2]]}
            {:process 0, :time 19, :type :info, :f :cas, :value [8 [1 2]], :error :timeout}
            {:process 0, :time 20, :type :invoke, :f :read, :value [8 nil]}
            {:process 0, :time 21, :type :ok, :f :read, :value [8 2]}
            """);
    assertThat(read)
        .extracting(TransactionRecord::operations)
        .containsExactly(
            register().write(7, 4).build(),
            register().read(8, 1).write(8, 2).build(),
            register().read(8, 2).build());
    assertThat(read.get(1).endNs()).isEqualTo(TransactionRecord.NO_TIME);
    assertThat(read.get(2).clock()).isEqualTo(ElleReader.CLOCK);
    assertThat(read.get(1).session()).isEqualTo(read.get(0).session());
    assertThat(read.get(2).session()).isNotEqualTo(read.get(0).session());
    assertThat(read.get(2).sequence()).isZero();
  }

  @Test
  void aValueThatIsWrittenTwiceIsAnUnknownVersion() throws Exception {
    List<TransactionRecord> read =
        read(ok("write", "1") + ok("read", "1") + ok("write", "2") + ok("write", "1"));
    assertThat(read)
        .extracting(t -> t.operations().versionKind(0))
        .containsExactly(
            VersionKind.UNKNOWN, VersionKind.UNKNOWN, VersionKind.KNOWN, VersionKind.UNKNOWN);
    assertThat(read(ok("read", "nil") + ok("write", "nil")))
        .extracting(t -> t.operations().versionKind(0))
        .containsExactly(VersionKind.UNKNOWN, VersionKind.UNKNOWN);
  }

  @Test
  void aFailedWriteDoesNotMakeItsValueAmbiguous() throws Exception {
    List<TransactionRecord> read =
        read(op("fail", "write", "1") + ok("write", "1") + ok("read", "1"));
    assertThat(read).extracting(t -> t.operations().size()).containsExactly(0, 1, 1);
    assertThat(read.get(2).operations().versionKind(0)).isEqualTo(VersionKind.KNOWN);
  }

  @Test
  void aMutexIsARegisterThatIsNilWhenFree() throws Exception {
    assertThat(read(ok("acquire", "nil") + ok("release", "nil")))
        .extracting(TransactionRecord::operations)
        .containsExactly(
            register()
                .add(OperationKind.READ, MUTEX, VersionKind.UNKNOWN, 0)
                .names("mutex", null)
                .write(MUTEX, ClearName.hash("held"))
                .names("mutex", "held")
                .build(),
            register()
                .read(MUTEX, ClearName.hash("held"))
                .names("mutex", "held")
                .writeUnknown(MUTEX)
                .names("mutex", null)
                .build());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{:process 0 :type :invoke :f :transfer :value {:from 1}}|':transfer' as :f with a map",
        "{:process 0 :type :invoke :f :add :value 3}|':add' as :f with '3' as :value",
        "{:process 0 :type :invoke :f :enqueue :value 3}|':enqueue' as :f",
        "{:process 0 :type :invoke :f :read :value {1 10}}|a map in :value of :read",
        "{:process 0 :type :invoke :f :read :value [1 2 3]}|a list of 3 in :value of :read",
        "{:process 0 :type :invoke :f :cas :value 3}|'3' as :value of :cas",
        "{:process 0 :type :invoke :f :cas :value [1 [2]]}|a list of 1 as :value of :cas",
        "{:process 0 :type :invoke :f :cas :value [nil [2 3]]}|nil as the key",
        "{:type :invoke :f :write :value 3}|an operation on a register without :process",
        "{:process 5 :type :ok :f :write :value 3}|process 5 did not invoke",
        "{:process 9 :type :ok :f :read :value [1 2]}|another :f, key or value",
        "{:process 9 :type :ok :f :write :value 2}|another :f, key or value",
        "{:process 9 :time 4 :type :ok :f :read :value 2}|:time after operations without it",
      })
  void whatIsWrongIsNamedWithItsLine(String bad, String found) {
    assertThatThrownBy(() -> read("{:process 9 :type :invoke :f :read :value nil}\n" + bad))
        .isInstanceOf(HistoryFormatException.class)
        .hasMessageContaining("history.elle:2: found ")
        .hasMessageContaining(found);
  }

  private static String ok(String f, String value) {
    return op("ok", f, value);
  }

  private static String op(String type, String f, String value) {
    String asked = f.equals("read") ? "nil" : value;
    return "{:process 1 :type :invoke :f :%s :value %s}\n{:process 1 :type :%s :f :%s :value %s}\n"
        .formatted(f, asked, type, f, value);
  }

  private static Operations.Builder register() {
    return new Operations.Builder();
  }

  private List<TransactionRecord> read(String text) throws Exception {
    return Histories.read(folder, new ElleFormat(), text);
  }
}
