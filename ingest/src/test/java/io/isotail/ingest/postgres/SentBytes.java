package io.isotail.ingest.postgres;

import java.io.ByteArrayOutputStream;

/** Wires that keep what is sent to the server, and nothing else. */
class SentBytes implements Wires {
  private final ByteArrayOutputStream all = new ByteArrayOutputStream();

  /** What was sent. */
  ByteArrayOutputStream all() {
    return all;
  }

  @Override
  public void toServer(byte[] bytes, int offset, int length) {
    all.write(bytes, offset, length);
  }

  @Override
  public void toClient(byte[] bytes, int offset, int length) {}

  @Override
  public void holdClient() {}

  @Override
  public void releaseClient() {}

  @Override
  public boolean isServerBetweenMessages() {
    return true;
  }

  @Override
  public void work(Runnable work, Runnable then) {}

  @Override
  public void compute(Runnable work, Runnable then) {}

  @Override
  public void later(Runnable task) {}

  @Override
  public void after(long ms, Runnable task) {}
}
