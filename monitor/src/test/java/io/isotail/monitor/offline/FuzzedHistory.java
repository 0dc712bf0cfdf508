package io.isotail.monitor.offline;

import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.SessionInfo;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.ingest.format.ChronosFormat;
import io.isotail.ingest.format.CobraFormat;
import io.isotail.ingest.format.Content;
import io.isotail.ingest.format.ElleFormat;
import io.isotail.ingest.format.Fidelity;
import io.isotail.ingest.format.HistoryFormat;
import io.isotail.ingest.format.HistoryWriter;
import io.isotail.ingest.format.WritableFormat;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** A small valid history in a file, and what becomes of its bytes. All of it follows the random. */
final class FuzzedHistory {
  private static final int KEYS = 3;
  private static final String[] ALPHABETS = {
    "rw(),-0129 \t\r\n",
    "rw-=0129 \t\r\n",
    "{}[]\",:0129 \ntidsidopstkvrwreadappendnull",
    "{}[]\",:0129\\ \nsessiontxnopsrwdnulltrue",
    "{}[]():;#_\\\"0129 \n:type:ok:info:process:value:append:r:wnil",
    "\0\1\2\u0053RWCA\u00ff\u00be\u00eb\u00ee",
  };

  private final Random random;
  private long nextVersion = 1;

  private FuzzedHistory(Random random) {
    this.random = random;
  }

  /** Writes a valid history; returns the file to damage: the history's own, or one of its logs. */
  static Path write(Random random, HistoryFormat format, Path path) throws IOException {
    FuzzedHistory history = new FuzzedHistory(random);
    if (format.equals(new ElleFormat()) && random.nextBoolean()) {
      return Files.writeString(path, history.lists());
    }
    if (format.equals(new ChronosFormat()) && random.nextBoolean()) {
      return Files.writeString(path, history.jsonLists());
    }
    write(format, path, history.transactions(format));
    if (!format.equals(new CobraFormat())) {
      return path;
    }
    try (var logs = Files.list(path)) {
      List<Path> all = logs.sorted().toList();
      return all.get(random.nextInt(all.size()));
    }
  }

  /** Writes what is valid; of a format that is only read, its text. */
  static void write(HistoryFormat format, Path path, List<TransactionRecord> history)
      throws IOException {
    if (!(format instanceof WritableFormat writable)) {
      Files.writeString(path, ReadOnlyText.of(format, history));
      return;
    }
    try (HistoryWriter writer = writable.create(path, Fidelity.LOSSY)) {
      for (TransactionRecord each : history) {
        writer.write(each);
      }
    }
  }

  private List<TransactionRecord> transactions(HistoryFormat format) {
    boolean unknown = format.holds().contains(Content.UNKNOWN_OUTCOMES);
    boolean aborted = format instanceof WritableFormat;
    List<TransactionRecord> history = new ArrayList<>();
    int sessions = 1 + random.nextInt(4);
    List<List<Long>> versions = new ArrayList<>();
    for (int k = 0; k < KEYS; k++) {
      versions.add(new ArrayList<>());
    }
    long[] sequences = new long[sessions];
    for (int i = 1 + random.nextInt(7); i > 0; i--) {
      int session = random.nextInt(sessions);
      Operations.Builder operations = new Operations.Builder();
      for (int o = 1 + random.nextInt(4); o > 0; o--) {
        int key = random.nextInt(KEYS);
        List<Long> written = versions.get(key);
        if (random.nextInt(3) == 0) {
          written.add(nextVersion);
          operations.write(key, nextVersion++);
        } else if (written.isEmpty() || random.nextInt(8) == 0) {
          operations.readInitial(key);
        } else {
          operations.read(key, written.get(random.nextInt(written.size())));
        }
      }
      int fate = random.nextInt(12);
      long sequence = sequences[session]++;
      history.add(
          new TransactionRecord(
              SessionInfo.ofFile(session, Integer.toString(session)),
              sequence,
              sequence,
              0,
              fate == 0 && aborted
                  ? Outcome.ABORTED
                  : fate == 1 && unknown ? Outcome.UNKNOWN : Outcome.COMMITTED,
              null,
              TransactionRecord.NO_TIME,
              TransactionRecord.NO_TIME,
              null,
              operations.build()));
    }
    return history;
  }

  /** Appends, and reads that show a front of the list. */
  private String lists() {
    StringBuilder text = new StringBuilder();
    List<StringBuilder> lists = new ArrayList<>();
    for (int k = 0; k < KEYS; k++) {
      lists.add(new StringBuilder());
    }
    for (int i = 1 + random.nextInt(7); i > 0; i--) {
      text.append("{:type :ok :process ").append(random.nextInt(4)).append(" :value [");
      for (int o = 1 + random.nextInt(4); o > 0; o--) {
        int key = random.nextInt(KEYS);
        StringBuilder list = lists.get(key);
        if (random.nextInt(3) == 0) {
          text.append("[:append %d %d]".formatted(key, nextVersion));
          list.append(nextVersion++).append(' ');
        } else {
          int end = list.indexOf(" ", random.nextInt(list.length() + 1));
          text.append("[:r %d [%s]]".formatted(key, list.substring(0, Math.max(0, end))));
        }
      }
      text.append("]}\n");
    }
    return text.toString();
  }

  /** The same operations as Chronos has them. */
  private String jsonLists() {
    return lists()
        .replaceAll("\\[:append (\\d+) (\\d+)]", "{\"t\":\"a\",\"k\":$1,\"v\":$2},")
        .replaceAll("\\[:r (\\d+) (\\[[^]]*])]", "{\"t\":\"r\",\"k\":$1,\"v\":$2},")
        .replaceAll("(?<=\\d) (?=\\d)", ",")
        .replaceAll(",]}", "]}")
        .replaceAll("\\{:type :ok :process (\\d+) :value", "{\"sid\":$1,\"ops\":")
        .replaceAll("}\n(?=\\{)", "},\n")
        .replaceAll("^", "[")
        .replaceAll("\n$", "]\n");
  }

  /** The bytes of a file after one to three accidents. */
  static byte[] damaged(Random random, byte[] valid) {
    byte[] bytes = valid;
    for (int i = random.nextInt(3); i >= 0; i--) {
      bytes = accident(random, bytes);
    }
    return bytes;
  }

  private static byte[] accident(Random random, byte[] bytes) {
    int from = random.nextInt(bytes.length + 1);
    int to = Math.min(bytes.length, from + random.nextInt(20));
    return switch (random.nextInt(7)) {
      case 0 -> Arrays.copyOf(bytes, from);
      case 1 -> spliced(bytes, from, to, new byte[0]);
      case 2 -> spliced(bytes, from, from, Arrays.copyOfRange(bytes, from, to));
      case 3 -> spliced(bytes, from, to, noise(random, 1 + random.nextInt(9)));
      case 4 -> spliced(bytes, from, Math.min(bytes.length, from + 1), noise(random, 1));
      case 5 -> noise(random, random.nextInt(200));
      default -> {
        byte[] changed = bytes.clone();
        if (from < changed.length) {
          changed[from] ^= (byte) (1 << random.nextInt(8));
        }
        yield changed;
      }
    };
  }

  private static byte[] spliced(byte[] bytes, int from, int to, byte[] middle) {
    byte[] result = Arrays.copyOf(bytes, from + middle.length + bytes.length - to);
    System.arraycopy(middle, 0, result, from, middle.length);
    System.arraycopy(bytes, to, result, from + middle.length, bytes.length - to);
    return result;
  }

  /** Bytes of one format's characters, or any. */
  private static byte[] noise(Random random, int length) {
    byte[] noise = new byte[length];
    random.nextBytes(noise);
    int kind = random.nextInt(ALPHABETS.length + 1);
    if (kind < ALPHABETS.length) {
      byte[] alphabet = ALPHABETS[kind].getBytes(StandardCharsets.ISO_8859_1);
      for (int i = 0; i < length; i++) {
        noise[i] = alphabet[random.nextInt(alphabet.length)];
      }
    }
    return noise;
  }
}
