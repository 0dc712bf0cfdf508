package io.isotail.incremental.reads;

import io.isotail.incremental.snapshot.StateReader;
import io.isotail.incremental.window.IdentityWriter;
import java.util.ArrayDeque;

/**
 * A queue of numbers in chunks. What is in it does not change until it is taken out, so that a save
 * only notes which chunks there are.
 */
final class LongQueue {
  private static final int CHUNK = 1 << 12;

  private final ArrayDeque<long[]> chunks = new ArrayDeque<>();

  /** Of the first chunk, how many were taken out. */
  private int head;

  /** Of the last chunk, how many are in use. */
  private int tail = CHUNK;

  int size() {
    return chunks.size() * CHUNK - head - (CHUNK - tail);
  }

  void enqueue(long number) {
    if (tail == CHUNK) {
      chunks.add(new long[CHUNK]);
      tail = 0;
    }
    chunks.getLast()[tail++] = number;
  }

  /** Takes out the oldest one; there is one. */
  long dequeueLong() {
    long oldest = chunks.getFirst()[head++];
    if (head == CHUNK) {
      chunks.removeFirst();
      head = 0;
    }
    return oldest;
  }

  /** The oldest one; there is one. */
  long first() {
    return chunks.getFirst()[head];
  }

  /** Takes three numbers that stand in turn. */
  interface Triple {
    void accept(long first, long second, long third);
  }

  /** Tells all that is in it, in threes, oldest first. */
  void forEachTriple(Triple each) {
    long[] three = new long[3];
    int i = 0;
    int at = head;
    for (long[] chunk : chunks) {
      int end = chunk == chunks.getLast() ? tail : CHUNK;
      for (; at < end; at++) {
        three[i++] = chunk[at];
        if (i == three.length) {
          each.accept(three[0], three[1], three[2]);
          i = 0;
        }
      }
      at = 0;
    }
  }

  /** The numbers that are in it, to be written later. */
  IdentityWriter.Noted cut() {
    long[][] all = chunks.toArray(new long[0][]);
    int first = head;
    int size = size();
    return to -> {
      to.out.count(size);
      for (int i = first; i < first + size; i++) {
        to.out.number(all[i / CHUNK][i % CHUNK]);
      }
    };
  }

  /** Takes back what {@link #cut} wrote. */
  void load(StateReader in) {
    for (int n = in.count(); n > 0; n--) {
      enqueue(in.number());
    }
  }

  /** All that is in it, in order. */
  @Override
  public String toString() {
    StringBuilder all = new StringBuilder();
    int i = head;
    for (long[] chunk : chunks) {
      int end = chunk == chunks.getLast() ? tail : CHUNK;
      for (; i < end; i++) {
        all.append(chunk[i]).append(' ');
      }
      i = 0;
    }
    return all.toString();
  }
}
