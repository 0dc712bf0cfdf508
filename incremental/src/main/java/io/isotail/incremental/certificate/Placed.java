package io.isotail.incremental.certificate;

import io.isotail.incremental.window.StagePart;
import io.isotail.incremental.window.Transaction;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** A transaction with its numbers in the certificate of one level. */
public final class Placed implements StagePart {
  static final PlacedVersion[] NO_VERSIONS = {};

  private final Certificate certificate;

  /** Its place in the certificate of the next stronger level that has it; null if none has. */
  private @Nullable Placed stronger;

  /** The transaction. */
  public final Transaction transaction;

  long begin;
  long commit;

  /** Its version of each key that it wrote, as those ascend; empty until it is placed. */
  PlacedVersion[] wrote = NO_VERSIONS;

  /** The versions that it read from others; empty once it has left the window. */
  PlacedVersion[] read = NO_VERSIONS;

  /** Whether it has left the window, and is kept for the versions that it wrote. */
  boolean retired;

  /** Neighbours by commit number; of what is retired, by when they left. */
  @Nullable Placed before;

  @Nullable Placed after;

  /** Its row among the {@link PlacedRows} of the list that it is part of. */
  int row;

  Placed(Certificate certificate, Transaction transaction) {
    this.certificate = certificate;
    this.transaction = transaction;
  }

  /** A transaction as part of a certificate, or null. */
  static @Nullable Placed of(Transaction transaction, Certificate certificate) {
    Placed placed = (Placed) transaction.placed;
    while (placed != null && placed.certificate != certificate) {
      placed = placed.stronger;
    }
    return placed;
  }

  /** It becomes part of the certificate, as the transaction is told from now on. */
  void enter() {
    Placed weaker = null;
    Placed next = (Placed) transaction.placed;
    while (next != null && certificate.level.atLeast(next.certificate.level)) {
      weaker = next;
      next = next.stronger;
    }
    stronger = next;
    if (weaker == null) {
      transaction.placed = this;
    } else {
      weaker.stronger = this;
    }
    transaction.held++;
  }

  /** It is no longer part of the certificate. */
  void leave() {
    transaction.held--;
    Placed first = (Placed) transaction.placed;
    if (first == this) {
      transaction.placed = stronger;
      return;
    }
    for (Placed placed = first; placed != null; placed = placed.stronger) {
      if (placed.stronger == this) {
        placed.stronger = stronger;
      }
    }
  }

  /** The number of its begin. */
  public long begin() {
    return begin;
  }

  /** The number of its commit; not smaller than that of its begin. */
  public long commit() {
    return commit;
  }

  /** Its version of a key; null if it wrote none. */
  @Nullable PlacedVersion versionOf(long key) {
    int low = 0;
    int high = wrote.length - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      long found = wrote[middle].key;
      if (found == key) {
        return wrote[middle];
      }
      low = found < key ? middle + 1 : low;
      high = found < key ? high : middle - 1;
    }
    return null;
  }

  /** Whether it has read what its transaction has left out since. */
  boolean readsAll() {
    if (!transaction.leavesOutReads()) {
      return false;
    }
    for (PlacedVersion version : read) {
      if (transaction.leavesOutReadsOf(version.key)) {
        return true;
      }
    }
    return false;
  }

  /** Adds a version; those of smaller keys come before it. */
  void addVersion(PlacedVersion version) {
    int at = 0;
    while (at < wrote.length && wrote[at].key < version.key) {
      at++;
    }
    PlacedVersion[] more = new PlacedVersion[wrote.length + 1];
    System.arraycopy(wrote, 0, more, 0, at);
    more[at] = version;
    System.arraycopy(wrote, at, more, at + 1, wrote.length - at);
    wrote = more;
  }

  /** Tells each key that it wrote. */
  public void forEachWrite(LongConsumer to) {
    for (PlacedVersion version : wrote) {
      to.accept(version.key);
    }
  }

  /** What a transaction read of a key. */
  @FunctionalInterface
  public interface Read {
    /**
     * Takes it.
     *
     * @param writer who wrote the version, null for the initial one
     */
    void of(long key, @Nullable Transaction writer);
  }

  /** Tells each version that it read from others, as far as their writers have places. */
  public void forEachRead(Read to) {
    for (PlacedVersion version : read) {
      if (version.isTakenOut()) {
        continue;
      }
      to.of(version.key, version.writer == null ? null : version.writer.transaction);
    }
  }

  /** Tells each version that it is known to have replaced, as {@link #forEachRead} does. */
  public void forEachReplaced(Read to) {
    if (!transaction.anyReplaced()) {
      return;
    }
    for (PlacedVersion version : wrote) {
      if (version.isPinned()) {
        to.of(version.key, version.previous.owner().transaction);
      }
    }
  }

  @Override
  public String toString() {
    return transaction.name() + " at " + begin + " to " + commit;
  }
}
