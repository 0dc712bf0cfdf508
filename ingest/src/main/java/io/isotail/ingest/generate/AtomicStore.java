package io.isotail.ingest.generate;

import java.util.ArrayList;
import java.util.List;

/**
 * Read atomic: a session talks to one replica, to which the transactions of the others come whole,
 * but in any order. A transaction thus sees all or nothing of another, as with RAMP [1], but may
 * miss what another one that it sees had seen.
 *
 * <p>[1] Bailis, Fekete, Hellerstein, Ghodsi, Stoica, Scalable Atomic Visibility with RAMP
 * Transactions, SIGMOD 2014.
 */
final class AtomicStore implements SimulatedStore {
  private static final long[] NOTHING_SEEN = {};

  private final Replica[] replicas;
  private final List<List<Replica.Commit>> underway = new ArrayList<>();
  private final int lag;
  private final Prng random;
  private long commits;
  private int at;

  AtomicStore(int keys, int replicaCount, int lag, Prng random) {
    this.replicas = new Replica[replicaCount];
    this.lag = lag;
    this.random = random;
    for (int r = 0; r < replicaCount; r++) {
      replicas[r] = new Replica(keys);
      underway.add(new ArrayList<>());
    }
  }

  @Override
  public void begin(int session) {
    at = session % replicas.length;
    List<Replica.Commit> waiting = underway.get(at);
    int left = random.nextInt(lag + 1);
    while (waiting.size() > left) {
      int any = random.nextInt(waiting.size());
      Replica.Commit last = waiting.remove(waiting.size() - 1);
      Replica.Commit next = any == waiting.size() ? last : waiting.set(any, last);
      replicas[at].apply(next);
    }
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
    Replica.Commit commit = new Replica.Commit(++commits, NOTHING_SEEN, writes);
    replicas[at].apply(commit);
    for (int r = 0; r < replicas.length; r++) {
      if (r != at) {
        underway.get(r).add(commit);
      }
    }
    return true;
  }

  @Override
  public int missed() {
    return underway.get(at).size();
  }
}
