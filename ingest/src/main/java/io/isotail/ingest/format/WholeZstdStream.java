package io.isotail.ingest.format;

import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdException;
import com.github.luben.zstd.ZstdIOException;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;

/**
 * All frames of a zstd file. The library's own stream takes the beginning of a second frame for the
 * end of the file; here it is an error, for the rest of a history is missing.
 *
 * <p>Bound: two buffers, and the window that a frame asks for, of at most 128 MB.
 */
final class WholeZstdStream extends InputStream {
  private static final int BUFFER_BYTES = 1 << 17;

  private final InputStream file;
  private final ZstdDecompressCtx context = new ZstdDecompressCtx();
  private final byte[] read = new byte[BUFFER_BYTES];
  private final ByteBuffer source = ByteBuffer.allocateDirect(BUFFER_BYTES).limit(0);
  private final ByteBuffer target = ByteBuffer.allocateDirect(BUFFER_BYTES).limit(0);

  /** Whether a frame has begun that has not ended, or none has begun. */
  private boolean withinFrame = true;

  /** Whether the decompressor may hold more than the target had room for. */
  private boolean moreHeld;

  WholeZstdStream(InputStream file) {
    this.file = file;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] into, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    while (!target.hasRemaining()) {
      if (!moreHeld && !source.hasRemaining() && !fill()) {
        if (withinFrame) {
          throw new EOFException();
        }
        return -1;
      }
      decompress();
    }
    int count = Math.min(length, target.remaining());
    target.get(into, offset, count);
    return count;
  }

  private boolean fill() throws IOException {
    int count = file.read(read);
    if (count < 0) {
      return false;
    }
    source.clear().put(read, 0, count).flip();
    return true;
  }

  private void decompress() throws IOException {
    target.clear();
    try {
      withinFrame = !context.decompressDirectByteBufferStream(target, source);
    } catch (ZstdException e) {
      target.flip();
      throw (IOException) new ZstdIOException(e.getErrorCode(), e.getMessage()).initCause(e);
    }
    moreHeld = withinFrame && !target.hasRemaining();
    target.flip();
  }

  @Override
  public void close() throws IOException {
    context.close();
    file.close();
  }
}
