package io.isotail.ingest.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.SessionInfo;
import io.isotail.incremental.record.Statement;
import io.isotail.incremental.record.Times;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.incremental.record.VersionKind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JsonlTest {
  private static final String[] NAMES = {"x", "1", "accounts/7", "Straße", "a \"b\"\\\n", ""};

  @TempDir private Path folder;

  @Test
  void theExampleOfTheFormatIsRead() throws Exception {
    TransactionRecord record =
        read("{\"session\":\"s1\",\"txn\":12,\"clock\":\"c1\",\"begin\":1717000000000000000,"
                + "\"end\":1717000000000900000,\"level\":\"serializable\","
                + "\"outcome\":\"committed\",\"ops\":[[\"r\",\"x\",1],[\"w\",\"x\",2]]}")
            .get(0);
    assertThat(record)
        .isEqualTo(
            new TransactionRecord(
                SessionInfo.ofFile(ClearName.hash("s1"), "s1"),
                0,
                12,
                0,
                Outcome.COMMITTED,
                "serializable",
                1717000000000000000L,
                1717000000000900000L,
                "c1",
                new Operations.Builder()
                    .read(ClearName.hash("x"), 1)
                    .names("x", null)
                    .write(ClearName.hash("x"), 2)
                    .names("x", null)
                    .build()));
  }

  @Test
  void everyOtherFieldIsOptional() throws Exception {
    List<TransactionRecord> read =
        read(
            "\r\n{ \"ops\" : [] , \"txn\":\"t-1\", \"session\":7 }\r\n\n"
                + "{\"session\":7,\"txn\":3,\"ops\":[[\"r\",1,null],[\"w\",1],[\"d\",1],[\"o\"],"
                + "[\"o\",\"t\"],[\"w\",2,3,{\"undone\":true}]]}");
    assertThat(read).extracting(TransactionRecord::sequence).containsExactly(0L, 1L);
    assertThat(read).extracting(TransactionRecord::transaction).containsExactly(0L, 3L);
    assertThat(read.get(1).operations())
        .isEqualTo(
            new Operations.Builder()
                .readInitial(1)
                .writeUnknown(1)
                .delete(1)
                .opaque()
                .statement(new Statement("t", ""))
                .opaque()
                .statement(null)
                .write(2, 3)
                .undoFrom(5)
                .build());
  }

  @Test
  void aListIsReadAsItsLastVersionWithTheOthersBefore() throws Exception {
    String line =
        "{\"session\":1,\"txn\":1,\"ops\":[[\"r\",1,[5,6,7]],[\"r\",1,[]],[\"r\",1,[8]],"
            + "[\"r\",1,[null,8,9]]]}";
    TransactionRecord record = read(line).get(0);
    assertThat(record.operations())
        .isEqualTo(
            new Operations.Builder()
                .add(OperationKind.LISTED, 1, VersionKind.KNOWN, 5)
                .add(OperationKind.LISTED, 1, VersionKind.KNOWN, 6)
                .read(1, 7)
                .readInitial(1)
                .add(OperationKind.LISTED, 1, VersionKind.UNKNOWN, 0)
                .read(1, 8)
                .add(OperationKind.LISTED, 1, VersionKind.INITIAL, 0)
                .add(OperationKind.LISTED, 1, VersionKind.KNOWN, 8)
                .read(1, 9)
                .build());
    assertThat(JsonlWriter.line(record)).isEqualTo(line.replace("[]", "null"));
  }

  @Test
  void bytesThatLookLikeAnotherEncodingAreRefusedWithTheirLine() throws Exception {
    Path file = folder.resolve("ucs4");
    Files.write(file, new byte[] {'\n', 0, '{', 0, 0, '"', 0, 0, 0});
    assertThatThrownBy(() -> Histories.read(file, new JsonlFormat()))
        .isInstanceOf(HistoryFormatException.class)
        .hasMessageContaining("ucs4:2: found bytes that are no text; expected UTF-8");
  }

  @Test
  void aNumberAndItsDigitsAreDifferentKeys() throws Exception {
    Operations operations =
        read("{\"session\":1,\"txn\":1,\"ops\":[[\"w\",1,1],[\"w\",\"1\",\"1\"]]}")
            .get(0)
            .operations();
    assertThat(operations.key(0)).isEqualTo(1).isNotEqualTo(operations.key(1));
    assertThat(operations.version(0)).isEqualTo(1).isNotEqualTo(operations.version(1));
    assertThat(operations.keyName(0)).isNull();
    assertThat(operations.keyName(1)).isEqualTo("1");
  }

  @Test
  void whatIsWrittenIsReadBackEqual() throws Exception {
    for (int round = 0; round < 200; round++) {
      long seed = System.nanoTime();
      List<TransactionRecord> written = randomHistory(new Random(seed));
      String text = written.stream().map(JsonlWriter::line).collect(Collectors.joining("\n"));
      assertThat(read(text)).as("seed %d", seed).isEqualTo(written);
    }
  }

  @Test
  void sessionsOfOneNameStayApart() throws Exception {
    SessionInfo one = new SessionInfo(0x5555, "app", "p", "svc", "i", "db", 1);
    SessionInfo two = new SessionInfo(0xAAAA, "app", "p", "svc", "i", "db", 2);
    List<TransactionRecord> read =
        read(
            JsonlWriter.line(one, 1, Outcome.COMMITTED, null, Times.NONE, Operations.EMPTY)
                + "\n"
                + JsonlWriter.line(two, 1, Outcome.COMMITTED, null, Times.NONE, Operations.EMPTY));
    assertThat(read.get(0).session().id()).isNotEqualTo(read.get(1).session().id());
    assertThat(read.get(0).session().name()).isEqualTo("app#5555");
  }

  @Test
  void everyTruncationIsRefused() throws Exception {
    long seed = System.nanoTime();
    for (TransactionRecord record : randomHistory(new Random(seed))) {
      String line = JsonlWriter.line(record);
      for (int length = 1; length < line.length(); length++) {
        String cut = line.substring(0, length);
        assertThatThrownBy(() -> read("\n" + cut))
            .as("seed %d: %s", seed, cut)
            .isInstanceOf(HistoryFormatException.class)
            .hasMessageContaining("history.jsonl:2: found ")
            .hasMessageContaining("expected");
      }
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      value = {
        "[]; '['; an object",
        "{}; no field session; session, txn and ops",
        "{\"session\":1,\"ops\":[]}; no field txn; txn",
        "{\"session\":1,\"txn\":1}; no field ops; ops",
        "{\"session\":1,\"txn\":1,\"ops\":[],\"extra\":1}; field 'extra'; session, txn, clock",
        "{\"session\":1,\"session\":1,\"txn\":1,\"ops\":[]}; no JSON; each field once",
        "{\"session\":-1,\"txn\":1,\"ops\":[]}; a negative number; unsigned",
        "{\"session\":1.5,\"txn\":1,\"ops\":[]}; a fraction; session: a string",
        "{\"session\":1,\"txn\":1,\"ops\":{}}; '{' at column; ops: an array",
        "{\"session\":1,\"txn\":1,\"ops\":[1]}; a whole number; an operation",
        "{\"session\":1,\"txn\":1,\"ops\":[[\"q\",1,1]]}; operation 'q'; [\"r\",key,version]",
        "{\"session\":1,\"txn\":1,\"ops\":[[\"r\"]]}; ']'; a key",
        "{\"session\":1,\"txn\":1,\"ops\":[[\"w\",1,null]]}; 'null'; a version that is written",
        "{\"session\":1,\"txn\":1,\"ops\":[[\"w\",1,[1]]]}; '['; one version",
        "{\"session\":1,\"txn\":1,\"ops\":[[\"r\",1,[5,null]]]}; 'null'; a version in a list",
        "{\"session\":1,\"txn\":1,\"ops\":[[\"r\",1,[null]]]}; ']'; a version in a list",
        "{\"session\":1,\"txn\":1,\"ops\":[[\"r\",1,[1]; no JSON; one JSON object",
        "{\"session\":1,\"txn\":1,\"ops\":[[\"d\",1,1]]}; a whole number; without a version",
        "{\"session\":1,\"txn\":1,\"ops\":[[\"r\",1,1,1]]}; a whole number; the end of the",
        "{\"session\":1,\"txn\":1,\"ops\":[[\"r\",1,1,{\"x\":1}]]}; field 'x'; undone, table",
        "{\"session\":1,\"txn\":1,\"ops\":[[\"r\",1,18446744073709551616]]}; more than 64 bits; a",
        "{\"session\":1,\"txn\":1,\"ops\":[],\"outcome\":\"open\"}; outcome 'open'; aborted",
        "{\"session\":1,\"txn\":1,\"ops\":[],\"begin\":\"now\"}; a string; begin: a time in ns",
        "{\"session\":1,\"txn\":1,\"ops\":[]} {}; '{' at column; the end of the line",
      })
  void whatIsWrongIsNamedWithItsLine(String bad, String found, String expected) {
    assertThatThrownBy(() -> read("{\"session\":1,\"txn\":1,\"ops\":[]}\n" + bad))
        .isInstanceOf(HistoryFormatException.class)
        .hasMessageContaining("history.jsonl:2: found ")
        .hasMessageContaining(found)
        .hasMessageContaining(expected);
  }

  private List<TransactionRecord> read(String text) throws Exception {
    return Histories.read(folder, new JsonlFormat(), text);
  }

  private static List<TransactionRecord> randomHistory(Random random) {
    List<TransactionRecord> history = new ArrayList<>();
    Map<Long, Long> sequences = new HashMap<>();
    for (int i = random.nextInt(8); i >= 0; i--) {
      long number = random.nextLong();
      String name = pick(random, NAMES);
      SessionInfo session =
          random.nextBoolean()
              ? SessionInfo.ofFile(number, Long.toUnsignedString(number))
              : SessionInfo.ofFile(ClearName.hash(name), name);
      long sequence = sequences.merge(session.id(), 1L, Long::sum) - 1;
      history.add(
          new TransactionRecord(
              session,
              sequence,
              random.nextLong(),
              0,
              pick(random, Outcome.COMMITTED, Outcome.ABORTED, Outcome.UNKNOWN),
              maybe(random, "postgresql:serializable"),
              random.nextBoolean() ? TransactionRecord.NO_TIME : random.nextLong(),
              random.nextBoolean() ? TransactionRecord.NO_TIME : random.nextLong(),
              maybe(random, "c"),
              operations(random)));
    }
    return history;
  }

  private static Operations operations(Random random) {
    Operations.Builder builder = new Operations.Builder();
    for (int i = random.nextInt(6); i > 0; i--) {
      if (random.nextInt(3) == 0) {
        builder.statement(
            random.nextBoolean()
                ? null
                : new Statement(maybe(random, "t"), pick(random, NAMES), random.nextBoolean()));
      }
      String keyName = maybe(random, pick(random, NAMES));
      String versionName = maybe(random, pick(random, NAMES));
      long key = named(random, keyName);
      long version = named(random, versionName);
      int first = builder.size();
      switch (pick(random, OperationKind.values())) {
        case READ -> {
          VersionKind kind = pick(random, VersionKind.values());
          boolean known = kind == VersionKind.KNOWN;
          builder.add(OperationKind.READ, key, kind, known ? version : 0);
          name(builder, keyName, known ? versionName : null);
        }
        case WRITE -> {
          boolean known = random.nextBoolean();
          VersionKind kind = known ? VersionKind.KNOWN : VersionKind.UNKNOWN;
          builder.add(OperationKind.WRITE, key, kind, known ? version : 0);
          name(builder, keyName, known ? versionName : null);
        }
        case DELETE -> name(builder.delete(key), keyName, null);
        case OPAQUE -> builder.opaque();
        case LISTED -> {
          if (random.nextInt(3) == 0) {
            builder.add(OperationKind.LISTED, key, VersionKind.INITIAL, 0);
            name(builder, keyName, null);
          }
          for (int listed = random.nextInt(3); listed > 0; listed--) {
            builder.add(OperationKind.LISTED, key, VersionKind.KNOWN, random.nextLong());
            name(builder, keyName, null);
          }
          builder.read(key, version);
          name(builder, keyName, versionName);
        }
      }
      boolean changes = builder.size() == first + 1 && random.nextInt(3) == 0;
      OperationKind last = builder.size() == 0 ? null : builder.kindOfLast();
      if (changes && (last == OperationKind.WRITE || last == OperationKind.DELETE)) {
        builder.replaces(random.nextLong());
      }
      if (random.nextInt(4) == 0) {
        builder.undoFrom(first);
      }
    }
    return builder.build();
  }

  private static void name(
      Operations.Builder builder, @Nullable String keyName, @Nullable String versionName) {
    if (keyName != null || versionName != null) {
      builder.names(keyName, versionName);
    }
  }

  private static long named(Random random, @Nullable String name) {
    return name != null && random.nextBoolean() ? ClearName.hash(name) : random.nextLong();
  }

  private static @Nullable String maybe(Random random, String text) {
    return random.nextBoolean() ? null : text;
  }

  @SafeVarargs
  private static <T> T pick(Random random, T... choices) {
    return choices[random.nextInt(choices.length)];
  }
}
