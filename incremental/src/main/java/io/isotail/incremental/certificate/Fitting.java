package io.isotail.incremental.certificate;

import io.isotail.incremental.window.Transaction;
import it.unimi.dsi.fastutil.objects.ReferenceOpenHashSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/** Looks for the number of one commit, by what the transaction has read and what it writes. */
final class Fitting {
  /** So many reads are looked through one by one. */
  private static final int FEW = 16;

  private final Places places;

  /** Where it may stand; whoever asks may bound it first. */
  final Room room;

  /** The versions that it read. */
  final List<PlacedVersion> reads = new ArrayList<>();

  /** The versions that it is known to have replaced, and whose writers have places. */
  final List<PlacedVersion> replaced = new ArrayList<>(0);

  /** The reads, where they are more than a few. */
  private Set<PlacedVersion> seen = Set.of();

  /** Behind which version each of its own goes; valid after {@link #find} found a number. */
  PlacedVersion[] behind = Placed.NO_VERSIONS;

  Fitting(Places places) {
    this.places = places;
    this.room = new Room(places.one);
  }

  /**
   * The number of a commit, between its bounds, close to a wish; {@link Room#LEAST} if there is
   * none. What was read must have been {@link #boundByReads asked} before.
   */
  long find(Transaction transaction, long wish) {
    long commit = fit(transaction, wish);
    while (places.one && commit != Room.LEAST && hasNumberOfReader(commit)) {
      room.beginAfter(commit);
      commit = fit(transaction, commit + 1);
    }
    return commit;
  }

  /** Notes what a transaction read of some keys, and bounds it by that. */
  void boundByReads(Transaction transaction, LongPredicate ofKey) {
    reads.clear();
    for (int i = 0; i < transaction.readWriters.length; i++) {
      Transaction writer = transaction.readWriters[i];
      if (writer == null || !transaction.readsVersion(i)) {
        continue;
      }
      long key = transaction.operations.key(transaction.readOperations[i]);
      PlacedVersion version = ofKey.test(key) ? versionBy(writer, key) : null;
      if (version == null || !isNew(version)) {
        continue;
      }
      reads.add(version);
      if (version.writer != null) {
        room.beginAfter(version.writer.commit);
      }
      if (!version.isLast()) {
        room.beginBefore(version.next.owner().commit);
      }
    }
  }

  /**
   * Bounds a transaction by the versions that it is known to have replaced, and by those that are
   * known to have replaced its own: each goes directly behind the one before it.
   */
  void boundByReplaced(Transaction transaction) {
    replaced.clear();
    for (int i = 0; transaction.anyReplaced() && i < transaction.writeCount(); i++) {
      long key = transaction.writeKey(i);
      PlacedVersion version = versionOf(transaction.replaced(i), key);
      if (version != null) {
        replaced.add(version);
        goesBehind(version);
        if (!version.isLast()) {
          room.commitBefore(places.ends(version.next.owner()));
        }
      }
      PlacedVersion next = versionOf(transaction.replacedBy(i), key);
      if (next != null) {
        room.commitBefore(places.ends(next.owner()));
        goesBehind(next.previous);
      }
    }
  }

  /** The versions that it read, and those that it is known to have replaced. */
  List<PlacedVersion> readOrReplaced() {
    if (replaced.isEmpty()) {
      return reads;
    }
    List<PlacedVersion> both = new ArrayList<>(reads);
    both.addAll(replaced);
    return both;
  }

  private void goesBehind(PlacedVersion version) {
    if (version.writer != null && places.isDisjoint()) {
      room.beginAfter(version.writer.commit);
    } else if (version.writer != null) {
      room.commitAfter(version.writer.commit);
    }
  }

  private @Nullable PlacedVersion versionOf(@Nullable Transaction writer, long key) {
    Placed placed = writer == null ? null : places.of(writer);
    return placed == null ? null : placed.versionOf(key);
  }

  private boolean isNew(PlacedVersion version) {
    if (reads.size() < FEW) {
      return !reads.contains(version);
    }
    if (reads.size() == FEW) {
      seen = new ReferenceOpenHashSet<>(reads);
    }
    return seen.add(version);
  }

  private @Nullable PlacedVersion versionBy(Transaction writer, long key) {
    return writer == Transaction.INITIAL ? places.initialOf(key) : versionOf(writer, key);
  }

  /**
   * The smallest number from a wish on, as far as bounds let it be, at which the commit and all
   * that it writes fit; notes behind which version each is written. {@link Room#LEAST} if there is
   * none.
   */
  private long fit(Transaction transaction, long wish) {
    int n = transaction.writeCount();
    behind = n == 0 ? Placed.NO_VERSIONS : new PlacedVersion[n];
    if (!room.isLeft()) {
      return Room.LEAST;
    }
    long commit = room.commit(wish);
    int settled = 0;
    int i = 0;
    // Each key in turn, until all have fitted since the number was raised last.
    while (settled < n) {
      PlacedVersion version =
          lastBefore(places.initialOf(transaction.writeKey(i)), behind[i], commit);
      behind[i] = version;
      if (places.isDisjoint() && version.writer != null) {
        room.beginAfter(version.writer.commit);
      }
      long beyond = obstacle(version, commit);
      if (beyond > Room.LEAST) {
        room.commitAfter(beyond);
        settled = 0;
      } else {
        settled++;
      }
      if (!room.isLeft()) {
        return Room.LEAST;
      }
      long raised = room.commit(Math.max(wish, commit));
      settled = raised == commit ? settled : 0;
      commit = raised;
      i = i + 1 == n ? 0 : i + 1;
    }
    return commit;
  }

  /** Whether it would have one number with another reader, which would hide who comes first. */
  private boolean hasNumberOfReader(long commit) {
    for (PlacedVersion read : reads) {
      if (read.lastRead != null && read.lastRead.begin == commit) {
        return true;
      }
    }
    return false;
  }

  /**
   * The last version of a key that is written before a number; looked for from both ends.
   *
   * @param from one that is not later, null if none is known
   */
  static PlacedVersion lastBefore(PlacedVersion first, @Nullable PlacedVersion from, long number) {
    PlacedVersion back = first.previous;
    PlacedVersion forward = from == null ? first : from;
    while (back.writer != null && back != forward && back.writer.commit >= number) {
      PlacedVersion next = forward.next;
      if (next.owner().commit >= number) {
        return forward;
      }
      forward = next;
      back = back.previous;
    }
    return back;
  }

  /** What a commit with this number must come after to be written behind a version. */
  private long obstacle(PlacedVersion version, long commit) {
    if (!version.isLast()) {
      Placed next = version.next.owner();
      if (places.ends(next) <= commit || version.next.isPinned()) {
        return next.commit;
      }
    }
    Placed lastRead = version.lastRead;
    return lastRead != null && lastRead.begin >= commit ? lastRead.begin : Room.LEAST;
  }

  /** Forgets the keys that what was added last in vain read or wrote, and nobody else. */
  void forgetVain() {
    for (PlacedVersion version : behind) {
      if (version != null && version.writer == null) {
        places.forgetIfUnused(version);
      }
    }
    for (PlacedVersion version : reads) {
      if (version.writer == null) {
        places.forgetIfUnused(version);
      }
    }
    behind = Placed.NO_VERSIONS;
    reads.clear();
    replaced.clear();
  }
}
