package io.isotail.ingest.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.ZstdOutputStream;
import io.isotail.incremental.record.TransactionRecord;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CompressedHistoryTest {
  /** A history of each format that is one file. */
  private static final Map<HistoryFormat, byte[]> HISTORIES =
      Map.of(
          new PlumeFormat(),
          utf8("w(1,1,0,0)\nr(1,1,1,0)\nw(2,7,1,0)\n"),
          new JsonlFormat(),
          utf8("{\"session\":1,\"txn\":1,\"ops\":[[\"w\",1,1]]}\n"),
          new ElleFormat(),
          utf8("{:type :ok, :process 1, :value [[:append 1 1] [:r 1 [1]]]}\n"),
          new DbcopFormat(),
          new BinaryHistory()
              .little(0, 1, 0, 1, 0, 0, 0, 0, 1, 1, 1)
              .bytes(1)
              .little(7, 70)
              .bytes(1, 1)
              .toBytes());

  @TempDir private Path folder;

  @ParameterizedTest
  @EnumSource
  void everyFormatIsReadAsThePlainFileIs(Compression compression) throws Exception {
    for (Map.Entry<HistoryFormat, byte[]> history : HISTORIES.entrySet()) {
      List<TransactionRecord> plain = read("plain", history.getValue());
      assertThat(plain).isNotEmpty();
      byte[] packed = packed(compression, history.getValue());
      assertThat(HistoryFormats.detect(file("unnamed", packed))).isEqualTo(history.getKey());
      assertThat(read("unnamed", packed)).isEqualTo(plain);
      assertThat(read("named" + suffix(compression), packed)).isEqualTo(plain);
    }
  }

  @ParameterizedTest
  @EnumSource
  void whatIsReadAgainIsDecompressedAgain(Compression compression) throws Exception {
    byte[] zeroIsWrittenLater = utf8("r(1,0,0,5)\nw(1,0,1,1)\nw(2,1,0,3)\n");
    assertThat(read("again", packed(compression, zeroIsWrittenLater)))
        .isEqualTo(read("plain", zeroIsWrittenLater));
  }

  @ParameterizedTest
  @EnumSource
  void aHistoryMayBeMuchLongerThanItsFileAndItsBuffers(Compression compression) throws Exception {
    int transactions = 200_000;
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < transactions; i++) {
      lines.append("w(").append(i).append(",1,1,").append(i).append(")\n");
    }
    byte[] history = utf8(lines.toString());
    assertThat(read("long", packed(compression, history))).hasSize(transactions);
  }

  @ParameterizedTest
  @EnumSource
  void nothingCompressedIsAnEmptyHistory(Compression compression) throws Exception {
    assertThat(read("empty" + suffix(compression), packed(compression, new byte[0]))).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void partsThatWereCompressedAloneAreOneHistory(Compression compression) throws Exception {
    List<byte[]> parts = List.of(utf8("w(1,1,0,0)\nr(1,"), new byte[0], utf8("1,1,0)\n"));
    ByteArrayOutputStream file = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      file.write(packed(compression, part));
    }
    assertThat(read("parts", file.toByteArray()))
        .isEqualTo(read("plain", utf8("w(1,1,0,0)\nr(1,1,1,0)\n")));
  }

  @Test
  void aFrameOfZstdThatIsToBeSkippedIsSkipped() throws Exception {
    byte[] history = utf8("w(1,1,0,0)\n");
    ByteArrayOutputStream file = new ByteArrayOutputStream();
    file.write(new byte[] {0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 'a', 'b', 'c'});
    file.write(packed(Compression.ZSTD, history));
    assertThat(read("skip", file.toByteArray())).isEqualTo(read("plain", history));
  }

  @ParameterizedTest
  @EnumSource
  void everyFileThatIsCutOffIsRefusedByItsName(Compression compression) throws Exception {
    for (byte[] history : HISTORIES.values()) {
      byte[] whole = packed(compression, history);
      ByteArrayOutputStream twice = new ByteArrayOutputStream();
      twice.write(whole);
      twice.write(whole);
      for (int length = 0; length < 2 * whole.length; length++) {
        if (length == whole.length) {
          continue; // A whole file.
        }
        String name = "cut" + suffix(compression);
        byte[] cut = Arrays.copyOf(twice.toByteArray(), length);
        assertThatThrownBy(() -> read(name, cut))
            .as("%d of %d bytes", length, 2 * whole.length)
            .isInstanceOf(HistoryFormatException.class)
            .hasMessageStartingWith(folder.resolve(name).toString())
            .hasMessageContaining("expected ");
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void aDamagedFileIsRefusedOrHoldsWhatItHeld(Compression compression) throws Exception {
    int refused = 0;
    for (byte[] history : HISTORIES.values()) {
      List<TransactionRecord> plain = read("plain", history);
      byte[] whole = packed(compression, history);
      for (int at = 0; at < whole.length; at++) {
        byte[] damaged = whole.clone();
        damaged[at] ^= 0x11;
        try {
          assertThat(read("damaged" + suffix(compression), damaged))
              .as("byte %d", at)
              .isEqualTo(plain);
        } catch (HistoryFormatException e) {
          refused++;
          assertThat(e).hasMessageContaining("damaged" + suffix(compression));
        }
      }
    }
    assertThat(refused).isPositive();
  }

  @Test
  void whatIsWrongIsNamedWithWhatWasExpected() throws Exception {
    byte[] history = utf8("w(1,1,0,0)\n");
    refused("a.gz", history, "a.gz: found 'w' at the start; expected gzip, as the name says");
    refused("a.zst", new byte[0], "a.zst: found an empty file; expected zstd, as the name says");
    for (Compression compression : Compression.values()) {
      byte[] whole = packed(compression, history);
      String label = compression == Compression.GZIP ? "gzip" : "zstd";
      refused(
          "cut",
          Arrays.copyOf(whole, whole.length - 1),
          "cut: found the end of the file within its %1$s data; expected a whole %1$s file"
              .formatted(label));
      for (String behind : List.of("\n", "w(1,2,0,1)\n", "\0".repeat(600))) {
        ByteArrayOutputStream more = new ByteArrayOutputStream();
        more.write(whole);
        more.write(utf8(behind));
        refused("more", more.toByteArray(), "more: found damaged " + label + " data (");
      }
    }
  }

  @Test
  void nothingIsLeftOfWhatWasDecompressed() throws Exception {
    Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
    List<String> before = isotails(temporary);
    for (int cut : List.of(0, 1)) {
      byte[] whole = packed(Compression.GZIP, HISTORIES.get(new DbcopFormat()));
      Path file = file("dbcop", Arrays.copyOf(whole, whole.length - cut));
      try {
        Histories.read(file, new DbcopFormat());
      } catch (HistoryFormatException e) {
        assertThat(cut).isPositive();
      }
    }
    assertThat(isotails(temporary)).isEqualTo(before);
  }

  private static List<String> isotails(Path temporary) throws IOException {
    List<String> names = new ArrayList<>();
    try (var files = Files.newDirectoryStream(temporary, "isotail-*.decompressed")) {
      files.forEach(file -> names.add(file.toString()));
    }
    return names;
  }

  private void refused(String name, byte[] bytes, String message) {
    assertThatThrownBy(() -> read(name, bytes))
        .isInstanceOf(HistoryFormatException.class)
        .hasMessageContaining(message);
  }

  private List<TransactionRecord> read(String name, byte[] bytes) throws Exception {
    Path file = file(name, bytes);
    return Histories.read(file, HistoryFormats.detect(file));
  }

  private Path file(String name, byte[] bytes) throws IOException {
    return Files.write(folder.resolve(name), bytes);
  }

  private static String suffix(Compression compression) {
    return compression == Compression.GZIP ? ".gz" : ".zst";
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] packed(Compression compression, byte[] bytes) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (OutputStream out =
        compression == Compression.GZIP
            ? new GZIPOutputStream(packed)
            : new ZstdOutputStream(packed).setChecksum(true)) {
      out.write(bytes);
    }
    return packed.toByteArray();
  }
}
