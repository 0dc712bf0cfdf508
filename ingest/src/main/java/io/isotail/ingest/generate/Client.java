package io.isotail.ingest.generate;

import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;

/** Runs one transaction after the other on the store. Versions are counted from 1 on. */
final class Client {
  private final GenerateConfig.Shape shape;
  private final GenerateConfig.Traffic traffic;
  private final SimulatedStore store;
  private final KeyDistribution keys;
  private final Prng random;
  private final Operations.Builder operations = new Operations.Builder();
  private final WriteSet written = new WriteSet();
  private long lastVersion;
  private Outcome outcome = Outcome.COMMITTED;
  private int missed;

  Client(GenerateConfig config, SimulatedStore store, Prng random) {
    this.shape = config.shape();
    this.traffic = config.traffic();
    this.keys = shape.keyDistribution();
    this.store = store;
    this.random = random;
  }

  /** Runs a transaction of a session; returns what it did. */
  Operations run(int session) {
    operations.clear();
    written.clear();
    store.begin(session);
    missed = store.missed();
    if (shape.mini()) {
      runMini();
    } else {
      for (int i = 0; i < shape.operations(); i++) {
        runOne(keys.next(random));
      }
    }
    outcome = end();
    return operations.build();
  }

  /** How the last transaction ended, as its client learnt it. */
  Outcome outcome() {
    return outcome;
  }

  /** How many of the last commits the last transaction may have missed. */
  int missed() {
    return missed;
  }

  private void runOne(int key) {
    if (random.nextDouble() < shape.readRatio()) {
      read(key);
    } else {
      write(key);
    }
  }

  private void runMini() {
    int one = keys.next(random);
    int other = keys.next(random);
    boolean writeOne = random.nextDouble() >= shape.readRatio();
    boolean writeOther = random.nextDouble() >= shape.readRatio();
    read(one);
    if (one == other || random.nextInt(2) == 0) {
      writeIf(writeOne, one);
      return;
    }
    boolean early = random.nextInt(2) == 0;
    writeIf(writeOne && early, one);
    read(other);
    writeIf(writeOne && !early, one);
    writeIf(writeOther, other);
  }

  private void writeIf(boolean wanted, int key) {
    if (wanted) {
      write(key);
    }
  }

  private void read(int key) {
    long version = written.get(key);
    if (version == SimulatedStore.INITIAL) {
      version = store.read(key);
    }
    if (version == SimulatedStore.INITIAL) {
      operations.readInitial(key);
    } else {
      operations.read(key, version);
    }
  }

  private void write(int key) {
    operations.write(key, ++lastVersion);
    written.put(key, lastVersion);
  }

  private Outcome end() {
    double fate = random.nextDouble();
    if (fate < traffic.abortRatio()) {
      return Outcome.ABORTED;
    }
    if (fate < traffic.abortRatio() + traffic.unknownRatio()) {
      if (random.nextInt(2) == 0) {
        store.commit(written);
      }
      return Outcome.UNKNOWN;
    }
    return store.commit(written) ? Outcome.COMMITTED : Outcome.ABORTED;
  }
}
