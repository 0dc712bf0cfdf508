package io.isotail.ingest.capture;

import io.isotail.ingest.emit.TransactionSink;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;

/** A stream that begins when a test says so. */
public final class AwaitedStream {
  private final CountDownLatch begun = new CountDownLatch(1);
  private final AtomicLong looks = new AtomicLong();

  /** A capture whose commits wait for it. */
  public Capture capture(CaptureConfig config, TransactionSink sink) {
    return new Capture(
        config,
        sink,
        "proxy",
        new StreamStart() {
          @Override
          public boolean isAwaited() {
            looks.incrementAndGet();
            return begun.getCount() > 0;
          }

          @Override
          public void await() {
            try {
              begun.await();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          }
        });
  }

  /** How often somebody has looked whether it is to be waited for. */
  public long looks() {
    return looks.get();
  }

  /** It begins. */
  public void begin() {
    begun.countDown();
  }
}
