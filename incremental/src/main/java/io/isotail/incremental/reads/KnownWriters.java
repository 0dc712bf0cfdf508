package io.isotail.incremental.reads;

import io.isotail.incremental.window.Transaction;
import it.unimi.dsi.fastutil.longs.Long2ObjectOpenHashMap;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which transactions are known to have written each key, or may have: those that have arrived and
 * are in the window or to come into it.
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

  /** A transaction wrote a key. */
  void add(long key, Transaction writer) {
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
      return several.others > 0 ? null : several.some;
    }
    return known instanceof Transaction writer ? List.of(writer) : List.of();
  }
}
