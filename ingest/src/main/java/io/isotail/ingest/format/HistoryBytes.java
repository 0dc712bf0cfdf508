package io.isotail.ingest.format;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** The bytes of a history file from its beginning, decompressed if the file is compressed. */
final class HistoryBytes implements AutoCloseable {
  private static final int COPY_BYTES = 1 << 16;

  private final Path path;
  private final @Nullable Compression compression;
  private final LongConsumer progress;
  private final InputStream in;

  /** Bytes that nobody follows. */
  HistoryBytes(Path path) throws IOException, HistoryFormatException {
    this(path, bytes -> {});
  }

  /**
   * The bytes of a file.
   *
   * @param progress told how many bytes of the file were read, those of a compressed file as it is
   */
  HistoryBytes(Path path, LongConsumer progress) throws IOException, HistoryFormatException {
    this.path = path;
    this.progress = progress;
    this.compression = Compression.of(path);
    this.in = open();
  }

  private InputStream open() throws IOException, HistoryFormatException {
    InputStream file = new Counted(Files.newInputStream(path), progress);
    if (compression == null) {
      return file;
    }
    try {
      return compression.open(file, Files.size(path));
    } catch (IOException e) {
      file.close();
      throw explained(e);
    }
  }

  /** Counts what is read. */
  private static final class Counted extends FilterInputStream {
    private final LongConsumer progress;
    private long bytes;

    Counted(InputStream file, LongConsumer progress) {
      super(file);
      this.progress = progress;
    }

    @Override
    public int read() throws IOException {
      int one = super.read();
      add(one < 0 ? 0 : 1);
      return one;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      int read = super.read(into, offset, length);
      add(Math.max(0, read));
      return read;
    }

    private void add(int read) {
      bytes += read;
      progress.accept(bytes);
    }
  }

  /** As an {@link InputStream} does it. */
  int read(byte[] into, int offset, int length) throws IOException, HistoryFormatException {
    try {
      return in.read(into, offset, length);
    } catch (IOException e) {
      throw explained(e);
    }
  }

  /** The next bytes: so many, or all that are left. */
  byte[] next(int most) throws IOException, HistoryFormatException {
    byte[] bytes = new byte[most];
    int size = 0;
    int read;
    while (size < most && (read = read(bytes, size, most - size)) >= 0) {
      size += read;
    }
    return Arrays.copyOf(bytes, size);
  }

  /** How many bytes there are in all; {@link Long#MAX_VALUE} if only decompressing tells. */
  long size() throws IOException {
    return compression == null ? Files.size(path) : Long.MAX_VALUE;
  }

  /**
   * The bytes of a file in any order. Those of a compressed file are in a temporary file, which
   * goes when the channel is closed.
   */
  static FileChannel channel(Path path) throws IOException, HistoryFormatException {
    try (HistoryBytes bytes = new HistoryBytes(path)) {
      return bytes.compression == null ? FileChannel.open(path) : bytes.decompressed();
    }
  }

  private FileChannel decompressed() throws IOException, HistoryFormatException {
    FileChannel copy =
        FileChannel.open(
            Files.createTempFile("isotail-", ".decompressed"),
            StandardOpenOption.READ,
            StandardOpenOption.WRITE,
            StandardOpenOption.DELETE_ON_CLOSE);
    boolean whole = false;
    try {
      byte[] buffer = new byte[COPY_BYTES];
      int read;
      while ((read = read(buffer, 0, buffer.length)) >= 0) {
        ByteBuffer bytes = ByteBuffer.wrap(buffer, 0, read);
        while (bytes.hasRemaining()) {
          copy.write(bytes);
        }
      }
      whole = true;
      return copy;
    } finally {
      if (!whole) {
        copy.close();
      }
    }
  }

  /** Throws what is wrong with the file; returns an exception that is not about that. */
  private IOException explained(IOException e) throws HistoryFormatException {
    HistoryFormatException damage = compression == null ? null : compression.damage(path, e);
    if (damage != null) {
      throw damage;
    }
    return e;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
