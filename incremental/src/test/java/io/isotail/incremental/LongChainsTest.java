package io.isotail.incremental;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.level.Verdict;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.SessionInfo;
import io.isotail.incremental.record.TransactionRecord;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Chains and rings of transactions as long as a log may make them. */
final class LongChainsTest {
  /** Each reads what the one before wrote; nobody knows whether any but the last committed. */
  @ParameterizedTest
  @CsvSource({
    "false, 100000, 100000, true",
    "false, 100000, 100000, false",
    "true, 100000, 100000, true",
    "true, 100000, 100000, false",
    "false, 5000, 1, true"
  })
  void aReaderPromotesAllThatItRestsOn(
      boolean readerFirst, int length, int sessions, boolean unique) {
    List<TransactionRecord> history = unknownChain(readerFirst, length, sessions);
    CheckRun run =
        CheckRun.of(
            CheckerConfig.forFile("h", IsolationLevel.STRICT_SERIALIZABLE)
                .withWindow(length)
                .withUniqueVersions(unique),
            history);
    assertThat(run.report.verdicts()).containsEntry(IsolationLevel.SERIALIZABLE, Verdict.PASS);
    assertThat(run.report.unknown()).isZero();
    assertThat(run.report.transactions()).isEqualTo(length);
  }

  private static List<TransactionRecord> unknownChain(
      boolean readerFirst, int length, int sessions) {
    List<TransactionRecord> chain = new ArrayList<>();
    for (int i = 0; i < length; i++) {
      Operations.Builder ops = new Operations.Builder();
      if (i > 0) {
        ops.read(i - 1, 1);
      }
      Outcome outcome = i < length - 1 ? Outcome.UNKNOWN : Outcome.COMMITTED;
      chain.add(transaction(i % sessions, i / sessions, outcome, ops.write(i, 1)));
    }
    if (readerFirst) {
      Collections.reverse(chain);
    }
    return chain;
  }

  private static TransactionRecord transaction(
      int session, long sequence, Outcome outcome, Operations.Builder ops) {
    return new TransactionRecord(
        SessionInfo.ofFile(session, "s" + session),
        sequence,
        sequence,
        0,
        outcome,
        null,
        TransactionRecord.NO_TIME,
        TransactionRecord.NO_TIME,
        null,
        ops.build());
  }
}
