package io.isotail.ingest.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.SessionInfo;
import io.isotail.incremental.record.TransactionRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PlumeWriterTest {
  @TempDir private Path folder;

  @Test
  void aTransactionIsWrittenLineByLine() throws Exception {
    Operations operations =
        new Operations.Builder().readInitial(0).write(-1, Long.MAX_VALUE).read(10, 99).build();
    assertThat(
            written(
                Fidelity.EXACT,
                transaction(7, 12, Outcome.COMMITTED, operations),
                transaction(7, -1, Outcome.ABORTED, operations)))
        .isEqualTo(
            """
            r(0,0,7,12)
            w(18446744073709551615,9223372036854775807,7,12)
            r(10,99,7,12)
            r(0,0,7,-1)
            w(18446744073709551615,9223372036854775807,7,-1)
            r(10,99,7,-1)
            """);
  }

  @Test
  void numbersMustGrowUnlessLossy() throws Exception {
    Operations one = new Operations.Builder().write(1, 1).build();
    Operations two = new Operations.Builder().write(1, 2).build();
    TransactionRecord[] twice = {
      transaction(0, 5, Outcome.COMMITTED, one), transaction(0, 5, Outcome.COMMITTED, two)
    };
    assertThatThrownBy(() -> written(Fidelity.EXACT, twice))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("transaction 5 of session 0 has a number that is not above");
    assertThat(written(Fidelity.LOSSY, twice)).isEqualTo("w(1,1,0,5)\nw(1,2,0,6)\n");
  }

  @Test
  void numbersAreUniqueInTheFile() throws Exception {
    Operations one = new Operations.Builder().write(1, 1).build();
    Operations two = new Operations.Builder().write(1, 2).build();
    TransactionRecord[] sameNumber = {
      transaction(0, 5, Outcome.COMMITTED, one), transaction(1, 5, Outcome.COMMITTED, two)
    };
    assertThatThrownBy(() -> written(Fidelity.EXACT, sameNumber))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("transaction 5 of session 1 has a number that another transaction")
        .hasMessageContaining("only a lossy conversion");
    assertThat(written(Fidelity.LOSSY, sameNumber)).isEqualTo("w(1,1,0,5)\nw(1,2,1,6)\n");
    TransactionRecord[] unique = {
      transaction(0, 5, Outcome.COMMITTED, one), transaction(1, 2, Outcome.COMMITTED, two)
    };
    assertThat(written(Fidelity.EXACT, unique)).isEqualTo("w(1,1,0,5)\nw(1,2,1,2)\n");
  }

  @Test
  void sessionsThatCountForThemselvesAreNumberedInTheOrderOfTheFile() throws Exception {
    List<TransactionRecord> history = new ArrayList<>();
    for (int number = 0; number < 3; number++) {
      for (int session = 0; session < 3; session++) {
        Operations one = new Operations.Builder().write(session, number + 1).build();
        Outcome outcome = session == 1 && number == 1 ? Outcome.ABORTED : Outcome.COMMITTED;
        history.add(transaction(session, number, outcome, one));
      }
    }
    assertThat(written(Fidelity.LOSSY, history.toArray(TransactionRecord[]::new)).lines())
        .extracting(line -> line.replaceAll(".*,(.*)\\)", "$1"))
        .containsExactly("0", "1", "2", "3", "-1", "4", "5", "6", "7");
  }

  private String written(Fidelity fidelity, TransactionRecord... transactions) throws IOException {
    Path file = folder.resolve("out.plume");
    try (HistoryWriter writer = new PlumeFormat().create(file, fidelity)) {
      for (TransactionRecord transaction : transactions) {
        writer.write(transaction);
      }
    }
    return Files.readString(file);
  }

  private static TransactionRecord transaction(
      long session, long number, Outcome outcome, Operations operations) {
    return new TransactionRecord(
        SessionInfo.ofFile(session, Long.toUnsignedString(session)),
        0,
        number,
        0,
        outcome,
        null,
        TransactionRecord.NO_TIME,
        TransactionRecord.NO_TIME,
        null,
        operations);
  }
}
