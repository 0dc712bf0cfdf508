package io.isotail.incremental.postgres;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * PostgreSQL's isolation, simulated: rows with versions, snapshots, row locks, and serializable
 * snapshot isolation [1] as PostgreSQL has it, which looks at serializable transactions alone.
 *
 * <p>It detects that a transaction read what another one overwrote only where the second overwrote
 * that very version. PostgreSQL notices more by chance, so that this database lets more happen.
 *
 * <p>[1] Ports, Grittner, Serializable Snapshot Isolation in PostgreSQL, VLDB 2012.
 */
final class SerializableDatabase {
  private final boolean detects;
  private final Map<Integer, List<Version>> rows = new HashMap<>();
  private final Map<Integer, Running> locks = new HashMap<>();
  private final List<Running> serializable = new ArrayList<>();
  private long commits;
  private long versions;

  /** A level at which a transaction runs. */
  enum Level {
    READ_COMMITTED,
    REPEATABLE_READ,
    SERIALIZABLE
  }

  /** A version of a row. The first one of each row is the initial one, which nobody wrote. */
  record Version(long number, Running writer) {
    static final Version INITIAL = new Version(0, null);

    private long committedAt() {
      return writer == null ? 0 : writer.committedAt;
    }
  }

  /** What became of a step. */
  enum Step {
    DONE,
    /** Somebody else holds the row's lock. */
    WAITS,
    ABORTED
  }

  /** A database that aborts what is not serializable, or fails to. */
  SerializableDatabase(boolean detects) {
    this.detects = detects;
  }

  /** A transaction. */
  final class Running {
    final Level level;

    /** For each row that it read from others, what it read first. */
    final Map<Integer, Version> reads = new LinkedHashMap<>();

    /** For each row that it wrote, its version. */
    final Map<Integer, Version> writes = new LinkedHashMap<>();

    /** For each row that it wrote, what it overwrote. */
    final Map<Integer, Version> overwrote = new LinkedHashMap<>();

    private final Set<Running> before = new HashSet<>();
    private final Set<Running> after = new HashSet<>();
    private final long snapshot = commits;
    private boolean doomed;

    /** 0 until it has committed. */
    long committedAt;

    Running(Level level) {
      this.level = level;
      if (level == Level.SERIALIZABLE) {
        serializable.add(this);
      }
    }

    /** Reads a row; null where it is aborted instead. */
    Version read(int row) {
      Version own = writes.get(row);
      if (own != null) {
        return own;
      }
      long until = level == Level.READ_COMMITTED ? commits : snapshot;
      List<Version> all = versions(row);
      int i = all.size() - 1;
      while (all.get(i).committedAt() > until) {
        i--;
      }
      Version read = all.get(i);
      reads.putIfAbsent(row, read);
      if (i + 1 < all.size()) {
        noteMissed(this, all.get(i + 1).writer);
      } else if (locks.get(row) != null) {
        noteMissed(this, locks.get(row));
      }
      return doomed ? null : read;
    }

    /** Overwrites a row. */
    Step write(int row) {
      if (doomed) {
        return Step.ABORTED;
      }
      Running holder = locks.get(row);
      if (holder != null && holder != this) {
        return Step.WAITS;
      }
      List<Version> all = versions(row);
      Version last = all.get(all.size() - 1);
      if (level != Level.READ_COMMITTED && last.committedAt() > snapshot) {
        return Step.ABORTED;
      }
      locks.put(row, this);
      overwrote.putIfAbsent(row, last);
      writes.put(row, new Version(++versions, this));
      for (Running reader : serializable) {
        boolean overlaps = reader.committedAt == 0 || reader.committedAt > snapshot;
        if (overlaps && reader.reads.get(row) == last) {
          noteMissed(reader, this);
        }
      }
      return doomed ? Step.ABORTED : Step.DONE;
    }

    /** Commits; false where it is aborted instead. */
    boolean commit() {
      if (doomed || (detects && level == Level.SERIALIZABLE && isDangerous())) {
        return false;
      }
      committedAt = ++commits;
      writes.forEach(
          (row, version) -> {
            versions(row).add(version);
            locks.remove(row);
          });
      return true;
    }

    /** Rolls back. */
    void abort() {
      writes.keySet().forEach(locks::remove);
      before.forEach(each -> each.after.remove(this));
      after.forEach(each -> each.before.remove(this));
      serializable.remove(this);
    }

    /** Whether it may not commit; dooms those that may not after it. */
    private boolean isDangerous() {
      // It is the one in the middle, and the last one has committed first.
      for (Running last : after) {
        for (Running first : before) {
          if (last.committedAt > 0 && isDangerous(first, this, last)) {
            return true;
          }
        }
      }
      // It is the first one.
      for (Running middle : after) {
        for (Running last : middle.after) {
          boolean lastIsFirst =
              last.committedAt > 0
                  && (middle.committedAt == 0 || last.committedAt < middle.committedAt);
          if (lastIsFirst && isDangerous(this, middle, last)) {
            return true;
          }
        }
      }
      // It is the last one, and commits first.
      for (Running middle : before) {
        for (Running first : middle.before) {
          if (middle.committedAt == 0 && (first == this || first.committedAt == 0)) {
            middle.doomed = true;
          }
        }
      }
      return false;
    }

    private boolean isDangerous(Running first, Running middle, Running last) {
      boolean lastIsFirst =
          first == last || first.committedAt == 0 || first.committedAt > last.committedAt;
      boolean readsOnly = first.writes.isEmpty() && (first == this || first.committedAt > 0);
      return lastIsFirst && (!readsOnly || last.committedAt <= first.snapshot);
    }
  }

  /** Begins a transaction, with its snapshot. */
  Running begin(Level level) {
    return new Running(level);
  }

  /** All versions of a row that were committed, in order. */
  List<Version> versions(int row) {
    return rows.computeIfAbsent(row, r -> new ArrayList<>(List.of(Version.INITIAL)));
  }

  private void noteMissed(Running reader, Running writer) {
    boolean bothKept =
        reader.level == Level.SERIALIZABLE
            && writer.level == Level.SERIALIZABLE
            && reader != writer;
    if (bothKept && detects) {
      reader.after.add(writer);
      writer.before.add(reader);
      boolean fails =
          writer.committedAt > 0
              && writer.after.stream()
                  .anyMatch(last -> last.committedAt > 0 && last.committedAt < writer.committedAt);
      reader.doomed |= fails && !reader.writes.isEmpty();
    }
  }
}
