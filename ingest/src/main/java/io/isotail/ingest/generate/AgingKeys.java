package io.isotail.ingest.generate;

/** The latest version of each key that is not dead; keys come, age and die. */
final class AgingKeys {
  private final EndlessTraffic traffic;
  private final Prng random;
  private final long[] latest;
  private final int mask;

  /** The next key to come; the keys below it have come. */
  private long frontier;

  AgingKeys(EndlessTraffic traffic, Prng random) {
    this.traffic = traffic;
    this.random = random;
    this.latest = new long[traffic.rememberedKeys()];
    this.mask = latest.length - 1;
  }

  /** One key comes, nobody has written it; if need be the oldest dies. */
  void advance() {
    latest[(int) frontier & mask] = SimulatedStore.INITIAL;
    frontier++;
  }

  /** A key that is still warm, or any if there are few. */
  long warm() {
    return aged(random.nextInt(1 + random.nextInt(traffic.warmKeys())));
  }

  /** A key that is cold but not dead, or any if there are few. */
  long cold() {
    int warm = traffic.warmKeys();
    return aged(warm + random.nextInt(latest.length - warm));
  }

  private long aged(long age) {
    return frontier - 1 - (age < frontier ? age : age % frontier);
  }

  long read(long key) {
    return latest[(int) key & mask];
  }

  void write(long key, long version) {
    latest[(int) key & mask] = version;
  }
}
