package io.isotail.incremental.changes;

import io.isotail.incremental.snapshot.StateReader;
import io.isotail.incremental.snapshot.StateWriter;
import it.unimi.dsi.fastutil.HashCommon;
import it.unimi.dsi.fastutil.ints.Int2LongOpenHashMap;
import it.unimi.dsi.fastutil.longs.Long2LongOpenHashMap;
import it.unimi.dsi.fastutil.longs.Long2ObjectLinkedOpenHashMap;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import org.jspecify.annotations.Nullable;

/**
 * Captured transactions that wait, and of which it is not known yet which of the log's they are.
 *
 * <p>Two marks behind it the log has told the one that a captured transaction is. If its id was not
 * among those that the captured one has shown, each of the log that it {@linkplain Claim#mayBe may
 * be} is in doubt.
 */
final class Claims {
  private static final int MARKS = 2;

  /** Marks for which a transaction may be committed after nobody knew how it ended. */
  private static final int LATE_MARKS = 3_000;

  /** Transactions of unknown outcome that are kept. */
  private static final int MOST_KEPT = 10_000;

  /** What is known of a transaction of the log. */
  enum Answer {
    /** No captured one that waits is this one. */
    NOBODYS,
    /** That is known with one of the next two marks. */
    NOT_YET,
    /** A captured one may be this one. */
    IN_DOUBT
  }

  private static final class Waiting {
    final Claim claim;
    int marks = MARKS;

    Waiting(Claim claim) {
      this.claim = claim;
    }
  }

  /** By the keys of their transactions. */
  private final Long2ObjectLinkedOpenHashMap<Waiting> waiting =
      new Long2ObjectLinkedOpenHashMap<>();

  private final Int2LongOpenHashMap byId = new Int2LongOpenHashMap();

  /** By the rows that they have removed, and what these showed; see {@link #removal}. */
  private final Long2LongOpenHashMap byRemoval = new Long2LongOpenHashMap();

  boolean isEmpty() {
    return waiting.isEmpty();
  }

  void add(long transaction, Claim claim) {
    add(transaction, new Waiting(claim));
  }

  private void add(long transaction, Waiting each) {
    waiting.putAndMoveToLast(transaction, each);
    each.claim.ids.forEach(id -> byId.put(id, transaction));
    each.claim.removed.forEach((key, version) -> byRemoval.put(removal(key, version), transaction));
  }

  /** A transaction of which nobody knows how it ended was handed on, and may be committed yet. */
  void keep(long transaction, Claim claim) {
    if (waiting.size() < MOST_KEPT) {
      claim.handedOn = true;
      Waiting kept = new Waiting(claim);
      kept.marks = LATE_MARKS;
      add(transaction, kept);
    }
  }

  /** Takes the claim away that has shown an id; null if there is none. */
  @Nullable Claim removeOf(int id) {
    return byId.containsKey(id) ? remove(byId.get(id)) : null;
  }

  /**
   * Takes the claim away that has removed a version of a row, which nobody else can have; null if
   * there is none.
   */
  @Nullable Claim removeOfRemoval(long key, long version) {
    long removal = removal(key, version);
    Waiting found = byRemoval.containsKey(removal) ? waiting.get(byRemoval.get(removal)) : null;
    return found != null
            && found.claim.removed.containsKey(key)
            && found.claim.removed.get(key) == version
        ? remove(byRemoval.get(removal))
        : null;
  }

  private static long removal(long key, long version) {
    return HashCommon.murmurHash3(key ^ HashCommon.murmurHash3(version + 1));
  }

  /** Takes the claim of a transaction away, if there is one. */
  @Nullable Claim remove(long transaction) {
    Waiting found = waiting.remove(transaction);
    if (found == null) {
      return null;
    }
    found.claim.ids.forEach(id -> byId.remove(id, transaction));
    found.claim.removed.forEach(
        (key, version) -> byRemoval.remove(removal(key, version), transaction));
    return found.claim;
  }

  /** The log has a mark. */
  void mark() {
    LongArrayList over = new LongArrayList();
    waiting.forEach(
        (transaction, each) -> {
          each.marks = Math.max(0, each.marks - 1);
          if (each.marks == 0 && each.claim.handedOn) {
            over.add(transaction);
          }
        });
    over.forEach(transaction -> remove(transaction));
  }

  /** Whether a transaction of the log whose id none has shown may be one of them. */
  Answer of(LoggedTransaction logged) {
    Answer answer = Answer.NOBODYS;
    for (Waiting each : waiting.values()) {
      if (each.claim.mayBe(logged)) {
        if (each.marks > 0 && !each.claim.handedOn) {
          return Answer.NOT_YET;
        }
        answer = Answer.IN_DOUBT;
      }
    }
    return answer;
  }

  void clear() {
    waiting.clear();
    byId.clear();
    byRemoval.clear();
  }

  void save(StateWriter out) {
    out.count(waiting.size());
    waiting.forEach(
        (transaction, each) -> {
          out.number(transaction);
          out.number(each.marks);
          each.claim.save(out);
        });
  }

  void load(StateReader in) {
    for (int n = in.count(); n > 0; n--) {
      long transaction = in.number();
      int marks = (int) in.number();
      Waiting each = new Waiting(Claim.load(in));
      each.marks = marks;
      add(transaction, each);
    }
  }
}
