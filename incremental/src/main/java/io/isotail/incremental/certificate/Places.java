package io.isotail.incremental.certificate;

import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.window.Transaction;
import it.unimi.dsi.fastutil.longs.Long2ObjectOpenHashMap;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a certificate consists of: the transactions in the window, and the versions of each key. */
final class Places {
  final Certificate certificate;

  /** Whether the level does not tell begin and commit apart. */
  final boolean one;

  private final boolean mayOverlap;

  /** The transactions of the window by their commits. */
  final PlacedList inWindow = new PlacedList();

  private final Long2ObjectOpenHashMap<PlacedVersion> initial = new Long2ObjectOpenHashMap<>();
  final @Nullable RealTimeOrder realTime;

  /** Larger than the numbers of all that have left the window, or one of them. */
  long floor = Room.LEAST;

  Places(Certificate certificate, IsolationLevel level, @Nullable RealTimeOrder realTime) {
    this.certificate = certificate;
    this.one = !level.tellsBeginFromCommit();
    this.mayOverlap = level.overwritersMayOverlap();
    this.realTime = realTime;
  }

  @Nullable Placed of(Transaction transaction) {
    return Placed.of(transaction, certificate);
  }

  /** Whether the writer of a version must commit before that of the next one begins. */
  boolean isDisjoint() {
    return !one && !mayOverlap;
  }

  /** Where an edge from the writer of the version before leads. */
  long ends(Placed overwriter) {
    return isDisjoint() ? overwriter.begin : overwriter.commit;
  }

  /** The initial version of a key. */
  PlacedVersion initialOf(long key) {
    PlacedVersion version = initial.get(key);
    if (version == null) {
      version = new PlacedVersion(key, null);
      initial.put(key, version);
    }
    return version;
  }

  /** The initial versions of all keys. */
  Collection<PlacedVersion> initials() {
    return initial.values();
  }

  /** Forgets a key of which nothing is known but its initial version, which nobody has read. */
  void forgetIfUnused(PlacedVersion version) {
    if (version.next == version && version.readers == 0) {
      initial.remove(version.key);
    }
  }

  /** Gives a transaction its versions, each as the last of its key. */
  void appendVersions(Placed placed) {
    for (int i = 0; i < placed.transaction.writeCount(); i++) {
      long key = placed.transaction.writeKey(i);
      PlacedVersion version = new PlacedVersion(key, placed);
      version.insertBehind(initialOf(key).previous);
      placed.addVersion(version);
    }
  }

  /** Takes out the versions of a transaction; returns those before them. */
  static List<PlacedVersion> takeOutVersions(Placed placed) {
    List<PlacedVersion> previous = new ArrayList<>(placed.wrote.length);
    for (PlacedVersion version : placed.wrote) {
      previous.add(version.previous);
      version.takeOut();
    }
    placed.wrote = Placed.NO_VERSIONS;
    return previous;
  }

  static List<Placed> byCommit(Collection<Placed> placed) {
    List<Placed> sorted = new ArrayList<>(placed);
    sorted.sort(Comparator.comparingLong(Placed::commit));
    return sorted;
  }
}
