package io.isotail.ingest.generate;

/**
 * Read committed: each read of a transaction sees the store as it was at one of the last commits,
 * and none at an earlier one than the read before it. The commits in their order are then a commit
 * order by [1] Def. 2.6: what a read has seen was committed before all that a later one sees.
 *
 * <p>[1] Møldrup, Pavlogiannis, AWDIT: An Optimal Weak Database Isolation Tester, PLDI 2025.
 */
final class CommittedStore implements SimulatedStore {
  private final VersionChains chains;
  private final Prng random;
  private long seen;
  private long begun;

  CommittedStore(int keys, int lag, Prng random) {
    this.chains = new VersionChains(keys, lag);
    this.random = random;
  }

  @Override
  public void begin(int session) {
    seen = chains.oldest() + random.nextLong(chains.now() - chains.oldest() + 1);
    begun = seen;
  }

  @Override
  public long read(int key) {
    if (random.nextInt(2) == 0) {
      seen += random.nextLong(chains.now() - seen + 1);
    }
    return chains.at(key, seen);
  }

  @Override
  public boolean commit(WriteSet writes) {
    chains.commit(writes);
    return true;
  }

  @Override
  public int missed() {
    return (int) (chains.now() - begun);
  }
}
