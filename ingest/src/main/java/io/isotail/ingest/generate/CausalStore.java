package io.isotail.ingest.generate;

import java.util.ArrayDeque;

/**
 * Causal consistency: a session talks to one replica; a replica applies the transactions of another
 * in the order in which they committed there, and each only after all that it had seen. Whatever
 * happens before a transaction is therefore visible to it, and the numbers of the commits, by which
 * the last writer wins, are a commit order by [1] Def. 2.8.
 *
 * <p>[1] Møldrup, Pavlogiannis, AWDIT: An Optimal Weak Database Isolation Tester, PLDI 2025.
 */
final class CausalStore implements SimulatedStore {

  private final Replica[] replicas;

  /** By replica and origin: what is on its way, in the order of the origin. */
  private final ArrayDeque<Replica.Commit>[][] underway;

  /** By replica and origin: how many commits of the origin the replica has applied. */
  private final long[][] applied;

  private final int[] waiting;
  private final int lag;
  private final Prng random;
  private long commits;
  private int at;

  CausalStore(int keys, int replicaCount, int lag, Prng random) {
    this.replicas = new Replica[replicaCount];
    this.underway = newQueues(replicaCount);
    this.applied = new long[replicaCount][replicaCount];
    this.waiting = new int[replicaCount];
    this.lag = lag;
    this.random = random;
    for (int r = 0; r < replicaCount; r++) {
      replicas[r] = new Replica(keys);
      for (int origin = 0; origin < replicaCount; origin++) {
        underway[r][origin] = new ArrayDeque<>();
      }
    }
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private static ArrayDeque<Replica.Commit>[][] newQueues(int count) {
    return new ArrayDeque[count][count];
  }

  @Override
  public void begin(int session) {
    at = session % replicas.length;
    int left = random.nextInt(lag + 1);
    while (waiting[at] > left) {
      deliverOne();
    }
  }

  /** Some origin's next can be applied: at least the oldest commit of all. */
  private void deliverOne() {
    int first = random.nextInt(replicas.length);
    for (int i = 0; i < replicas.length; i++) {
      int origin = (first + i) % replicas.length;
      Replica.Commit next = underway[at][origin].peek();
      if (next != null && hasAll(next)) {
        underway[at][origin].remove();
        replicas[at].apply(next);
        applied[at][origin]++;
        waiting[at]--;
        return;
      }
    }
    throw new IllegalStateException("replica %d: every transaction waits".formatted(at));
  }

  private boolean hasAll(Replica.Commit transaction) {
    for (int origin = 0; origin < replicas.length; origin++) {
      if (applied[at][origin] < transaction.seen[origin]) {
        return false;
      }
    }
    return true;
  }

  @Override
  public long read(int key) {
    return replicas[at].read(key);
  }

  @Override
  public boolean commit(WriteSet writes) {
    if (writes.size() == 0) {
      return true;
    }
    long[] seen = applied[at].clone();
    Replica.Commit commit = new Replica.Commit(++commits, seen, writes);
    replicas[at].apply(commit);
    applied[at][at]++;
    for (int r = 0; r < replicas.length; r++) {
      if (r != at) {
        underway[r][at].add(commit);
        waiting[r]++;
      }
    }
    return true;
  }

  @Override
  public int missed() {
    return waiting[at];
  }
}
