package io.isotail.incremental.reads;

import io.isotail.incremental.window.Transaction;
import it.unimi.dsi.fastutil.longs.Long2ObjectOpenHashMap;
import it.unimi.dsi.fastutil.objects.ReferenceOpenHashSet;
import java.util.Collection;
import java.util.List;

/** Some transactions for each key, each once; nearly always it is one. */
final class TransactionsByKey {
  private static final int FEW = 4;

  /** A transaction, or a set of several. */
  private final Long2ObjectOpenHashMap<Object> byKey = new Long2ObjectOpenHashMap<>();

  void add(long key, Transaction transaction) {
    Object before = byKey.putIfAbsent(key, transaction);
    if (before == null || before == transaction) {
      return;
    }
    if (before instanceof Transaction one) {
      ReferenceOpenHashSet<Transaction> several = new ReferenceOpenHashSet<>(FEW);
      several.add(one);
      several.add(transaction);
      byKey.put(key, several);
    } else {
      several(before).add(transaction);
    }
  }

  void remove(long key, Transaction transaction) {
    Object before = byKey.get(key);
    if (before == transaction) {
      byKey.remove(key);
    } else if (before != null && !(before instanceof Transaction)) {
      ReferenceOpenHashSet<Transaction> several = several(before);
      several.remove(transaction);
      if (several.isEmpty()) {
        byKey.remove(key);
      }
    }
  }

  boolean isEmpty() {
    return byKey.isEmpty();
  }

  boolean containsKey(long key) {
    return byKey.containsKey(key);
  }

  /** Those of a key, in no order; to be looked at only. */
  Collection<Transaction> of(long key) {
    Object found = byKey.get(key);
    if (found == null) {
      return List.of();
    }
    return found instanceof Transaction one ? List.of(one) : several(found);
  }

  @SuppressWarnings("unchecked")
  private static ReferenceOpenHashSet<Transaction> several(Object found) {
    return (ReferenceOpenHashSet<Transaction>) found;
  }
}
