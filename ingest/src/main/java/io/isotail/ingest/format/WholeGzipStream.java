package io.isotail.ingest.format;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/**
 * All members of a gzip file. {@link GZIPInputStream} takes bytes behind a member that do not begin
 * another one for its end; here they are an error, for they may be the damaged rest of a history.
 */
final class WholeGzipStream extends GZIPInputStream {
  private static final int BUFFER_BYTES = 1 << 16;
  private static final int TRAILER_BYTES = 8;

  private final Counted file;
  private final long size;

  /** Place in the file of the byte after the last one that was given to the inflater. */
  private long filledTo;

  /**
   * Reads the header of the first member.
   *
   * @param size of the file, in bytes
   */
  WholeGzipStream(InputStream file, long size) throws IOException {
    this(new Counted(file), size);
  }

  private WholeGzipStream(Counted file, long size) throws IOException {
    super(file, BUFFER_BYTES);
    this.file = file;
    this.size = size;
  }

  @Override
  protected void fill() throws IOException {
    super.fill();
    filledTo = file.count;
  }

  @Override
  public int read(byte[] into, int offset, int length) throws IOException {
    int read = super.read(into, offset, length);
    if (read < 0) {
      long end = filledTo - inf.getRemaining() + TRAILER_BYTES;
      if (end != size) {
        throw new ZipException("no gzip from byte %d on".formatted(end));
      }
    }
    return read;
  }

  /** Counts what is read. */
  private static final class Counted extends FilterInputStream {
    private long count;

    Counted(InputStream in) {
      super(in);
    }

    @Override
    public int read() throws IOException {
      int read = in.read();
      if (read >= 0) {
        count++;
      }
      return read;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      int read = in.read(into, offset, length);
      if (read > 0) {
        count += read;
      }
      return read;
    }

    @Override
    public long skip(long most) throws IOException {
      long skipped = in.skip(most);
      count += skipped;
      return skipped;
    }
  }
}
