package io.isotail.ingest.generate;

/** Serializable, and strictly so: every transaction sees all before it. */
final class SerialStore implements SimulatedStore {
  private final long[] latest;

  SerialStore(int keys) {
    latest = new long[keys];
  }

  @Override
  public void begin(int session) {}

  @Override
  public long read(int key) {
    return latest[key];
  }

  @Override
  public boolean commit(WriteSet writes) {
    for (int i = 0; i < writes.size(); i++) {
      latest[writes.key(i)] = writes.version(i);
    }
    return true;
  }

  @Override
  public int missed() {
    return 0;
  }
}
