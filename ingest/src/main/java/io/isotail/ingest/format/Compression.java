package io.isotail.ingest.format;

import com.github.luben.zstd.ZstdIOException;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/**
 * How a history file may be compressed. Its first bytes tell, whatever its name; a name that
 * promises a compression of which the first bytes show none is an error.
 */
enum Compression {
  GZIP("gzip", ".gz") {
    @Override
    boolean begins(byte[] head) {
      return startsWith(head, 0, 0x1f, 0x8b, 8);
    }

    @Override
    InputStream open(InputStream file, long size) throws IOException {
      return new WholeGzipStream(file, size);
    }
  },

  ZSTD("zstd", ".zst") {
    @Override
    boolean begins(byte[] head) {
      return startsWith(head, 0, 0x28, 0xb5, 0x2f, 0xfd)
          // A frame to skip, with which parallel compressors begin.
          || (startsWith(head, 1, 0x2a, 0x4d, 0x18) && (head[0] & 0xf0) == 0x50);
    }

    @Override
    InputStream open(InputStream file, long size) throws IOException {
      try {
        return new WholeZstdStream(file);
      } catch (LinkageError e) {
        throw new IOException("zstd's native library cannot be loaded: " + e, e);
      }
    }
  };

  private static final int HEAD_BYTES = 4;

  private final String label;
  private final String suffix;

  Compression(String label, String suffix) {
    this.label = label;
    this.suffix = suffix;
  }

  /** Whether these are the first bytes of such a file. */
  abstract boolean begins(byte[] head);

  /**
   * What the file holds. A file that is damaged or cut off ends it with an exception of which
   * {@link #damage} knows.
   *
   * @param size of the file, in bytes
   */
  abstract InputStream open(InputStream file, long size) throws IOException;

  /** The compression of a file, or null if it has none. */
  static @Nullable Compression of(Path path) throws IOException, HistoryFormatException {
    byte[] head;
    try (InputStream in = Files.newInputStream(path)) {
      head = in.readNBytes(HEAD_BYTES);
    }
    for (Compression each : values()) {
      if (each.begins(head)) {
        return each;
      }
    }
    for (Compression each : values()) {
      if (path.toString().endsWith(each.suffix)) {
        throw new HistoryFormatException(
            path,
            0,
            head.length == 0 ? "an empty file" : LineReader.describeByte(head[0]) + " at the start",
            "%s, as the name says".formatted(each.label));
      }
    }
    return null;
  }

  /** What is wrong with the file, or null if the exception is not about what the file holds. */
  @Nullable HistoryFormatException damage(Path path, IOException e) {
    boolean cut = e instanceof EOFException;
    if (!cut && !(e instanceof ZipException) && !(e instanceof ZstdIOException)) {
      return null;
    }
    return new HistoryFormatException(
        path,
        0,
        cut
            ? "the end of the file within its %s data".formatted(label)
            : "damaged %s data (%s)".formatted(label, e.getMessage()),
        "a whole %s file".formatted(label));
  }

  private static boolean startsWith(byte[] head, int from, int... expected) {
    for (int i = 0; i < expected.length; i++) {
      if (from + i >= head.length || (head[from + i] & 0xff) != expected[i]) {
        return false;
      }
    }
    return true;
  }
}
