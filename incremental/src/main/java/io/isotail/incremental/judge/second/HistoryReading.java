package io.isotail.incremental.judge.second;

import io.isotail.incremental.anomaly.CapsuleTransaction;
import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.Times;
import io.isotail.incremental.record.VersionKind;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What transactions did: their operations, who committed, who wrote which version and which key,
 * and who came before whom. Transactions have the numbers of their places.
 */
final class HistoryReading {
  private final List<CapsuleTransaction> transactions;
  private final long clockUncertaintyNs;
  private final List<List<Deed>> deeds = new ArrayList<>();
  private final Map<Installed, Set<Integer>> writers = new HashMap<>();
  private final Set<Integer> committed = new HashSet<>();
  private final List<Set<Long>> written = new ArrayList<>();

  /** One operation of a transaction; those after it in a list have higher places. */
  record Deed(
      int place,
      OperationKind kind,
      long key,
      VersionKind versionKind,
      long version,
      boolean undone,
      boolean surelyInitial,
      boolean directlyBeforeNext,
      @Nullable Long replaced,
      @Nullable String table) {

    /** Whether it returned a version, or that there was none. */
    boolean returned() {
      return kind == OperationKind.READ && !undone && versionKind != VersionKind.UNKNOWN;
    }

    /** Whether it wrote or deleted its key for good. */
    boolean changed() {
      return (kind == OperationKind.WRITE || kind == OperationKind.DELETE) && !undone;
    }

    /** Whether it installed this version of this key, be it only for a while. */
    boolean installed(long itsKey, long itsVersion) {
      return kind == OperationKind.WRITE
          && versionKind == VersionKind.KNOWN
          && key == itsKey
          && version == itsVersion;
    }

    /** Whether it may have written any row of a table; both tables may be unknown. */
    boolean mayHaveChanged(@Nullable String itsTable) {
      return kind == OperationKind.OPAQUE
          && !undone
          && (table == null || itsTable == null || table.equals(itsTable));
    }
  }

  private record Installed(long key, long version) {}

  HistoryReading(List<CapsuleTransaction> transactions, long clockUncertaintyNs) {
    this.transactions = transactions;
    this.clockUncertaintyNs = clockUncertaintyNs;
    for (int t = 0; t < transactions.size(); t++) {
      deeds.add(read(transactions.get(t).operations()));
      for (Deed deed : deeds.get(t)) {
        if (deed.changed() && deed.kind == OperationKind.WRITE) {
          writers
              .computeIfAbsent(new Installed(deed.key, deed.version), k -> new TreeSet<>())
              .add(t);
        }
      }
      if (transactions.get(t).outcome() == Outcome.COMMITTED) {
        committed.add(t);
      }
    }
    boolean grown = true;
    while (grown) {
      grown = false;
      for (int t : List.copyOf(committed)) {
        grown |= promoteWritersOf(t);
      }
    }
    for (int t = 0; t < transactions.size(); t++) {
      Set<Long> keys = new TreeSet<>();
      for (Deed deed : deeds.get(t)) {
        if (deed.changed() && committed.contains(t)) {
          keys.add(deed.key);
        }
      }
      written.add(keys);
    }
  }

  private static List<Deed> read(Operations ops) {
    List<Deed> read = new ArrayList<>();
    for (int i = 0; i < ops.size(); i++) {
      read.add(
          new Deed(
              i,
              ops.kind(i),
              ops.key(i),
              ops.versionKind(i),
              ops.version(i),
              ops.undone(i),
              ops.surelyInitial(i),
              ops.listedBefore(i),
              ops.replaces(i) ? (Long) ops.replaced(i) : null,
              ops.statement(i).table()));
    }
    return read;
  }

  /**
   * A transaction of unknown outcome has committed if one that committed read what nobody else can
   * have written: no other one wrote it, nor had the reader itself written the key.
   */
  private boolean promoteWritersOf(int reader) {
    boolean grown = false;
    for (Deed read : deeds.get(reader)) {
      boolean listed = read.kind == OperationKind.LISTED && !read.undone;
      if ((listed || read.returned())
          && read.versionKind == VersionKind.KNOWN
          && !isOwn(reader, read, listed)) {
        Set<Integer> others = new TreeSet<>(writersForGood(read.key, read.version));
        others.remove(reader);
        for (int only : others) {
          boolean unknown = transactions.get(only).outcome() == Outcome.UNKNOWN;
          grown |= others.size() == 1 && unknown && committed.add(only);
        }
      }
    }
    return grown;
  }

  /** Of a list any element may be the reader's own; of another read, what it returned is. */
  private boolean isOwn(int reader, Deed read, boolean listed) {
    return listed
        ? deeds.get(reader).subList(0, read.place).stream()
            .anyMatch(deed -> deed.changed() && deed.installed(read.key, read.version))
        : ownWrite(reader, read) != null;
  }

  int size() {
    return transactions.size();
  }

  CapsuleTransaction transaction(int t) {
    return transactions.get(t);
  }

  /** All that a transaction did, in program order. */
  List<Deed> deeds(int t) {
    return deeds.get(t);
  }

  boolean committed(int t) {
    return committed.contains(t);
  }

  /** Whether a transaction committed, or may have. */
  boolean mayHaveCommitted(int t) {
    return committed(t) || transactions.get(t).outcome() == Outcome.UNKNOWN;
  }

  /** The transactions that wrote a version and did not undo that, whatever became of them. */
  Set<Integer> writersForGood(long key, long version) {
    return writers.getOrDefault(new Installed(key, version), Set.of());
  }

  /** Whether any transaction wrote a version, be it undone or rolled back. */
  boolean anybodyInstalled(long key, long version) {
    return deeds.stream()
        .anyMatch(each -> each.stream().anyMatch(deed -> deed.installed(key, version)));
  }

  /** The last write of the key by the reader itself before its read, or null. */
  @Nullable Deed ownWrite(int reader, Deed read) {
    return lastWrite(deeds.get(reader).subList(0, read.place), read.key);
  }

  /** The last write of the key among these, or null. */
  static @Nullable Deed lastWrite(List<Deed> among, long key) {
    Deed last = null;
    for (Deed deed : among) {
      last = deed.changed() && deed.key == key ? deed : last;
    }
    return last;
  }

  /** The keys that a transaction wrote or deleted for good; none if it has not committed. */
  Set<Long> written(int t) {
    return written.get(t);
  }

  /** Whether both are of one session, the first one earlier. */
  boolean earlierInSession(int first, int later) {
    CapsuleTransaction a = transactions.get(first);
    CapsuleTransaction b = transactions.get(later);
    return a.session().id() == b.session().id() && a.position() < b.position();
  }

  /** Whether the first is believed to have ended before the other began. */
  boolean endedBefore(int first, int later) {
    Times a = transactions.get(first).times();
    Times b = transactions.get(later).times();
    if (!a.orderable() || !b.orderable() || !a.hasEnd()) {
      return false;
    }
    BigInteger apartNs = BigInteger.valueOf(b.beginNs()).subtract(BigInteger.valueOf(a.endNs()));
    boolean sameClock = a.clock() == null ? b.clock() == null : a.clock().equals(b.clock());
    boolean compared = clockUncertaintyNs >= 0 && clockUncertaintyNs < Long.MAX_VALUE;
    return sameClock
        ? apartNs.signum() > 0
        : compared && apartNs.compareTo(BigInteger.valueOf(clockUncertaintyNs)) > 0;
  }
}
