package io.isotail.ingest.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.SessionInfo;
import io.isotail.incremental.record.Statement;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.incremental.record.VersionKind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RoundTripTest {
  private static final int ROUNDS = 20;

  @TempDir private Path folder;
  private int files;

  @Test
  void everyPairOfFormatsKeepsWhatWasDone() throws Exception {
    for (WritableFormat first : HistoryFormats.writable()) {
      for (WritableFormat second : HistoryFormats.writable()) {
        for (int round = 0; round < ROUNDS; round++) {
          long seed = System.nanoTime();
          List<TransactionRecord> history = RandomHistories.of(new Random(seed));
          List<TransactionRecord> once = through(first, Fidelity.LOSSY, history);
          List<TransactionRecord> twice = through(second, Fidelity.LOSSY, once);
          assertThat(RandomHistories.essence(twice))
              .as("seed %d, %s then %s", seed, first, second)
              .isEqualTo(RandomHistories.essence(history));
        }
      }
    }
  }

  @Test
  void whatAFormatHoldsItHoldsExactly() throws Exception {
    for (WritableFormat format : HistoryFormats.writable()) {
      for (int round = 0; round < ROUNDS; round++) {
        long seed = System.nanoTime();
        List<TransactionRecord> history =
            through(format, Fidelity.LOSSY, RandomHistories.of(new Random(seed)));
        assertThat(bySession(through(format, Fidelity.EXACT, history)))
            .as("seed %d, %s", seed, format)
            .isEqualTo(bySession(history));
      }
    }
  }

  /** Checkers that know a transaction by its number alone would take two for one. */
  @Test
  void whereNumbersAreWrittenTheyAreUniqueInTheFile() throws Exception {
    for (WritableFormat format : Set.of(new PlumeFormat(), new CobraFormat())) {
      for (int round = 0; round < ROUNDS; round++) {
        long seed = System.nanoTime();
        List<TransactionRecord> history =
            through(format, Fidelity.LOSSY, RandomHistories.of(new Random(seed)));
        assertThat(history)
            .as("seed %d, %s", seed, format)
            .extracting(TransactionRecord::transaction)
            .filteredOn(number -> number != PlumeLine.ABORTED)
            .doesNotHaveDuplicates();
      }
    }
  }

  @Test
  void whatIsWrittenIsRecognised() throws Exception {
    List<TransactionRecord> history = List.of(simple(new Operations.Builder().write(1, 1).build()));
    for (WritableFormat format : HistoryFormats.writable()) {
      through(format, Fidelity.EXACT, history);
      assertThat(HistoryFormats.detect(folder.resolve("h" + files))).isEqualTo(format);
    }
  }

  @Test
  void everyLossIsNamed() throws Exception {
    Set<WritableFormat> lossy = without(Content.LEVELS);
    Operations one = new Operations.Builder().write(1, 1).build();
    refused(
        without(Content.DELETES), simple(new Operations.Builder().delete(1).build()), "a delete");
    refused(
        without(Content.OPAQUE_WRITES),
        simple(new Operations.Builder().opaque().build()),
        "an opaque write");
    refused(
        without(Content.UNKNOWN_VERSIONS),
        simple(new Operations.Builder().writeUnknown(1).build()),
        "a write of an unknown");
    refused(
        without(Content.UNKNOWN_VERSIONS),
        simple(new Operations.Builder().add(OperationKind.READ, 1, VersionKind.UNKNOWN, 0).build()),
        "a read of an unknown version");
    refused(
        without(Content.UNDONE_OPERATIONS),
        simple(new Operations.Builder().write(1, 1).undoFrom(0).build()),
        "an operation that was undone");
    refused(
        without(Content.LIST_READS),
        simple(
            new Operations.Builder()
                .add(OperationKind.LISTED, 1, VersionKind.KNOWN, 1)
                .read(1, 2)
                .build()),
        "a list read");
    refused(
        without(Content.UNKNOWN_OUTCOMES),
        new TransactionRecord(
            SessionInfo.ofFile(0, "0"),
            0,
            0,
            0,
            Outcome.UNKNOWN,
            null,
            TransactionRecord.NO_TIME,
            TransactionRecord.NO_TIME,
            null,
            one),
        "an unknown outcome");
    refused(
        Set.of(new PlumeFormat(), new DbcopFormat()),
        simple(new Operations.Builder().write(1, 0).build()),
        "the version 0");
    refused(
        Set.of(new CobraFormat()),
        simple(new Operations.Builder().write(1, CobraReader.INITIAL_LOADED).build()),
        "the version 0xdeadbeef");
    dropped(
        without(Content.LEVELS), transaction("0", 0, "causal", null, one), "an isolation level");
    dropped(lossy, transaction("0", 0, null, "c", one), "times or a clock");
    dropped(lossy, transaction("other", 0, null, null, one), "a session name");
    dropped(
        lossy,
        simple(new Operations.Builder().write(1, 1).names("accounts/1", null).build()),
        "names of keys or versions");
    dropped(
        without(Content.STATEMENTS),
        simple(new Operations.Builder().statement(new Statement("t", "")).write(1, 1).build()),
        "statements");
    dropped(Set.of(new PlumeFormat()), simple(Operations.EMPTY), "no operations");
    dropped(Set.of(new DbcopFormat()), transaction("0", 5, null, null, one), "a number");
  }

  @Test
  void aHistoryWithoutTransactionsHasNoLogs() {
    assertThatThrownBy(() -> through(new CobraFormat(), Fidelity.LOSSY, List.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("without transactions, which cobra cannot hold");
  }

  private static Set<WritableFormat> without(Content content) {
    Set<WritableFormat> formats = new LinkedHashSet<>(HistoryFormats.writable());
    HistoryFormats.holding(content).forEach(formats::remove);
    return formats;
  }

  /** What a format says that it holds, its writer takes and its reader gives back. */
  @Test
  void aFormatHoldsExactlyWhatItSays() throws Exception {
    for (WritableFormat format : HistoryFormats.writable()) {
      for (Content content : Content.values()) {
        List<TransactionRecord> history = List.of(with(content));
        if (format.holds().contains(content)) {
          assertThat(through(format, Fidelity.EXACT, history))
              .as("%s, %s", format.label(), content)
              .isEqualTo(history);
        } else {
          assertThatThrownBy(() -> through(format, Fidelity.EXACT, history))
              .as("%s, %s", format.label(), content)
              .isInstanceOf(IllegalArgumentException.class);
        }
      }
    }
  }

  private static TransactionRecord with(Content content) {
    Operations.Builder builder = new Operations.Builder();
    Operations one = new Operations.Builder().write(1, 1).build();
    return switch (content) {
      case UNKNOWN_OUTCOMES -> timed(Outcome.UNKNOWN, TransactionRecord.NO_TIME, null, one);
      case UNKNOWN_VERSIONS -> simple(builder.writeUnknown(1).build());
      case DELETES -> simple(builder.delete(1).build());
      case OPAQUE_WRITES -> simple(builder.opaque().build());
      case UNDONE_OPERATIONS -> simple(builder.write(1, 1).undoFrom(0).build());
      case LIST_READS ->
          simple(builder.add(OperationKind.LISTED, 1, VersionKind.KNOWN, 1).read(1, 2).build());
      case TIMES -> timed(Outcome.COMMITTED, 5, "jepsen", one);
      case LEVELS -> transaction("0", 0, "causal", null, one);
      case STATEMENTS -> simple(builder.statement(new Statement("t", "")).write(1, 1).build());
      case NAMES -> simple(builder.write(ClearName.hash("x"), 1).names("x", null).build());
    };
  }

  private static TransactionRecord timed(
      Outcome outcome, long beginNs, @Nullable String clock, Operations operations) {
    return new TransactionRecord(
        SessionInfo.ofFile(0, "0"),
        0,
        0,
        0,
        outcome,
        null,
        beginNs,
        beginNs == TransactionRecord.NO_TIME ? beginNs : beginNs + 1,
        clock,
        operations);
  }

  private void refused(Set<WritableFormat> formats, TransactionRecord bad, String what) {
    for (WritableFormat format : formats) {
      for (Fidelity fidelity : Fidelity.values()) {
        assertThatThrownBy(() -> through(format, fidelity, List.of(bad)))
            .as("%s, %s", format, fidelity)
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("transaction 0 of session 0 has " + what)
            .hasMessageContaining("which %s cannot hold".formatted(format.label()));
      }
    }
  }

  private void dropped(Set<WritableFormat> formats, TransactionRecord bad, String what)
      throws Exception {
    for (WritableFormat format : formats) {
      assertThatThrownBy(() -> through(format, Fidelity.EXACT, List.of(bad)))
          .as(format.label())
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("has " + what)
          .hasMessageContaining("only a lossy conversion drops it");
      through(format, Fidelity.LOSSY, List.of(bad));
    }
  }

  private List<TransactionRecord> through(
      WritableFormat format, Fidelity fidelity, List<TransactionRecord> history)
      throws IOException, HistoryFormatException {
    Path path = folder.resolve("h" + ++files);
    try (HistoryWriter writer = format.create(path, fidelity)) {
      for (TransactionRecord transaction : history) {
        writer.write(transaction);
      }
    }
    return Histories.read(path, format);
  }

  private static List<TransactionRecord> bySession(List<TransactionRecord> history) {
    return history.stream()
        .sorted(
            Comparator.comparingLong((TransactionRecord t) -> t.session().id())
                .thenComparingLong(TransactionRecord::sequence))
        .toList();
  }

  private static TransactionRecord simple(Operations operations) {
    return transaction("0", 0, null, null, operations);
  }

  private static TransactionRecord transaction(
      String session,
      long number,
      @Nullable String level,
      @Nullable String clock,
      Operations operations) {
    return new TransactionRecord(
        SessionInfo.ofFile(0, session),
        0,
        number,
        0,
        Outcome.COMMITTED,
        level,
        TransactionRecord.NO_TIME,
        TransactionRecord.NO_TIME,
        clock,
        operations);
  }
}
