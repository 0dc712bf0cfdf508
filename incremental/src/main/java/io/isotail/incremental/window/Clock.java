package io.isotail.incremental.window;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A vector clock: for each slot the last number that happens before a transaction; the
 * transaction's own slot is implied.
 *
 * <p>The first {@value #CHUNK} slots stand in one array, which is all that there is with few
 * sessions. The others stand in chunks of as many, which clocks share: of two clocks that are
 * joined each chunk is taken from the one that has seen all that the other has seen, and only where
 * neither has it is a new one made. So what transactions have seen in common costs each of them one
 * reference for {@value #CHUNK} slots.
 *
 * <p>A clock is built up first and then kept; once it is kept neither it nor its chunks change, but
 * for the count of the clocks that share a chunk.
 */
public final class Clock {
  /** Slots of a chunk. */
  static final int CHUNK = 128;

  /** Where a chunk counts the kept clocks that share it. */
  private static final int SHARED_BY = CHUNK;

  /** Of a chunk that one clock alone has, which is being built. */
  private static final int IN_THE_MAKING = -1;

  private static final int SHIFT = 7;

  /** Numbers that fit into the headers and references of a clock without chunks. */
  private static final long OWN_SIZE = 16;

  /** Numbers that a chunk takes, its count and its header included. */
  private static final int CHUNK_SIZE = CHUNK + 1 + 4;

  private static final int[] NO_SLOTS = {};
  private static final int[] @Nullable [] NO_CHUNKS = {};

  /** The clock of a transaction that has seen nothing; it is never kept. */
  public static final Clock NOTHING_SEEN = new Clock(NO_SLOTS, NO_CHUNKS);

  /** The slots below {@link #CHUNK}, as far as needed. */
  private int[] near;

  /** The chunks of the further slots; null where nothing was seen. */
  private int[] @Nullable [] far;

  /** The first transaction of its session that has this clock; null if it is not kept. */
  private @Nullable Txn first;

  /** The last one: between them all have it. */
  private @Nullable Txn last;

  Clock(int[] near, int[] @Nullable [] far) {
    this.near = near;
    this.far = far;
  }

  /** A clock that may still be added to, and has seen the same. */
  public Clock toBuild() {
    return new Clock(near.clone(), far.length == 0 ? NO_CHUNKS : far.clone());
  }

  /** The last number of a slot that was seen, 0 for none. */
  public int seen(int slot) {
    if (slot < near.length) {
      return near[slot];
    }
    return slot < CHUNK ? 0 : seenFar(slot);
  }

  private int seenFar(int slot) {
    int c = (slot >>> SHIFT) - 1;
    int @Nullable [] chunk = c < far.length ? far[c] : null;
    return chunk == null ? 0 : chunk[slot & (CHUNK - 1)];
  }

  /** Whether that transaction was seen. */
  public boolean covers(Txn t) {
    return seen(t.slot) >= t.seq;
  }

  /** Adds {@code t}, not what it has seen. */
  public void add(Txn t) {
    if (t.slot < CHUNK) {
      if (near.length <= t.slot) {
        near = Arrays.copyOf(near, t.slot + 1);
      }
      near[t.slot] = Math.max(near[t.slot], t.seq);
    } else if (seenFar(t.slot) < t.seq) {
      int c = (t.slot >>> SHIFT) - 1;
      if (far.length <= c) {
        far = Arrays.copyOf(far, c + 1);
      }
      writable(c)[t.slot & (CHUNK - 1)] = t.seq;
    }
  }

  private int[] writable(int c) {
    int @Nullable [] chunk = far[c];
    if (chunk == null) {
      chunk = new int[CHUNK + 1];
    } else if (chunk[SHARED_BY] == IN_THE_MAKING) {
      return chunk;
    } else {
      chunk = chunk.clone();
    }
    chunk[SHARED_BY] = IN_THE_MAKING;
    far[c] = chunk;
    return chunk;
  }

  /** Adds all that {@code other}, which is kept, has seen. */
  public void addAll(Clock other) {
    if (near.length < other.near.length) {
      near = Arrays.copyOf(near, other.near.length);
    }
    raise(near, other.near, other.near.length);
    if (far.length < other.far.length) {
      far = Arrays.copyOf(far, other.far.length);
    }
    for (int c = 0; c < other.far.length; c++) {
      int @Nullable [] mine = far[c];
      int @Nullable [] theirs = other.far[c];
      if (mine == theirs || theirs == null) {
        continue;
      }
      if (mine == null || coversAll(theirs, mine)) {
        far[c] = theirs;
      } else if (!coversAll(mine, theirs)) {
        raise(writable(c), theirs, CHUNK);
      }
    }
  }

  /** Written so that it becomes vector instructions; so is {@link #coversAll}. */
  private static void raise(int[] into, int[] seen, int length) {
    for (int i = 0; i < length; i++) {
      into[i] = Math.max(into[i], seen[i]);
    }
  }

  /** Numbers are not negative, so that a difference has the sign of the comparison. */
  private static boolean coversAll(int[] chunk, int[] seen) {
    int less = 0;
    for (int i = 0; i < CHUNK; i++) {
      less |= chunk[i] - seen[i];
    }
    return less >= 0;
  }

  /** How many chunks there are, which is what it takes to join another clock. */
  public int chunks() {
    return far.length;
  }

  /** The first transaction that has this clock; null unless it is kept. */
  public @Nullable Txn first() {
    return first;
  }

  /** The last one of its session that has it; null unless it is kept. */
  public @Nullable Txn last() {
    return last;
  }

  /** The next one of the session, which has seen nothing more, has it as well. */
  public void extendTo(Txn next) {
    if (first != null) {
      last = next;
    }
  }

  /** The first transaction lets go of it, and leaves it to the next one. */
  public void startAt(Txn next) {
    first = next;
  }

  /**
   * It is built, and {@code t} keeps it.
   *
   * @return the numbers that it takes, beyond what others take already
   */
  public long keep(Txn t) {
    first = t;
    last = t;
    long size = OWN_SIZE + near.length + far.length;
    for (int @Nullable [] chunk : far) {
      if (chunk != null) {
        size += chunk[SHARED_BY] <= 0 ? CHUNK_SIZE : 0;
        chunk[SHARED_BY] = Math.max(chunk[SHARED_BY], 0) + 1;
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
    long size = OWN_SIZE + near.length + far.length;
    for (int @Nullable [] chunk : far) {
      if (chunk != null) {
        chunk[SHARED_BY]--;
        size += chunk[SHARED_BY] == 0 ? CHUNK_SIZE : 0;
      }
    }
    first = null;
    last = null;
    near = NO_SLOTS;
    far = NO_CHUNKS;
    return size;
  }

  /** Saves where it differs from {@code before}, the one that was saved before it. */
  void save(GraphWriter out, Clock before) {
    out.transaction(first);
    out.transaction(last);
    out.out.numbers(near);
    out.out.count(far.length);
    int same = 0;
    for (int c = 0; c < far.length; c++) {
      if (far[c] != (c < before.far.length ? before.far[c] : null)) {
        out.out.count(c - same + 1);
        out.chunk(far[c]);
        same = c + 1;
      }
    }
    out.out.count(0);
  }

  /** Takes back what {@link #save} saved. */
  static Clock load(GraphReader in, Clock before) {
    Txn first = in.transactionOrNull();
    Txn last = in.transactionOrNull();
    int[] near = in.in.smallNumbers();
    int length = in.in.count();
    int[] @Nullable [] far = length == 0 ? NO_CHUNKS : Arrays.copyOf(before.far, length);
    int c = -1;
    for (int step = in.in.count(); step > 0; step = in.in.count()) {
      c += step;
      in.in.require(c < length, "chunk %d of %d in a clock".formatted(c, length));
      far[c] = in.chunkOrNull();
    }
    Clock clock = new Clock(near.length == 0 ? NO_SLOTS : near, far);
    clock.first = first;
    clock.last = last;
    return clock;
  }

  /** Reads the numbers of a chunk. */
  static int[] loadChunk(GraphReader in) {
    int[] chunk = in.in.smallNumbers();
    in.in.require(chunk.length == CHUNK + 1, "a chunk of %d slots".formatted(chunk.length - 1));
    return chunk;
  }
}
