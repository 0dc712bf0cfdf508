package io.isotail.ingest.postgres;

/** Wires that note whether anything was sent since they were asked last. For one thread. */
final class NotedWires implements Wires {
  private final Wires wires;
  private boolean sent;

  NotedWires(Wires wires) {
    this.wires = wires;
  }

  /** Nothing was sent yet. */
  void forget() {
    sent = false;
  }

  /** Whether something was sent. */
  boolean sent() {
    return sent;
  }

  @Override
  public void toServer(byte[] bytes, int offset, int length) {
    sent = true;
    wires.toServer(bytes, offset, length);
  }

  @Override
  public void toClient(byte[] bytes, int offset, int length) {
    sent = true;
    wires.toClient(bytes, offset, length);
  }

  @Override
  public void holdClient() {
    wires.holdClient();
  }

  @Override
  public void releaseClient() {
    wires.releaseClient();
  }

  @Override
  public boolean isServerBetweenMessages() {
    return wires.isServerBetweenMessages();
  }

  @Override
  public void work(Runnable work, Runnable then) {
    wires.work(work, then);
  }

  @Override
  public void compute(Runnable work, Runnable then) {
    wires.compute(work, then);
  }

  @Override
  public void later(Runnable task) {
    wires.later(task);
  }

  @Override
  public void after(long ms, Runnable task) {
    wires.after(ms, task);
  }
}
