package io.isotail.incremental.reads;

import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.VersionKind;
import io.isotail.incremental.window.GraphReader;
import io.isotail.incremental.window.GraphWriter;
import io.isotail.incremental.window.Transaction;
import io.isotail.incremental.window.Version;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Every version that may still be read, by key and version.
 *
 * <p>Versions of transactions in the window are all kept. Those of truncated transactions are the
 * snapshot: they are kept in the order of truncation up to a bound, and what was evicted can only
 * be answered with "don't know".
 *
 * <p>Nearly every version has one writer and nobody waits for it. The table then holds the writer
 * itself; anything else is a {@link Version}.
 */
public final class VersionTable {
  /** So many numbers stand in the queue for each retired version. */
  private static final int RETIRED = 3;

  private final VersionMap map = new VersionMap();

  /** What need not be looked up once more. */
  private final KnownLists lists = new KnownLists();

  /** Table, key and version, in turn, of what truncated transactions wrote. */
  private final LongQueue retired = new LongQueue();

  private final int maxRetired;
  private final LeftWriters left;

  /** Scratch: table, key and version, in turn, of what is evicted. */
  private final long[] oldest = new long[8 * RETIRED];

  /** What was read in advance goes here, so that the loads are not dropped as useless. */
  @SuppressWarnings("UnusedVariable")
  private int prefetched;

  /** Arrival of the latest transaction with a version that counts as that of nobody captured. */
  private long latestUnentered = -1;

  private long evicted;
  private long duplicates;
  private long shared;

  /**
   * An empty table that remembers at most {@code maxRetired} versions of truncated transactions.
   *
   * @param left is told of these
   */
  public VersionTable(int maxRetired, LeftWriters left) {
    this.maxRetired = maxRetired;
    this.left = left;
  }

  /**
   * The only transaction that wrote the version, as its last one of the key and by a write that was
   * not undone; null where there is none, or where more is to be said.
   */
  public @Nullable Transaction soleWriter(long key, long version) {
    return map.get(key, version) instanceof Transaction writer ? writer : null;
  }

  /** Whether a transaction that nobody captured stands for the writer of the version. */
  boolean isOfUncaptured(long key, long version) {
    Object entry = map.get(key, version);
    return entry instanceof Transaction writer
        ? writer.uncaptured()
        : entry instanceof Version found && found.uncaptured();
  }

  /** The lists of which all elements are decided. */
  KnownLists lists() {
    return lists;
  }

  /**
   * How many operations behind this one read elements of a list that are known to have been written
   * by one transaction each, which has been delivered.
   */
  public int knownElements(Operations ops, int i) {
    return lists.common(ops, i);
  }

  /** The version, or null if nobody is known to have written it or to wait for it. */
  public @Nullable Version find(long key, long version) {
    Object entry = map.get(key, version);
    return entry instanceof Transaction writer ? described(key, version, writer) : (Version) entry;
  }

  /** The version, made if need be; what is added to it stays. */
  public Version findOrAdd(long key, long version) {
    Object entry = map.get(key, version);
    if (entry instanceof Version found) {
      return found;
    }
    Version added =
        entry instanceof Transaction writer
            ? described(key, version, writer)
            : new Version(key, version);
    map.put(added);
    return added;
  }

  /**
   * Brings into the processor's cache what the lookups of these operations will need: all at once,
   * since none of these loads waits for another one. Changes nothing.
   */
  public void prefetch(Operations ops) {
    int sum = 0;
    for (int i = 0; i < ops.size(); i++) {
      sum += map.prefetch(ops.key(i), ops.version(i));
      i += lists.common(ops, i);
    }
    for (int i = 0; i < ops.size(); i++) {
      if (ops.kind(i) == OperationKind.READ
          && map.guess(ops.key(i), ops.version(i)) instanceof Transaction writer) {
        sum += writer.seq;
      }
    }
    prefetched = sum;
  }

  /**
   * Enters every write of a transaction.
   *
   * @return the versions that somebody waited for
   */
  public List<Version> register(Transaction writer) {
    List<Version> awaited = List.of();
    Operations ops = writer.operations;
    for (int i = 0; i < ops.size(); i++) {
      if (ops.kind(i) != OperationKind.WRITE || ops.versionKind(i) != VersionKind.KNOWN) {
        continue;
      }
      Version version = register(writer, i);
      if (version != null && version.awaited()) {
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

  /**
   * Enters one write of a known version.
   *
   * @return the version, unless the writer is the only one and nobody waits
   */
  @Nullable Version register(Transaction writer, int write) {
    Operations ops = writer.operations;
    long key = ops.key(write);
    if (isLast(writer, write) && map.putIfAbsent(key, ops.version(write), writer) == null) {
      return null;
    }
    Version version = findOrAdd(key, ops.version(write));
    if (version.size() > 0) {
      lists.forget(key);
    }
    if (!version.uncaptured()) {
      noteDuplicate(version, writer);
      version.add(candidate(writer, write));
    } else {
      latestUnentered = Math.max(latestUnentered, writer.arrival);
    }
    return version;
  }

  /**
   * A transaction that has left the window is the writer of what {@code read} returned, and nobody
   * else is.
   */
  void registerRetired(Operations ops, int read, Transaction writer) {
    if (map.putIfAbsent(ops.key(read), ops.version(read), writer) == null) {
      addRetired(ops, read);
    }
  }

  private void addRetired(Operations ops, int i) {
    int table = left.table(ops, i);
    retire(table, ops.key(i), ops.version(i));
    left.retired(table, ops.key(i));
  }

  private void retire(long table, long key, long version) {
    retired.enqueue(table);
    retired.enqueue(key);
    retired.enqueue(version);
  }

  /** Whether exactly one transaction is known to have written the version, and was captured. */
  boolean hasOneWriter(long key, long version) {
    Object entry = map.get(key, version);
    return entry instanceof Version found
        ? found.size() == 1 && !found.uncaptured()
        : entry instanceof Transaction writer && !writer.uncaptured();
  }

  /**
   * Whether each version that a captured transaction wrote is entered as its own, so that it stays
   * here as long as a level holds the transaction.
   */
  boolean isEntered(Transaction writer) {
    return writer.arrival > latestUnentered;
  }

  /** Whether somebody is known to have written the version. */
  boolean hasWriter(long key, long version) {
    Object entry = map.get(key, version);
    return entry instanceof Transaction || (entry instanceof Version found && found.size() > 0);
  }

  /** The writer's versions become part of the snapshot. Called before the writer is stripped. */
  public void retire(Transaction writer) {
    Operations ops = writer.operations;
    for (int i = 0; i < ops.size(); i++) {
      if (ops.kind(i) != OperationKind.WRITE || ops.versionKind(i) != VersionKind.KNOWN) {
        continue;
      }
      addRetired(ops, i);
    }
    // What is kept goes to the end of the queue: each is looked at once, so that this ends.
    long most = 2L * RETIRED * ops.size() + oldest.length;
    while (retired.size() > (long) RETIRED * maxRetired && most > 0) {
      int some = (int) Math.min(oldest.length, retired.size() - (long) RETIRED * maxRetired);
      evictSome(some);
      most -= some;
    }
  }

  /** Looks all of them up at once before it takes each out. */
  private void evictSome(int numbers) {
    int sum = 0;
    for (int i = 0; i < numbers; i += RETIRED) {
      oldest[i] = retired.dequeueLong();
      oldest[i + 1] = retired.dequeueLong();
      oldest[i + 2] = retired.dequeueLong();
      sum += map.prefetch(oldest[i + 1], oldest[i + 2]);
    }
    prefetched = sum;
    for (int i = 0; i < numbers; i += RETIRED) {
      evict(oldest[i], oldest[i + 1], oldest[i + 2]);
    }
  }

  /** Forgets a version that nobody wrote and nobody waits for. */
  public void removeIfUnused(Version version) {
    if (version.size() == 0 && !version.awaited()) {
      map.remove(version.key, version.version);
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
    return map.size();
  }

  /**
   * One of which a graph still holds a writer must not look as if nobody had written it; one that
   * somebody waits for, or of which a writer is in the window, is looked at again.
   */
  private void evict(long table, long key, long version) {
    Object entry = map.get(key, version);
    boolean stays =
        entry instanceof Version found
            ? !found.retired() || found.awaited() || found.held()
            : entry instanceof Transaction sole
                && (sole.state != Transaction.State.TRUNCATED || sole.held > 0);
    if (stays) {
      retire(table, key, version);
      return;
    }
    if (entry != null) {
      lists.forget(key);
      map.remove(key, version);
      evicted++;
    }
    left.forgotten(table, key);
  }

  /** Tells the key of each version of the snapshot, with its table. */
  void forEachRetired(LeftWriters.KeyOfTable each) {
    retired.forEachTriple((table, key, version) -> each.accept(table, key));
  }

  private void noteDuplicate(Version version, Transaction writer) {
    if (version.size() > 0 && version.candidate(version.size() - 1).writer != writer) {
      shared++;
    }
    if (!writer.committed || version.size() == 0) {
      return;
    }
    for (int i = 0; i < version.size(); i++) {
      Transaction other = version.candidate(i).writer;
      if (other == writer || !other.committed) {
        return;
      }
    }
    duplicates++;
  }

  private static Version described(long key, long version, Transaction writer) {
    Version described = new Version(key, version);
    Operations ops = writer.operations;
    for (int i = 0; i < ops.size(); i++) {
      if (ops.kind(i) == OperationKind.WRITE
          && ops.versionKind(i) == VersionKind.KNOWN
          && ops.key(i) == key
          && ops.version(i) == version
          && !ops.undone(i)) {
        described.add(candidate(writer, i));
        return described;
      }
    }
    // The operations of a truncated writer are gone.
    described.add(new Version.Candidate(writer, -1, false, Version.Finality.FINAL, 0));
    return described;
  }

  private static boolean isLast(Transaction writer, int i) {
    int index = writer.writeIndex(writer.operations.key(i));
    return index >= 0 && writer.finalWrite(index) == i && !writer.operations.undone(i);
  }

  private static Version.Candidate candidate(Transaction writer, int i) {
    Operations ops = writer.operations;
    boolean undone = ops.undone(i);
    int index = writer.writeIndex(ops.key(i));
    if (undone || index < 0 || writer.finalWrite(index) == i) {
      return new Version.Candidate(writer, i, undone, Version.Finality.FINAL, 0);
    }
    int last = writer.finalWrite(index);
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

  /** Saves the versions, and the order in which those of the snapshot are to be evicted. */
  public void save(GraphWriter out) {
    map.save(out);
    out.out.later(retired.cut());
    out.out.number(latestUnentered);
    out.out.number(evicted);
    out.out.number(duplicates);
    out.out.number(shared);
  }

  /** Takes back what {@link #save} saved. */
  public void load(GraphReader in) {
    map.load(in);
    retired.load(in.in);
    latestUnentered = in.in.number();
    evicted = in.in.number();
    duplicates = in.in.number();
    shared = in.in.number();
  }
}
