package io.isotail.incremental.reads;

import io.isotail.incremental.window.Transaction;
import it.unimi.dsi.fastutil.longs.Long2ObjectMap;
import it.unimi.dsi.fastutil.longs.Long2ObjectOpenHashMap;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which transactions are known to have written each key, or may have: those that have arrived and
 * are in the window or to come into it, and those that have left it and that a level still holds.
 * What no level holds any more can contradict nothing, and is forgotten.
 *
 * <p>Of a key with more than {@link #MOST} writers it is only known that there are too many.
 */
final class KnownWriters {
  /** So many writers of a key are remembered. */
  static final int MOST = 16;

  /** A hot key is written by all: its writers beyond the first few are only counted. */
  private static final class Several {
    final List<Transaction> some = new ArrayList<>(2);
    long others;
  }

  /** A transaction, if it is the only one; else {@link Several}. */
  private final Long2ObjectOpenHashMap<Object> byKey = new Long2ObjectOpenHashMap<>();

  /** Entries of transactions that have left the window, which a level may have let go since. */
  private int left;

  /** A transaction wrote a key. */
  void add(long key, Transaction writer) {
    left += writer.state == Transaction.State.TRUNCATED ? 1 : 0;
    Object before = byKey.putIfAbsent(key, writer);
    if (before == null || before == writer) {
      return;
    }
    Several several;
    if (before instanceof Several known) {
      several = known;
    } else {
      several = new Several();
      several.some.add((Transaction) before);
      byKey.put(key, several);
    }
    if (several.some.contains(writer)) {
      return;
    }
    if (several.some.size() < MOST) {
      several.some.add(writer);
    } else {
      several.others++;
    }
  }

  /** A transaction that wrote a key leaves the window. */
  void remove(long key, Transaction writer) {
    Object known = byKey.get(key);
    if (known == writer) {
      byKey.remove(key);
    } else if (known instanceof Several several) {
      if (!several.some.remove(writer) && several.others > 0) {
        several.others--;
      }
      if (several.some.isEmpty() && several.others == 0) {
        byKey.remove(key);
      }
    }
  }

  /** Those that wrote a key; null if there are too many. */
  @Nullable List<Transaction> of(long key) {
    Object known = byKey.get(key);
    if (known instanceof Several several) {
      return several.others > 0 ? null : several.some.stream().filter(t -> !isGone(t)).toList();
    }
    return known instanceof Transaction writer && !isGone(writer) ? List.of(writer) : List.of();
  }

  /** Forgets those that have left the window and that no level holds, once they may be many. */
  void sweep() {
    if (left <= 1_024 + byKey.size() / 2) {
      return;
    }
    left = 0;
    for (var entries = byKey.long2ObjectEntrySet().fastIterator(); entries.hasNext(); ) {
      Long2ObjectMap.Entry<Object> entry = entries.next();
      if (entry.getValue() instanceof Several several) {
        several.some.removeIf(KnownWriters::isGone);
        left += (int) several.some.stream().filter(KnownWriters::hasLeft).count();
        if (several.some.isEmpty() && several.others == 0) {
          entries.remove();
        }
      } else if (entry.getValue() instanceof Transaction writer) {
        if (isGone(writer)) {
          entries.remove();
        } else {
          left += hasLeft(writer) ? 1 : 0;
        }
      }
    }
  }

  private static boolean hasLeft(Transaction writer) {
    return writer.state == Transaction.State.TRUNCATED;
  }

  private static boolean isGone(Transaction writer) {
    return hasLeft(writer) && writer.held == 0;
  }
}
