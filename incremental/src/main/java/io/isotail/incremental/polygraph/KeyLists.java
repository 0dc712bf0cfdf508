package io.isotail.incremental.polygraph;

import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.VersionKind;
import io.isotail.incremental.window.Transaction;
import it.unimi.dsi.fastutil.longs.Long2ObjectOpenHashMap;
import it.unimi.dsi.fastutil.objects.ReferenceLinkedOpenHashSet;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What list reads show of the order of a key's versions, and the writer of each version. */
final class KeyLists {
  private final KeyVersions key;

  /** Every version of each writer, the overwritten ones included; of a retired one the last. */
  private final Long2ObjectOpenHashMap<List<VersionSlot>> writers = new Long2ObjectOpenHashMap<>();

  private final Long2ObjectOpenHashMap<List<ListAdjacency>> byVersion =
      new Long2ObjectOpenHashMap<>();

  /** In the order in which they were shown. */
  final ReferenceLinkedOpenHashSet<ListAdjacency> all = new ReferenceLinkedOpenHashSet<>();

  KeyLists(KeyVersions key) {
    this.key = key;
    key.inOrder().forEach(this::addWriter);
  }

  /** A new writer of the key. */
  void addWriter(VersionSlot slot) {
    forEachVersion(
        slot, version -> writers.computeIfAbsent(version, v -> new ArrayList<>(1)).add(slot));
  }

  /** A writer of the key is gone. */
  void removeWriter(VersionSlot slot) {
    forEachVersion(
        slot,
        version -> {
          List<VersionSlot> left = writers.get(version);
          if (left != null && left.remove(slot) && left.isEmpty()) {
            writers.remove(version);
          }
        });
  }

  /**
   * What a list shows behind what it showed so far. Other lists that are alike up to here share it.
   *
   * @param before what it showed last; null if this is the first
   */
  ListAdjacency next(@Nullable ListAdjacency before, boolean initial, long earlier, long later) {
    ListAdjacency newest = before == null ? null : before.next();
    // Behind the same one they differ in the later version alone.
    if (newest != null && newest.later == later) {
      return newest;
    }
    if (before == null || newest != null) {
      for (ListAdjacency known : byVersion.getOrDefault(later, List.of())) {
        if (known.before == before && known.says(initial, earlier, later)) {
          return known;
        }
      }
    }
    ListAdjacency made = new ListAdjacency(key, before, initial, earlier, later);
    add(made);
    return made;
  }

  private void add(ListAdjacency shown) {
    all.add(shown);
    byVersion.computeIfAbsent(shown.later, v -> new ArrayList<>(2)).add(shown);
    if (!shown.initial && shown.earlier != shown.later) {
      byVersion.computeIfAbsent(shown.earlier, v -> new ArrayList<>(2)).add(shown);
    }
  }

  /** Another one that says the same, or null. */
  @Nullable ListAdjacency same(ListAdjacency shown) {
    for (ListAdjacency known : byVersion.getOrDefault(shown.later, List.of())) {
      if (known != shown && known.says(shown)) {
        return known;
      }
    }
    return null;
  }

  /** Whether one that says the same is in force. */
  boolean isInForce(ListAdjacency shown) {
    for (ListAdjacency known : byVersion.getOrDefault(shown.later, List.of())) {
      if (known.inForce != null && known.says(shown)) {
        return true;
      }
    }
    return false;
  }

  /** Forgets what no list read shows any more. */
  void remove(ListAdjacency shown) {
    all.remove(shown);
    shown.remove(all);
    forget(shown.later, shown);
    forget(shown.earlier, shown);
  }

  private void forget(long version, ListAdjacency shown) {
    List<ListAdjacency> left = byVersion.get(version);
    if (left != null && left.remove(shown) && left.isEmpty()) {
      byVersion.remove(version);
    }
  }

  /** What is shown of the versions of a writer. */
  List<ListAdjacency> about(VersionSlot slot) {
    List<ListAdjacency> found = new ArrayList<>();
    forEachVersion(
        slot,
        version -> {
          for (ListAdjacency shown : byVersion.getOrDefault(version, List.of())) {
            if (!found.contains(shown)) {
              found.add(shown);
            }
          }
        });
    return found;
  }

  /** The version that a new one is shown to stand behind, or null. */
  @Nullable VersionSlot placeOf(VersionSlot slot) {
    for (ListAdjacency shown : about(slot)) {
      VersionSlot earlier = earlier(shown);
      VersionSlot later = later(shown);
      if (later == slot && earlier != null && earlier != slot) {
        return earlier;
      }
      if (earlier == slot && later != null && later != slot) {
        return later.previous;
      }
    }
    return null;
  }

  /** The earlier version, or null if its writer is not there or not certain. */
  @Nullable VersionSlot earlier(ListAdjacency shown) {
    return shown.initial ? key : only(shown.earlier);
  }

  /** The later version, or null if its writer is not there or not certain. */
  @Nullable VersionSlot later(ListAdjacency shown) {
    return only(shown.later);
  }

  private @Nullable VersionSlot only(long version) {
    List<VersionSlot> found = writers.getOrDefault(version, List.of());
    return found.size() == 1 ? found.get(0) : null;
  }

  private void forEachVersion(VersionSlot slot, java.util.function.LongConsumer action) {
    if (slot.writer == null) {
      return;
    }
    Transaction writer = slot.writer.transaction;
    Operations ops = writer.operations;
    if (slot.writer.retired) {
      int last = writer.finalWrite(writer.writeIndex(key.id));
      if (ops.versionKind(last) == VersionKind.KNOWN) {
        action.accept(ops.version(last));
      }
      return;
    }
    for (int i = 0; i < ops.size(); i++) {
      if (ops.kind(i) == OperationKind.WRITE
          && ops.versionKind(i) == VersionKind.KNOWN
          && ops.key(i) == key.id
          && !ops.undone(i)) {
        action.accept(ops.version(i));
      }
    }
  }
}
