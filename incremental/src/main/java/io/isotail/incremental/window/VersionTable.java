package io.isotail.incremental.window;

import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.VersionKind;
import it.unimi.dsi.fastutil.HashCommon;
import it.unimi.dsi.fastutil.objects.ObjectOpenCustomHashSet;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Every version that may still be read, by key and version.
 *
 * <p>Versions of transactions in the window are all kept. Those of truncated transactions are the
 * snapshot: they are kept in the order of truncation up to a bound, and what was evicted can only
 * be answered with "don't know".
 */
public final class VersionTable {
  private final ObjectOpenCustomHashSet<Version> versions =
      new ObjectOpenCustomHashSet<>(
          new it.unimi.dsi.fastutil.Hash.Strategy<Version>() {
            @Override
            public int hashCode(Version v) {
              return (int) HashCommon.mix(v.key * 31 + v.version);
            }

            @Override
            public boolean equals(@Nullable Version a, @Nullable Version b) {
              return a == b || (a != null && b != null && a.key == b.key && a.version == b.version);
            }
          });
  private final Version probe = new Version(0, 0);
  private final ArrayDeque<Version> retired = new ArrayDeque<>();
  private final int maxRetired;
  private long evicted;
  private long duplicates;
  private long shared;

  /**
   * An empty table that remembers at most {@code maxRetired} versions of truncated transactions.
   */
  public VersionTable(int maxRetired) {
    this.maxRetired = maxRetired;
  }

  /** The version, or null if nobody is known to have written it or to wait for it. */
  public @Nullable Version find(long key, long version) {
    probe.key = key;
    probe.version = version;
    return versions.get(probe);
  }

  /** The version, made if need be. */
  public Version findOrAdd(long key, long version) {
    Version found = find(key, version);
    if (found == null) {
      found = new Version(key, version);
      versions.add(found);
    }
    return found;
  }

  /**
   * Enters every write of a transaction.
   *
   * @return the versions that somebody waited for
   */
  public List<Version> register(Txn writer) {
    List<Version> awaited = List.of();
    Operations ops = writer.operations;
    for (int i = 0; i < ops.size(); i++) {
      if (ops.kind(i) != OperationKind.WRITE || ops.versionKind(i) != VersionKind.KNOWN) {
        continue;
      }
      Version version = findOrAdd(ops.key(i), ops.version(i));
      noteDuplicate(version, writer);
      version.add(candidate(writer, i));
      if (version.awaited()) {
        if (awaited.isEmpty()) {
          awaited = new ArrayList<>(2);
        }
        if (!awaited.contains(version)) {
          awaited.add(version);
        }
      }
    }
    return awaited;
  }

  /** The writer's versions become part of the snapshot. Called before the writer is stripped. */
  public void retire(Txn writer) {
    Operations ops = writer.operations;
    for (int i = 0; i < ops.size(); i++) {
      if (ops.kind(i) == OperationKind.WRITE && ops.versionKind(i) == VersionKind.KNOWN) {
        Version version = find(ops.key(i), ops.version(i));
        if (version != null) {
          retired.add(version);
        }
      }
    }
    while (retired.size() > maxRetired) {
      evict(retired.remove());
    }
  }

  /** Forgets a version that nobody wrote and nobody waits for. */
  public void removeIfUnused(Version version) {
    if (version.size() == 0 && !version.awaited()) {
      versions.remove(version);
    }
  }

  /** Whether a version may have been forgotten. */
  public boolean anyEvicted() {
    return evicted > 0;
  }

  /** Versions that more than one committed transaction installed. */
  public long duplicates() {
    return duplicates;
  }

  /** Writes of a version that another transaction had written too, aborted ones included. */
  public long shared() {
    return shared;
  }

  /** Number of versions kept. */
  public int size() {
    return versions.size();
  }

  private void evict(Version version) {
    if (version.retired() && !version.awaited() && versions.get(version) == version) {
      versions.remove(version);
      evicted++;
    }
  }

  private void noteDuplicate(Version version, Txn writer) {
    if (version.size() > 0 && version.candidate(version.size() - 1).writer != writer) {
      shared++;
    }
    if (!writer.committed || version.size() == 0) {
      return;
    }
    for (int i = 0; i < version.size(); i++) {
      Txn other = version.candidate(i).writer;
      if (other == writer || !other.committed) {
        return;
      }
    }
    duplicates++;
  }

  private static Version.Candidate candidate(Txn writer, int i) {
    Operations ops = writer.operations;
    boolean undone = ops.undone(i);
    int index = writer.writeIndex(ops.key(i));
    if (undone || index < 0 || writer.finalWrites[index] == i) {
      return new Version.Candidate(writer, i, undone, Version.Finality.FINAL, 0);
    }
    int last = writer.finalWrites[index];
    Version.Finality finality;
    if (ops.kind(last) == OperationKind.DELETE) {
      finality = Version.Finality.DELETED;
    } else if (ops.versionKind(last) != VersionKind.KNOWN) {
      finality = Version.Finality.UNKNOWN;
    } else if (ops.version(last) == ops.version(i)) {
      finality = Version.Finality.FINAL;
    } else {
      finality = Version.Finality.OVERWRITTEN;
    }
    return new Version.Candidate(writer, i, false, finality, ops.version(last));
  }
}
