package io.isotail.ingest.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.incremental.record.VersionKind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChronosTest {
  private static final String GOLDEN =
      """
      [
          {
              "tid": 67,
              "sid": 19,
              "sts": {"p": 1691420095436341, "l": 61},
              "cts": {"p": 1691420095659914, "l": 18},
              "ops": [
                  {"t": "w", "k": 7, "v": 2},
                  {"t": "READ", "k": 8, "v": null},
                  {"t": "r", "k": 8}
              ]
          },
          {"ops": [{"v": 2, "k": 7, "t": "Read"}], "cts": {}, "mts": 5, "sid": "a", "tid": "x"},
          {"tid": 68, "sid": "19", "ops": [{"t": "Write", "k": -3, "v": -4}]}
      ]
      """;

  @TempDir private Path folder;

  @Test
  void transactionsAreReadWithoutTheirTimestamps() throws Exception {
    List<TransactionRecord> read = read(GOLDEN);
    assertThat(HistoryFormats.detect(folder.resolve("history.chronos")))
        .isEqualTo(new ChronosFormat());
    assertThat(read).extracting(t -> t.session().name()).containsExactly("19", "a", "19");
    assertThat(read).extracting(TransactionRecord::sequence).containsExactly(0L, 0L, 1L);
    assertThat(read)
        .extracting(TransactionRecord::transaction)
        .containsExactly(67L, ClearName.hash("x"), 68L);
    assertThat(read)
        .allMatch(t -> t.outcome() == Outcome.COMMITTED)
        .allMatch(t -> t.beginNs() == TransactionRecord.NO_TIME)
        .allMatch(t -> t.endNs() == TransactionRecord.NO_TIME && t.clock() == null);
    assertThat(read)
        .extracting(TransactionRecord::operations)
        .containsExactly(
            new Operations.Builder().write(7, 2).readInitial(8).readInitial(8).build(),
            new Operations.Builder().read(7, 2).build(),
            new Operations.Builder()
                .write(ClearName.hash("-3"), ClearName.hash("-4"))
                .names("-3", "-4")
                .build());
  }

  @Test
  void withoutANumberATransactionHasItsPlaceInTheSession() throws Exception {
    assertThat(read("[{\"sid\":5,\"ops\":[]},{\"sid\":6,\"ops\":[]},{\"sid\":5,\"ops\":[]}]"))
        .extracting(TransactionRecord::transaction)
        .containsExactly(0L, 0L, 1L);
  }

  @Test
  void zeroIsTheInitialValueUnlessItIsWritten() throws Exception {
    assertThat(operations("{'t':'r','k':1,'v':0}", "{'t':'w','k':2,'v':0}"))
        .containsExactly(
            new Operations.Builder().readInitial(1).build(),
            new Operations.Builder().write(2, 0).build());
    assertThat(operations("{'t':'r','k':1,'v':0}", "{'t':'w','k':1,'v':0}", "{'t':'r','k':1}"))
        .containsExactly(
            new Operations.Builder().read(1, 0).build(),
            new Operations.Builder().write(1, 0).build(),
            new Operations.Builder().readInitial(1).build());
  }

  @Test
  void listsTellTheVersionsBeforeTheLast() throws Exception {
    assertThat(
            operations(
                "{'t':'a','k':1,'v':10}",
                "{'t':'append','k':1,'v':0}",
                "{'t':'r','k':1,'v':[10,0]}",
                "{'t':'r','k':1,'v':[]}",
                "{'t':'r','k':1}"))
        .containsExactly(
            new Operations.Builder().write(1, 10).build(),
            new Operations.Builder().write(1, 0).build(),
            new Operations.Builder()
                .add(OperationKind.LISTED, 1, VersionKind.INITIAL, 0)
                .add(OperationKind.LISTED, 1, VersionKind.KNOWN, 10)
                .read(1, 0)
                .build(),
            new Operations.Builder().readInitial(1).build(),
            new Operations.Builder().readInitial(1).build());
  }

  @Test
  void whatIsWrongIsNamedWithItsLine() {
    refused("\n7]", 2, "'7'; expected a transaction");
    refused("{'ops':[]}]", 1, "null as sid; expected a number or a string");
    refused("{'sid':[1],'ops':[]}]", 1, "a list of 1 as sid; expected a number or a string");
    refused("{'sid':1,'tid':{},'ops':[]}]", 1, "a map as tid; expected a number or a string");
    refused("{'sid':1}]", 1, "null as ops; expected a list of operations");
    refused("{'sid':1,'ops':{}}]", 1, "a map as ops; expected a list of operations");
    refused("{'sid':1,'ops':[5]}]", 1, "'5' as an operation; expected an operation");
    wrong("{'k':1,'v':1}", "null as t; expected r, read, w, write, a or append");
    wrong("{'t':'d','k':1,'v':1}", "'d' as t; expected r, read, w, write, a or append");
    wrong("{'t':'r','v':1}", "null as k; expected a whole number of 64 bits");
    wrong("{'t':'r','k':'x','v':1}", "'x' as k; expected a whole number of 64 bits");
    wrong("{'t':'r','k':1.5,'v':1}", "1.5 as k; expected a whole number of 64 bits");
    wrong("{'t':'r','k':1,'v':9223372036854775808}", "'9223372036854775808' as v; expected");
    wrong("{'t':'r','k':1,'v':{}}", "a map as v; expected a whole number of 64 bits");
    wrong("{'t':'r','k':1,'v':[1,null]}", "null as an element of a list; expected a whole");
    wrong("{'t':'w','k':1}", "a write of null; expected a whole number of 64 bits: null is the");
    wrong("{'t':'a','k':1,'v':[2]}", "a list of 1 as v; expected a whole number of 64 bits");
    refused("{'sid':1,'ops':[]}", 1, "the end of the file; expected ']'");
    refused("{'sid':1,'sid':2,'ops':[]}]", 1, "a key twice; expected each key of a map once");
    refused("{'sid':1,'ops':[]}] x", 1, "'x'; expected the end of the file");
  }

  private void wrong(String operation, String message) {
    refused("\n{'sid':1,\n'ops':[%s]}]".formatted(operation), 2, message);
  }

  private void refused(String afterBracket, long line, String message) {
    assertThatThrownBy(() -> read("[" + afterBracket.replace('\'', '"')))
        .isInstanceOf(HistoryFormatException.class)
        .hasMessageContaining(":%d: found %s".formatted(line, message));
  }

  /** Of transactions of one operation each. */
  private List<Operations> operations(String... each) throws Exception {
    StringBuilder text = new StringBuilder();
    for (String one : each) {
      text.append(text.length() == 0 ? "[" : ",\n");
      text.append("{'sid':1,'ops':[%s]}".formatted(one));
    }
    return read(text.append("]").toString().replace('\'', '"')).stream()
        .map(TransactionRecord::operations)
        .toList();
  }

  private List<TransactionRecord> read(String text) throws Exception {
    Files.writeString(folder.resolve("history.chronos"), text);
    return Histories.read(folder.resolve("history.chronos"), new ChronosFormat());
  }
}
