package io.isotail.ingest.capture;

import io.isotail.ingest.emit.TransactionSink;
import java.util.concurrent.CountDownLatch;

/** A stream that begins when a test says so. */
public final class AwaitedStream {
  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch awaited = new CountDownLatch(1);

  /** A capture whose commits wait for it. */
  public Capture capture(CaptureConfig config, TransactionSink sink) {
    return new Capture(
        config,
        sink,
        "proxy",
        new StreamStart() {
          @Override
          public boolean isAwaited() {
            return begun.getCount() > 0;
          }

          @Override
          public void await() {
            awaited.countDown();
            try {
              begun.await();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          }
        });
  }

  /** Whether something waits for it, or did. */
  public boolean isAwaited() {
    return awaited.getCount() == 0;
  }

  /** It begins. */
  public void begin() {
    begun.countDown();
  }
}
