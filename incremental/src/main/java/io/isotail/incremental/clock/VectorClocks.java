package io.isotail.incremental.clock;

import io.isotail.incremental.window.Txn;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Computes clocks as ComputeHB of [1] Algorithm 3 does, one transaction at a time.
 *
 * <p>A clock is shared by all transactions that have seen the same, and copied only when something
 * new is seen. The entry of a transaction's own slot is left out: it is always its own number less
 * one. Because happens-before is transitive, a writer that the clock already covers adds nothing.
 *
 * <p>[1] Møldrup, Pavlogiannis, AWDIT: An Optimal Weak Database Isolation Tester, PLDI 2025.
 */
public final class VectorClocks {
  private VectorClocks() {}

  /** Sets the clock of {@code t} from its session predecessor and the writers that it read from. */
  public static void assign(Txn t) {
    Txn predecessor = t.soPrev;
    int[] clock = new int[0];
    boolean own = false;
    if (predecessor != null && predecessor.state == Txn.State.DELIVERED) {
      clock = predecessor.clock;
      if (predecessor.slot != t.slot) {
        clock = join(clock, own, predecessor);
        own = true;
      }
    }
    for (@Nullable Txn writer : t.readWriters) {
      // Session order already covers a writer of the same slot.
      if (writer == null
          || writer.state != Txn.State.DELIVERED
          || writer.slot == t.slot
          || covers(clock, writer)) {
        continue;
      }
      clock = join(clock, own, writer);
      own = true;
    }
    t.clock = clock;
  }

  /** Adds everything that {@code earlier} has seen, and itself, to the clock of {@code t}. */
  public static void join(Txn t, Txn earlier) {
    t.clock = join(t.clock, false, earlier);
  }

  private static boolean covers(int[] clock, Txn writer) {
    return writer.slot < clock.length && clock[writer.slot] >= writer.seq;
  }

  private static int[] join(int[] clock, boolean own, Txn seen) {
    int length = Math.max(clock.length, Math.max(seen.clock.length, seen.slot + 1));
    int[] joined = own && clock.length >= length ? clock : Arrays.copyOf(clock, length);
    for (int i = 0; i < seen.clock.length; i++) {
      if (seen.clock[i] > joined[i]) {
        joined[i] = seen.clock[i];
      }
    }
    if (seen.seq > joined[seen.slot]) {
      joined[seen.slot] = seen.seq;
    }
    return joined;
  }
}
