package io.isotail.ingest.generate;

/**
 * Snapshot isolation, or prefix consistency: a transaction sees the store as it was at its begin,
 * which is any of the last commits, but none before the last of its own session. Under snapshot
 * isolation the first of two concurrent writers of a key wins; without that rule what is left is
 * prefix consistency ([1] Sec. 2.2).
 *
 * <p>[1] Biswas, Enea, On the Complexity of Checking Transactional Consistency, OOPSLA 2019.
 */
final class SnapshotStore implements SimulatedStore {
  private final VersionChains chains;
  private final long[] sessionCommit;
  private final boolean firstCommitterWins;
  private final Prng random;
  private int session;
  private long snapshot;

  SnapshotStore(int keys, int sessions, int lag, boolean firstCommitterWins, Prng random) {
    this.chains = new VersionChains(keys, lag);
    this.sessionCommit = new long[sessions];
    this.firstCommitterWins = firstCommitterWins;
    this.random = random;
  }

  @Override
  public void begin(int ofSession) {
    session = ofSession;
    long from = Math.max(sessionCommit[session], chains.oldest());
    snapshot = from + random.nextLong(chains.now() - from + 1);
  }

  @Override
  public long read(int key) {
    return chains.at(key, snapshot);
  }

  @Override
  public boolean commit(WriteSet writes) {
    for (int i = 0; i < writes.size() && firstCommitterWins; i++) {
      if (chains.lastCommit(writes.key(i)) > snapshot) {
        return false;
      }
    }
    chains.commit(writes);
    sessionCommit[session] = chains.now();
    return true;
  }

  @Override
  public int missed() {
    return (int) (chains.now() - snapshot);
  }
}
