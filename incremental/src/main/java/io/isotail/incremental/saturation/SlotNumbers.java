package io.isotail.incremental.saturation;

import io.isotail.incremental.snapshot.StateReader;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A number for each of the first slots: the last transaction of the slot's session that happens
 * before, 0 for none.
 *
 * <p>The numbers stand in chunks that clocks share: of two that are joined each chunk is taken from
 * the one that is nowhere behind the other, and only where both are a new one is made. A chunk ends
 * with the highest slot that was set.
 */
final class SlotNumbers {
  /** Bits of a slot that tell its place in the chunk. */
  private static final int SHIFT = 7;

  private static final int MASK = (1 << SHIFT) - 1;

  /** Where a chunk counts the kept clocks that share it; the numbers follow. */
  private static final int SHARED_BY = 0;

  /** Count of a chunk that one clock alone has, which is being built. */
  private static final int IN_THE_MAKING = -1;

  /** Numbers of 4 bytes that fit into the header of a chunk. */
  private static final long HEADER = 4;

  private static final int[] @Nullable [] NO_CHUNKS = {};

  /** The chunks, as far as needed; null where nothing was seen. */
  private int[] @Nullable [] chunks;

  /** A chunk that nobody has. */
  private int @Nullable [] spare;

  private SlotNumbers(int[] @Nullable [] chunks) {
    this.chunks = chunks;
  }

  /** All are 0. */
  static SlotNumbers none() {
    return new SlotNumbers(NO_CHUNKS);
  }

  /** A copy that may be added to; chunks are shared until they are. */
  SlotNumbers toBuild() {
    return new SlotNumbers(chunks.length == 0 ? NO_CHUNKS : chunks.clone());
  }

  /** The number of a slot. */
  int get(int slot) {
    int c = slot >>> SHIFT;
    int[] chunk = c < chunks.length ? chunks[c] : null;
    int i = 1 + (slot & MASK);
    return chunk != null && i < chunk.length ? chunk[i] : 0;
  }

  /** The number of a slot is that much at least. */
  void raise(int slot, int number) {
    int c = slot >>> SHIFT;
    int i = 1 + (slot & MASK);
    makeRoom(c + 1);
    int[] chunk = writable(c, i + 1);
    chunk[i] = Math.max(chunk[i], number);
  }

  private void makeRoom(int length) {
    if (chunks.length < length) {
      chunks = Arrays.copyOf(chunks, length);
    }
  }

  private int[] writable(int c, int length) {
    int @Nullable [] chunk = chunks[c];
    if (chunk == null) {
      chunk = new int[length];
    } else if (chunk[SHARED_BY] != IN_THE_MAKING || chunk.length < length) {
      chunk = Arrays.copyOf(chunk, Math.max(length, chunk.length));
    }
    chunk[SHARED_BY] = IN_THE_MAKING;
    chunks[c] = chunk;
    return chunk;
  }

  /** Each number is that of {@code other}, which is built, at least. */
  void raiseAll(SlotNumbers other) {
    makeRoom(other.chunks.length);
    for (int c = 0; c < other.chunks.length; c++) {
      int @Nullable [] mine = chunks[c];
      int @Nullable [] theirs = other.chunks[c];
      if (mine == theirs || theirs == null) {
        continue;
      }
      chunks[c] = mine == null ? theirs : joined(mine, theirs);
    }
  }

  /** The one of the two that is nowhere behind the other, or a chunk of its own. */
  private int[] joined(int[] mine, int[] theirs) {
    if (mine[SHARED_BY] == IN_THE_MAKING && mine.length >= theirs.length) {
      raise(mine, theirs);
      return areEqual(mine, theirs) ? theirs : mine;
    }
    int[] joined = copyOf(mine, Math.max(mine.length, theirs.length));
    raise(joined, theirs);
    boolean behind = !areEqual(joined, mine);
    if (behind && !areEqual(joined, theirs)) {
      return joined;
    }
    spare = joined;
    return behind ? theirs : mine;
  }

  /** A chunk in the making. */
  private int[] copyOf(int[] chunk, int length) {
    int[] copy = spare;
    spare = null;
    if (copy == null || copy.length != length) {
      copy = new int[length];
    }
    System.arraycopy(chunk, 0, copy, 0, chunk.length);
    Arrays.fill(copy, chunk.length, length, 0);
    copy[SHARED_BY] = IN_THE_MAKING;
    return copy;
  }

  /** Written so that it becomes vector instructions. */
  private static void raise(int[] chunk, int[] other) {
    for (int i = 1; i < other.length; i++) {
      chunk[i] = Math.max(chunk[i], other[i]);
    }
  }

  private static boolean areEqual(int[] one, int[] other) {
    return Arrays.equals(one, 1, one.length, other, 1, other.length);
  }

  /** Nothing is added any more: others may share what it holds. */
  void built() {
    spare = null;
    for (int @Nullable [] chunk : chunks) {
      if (chunk != null && chunk[SHARED_BY] == IN_THE_MAKING) {
        chunk[SHARED_BY] = 0;
      }
    }
  }

  /** A clock keeps it. Returns the numbers of 4 bytes that it takes, beyond what others take. */
  long keep() {
    long size = chunks.length;
    for (int @Nullable [] chunk : chunks) {
      if (chunk != null && ++chunk[SHARED_BY] == 1) {
        size += HEADER + chunk.length;
      }
    }
    return size;
  }

  /** The clock lets go of it. Returns the numbers that others do not need. */
  long letGo() {
    long size = chunks.length;
    for (int @Nullable [] chunk : chunks) {
      if (chunk != null && --chunk[SHARED_BY] == 0) {
        size += HEADER + chunk.length;
      }
    }
    chunks = NO_CHUNKS;
    return size;
  }

  /** Saves where it differs from {@code before}. */
  void save(RelationWriter out, SlotNumbers before) {
    out.graph.out.count(chunks.length);
    int same = 0;
    for (int c = 0; c < chunks.length; c++) {
      if (c >= before.chunks.length || chunks[c] != before.chunks[c]) {
        out.graph.out.count(c - same + 1);
        out.numbers(chunks[c]);
        same = c + 1;
      }
    }
    out.graph.out.count(0);
  }

  /** Takes back what {@link #save} saved. */
  static SlotNumbers load(RelationReader in, SlotNumbers before) {
    StateReader from = in.graph.in;
    int length = from.count();
    int[] @Nullable [] chunks = length == 0 ? NO_CHUNKS : new int[length][];
    System.arraycopy(before.chunks, 0, chunks, 0, Math.min(length, before.chunks.length));
    int c = -1;
    for (int step = from.count(); step > 0; step = from.count()) {
      c += step;
      from.require(c < length, "chunk %d of %d in a clock's numbers".formatted(c, length));
      chunks[c] = in.numbersOrNull();
    }
    return new SlotNumbers(chunks);
  }

  /** Reads a chunk. */
  static int[] loadChunk(RelationReader in) {
    int[] chunk = in.graph.in.smallNumbers();
    in.graph.in.require(
        chunk.length > 1 && chunk.length <= 2 + MASK,
        "a chunk of %d numbers".formatted(chunk.length - 1));
    return chunk;
  }
}
