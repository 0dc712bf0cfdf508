package io.isotail.incremental.window;

import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.snapshot.Numbered;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One version of a key: its possible writers, and the transactions that wait to know.
 *
 * <p>Nearly always there is one writer; the rest is kept in a list that is made on demand.
 */
public final class Version extends Numbered {
  /** One write of the version. */
  public static final class Candidate {
    /** The writer; truncated once it has left the window. */
    public final Transaction writer;

    /** The operation of the writer. */
    public final int operation;

    /** Whether the write was undone. */
    public final boolean undone;

    /** Whether it is the writer's last version of the key, as far as is known. */
    public final Finality finality;

    /** The last version of the key by the same writer, where this is an intermediate one. */
    public final long lastVersion;

    /** A write. */
    public Candidate(
        Transaction writer, int operation, boolean undone, Finality finality, long lastVersion) {
      this.writer = writer;
      this.operation = operation;
      this.undone = undone;
      this.finality = finality;
      this.lastVersion = lastVersion;
    }

    /** Whether its client never learnt whether the writer committed, and nothing else tells. */
    public boolean mayHaveCommitted() {
      return !undone && !writer.committed && writer.outcome == Outcome.UNKNOWN;
    }
  }

  /** Whether a version is its writer's last one of the key. */
  public enum Finality {
    /** It is. */
    FINAL,
    /** The writer overwrote it with another version. */
    OVERWRITTEN,
    /** The writer deleted the key afterwards. */
    DELETED,
    /** The writer wrote the key again and the version of that write is unknown. */
    UNKNOWN
  }

  /** The key. */
  public long key;

  /** The version. */
  public long version;

  private @Nullable Candidate first;
  private @Nullable List<Candidate> more;
  private @Nullable List<Transaction> waiters;

  /** A version without writers. */
  public Version(long key, long version) {
    this.key = key;
    this.version = version;
  }

  /** Number of writers. */
  public int size() {
    return first == null ? 0 : more == null ? 1 : 1 + more.size();
  }

  /** Writer {@code i}, in order of arrival. */
  public Candidate candidate(int i) {
    if (i == 0 && first != null) {
      return first;
    }
    if (more == null) {
      throw new IndexOutOfBoundsException(i);
    }
    return more.get(i - 1);
  }

  /** Adds a writer; a later write of the same transaction takes the place of its earlier one. */
  public void add(Candidate candidate) {
    if (first == null) {
      first = candidate;
    } else if (first.writer == candidate.writer) {
      first = keep(first, candidate);
    } else {
      if (more == null) {
        more = new ArrayList<>(1);
      }
      for (int i = 0; i < more.size(); i++) {
        if (more.get(i).writer == candidate.writer) {
          more.set(i, keep(more.get(i), candidate));
          return;
        }
      }
      more.add(candidate);
    }
  }

  /**
   * Whether a transaction that nobody captured stands for the writer. It still does if the real
   * writer arrives late, because the graphs hold what was read from it.
   */
  public boolean uncaptured() {
    return first != null && first.writer.uncaptured();
  }

  /** Whether every writer has left the window. */
  public boolean retired() {
    for (int i = 0; i < size(); i++) {
      if (candidate(i).writer.state != Transaction.State.TRUNCATED) {
        return false;
      }
    }
    return true;
  }

  /** Whether a level holds any of its writers. */
  public boolean held() {
    for (int i = 0; i < size(); i++) {
      if (candidate(i).writer.held > 0) {
        return true;
      }
    }
    return false;
  }

  /** Remembers a transaction that read the version before any writer arrived. */
  public void addWaiter(Transaction reader) {
    if (waiters == null) {
      waiters = new ArrayList<>(2);
    }
    waiters.add(reader);
  }

  /** Forgets a waiting transaction. */
  public void removeWaiter(Transaction reader) {
    if (waiters != null) {
      waiters.remove(reader);
      if (waiters.isEmpty()) {
        waiters = null;
      }
    }
  }

  /** Whether anybody waits. */
  public boolean awaited() {
    return waiters != null;
  }

  /** Takes the waiting transactions out. */
  public List<Transaction> takeWaiters() {
    List<Transaction> taken = waiters == null ? List.of() : waiters;
    waiters = null;
    return taken;
  }

  private static Candidate keep(Candidate earlier, Candidate later) {
    // An undone write never hides one that took effect.
    return later.undone && !earlier.undone ? earlier : later;
  }

  void save(GraphWriter out) {
    out.out.number(key);
    out.out.number(version);
    out.out.count(size());
    for (int i = 0; i < size(); i++) {
      Candidate candidate = candidate(i);
      out.transaction(candidate.writer);
      out.out.number(candidate.operation);
      out.out.flag(candidate.undone);
      out.out.constant(candidate.finality);
      out.out.number(candidate.lastVersion);
    }
    out.transactions(waiters);
  }

  static Version load(GraphReader in) {
    Version loaded = new Version(in.in.number(), in.in.number());
    int candidates = in.in.count();
    for (int i = 0; i < candidates; i++) {
      loaded.add(
          new Candidate(
              in.transaction(),
              in.in.smallNumber(),
              in.in.flag(),
              in.in.constant(Finality.class),
              in.in.number()));
    }
    in.in.require(loaded.size() == candidates, "writers of one version are equal");
    loaded.waiters = in.transactionsOrNull();
    return loaded;
  }
}
