package io.isotail.ingest.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.SessionInfo;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.incremental.record.VersionKind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ElleTest {
  private static final String ONE = "{:type :ok, :process 3, :value [[:w 7 70] [:r 8 nil]]}";

  @TempDir private Path folder;

  @Test
  void completionsDecideAndInvocationsGiveTheBeginning() throws Exception {
    List<TransactionRecord> read =
        read(
            """
            ; A comment, then the nemesis, which is no client.
            {:index 0, :time 5, :type :info, :process :nemesis, :f :start, :value nil}
            {:index 1, :time 10, :type :invoke, :process 0, :f :txn, :value [[:w 1 1]]}
            {:index 2, :time 11, :type :invoke, :process 1, :f :txn, :value [[:r 1 nil]]}
            {:index 3, :time 20, :type :ok, :process 1, :f :txn, :value [[:r 1 1]]}
            {:index 4, :time 21, :type :info, :process 0, :f :txn, :value nil, :error :timeout}
            {:index 5, :time 30, :type :invoke, :process 1, :f :txn, :value [[:w 2 9] [:r 1 nil]]}
            {:index 6, :time 31, :type :fail, :process 1, :f :txn, :value [[:w 2 9] [:r 1 nil]]}
            {:index 7, :time 40, :type :invoke, :process 2, :f :txn, :value [[:w 3 3]]}
            """);
    assertThat(read)
        .containsExactly(
            transaction(1, 0, 3, Outcome.COMMITTED, 11, 20, new Operations.Builder().read(1, 1)),
            transaction(
                0,
                0,
                4,
                Outcome.UNKNOWN,
                10,
                TransactionRecord.NO_TIME,
                new Operations.Builder().write(1, 1)),
            transaction(1, 1, 6, Outcome.ABORTED, 30, 31, new Operations.Builder().write(2, 9)),
            transaction(
                2,
                0,
                7,
                Outcome.UNKNOWN,
                40,
                TransactionRecord.NO_TIME,
                new Operations.Builder().write(3, 3)));
  }

  @Test
  void aListIsHandedOverWhole() throws Exception {
    List<TransactionRecord> read =
        read(
            """
            {:type :ok, :process 0, :value [[:append 1 1] [:r 1 []] [:r 2 nil]]}
            {:type :ok, :process 0, :value [[:r 1 [1 2 3]]]}
            {:type :ok, :process 0, :value [[:r 1 [1 2]]]}
            {:type :ok, :process 0, :value [[:r 1 [1 2 3 4 5]]]}
            {:type :ok, :process 0, :value [[:r 1 [1 3 2]]]}
            {:type :ok, :process 0, :value [[:r 1 [1 2 3 4 5 6]]]}
            """);
    assertThat(read)
        .extracting(TransactionRecord::operations)
        .containsExactly(
            new Operations.Builder().write(1, 1).readInitial(1).readInitial(2).build(),
            whole(1, 2).read(1, 3).build(),
            whole(1).read(1, 2).build(),
            whole(1, 2, 3, 4).read(1, 5).build(),
            whole(1, 3).read(1, 2).build(),
            whole(1, 2, 3, 4, 5).read(1, 6).build());
  }

  @Test
  void withoutProcessesEveryTransactionIsASessionOfItsOwn() throws Exception {
    List<TransactionRecord> read =
        read(
            """
            {:index 0 :time 1 :type :invoke :value [[:append 1 1]]}
            {:index 1 :time 2 :type :invoke :value [[:append 1 2] [:r 1 nil]]}
            {:index 2 :time 3 :type :ok :value [[:append 1 2] [:r 1 [2]]]}
            """);
    assertThat(read).extracting(TransactionRecord::sequence).containsExactly(0L, 0L);
    assertThat(read.get(0).session()).isNotEqualTo(read.get(1).session());
    assertThat(read.get(0).beginNs()).isEqualTo(2);
    assertThat(read.get(1).outcome()).isEqualTo(Outcome.UNKNOWN);
    assertThat(read.get(1).operations()).isEqualTo(new Operations.Builder().write(1, 1).build());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        ONE,
        "[" + ONE + "]",
        "(" + ONE + ")",
        "\uFEFF#jepsen.history.Op" + ONE,
        "#_{:type :ok} {:type :ok #_#_:x 1 :process 3 ;; c\n :extra #{1 \\[ 1.5} :value"
            + " ((:w 7 70) [:r 8])}",
        "{\"type\":\"ok\",\"process\":3,\"value\":[[\"w\",7,70],[\"r\",8,null]]}",
        "[\n{ \"process\" : 3, \"f\":\"txn\", \"type\":\"ok\",\"value\":[[\"w\",7,70],[\"r\",8,[]]]}\n]\n",
      })
  void theSameInManyWritings(String text) throws Exception {
    Path file = Files.writeString(folder.resolve("h"), text);
    assertThat(Histories.read(file, new ElleFormat()))
        .containsExactly(
            transaction(
                3,
                0,
                0,
                Outcome.COMMITTED,
                TransactionRecord.NO_TIME,
                TransactionRecord.NO_TIME,
                new Operations.Builder().write(7, 70).readInitial(8)));
    if (!text.startsWith("\uFEFF")) {
      assertThat(HistoryFormats.detect(file)).isEqualTo(new ElleFormat());
    }
  }

  @Test
  void namesStandForTheirHashes() throws Exception {
    Operations operations =
        read("{:type :ok :process \"p\" :value [[:w :x \"a\\u00e9\\n\"] [:w -1 18446744073709551615N]]}")
            .get(0)
            .operations();
    assertThat(operations)
        .isEqualTo(
            new Operations.Builder()
                .write(ClearName.hash(":x"), ClearName.hash("aé\n"))
                .names(":x", "aé\n")
                .write(ClearName.hash("-1"), -1)
                .names("-1", null)
                .build());
  }

  @Test
  void theWriterMakesTheseLines() throws Exception {
    Path file = folder.resolve("written.edn");
    try (HistoryWriter writer = new ElleFormat().create(file)) {
      writer.write(
          transaction(
              3,
              0,
              12,
              Outcome.COMMITTED,
              10,
              20,
              new Operations.Builder()
                  .readInitial(1)
                  .write(ClearName.hash("x\"é"), 2)
                  .names("x\"é", null)));
      writer.write(
          transaction(
              3,
              1,
              13,
              Outcome.UNKNOWN,
              30,
              TransactionRecord.NO_TIME,
              new Operations.Builder().readInitial(1).read(2, 5)));
    }
    assertThat(Files.readString(file))
        .isEqualTo(
            """
            {:index 0, :type :invoke, :process 3, :f :txn, :txn 12, :time 10, :value [[:r 1 nil] [:w "x\\"\\u00e9" 2]]}
            {:index 1, :type :ok, :process 3, :f :txn, :txn 12, :time 20, :value [[:r 1 nil] [:w "x\\"\\u00e9" 2]]}
            {:index 2, :type :invoke, :process 3, :f :txn, :txn 13, :time 30, :value [[:r 1 nil] [:r 2 nil]]}
            {:index 3, :type :info, :process 3, :f :txn, :txn 13, :value [[:r 1 []] [:r 2 5]]}
            """);
    List<TransactionRecord> read = Histories.read(file, new ElleFormat());
    assertThat(read.get(0).operations().keyName(1)).isEqualTo("x\"é");
    assertThat(read.get(1).operations())
        .isEqualTo(new Operations.Builder().readInitial(1).read(2, 5).build());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{:type :ok :value [[:w 1 1]]|the end of the file|'}'",
        "{:type :ok :value [[:w 1 1]|the end of the file|']'",
        "{:type \"ok|the end of the file|the end of a string",
        "{:type :ok :type :ok}|a key twice|each key of a map once",
        "{nil 1}|the key nil|each key of a map once",
        "{:a}|'}'|a form",
        "{:type :maybe :value []}|'maybe' as :type|:invoke, :ok, :fail or :info",
        "{:value []}|no :type|:invoke, :ok, :fail or :info",
        "{:type :ok :process -1 :value []}|'-1' as :process|a number of 0 or more",
        "{:type :ok :process 1 :value 5}|'5' as :value|a list of micro-operations",
        "{:type :ok :process 1}|nil as :value|a list of micro-operations",
        "{:type :ok :process 1 :value [5]}|'5' as a micro-operation|[:append k v], [:w k v]",
        "{:type :ok :process 1 :value [[:cas 1 2]]}|:cas in a micro-operation|[:append k v]",
        "{:type :ok :process 1 :value [[:w [1] 2]]}|a list of 1 as a key|a number, a string",
        "{:type :ok :process 1 :value [[:w 1 nil]]}|nil as a version to write|a number",
        "{:type :ok :process 1 :value [[:r 1 [[2]]]]}|a list of 1 as a version in a list|a number",
        "{:type :ok :process 1 :time :now}|:now as :time|a whole number of 64 bits",
        "5|'5'|an operation: a map with :type and :value",
        "]|']'|a form",
        "{:type :ok :value [[:w 1 \"\\q\"]]}|'q'|one of n, t, r, b, f, u",
      })
  void whatIsWrongIsNamedWithItsLine(String bad, String found, String expected) {
    assertThatThrownBy(() -> read("{:type :ok, :process 0, :value []}\n" + bad))
        .isInstanceOf(HistoryFormatException.class)
        .hasMessageContaining("history.elle:2: found ")
        .hasMessageContaining(found)
        .hasMessageContaining(expected);
  }

  @Test
  void anInvocationTooManyIsNamed() {
    assertThatThrownBy(
            () ->
                read("{:type :invoke :process 1 :value []}\n{:type :invoke :process 1 :value []}"))
        .hasMessageContaining(":2: found process 1 invoking again; expected the end of what");
    assertThatThrownBy(() -> read("[" + ONE + "\n"))
        .hasMessageContaining(":2: found the end of the file; expected ']', the end of the list");
    assertThatThrownBy(() -> read("[" + ONE + "]\n" + ONE))
        .hasMessageContaining(":2: found '{'; expected the end of the file after the list");
  }

  @Test
  void nestingIsBounded() {
    assertThatThrownBy(() -> read("{:type :ok :value " + "[".repeat(100_000)))
        .isInstanceOf(HistoryFormatException.class)
        .hasMessageContaining("found forms within forms; expected at most 64 of them");
  }

  private static Operations.Builder whole(long... versions) {
    Operations.Builder list =
        new Operations.Builder().add(OperationKind.LISTED, 1, VersionKind.INITIAL, 0);
    for (long version : versions) {
      list.add(OperationKind.LISTED, 1, VersionKind.KNOWN, version);
    }
    return list;
  }

  private static TransactionRecord transaction(
      long process,
      long sequence,
      long number,
      Outcome outcome,
      long beginNs,
      long endNs,
      Operations.Builder operations) {
    boolean timed = beginNs != TransactionRecord.NO_TIME || endNs != TransactionRecord.NO_TIME;
    return new TransactionRecord(
        SessionInfo.ofFile(process, Long.toString(process)),
        sequence,
        number,
        0,
        outcome,
        null,
        beginNs,
        endNs,
        timed ? ElleReader.CLOCK : null,
        operations.build());
  }

  private List<TransactionRecord> read(String text) throws Exception {
    return Histories.read(folder, new ElleFormat(), text);
  }
}
