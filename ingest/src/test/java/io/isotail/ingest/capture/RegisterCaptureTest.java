package io.isotail.ingest.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.Statement;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.incremental.record.VersionKind;
import io.isotail.ingest.emit.CaptureClock;
import io.isotail.ingest.sql.Identities;
import io.isotail.ingest.sql.ObservedTables;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is recorded of a store without SQL. */
final class RegisterCaptureTest {
  private static final ObservedTables REGISTERS = ObservedTables.parse("registers(k; v)");

  private final RecordingSink sink = new RecordingSink();

  @Test
  void recordsAreAsThoseOfStatements() {
    Capture capture = capture(CaptureConfig.of("h", REGISTERS).withClearNames());
    long beforeNs = CaptureClock.PROCESS.nowNs();
    try (RegisterCapture session = new RegisterCapture(capture, "strict-serializable")) {
      session.begin();
      session.read(1, null);
      session.read(2, 20L);
      session.write(2, 21);
      session.end(Outcome.COMMITTED);
      session.begin();
      session.end(Outcome.COMMITTED);
      session.begin();
      session.write(2, 22);
      session.end(Outcome.UNKNOWN);
    }
    sink.checkContract();
    List<TransactionRecord> records = sink.records();
    assertThat(records).extracting(TransactionRecord::sequence).containsExactly(0L, 1L);
    assertThat(records).extracting(TransactionRecord::transaction).containsExactly(0L, 2L);
    assertThat(records)
        .extracting(TransactionRecord::outcome)
        .containsExactly(Outcome.COMMITTED, Outcome.UNKNOWN);
    TransactionRecord first = records.get(0);
    assertThat(first.ranAt()).isEqualTo("strict-serializable");
    assertThat(first.session().proxy()).isEqualTo("proxy");
    assertThat(first.clock()).isEqualTo(CaptureClock.PROCESS.id());
    assertThat(first.beginNs()).isGreaterThanOrEqualTo(beforeNs).isLessThan(first.endNs());
    assertThat(records.get(1).endNs()).isEqualTo(TransactionRecord.NO_TIME);
    assertThat(first.operations().keyName(1)).isEqualTo("2");
    assertThat(first.operations().versionName(2)).isEqualTo("21");
    Identities identities = Identities.of(null, "h");
    long key = identities.key(REGISTERS.all().get(0), 2);
    assertThat(first.operations().key(2)).isEqualTo(key);
    assertThat(first.operations().version(2)).isEqualTo(identities.version(key, "21"));
    assertThat(capture.stats().of(Outcome.UNKNOWN)).isEqualTo(1);
  }

  @Test
  void aListIsRecordedWithItsOrderAndInOneChunk() {
    Capture capture = capture(CaptureConfig.of("h", REGISTERS).withChunkOperations(3));
    RegisterCapture session = new RegisterCapture(capture, null);
    session.begin();
    session.write(1, 13);
    session.readList(1, List.of(11L, 12L, 13L));
    session.readList(2, List.of());
    session.end(Outcome.COMMITTED);
    sink.checkContract();
    assertThat(sink.records())
        .extracting(record -> record.operations().size())
        .containsExactly(1, 4, 1);
    Identities identities = Identities.of(null, "h");
    long key = identities.key(REGISTERS.all().get(0), 1);
    assertThat(sink.records().get(1).operations())
        .isEqualTo(
            new Operations.Builder()
                .statement(new Statement("registers", "read"))
                .add(OperationKind.LISTED, key, VersionKind.INITIAL, 0)
                .add(OperationKind.LISTED, key, VersionKind.KNOWN, identities.version(key, "11"))
                .add(OperationKind.LISTED, key, VersionKind.KNOWN, identities.version(key, "12"))
                .read(key, identities.version(key, "13"))
                .build());
    assertThat(sink.records().get(2).operations().versionKind(0)).isEqualTo(VersionKind.INITIAL);
  }

  @Test
  void aLongTransactionIsHandedOverInChunks() {
    Capture capture = capture(CaptureConfig.of("h", REGISTERS).withChunkOperations(2));
    RegisterCapture session = new RegisterCapture(capture, null);
    session.begin();
    for (long version = 1; version <= 5; version++) {
      session.write(0, version);
    }
    session.end(Outcome.ABORTED);
    session.begin();
    session.read(0, null);
    session.end(Outcome.COMMITTED);
    assertThat(sink.records())
        .extracting(TransactionRecord::chunk, TransactionRecord::outcome)
        .containsExactly(
            tuple(0, Outcome.OPEN),
            tuple(1, Outcome.OPEN),
            tuple(2, Outcome.ABORTED),
            tuple(0, Outcome.COMMITTED));
    sink.checkContract();
  }

  @Test
  void registersAreOneTableOfOneKeyColumn() {
    Capture pairs = capture(CaptureConfig.of("h", ObservedTables.parse("pairs(a, b; v)")));
    assertThatThrownBy(() -> new RegisterCapture(pairs, null))
        .hasMessageContaining("expected one observed table");
  }

  private Capture capture(CaptureConfig config) {
    return new Capture(config, sink, "proxy");
  }
}
