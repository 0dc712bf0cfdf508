package io.isotail.ingest.proxy;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits until something holds. */
public final class Await {
  /** Longer than the proxy lets what was written go out before it closes a connection: 30 s. */
  private static final Duration MOST = Duration.ofSeconds(60);

  private Await() {}

  /** Returns when it holds; fails if that takes too long. */
  public static void until(String what, BooleanSupplier holds) {
    long deadlineNs = System.nanoTime() + MOST.toNanos();
    while (!holds.getAsBoolean()) {
      if (System.nanoTime() - deadlineNs > 0) {
        throw new AssertionError("not within " + MOST + ": " + what);
      }
      LockSupport.parkNanos(2_000_000);
    }
  }
}
