package io.isotail.ingest.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import io.isotail.incremental.Seeds;
import io.isotail.incremental.record.Heartbeat;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.SessionInfo;
import io.isotail.incremental.record.Statement;
import io.isotail.incremental.record.StreamRecord;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.ingest.event.proto.Envelope;
import io.isotail.ingest.event.proto.Transactions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
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
          .containsExactly(record);
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
        .hasMessageContaining("expected 1 to 4");
  }

  @Test
  void unknownRecordKindIsRefused() {
    byte[] bytes =
        Envelope.newBuilder()
            .setSchemaMajor(1)
            .setSchemaMinor(9)
            .setUnknownFields(field(29, "of a newer kind"))
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
    envelope.getTransactionsBuilder().setOutcomes(ByteString.copyFrom(new byte[] {9}));
    assertThatThrownBy(() -> EventCodec.decode(envelope.build().toByteArray()))
        .isInstanceOf(BadRecordException.class)
        .hasMessageContaining("outcome number 9");
  }

  @Test
  void fieldsOfANewerMinorVersionAreIgnored() throws Exception {
    TransactionRecord record = new RandomRecords(seed).transaction();
    Envelope.Builder newer = Envelope.parseFrom(EventCodec.encode(record)).toBuilder();
    newer.setSchemaMinor(EventCodec.SCHEMA_MINOR + 1).setUnknownFields(field(99, "envelope"));
    Transactions.Builder batch = newer.getTransactionsBuilder();
    batch.setUnknownFields(field(98, "batch"));
    batch.getSessionsBuilder(0).setUnknownFields(field(97, "session"));
    assertThat(EventCodec.decode(newer.build().toByteArray())).containsExactly(record);
  }

  @Test
  void columnsOfDifferentLengthAreRefused() throws Exception {
    var envelope = Envelope.parseFrom(EventCodec.encode(GoldenRecords.all().get(0))).toBuilder();
    envelope.getTransactionsBuilder().getOperationsBuilder().addKeys(1);
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
    assertThat(read("1.4")).isEqualTo(GoldenRecords.since14());
    assertThat(read("1.5")).isEqualTo(GoldenRecords.since15());
    assertThat(read("2.0")).isEqualTo(GoldenRecords.since20());
    assertThat(read("2.1")).isEqualTo(GoldenRecords.since21());
    assertThat(read("2.2")).isEqualTo(GoldenRecords.since22());
    assertThat(read("3.0")).isEqualTo(GoldenRecords.since30());
    assertThat(read("4.0")).isEqualTo(GoldenRecords.since40());
  }

  @Test
  void aBatchIsWrittenAsItEverWas() throws Exception {
    TransactionBatch batch = new TransactionBatch();
    for (StreamRecord record : GoldenRecords.since20()) {
      assertThat(batch.offer((TransactionRecord) record)).isTrue();
    }
    assertThat(batch.take()).isEqualTo(GoldenRecords.checkedIn("2.0").get(0));
  }

  @Test
  void countsOfAKindThatIsNotKnownAreLeftOut() throws Exception {
    Heartbeat record = (Heartbeat) GoldenRecords.since12().get(0);
    var envelope = Envelope.parseFrom(EventCodec.encode(record)).toBuilder();
    envelope.getHeartbeatBuilder().getCountsBuilder().getNotCapturedBuilder(0).setKindValue(9);
    Heartbeat read = (Heartbeat) EventCodec.decode(envelope.build().toByteArray()).get(0);
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
      read.addAll(EventCodec.decode(bytes));
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
  void onlyABatchWithAListReadIsRefusedByReadersOfSchema2() throws Exception {
    TransactionBatch batch = new TransactionBatch();
    TransactionRecord list = (TransactionRecord) GoldenRecords.since30().get(0);
    assertThat(batch.offer(list)).isTrue();
    assertThat(Envelope.parseFrom(batch.take()).getSchemaMajor()).isEqualTo(3);
    assertThat(batch.offer((TransactionRecord) GoldenRecords.since13().get(0))).isTrue();
    assertThat(Envelope.parseFrom(batch.take()).getSchemaMajor()).isEqualTo(2);
  }

  @Test
  void aListedVersionThatWasWrittenIsRefused() throws Exception {
    byte[] value = EventCodec.encode(GoldenRecords.since30().get(0));
    Envelope.Builder envelope = Envelope.parseFrom(value).toBuilder();
    envelope
        .getTransactionsBuilder()
        .getOperationsBuilder()
        .setKinds(ByteString.copyFrom(new byte[] {0b10_0001, 0b10_0000, 0}));
    assertThatThrownBy(() -> EventCodec.decode(envelope.build().toByteArray()))
        .isInstanceOf(BadRecordException.class)
        .hasMessageContaining("0x21; expected a listed version to be read");
  }

  @Test
  void aBatchGivesItsRecordsInTheirOrder() throws Exception {
    RandomRecords records = new RandomRecords(seed);
    TransactionBatch batch = new TransactionBatch();
    for (int round = 0; round < 500; round++) {
      List<TransactionRecord> added = new ArrayList<>();
      TransactionRecord next = records.transaction();
      while (batch.offer(next)) {
        added.add(next);
        next = records.transaction();
      }
      assertThat(batch.size()).as("seed %d", seed).isEqualTo(added.size());
      byte[] value = batch.take();
      assertThat(batch.size()).isZero();
      assertThat(EventCodec.decode(value)).as("seed %d", seed).isEqualTo(added);
      assertThat(Envelope.parseFrom(value).toByteArray())
          .as("as protobuf writes it, seed %d", seed)
          .isEqualTo(value);
      spoil(value, round);
    }
  }

  /** Cuts the batch within its envelope, and changes bytes of it. */
  private void spoil(byte[] value, int round) throws Exception {
    Random random = Seeds.random(seed + round);
    byte[] batch = Envelope.parseFrom(value).getTransactions().toByteArray();
    decodes(enveloped(Arrays.copyOf(batch, random.nextInt(batch.length))));
    for (int changes = 1 + random.nextInt(3); changes > 0; changes--) {
      batch[random.nextInt(batch.length)] = (byte) random.nextInt();
    }
    decodes(enveloped(batch));
  }

  private static byte[] enveloped(byte[] batch) {
    return Envelope.newBuilder()
        .setSchemaMajor(EventCodec.SCHEMA_MAJOR)
        .setUnknownFields(
            UnknownFieldSet.newBuilder()
                .addField(
                    Envelope.TRANSACTIONS_FIELD_NUMBER,
                    UnknownFieldSet.Field.newBuilder()
                        .addLengthDelimited(ByteString.copyFrom(batch))
                        .build())
                .build())
        .build()
        .toByteArray();
  }

  @Test
  void whatManyRecordsShareIsWrittenOnce() throws Exception {
    List<TransactionRecord> added = new ArrayList<>();
    String text = "select balance from accounts where id = ?";
    TransactionBatch batch = new TransactionBatch();
    SessionInfo session = new SessionInfo(1, "s", "p".repeat(36), "shop", "shop-1", "db:5432", 1);
    for (int i = 0; i < TransactionBatch.MOST_RECORDS; i++) {
      Operations operations =
          new Operations.Builder().statement(new Statement("accounts", text)).read(i, 1).build();
      TransactionRecord record =
          new TransactionRecord(
              session,
              i,
              i,
              0,
              Outcome.COMMITTED,
              "postgresql:serializable",
              1,
              2,
              "c",
              operations);
      assertThat(batch.offer(record)).isTrue();
      added.add(record);
    }
    byte[] value = batch.take();
    assertThat(value.length).isLessThan(300 + 45 * TransactionBatch.MOST_RECORDS);
    assertThat(EventCodec.decode(value)).isEqualTo(added);
  }

  @Test
  void aBatchOfLargeRecordsEndsBeforeKafkasLimit() {
    Operations.Builder operations = new Operations.Builder();
    for (int i = 0; i < 2_000; i++) {
      operations.read(i, 1);
    }
    TransactionRecord large =
        new TransactionRecord(
            SessionInfo.ofFile(1, "s"),
            0,
            0,
            0,
            Outcome.COMMITTED,
            null,
            0,
            0,
            null,
            operations.build());
    TransactionBatch batch = new TransactionBatch();
    assertThat(batch.offer(large)).isTrue();
    assertThat(batch.offer(large)).isFalse();
    assertThat(batch.size()).isOne();
  }

  @Test
  void severalRecordsStayWithinTheBytesThatTheyMayHave() {
    RandomRecords records = new RandomRecords(seed);
    for (int most = 500; most < 60_000; most += 500) {
      TransactionBatch batch = new TransactionBatch(most);
      while (batch.offer(records.transaction())) {}
      boolean several = batch.size() > 1;
      assertThat(batch.take().length)
          .as("seed %d", seed)
          .isLessThanOrEqualTo(several ? most : Integer.MAX_VALUE);
    }
  }

  @Test
  void anEmptyBatchIsNotWritten() {
    assertThatThrownBy(() -> new TransactionBatch().take())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("without a record");
  }

  @Test
  void aBatchThatMakesNoSenseIsRefused() throws Exception {
    refused(b -> b.clear(), "batch of 0 transactions");
    refused(b -> b.setSessionOf(0, 9), "session 9 of 1");
    refused(b -> b.setSessionOf(0, -1), "session 4294967295 of 1");
    refused(b -> b.addSequences(1), "entries of session_of; expected 2");
    refused(b -> b.setSequences(0, -1), "sequence=-1");
    refused(b -> b.setRanAtOf(0, 99), "text 99 of");
    refused(b -> b.setOperationCounts(0, 8), "8 operations of 7 that are left");
    refused(b -> b.setOperationCounts(0, 5), "2 operations of no transaction");
    refused(b -> b.addTraceOf(0).addTraceOf(0), "2 entries of trace_of; expected 1");
  }

  private static void refused(Consumer<Transactions.Builder> change, String expected)
      throws Exception {
    var envelope = Envelope.parseFrom(EventCodec.encode(GoldenRecords.all().get(0))).toBuilder();
    change.accept(envelope.getTransactionsBuilder());
    assertThatThrownBy(() -> EventCodec.decode(envelope.build().toByteArray()))
        .isInstanceOf(BadRecordException.class)
        .hasMessageContaining(expected);
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
