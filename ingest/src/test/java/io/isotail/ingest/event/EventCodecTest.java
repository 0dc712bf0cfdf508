package io.isotail.ingest.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import io.isotail.incremental.record.Heartbeat;
import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.SessionInfo;
import io.isotail.incremental.record.StreamRecord;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.incremental.record.VersionKind;
import io.isotail.ingest.event.proto.Envelope;
import io.isotail.ingest.event.proto.Transaction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class EventCodecTest {
  private final long seed = System.nanoTime();

  @Test
  void everyRecordComesBackEqual() throws BadRecordException {
    RandomRecords records = new RandomRecords(seed);
    for (int i = 0; i < 20_000; i++) {
      StreamRecord record = records.next();
      assertThat(EventCodec.decode(EventCodec.encode(record)))
          .as("seed %d", seed)
          .isEqualTo(record);
    }
  }

  @Test
  void whatAnEncoderKeepsChangesNoBytes() {
    RandomRecords records = new RandomRecords(seed);
    EventEncoder encoder = new EventEncoder();
    List<StreamRecord> repeated = new ArrayList<>();
    for (int i = 0; i < 3 * EventEncoder.MAX_KEPT; i++) {
      StreamRecord record = records.next();
      repeated.add(record);
      StreamRecord before = repeated.get(i / 2);
      assertThat(encoder.encode(record)).as("seed %d", seed).isEqualTo(EventCodec.encode(record));
      assertThat(encoder.encode(before)).as("seed %d", seed).isEqualTo(EventCodec.encode(before));
    }
  }

  @Test
  void truncatedRecordsAreRecordsOrBadNeverAnythingElse() {
    RandomRecords records = new RandomRecords(seed);
    for (int i = 0; i < 500; i++) {
      byte[] whole = EventCodec.encode(records.next());
      for (int length = 0; length < whole.length; length++) {
        decodes(Arrays.copyOf(whole, length));
      }
    }
  }

  @Test
  void garbageIsBadNeverAnythingElse() {
    Random random = new Random(seed);
    RandomRecords records = new RandomRecords(seed);
    int bad = 0;
    for (int i = 0; i < 100_000; i++) {
      byte[] bytes = new byte[random.nextInt(64)];
      random.nextBytes(bytes);
      bad += decodes(bytes) ? 0 : 1;
      byte[] mutated = EventCodec.encode(records.next());
      for (int flips = 1 + random.nextInt(4); flips > 0; flips--) {
        mutated[random.nextInt(mutated.length)] = (byte) random.nextInt();
      }
      decodes(mutated);
    }
    assertThat(bad).as("seed %d", seed).isGreaterThan(99_000);
  }

  @Test
  void newerMajorVersionIsRefusedByName() {
    byte[] bytes = Envelope.newBuilder().setSchemaMajor(7).setSchemaMinor(3).build().toByteArray();
    assertThatThrownBy(() -> EventCodec.decode(bytes))
        .isInstanceOf(BadRecordException.class)
        .hasMessageContaining("schema 7.3")
        .hasMessageContaining("expected 1 to 1");
  }

  @Test
  void unknownRecordKindIsRefused() {
    byte[] bytes =
        Envelope.newBuilder()
            .setSchemaMajor(1)
            .setSchemaMinor(9)
            .setUnknownFields(field(16, "of a newer kind"))
            .build()
            .toByteArray();
    assertThatThrownBy(() -> EventCodec.decode(bytes))
        .isInstanceOf(BadRecordException.class)
        .hasMessageContaining("known kind");
  }

  @Test
  void unknownOutcomeIsRefused() throws Exception {
    TransactionRecord record = new RandomRecords(seed).transaction();
    Envelope.Builder envelope = Envelope.parseFrom(EventCodec.encode(record)).toBuilder();
    envelope.getTransactionBuilder().setOutcomeValue(9);
    assertThatThrownBy(() -> EventCodec.decode(envelope.build().toByteArray()))
        .isInstanceOf(BadRecordException.class)
        .hasMessageContaining("outcome number 9");
  }

  @Test
  void fieldsOfANewerMinorVersionAreIgnored() throws Exception {
    TransactionRecord record = new RandomRecords(seed).transaction();
    Envelope.Builder newer = Envelope.parseFrom(EventCodec.encode(record)).toBuilder();
    newer.setSchemaMinor(EventCodec.SCHEMA_MINOR + 1).setUnknownFields(field(99, "envelope"));
    Transaction.Builder transaction = newer.getTransactionBuilder();
    transaction.setUnknownFields(field(98, "transaction"));
    transaction.getSessionBuilder().setUnknownFields(field(97, "session"));
    assertThat(EventCodec.decode(newer.build().toByteArray())).isEqualTo(record);
  }

  @Test
  void columnsOfDifferentLengthAreRefused() throws Exception {
    var envelope = Envelope.parseFrom(EventCodec.encode(GoldenRecords.all().get(0))).toBuilder();
    envelope.getTransactionBuilder().getOperationsBuilder().addKeys(1);
    assertThatThrownBy(() -> EventCodec.decode(envelope.build().toByteArray()))
        .isInstanceOf(BadRecordException.class)
        .hasMessageContaining("entries of keys");
  }

  /** The bytes of each schema are on disks and in topics: this reader must go on reading them. */
  @Test
  void bytesOfOlderSchemasAreStillRead() throws Exception {
    assertThat(read("1.0")).isEqualTo(GoldenRecords.all());
    assertThat(read("1.1")).isEqualTo(GoldenRecords.since11());
    assertThat(read("1.2")).isEqualTo(GoldenRecords.since12());
    assertThat(read("1.3")).isEqualTo(GoldenRecords.since13());
  }

  @Test
  void countsOfAKindThatIsNotKnownAreLeftOut() throws Exception {
    Heartbeat record = (Heartbeat) GoldenRecords.since12().get(0);
    var envelope = Envelope.parseFrom(EventCodec.encode(record)).toBuilder();
    envelope.getHeartbeatBuilder().getCountsBuilder().getNotCapturedBuilder(0).setKindValue(9);
    Heartbeat read = (Heartbeat) EventCodec.decode(envelope.build().toByteArray());
    assertThat(read.counts().notCaptured()).isEqualTo(record.counts().notCaptured().subList(1, 5));
  }

  @Test
  void countsBelowZeroAreRefused() throws Exception {
    var envelope =
        Envelope.parseFrom(EventCodec.encode(GoldenRecords.since12().get(0))).toBuilder();
    envelope.getHeartbeatBuilder().getCountsBuilder().getNotCapturedBuilder(0).setReads(-1);
    assertThatThrownBy(() -> EventCodec.decode(envelope.build().toByteArray()))
        .isInstanceOf(BadRecordException.class)
        .hasMessageContaining("reads=-1");
  }

  private static List<StreamRecord> read(String schema) throws Exception {
    List<StreamRecord> read = new ArrayList<>();
    for (byte[] bytes : GoldenRecords.checkedIn(schema)) {
      read.add(EventCodec.decode(bytes));
    }
    return read;
  }

  @Test
  void anOperationCostsOneByteAndTwoHashes() {
    Operations.Builder operations = new Operations.Builder();
    for (int i = 0; i < 1000; i++) {
      operations.read(i * 0x9E3779B97F4A7C15L, i);
    }
    SessionInfo session = SessionInfo.ofFile(1, "s");
    TransactionRecord record =
        new TransactionRecord(
            session, 0, 0, 0, Outcome.COMMITTED, null, 0, 0, null, operations.build());
    assertThat(EventCodec.encode(record).length).isBetween(17_000, 17_100);
  }

  @Test
  void aListReadHasNoPlaceInTheStream() {
    Operations operations =
        new Operations.Builder()
            .add(OperationKind.LISTED, 1, VersionKind.KNOWN, 1)
            .read(1, 2)
            .build();
    TransactionRecord record =
        new TransactionRecord(
            SessionInfo.ofFile(1, "s"), 0, 0, 0, Outcome.COMMITTED, null, 0, 0, null, operations);
    assertThatThrownBy(() -> EventCodec.encode(record))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("a list read; expected none in a live stream");
  }

  private boolean decodes(byte[] bytes) {
    try {
      EventCodec.decode(bytes);
      return true;
    } catch (BadRecordException e) {
      assertThat(e).hasMessageContaining("expected");
      return false;
    } catch (RuntimeException | Error e) {
      throw new AssertionError("seed " + seed + " bytes " + Arrays.toString(bytes), e);
    }
  }

  private static UnknownFieldSet field(int number, String text) {
    return UnknownFieldSet.newBuilder()
        .addField(
            number,
            UnknownFieldSet.Field.newBuilder()
                .addLengthDelimited(ByteString.copyFromUtf8(text))
                .build())
        .build();
  }
}
