package io.isotail.incremental.saturation;

import io.isotail.incremental.window.Slots;
import io.isotail.incremental.window.Transaction;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What happens before a transaction: a vector clock over the first {@value Slots#NUMBERED} slots,
 * and a set of transactions for the sessions in other slots.
 *
 * <p>With few sessions a number for each slot says all: the last of the session that happens
 * before. With as many sessions as transactions that would be a number for each transaction, where
 * one bit says as much. So a transaction in a further slot is a bit at its place in delivery order;
 * its predecessors have theirs. The transaction's own slot is implied only where it has a number.
 *
 * <p>The bits stand in chunks that clocks share: of two clocks that are joined each chunk is taken
 * from the one that has seen all that the other has seen, and only where neither has it is a new
 * one made. So what transactions have seen in common costs each of them one reference for 1,024
 * transactions.
 *
 * <p>A clock is built first and then kept; once it is kept neither it nor its chunks change, but
 * for the count of the clocks that share a chunk.
 */
public final class Clock {
  /** Words of a chunk. */
  private static final int WORDS = 16;

  /** Bits of a place that tell the word and the bit in a chunk. */
  private static final int SHIFT = 10;

  /** Where a chunk counts the kept clocks that share it. */
  private static final int SHARED_BY = WORDS;

  /** Count of a chunk that one clock alone has, which is being built. */
  private static final int IN_THE_MAKING = -1;

  /** Numbers of 4 bytes that fit into the headers of a clock. */
  private static final long OWN_SIZE = 26;

  /** Numbers of 4 bytes that a chunk takes, its count and its header included. */
  private static final long CHUNK_SIZE = 2 * (WORDS + 1) + 4;

  private static final long[] @Nullable [] NO_CHUNKS = {};

  /** The clock of a transaction that has seen nothing; it is never kept. */
  public static final Clock NOTHING_SEEN = new Clock(SlotNumbers.none(), 0, NO_CHUNKS);

  /** For each slot that has a number the last one seen. */
  private final SlotNumbers numbers;

  /** The places of the transactions in other slots: the number of the first chunk. */
  private long firstChunk;

  /** Their chunks; null where nothing was seen. */
  private long[] @Nullable [] chunks;

  /** The first transaction of its session that has this clock; null if it is not kept. */
  private @Nullable Transaction first;

  /** The last one: between them all have it. */
  private @Nullable Transaction last;

  private Clock(SlotNumbers numbers, long firstChunk, long[] @Nullable [] chunks) {
    this.numbers = numbers;
    this.firstChunk = firstChunk;
    this.chunks = chunks;
  }

  /**
   * A clock that may still be added to, and has seen the same of what is left.
   *
   * @param oldest place before which nothing is left in the window
   */
  public Clock toBuild(long oldest) {
    long from = oldest >>> SHIFT;
    int gone = (int) Math.min(chunks.length, Math.max(0, from - firstChunk));
    long[] @Nullable [] left =
        gone == chunks.length ? NO_CHUNKS : Arrays.copyOfRange(chunks, gone, chunks.length);
    return new Clock(numbers.toBuild(), Math.max(from, firstChunk), left);
  }

  /** The last number of a slot that was seen, 0 for none; only where slots have numbers. */
  public int number(int slot) {
    return numbers.get(slot);
  }

  /** Whether {@code t}, which is delivered, was seen. */
  public boolean covers(Transaction t) {
    return Slots.isNumbered(t.slot) ? number(t.slot) >= t.seq : coversPlace(t.deliveredAt);
  }

  /** Whether the transaction at that place was seen; only where slots have no numbers. */
  boolean coversPlace(long place) {
    long c = (place >>> SHIFT) - firstChunk;
    if (c < 0 || c >= chunks.length) {
      return false;
    }
    long @Nullable [] chunk = chunks[(int) c];
    return chunk != null && (chunk[word(place)] >>> place & 1) != 0;
  }

  private static int word(long place) {
    return (int) (place >>> 6) & (WORDS - 1);
  }

  /** Adds {@code t}, not what it has seen. */
  public void add(Transaction t) {
    if (Slots.isNumbered(t.slot)) {
      numbers.raise(t.slot, t.seq);
    } else if (!coversPlace(t.deliveredAt)) {
      int c = makeRoom(t.deliveredAt >>> SHIFT);
      writable(c)[word(t.deliveredAt)] |= 1L << t.deliveredAt;
    }
  }

  /** Index of a chunk for which there is room from now on. */
  private int makeRoom(long chunk) {
    if (chunks.length == 0) {
      firstChunk = chunk;
    }
    int before = (int) Math.max(0, firstChunk - chunk);
    int c = (int) (chunk - firstChunk) + before;
    int length = Math.max(chunks.length + before, c + 1);
    if (length > chunks.length) {
      long[] @Nullable [] longer = new long[length][];
      System.arraycopy(chunks, 0, longer, before, chunks.length);
      chunks = longer;
      firstChunk -= before;
    }
    return c;
  }

  private long[] writable(int c) {
    long @Nullable [] chunk = chunks[c];
    if (chunk == null) {
      chunk = new long[WORDS + 1];
    } else if (chunk[SHARED_BY] == IN_THE_MAKING) {
      return chunk;
    } else {
      chunk = chunk.clone();
    }
    chunk[SHARED_BY] = IN_THE_MAKING;
    chunks[c] = chunk;
    return chunk;
  }

  /**
   * Adds all that {@code other}, which is built, has seen of what is left.
   *
   * @param oldest place before which nothing is left in the window
   */
  public void addAll(Clock other, long oldest) {
    numbers.raiseAll(other.numbers);
    int from = (int) Math.max(0, (oldest >>> SHIFT) - other.firstChunk);
    if (from >= other.chunks.length) {
      return;
    }
    makeRoom(other.firstChunk + other.chunks.length - 1);
    int shift = makeRoom(other.firstChunk + from) - from;
    for (int i = from; i < other.chunks.length; i++) {
      long @Nullable [] mine = chunks[i + shift];
      long @Nullable [] theirs = other.chunks[i];
      if (mine == theirs || theirs == null) {
        continue;
      }
      if (mine == null || coversAll(theirs, mine)) {
        chunks[i + shift] = theirs;
      } else if (!coversAll(mine, theirs)) {
        long[] joined = writable(i + shift);
        for (int w = 0; w < WORDS; w++) {
          joined[w] |= theirs[w];
        }
      }
    }
  }

  private static boolean coversAll(long[] chunk, long[] seen) {
    long missing = 0;
    for (int w = 0; w < WORDS; w++) {
      missing |= seen[w] & ~chunk[w];
    }
    return missing == 0;
  }

  /** How many chunks there are, which is what it takes to join another clock. */
  public int chunks() {
    return chunks.length;
  }

  /** The first transaction that has this clock; null unless it is kept. */
  public @Nullable Transaction first() {
    return first;
  }

  /** The last one of its session that has it; null unless it is kept. */
  public @Nullable Transaction last() {
    return last;
  }

  /** The next one of the session, which has seen nothing more, has it as well. */
  public void extendTo(Transaction next) {
    if (first != null) {
      last = next;
    }
  }

  /** The first transaction lets go of it, and leaves it to the next one. */
  public void startAt(Transaction next) {
    first = next;
  }

  /** Nothing is added any more: others may share what it holds. */
  public void built() {
    numbers.built();
    for (long @Nullable [] chunk : chunks) {
      if (chunk != null && chunk[SHARED_BY] == IN_THE_MAKING) {
        chunk[SHARED_BY] = 0;
      }
    }
  }

  /**
   * It is built, and {@code t} keeps it.
   *
   * @return the numbers of 4 bytes that it takes, beyond what others take already
   */
  public long keep(Transaction t) {
    built();
    first = t;
    last = t;
    long size = OWN_SIZE + numbers.keep() + chunks.length;
    for (long @Nullable [] chunk : chunks) {
      if (chunk != null) {
        chunk[SHARED_BY]++;
        size += chunk[SHARED_BY] == 1 ? CHUNK_SIZE : 0;
      }
    }
    return size;
  }

  /**
   * Nobody has it any more.
   *
   * @return the numbers that others do not need
   */
  public long letGo() {
    long size = OWN_SIZE + numbers.letGo() + chunks.length;
    for (long @Nullable [] chunk : chunks) {
      if (chunk != null) {
        chunk[SHARED_BY]--;
        size += chunk[SHARED_BY] == 0 ? CHUNK_SIZE : 0;
      }
    }
    first = null;
    last = null;
    chunks = NO_CHUNKS;
    return size;
  }

  private long @Nullable [] chunk(long number) {
    long c = number - firstChunk;
    return c < 0 || c >= chunks.length ? null : chunks[(int) c];
  }

  /** Saves where it differs from {@code before}, the one that was saved before it. */
  void save(RelationWriter out, Clock before) {
    out.graph.transaction(first);
    out.graph.transaction(last);
    numbers.save(out, before.numbers);
    out.graph.out.number(firstChunk);
    out.graph.out.count(chunks.length);
    int same = 0;
    for (int c = 0; c < chunks.length; c++) {
      if (chunks[c] != before.chunk(firstChunk + c)) {
        out.graph.out.count(c - same + 1);
        out.chunk(chunks[c]);
        same = c + 1;
      }
    }
    out.graph.out.count(0);
  }

  /** Takes back what {@link #save} saved. */
  static Clock load(RelationReader in, Clock before) {
    Transaction first = in.graph.transactionOrNull();
    Transaction last = in.graph.transactionOrNull();
    SlotNumbers numbers = SlotNumbers.load(in, before.numbers);
    long firstChunk = in.graph.in.number();
    int length = in.graph.in.count();
    long[] @Nullable [] chunks = length == 0 ? NO_CHUNKS : new long[length][];
    for (int c = 0; c < length; c++) {
      chunks[c] = before.chunk(firstChunk + c);
    }
    int c = -1;
    for (int step = in.graph.in.count(); step > 0; step = in.graph.in.count()) {
      c += step;
      in.graph.in.require(c < length, "chunk %d of %d in a clock".formatted(c, length));
      chunks[c] = in.chunkOrNull();
    }
    Clock clock = new Clock(numbers, firstChunk, chunks);
    clock.first = first;
    clock.last = last;
    return clock;
  }

  /** Reads a chunk. */
  static long[] loadChunk(RelationReader in) {
    long[] chunk = in.graph.in.numbers();
    in.graph.in.require(
        chunk.length == WORDS + 1, "a chunk of %d words".formatted(chunk.length - 1));
    return chunk;
  }
}
