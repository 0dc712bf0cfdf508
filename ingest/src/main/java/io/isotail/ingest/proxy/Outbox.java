package io.isotail.ingest.proxy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;

/**
 * What goes to one side, until it is written at once. Ranges that follow each other in the same
 * bytes become one; nothing is copied. For one thread.
 */
final class Outbox {
  private static final byte[] NONE = {};

  private byte[] bytes = NONE;
  private int from;
  private int to;
  private final List<ByteBuf> earlier = new ArrayList<>(0);
  private long total;

  /** Adds bytes, which must not be changed any more. */
  void add(byte[] added, int offset, int length) {
    if (length == 0) {
      return;
    }
    total += length;
    if (added == bytes && offset == to && from < to) {
      to += length;
      return;
    }
    keepRange();
    bytes = added;
    from = offset;
    to = offset + length;
  }

  boolean isEmpty() {
    return from == to;
  }

  /** How many bytes were ever added. */
  long total() {
    return total;
  }

  /** Everything that was added, which leaves this empty. */
  ByteBuf takeAll() {
    ByteBuf last = Unpooled.wrappedBuffer(bytes, from, to - from);
    ByteBuf all = last;
    if (!earlier.isEmpty()) {
      earlier.add(last);
      all = Unpooled.wrappedBuffer(earlier.size(), earlier.toArray(ByteBuf[]::new));
      earlier.clear();
    }
    clear();
    return all;
  }

  /** Forgets what was added. */
  void clear() {
    earlier.clear();
    bytes = NONE;
    from = 0;
    to = 0;
  }

  private void keepRange() {
    if (from < to) {
      earlier.add(Unpooled.wrappedBuffer(bytes, from, to - from));
    }
  }
}
