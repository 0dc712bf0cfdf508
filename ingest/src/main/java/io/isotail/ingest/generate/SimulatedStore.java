package io.isotail.ingest.generate;

import io.isotail.incremental.level.IsolationLevel;

/**
 * A store that lets its clients see what an isolation level allows. One transaction runs at a time,
 * from begin to commit; concurrency is what it does not see of those before it.
 */
interface SimulatedStore {
  /** The version that stands for a key that nobody has written. */
  long INITIAL = 0;

  /** The next transaction is one of that session. */
  void begin(int session);

  /** The version that the transaction finds, {@link #INITIAL} for none. */
  long read(int key);

  /**
   * Tries to install what the transaction wrote.
   *
   * @return whether it took effect; false for the loser of a conflict
   */
  boolean commit(WriteSet writes);

  /** How many of the last commits the transaction, just begun, may have missed. */
  int missed();

  /**
   * A store for the configured level.
   *
   * @throws IllegalArgumentException if no store can be held to that level
   */
  static SimulatedStore of(GenerateConfig config, Prng random) {
    int keys = config.shape().keys();
    int sessions = config.traffic().sessions();
    return switch (config.level()) {
      case SERIALIZABLE -> new SerialStore(keys);
      case SNAPSHOT_ISOLATION, PREFIX ->
          new SnapshotStore(
              keys,
              sessions,
              config.lag(),
              config.level() == IsolationLevel.SNAPSHOT_ISOLATION,
              random);
      case CAUSAL -> new CausalStore(keys, config.replicas(), config.lag(), random);
      case READ_ATOMIC -> new AtomicStore(keys, config.replicas(), config.lag(), random);
      case READ_COMMITTED -> new CommittedStore(keys, config.lag(), random);
      case STRICT_SERIALIZABLE ->
          throw new IllegalArgumentException(
              "level strict-serializable; serializable with times is just that");
    };
  }
}
